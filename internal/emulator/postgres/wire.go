package postgres

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgproto3"
)

// What a client may begin with instead of a startup message.
const (
	cancelRequest = 80877102
	tlsRequest    = 80877103
	gssRequest    = 80877104
)

// Bounds of what is read before a client has logged in; PostgreSQL has the same.
const (
	longestStartup = 10_000
	longestMessage = 65_536
)

// Codes of refusals (SQLSTATE).
const (
	codeProtocol      = "08P01"
	codeConnection    = "08006"
	codeAuthorization = "28000"
	codePassword      = "28P01"
	codeDatabase      = "3D000"
	codeShutdown      = "57P01"
)

// RefusalError ends a connection with an error for the client.
type RefusalError struct {
	// Code is the error's number in PostgreSQL (SQLSTATE).
	Code    string
	Message string
}

func (r *RefusalError) Error() string { return r.Message }

// NoDatabase refuses a login to a database that there isn't.
func NoDatabase(name string) *RefusalError {
	return &RefusalError{codeDatabase, fmt.Sprintf("database %q does not exist", name)}
}

// Refuse refuses a login with a reason.
func Refuse(reason string) *RefusalError { return &RefusalError{codeAuthorization, reason} }

func refuse(code, format string, args ...any) error {
	return &RefusalError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// startup is a client's first message.
type startup struct {
	// code is the version of the protocol, or one of the requests above.
	code uint32
	// body is all of it but its length.
	body []byte
}

// readStartup reads no byte more than the message has: what follows an answer to a
// request for TLS must be encrypted, whatever came along with the request.
func readStartup(from io.Reader) (startup, error) {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return startup{}, err
	}
	size := binary.BigEndian.Uint32(length[:])
	if size < 8 || size > longestStartup {
		return startup{}, errors.New("this isn't a client of PostgreSQL")
	}
	body := make([]byte, size-4)
	if _, err := io.ReadFull(from, body); err != nil {
		return startup{}, err
	}
	return startup{binary.BigEndian.Uint32(body), body}, nil
}

// parameters are what the client says of itself. Of the protocol's versions 3 it
// gets the oldest, which all clients know; asked says whether it wanted another.
func (s startup) parameters() (map[string]string, bool, error) {
	if s.code>>16 != 3 {
		return nil, false, refuse(codeProtocol, "unsupported frontend protocol %d.%d: server supports 3.0", s.code>>16,
			s.code&0xffff)
	}
	asked := s.code != pgproto3.ProtocolVersion30
	binary.BigEndian.PutUint32(s.body, pgproto3.ProtocolVersion30)
	var message pgproto3.StartupMessage
	if err := message.Decode(s.body); err != nil {
		return nil, false, refuse(codeProtocol, "invalid startup packet layout")
	}
	return message.Parameters, asked, nil
}

// readPassword reads the only kind of message that clients send while they log in.
func readPassword(from io.Reader) ([]byte, error) {
	var header [5]byte
	if _, err := io.ReadFull(from, header[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(header[1:])
	if header[0] != 'p' || size < 4 || size > longestMessage {
		return nil, refuse(codeProtocol, "expected SASL response, got message type %d", header[0])
	}
	body := make([]byte, size-4)
	_, err := io.ReadFull(from, body)
	return body, err
}

// encoder is a message of the protocol.
type encoder interface {
	Encode(to []byte) ([]byte, error)
}

func send(to io.Writer, message encoder) error {
	text, err := message.Encode(nil)
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	return err
}

// sendRefusal ends what a client is waiting for.
func sendRefusal(to io.Writer, r *RefusalError) error {
	return send(to, &pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: r.Code,
		Message: r.Message})
}

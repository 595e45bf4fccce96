package postgres

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/xdg-go/scram"
)

// Names of the ways to log in.
const (
	plainSCRAM = "SCRAM-SHA-256"
	boundSCRAM = "SCRAM-SHA-256-PLUS"
)

// scramIterations is what PostgreSQL uses itself.
const scramIterations = 4096

// Login is what a client asks for.
type Login struct {
	// Endpoint is the id in the host name, without the mark of the pooler.
	Endpoint       string
	Role, Database string
	// Address is the client's.
	Address string
	// Since is when the session began, by the world's clock; zero before that.
	Since time.Time
}

// loginOf reads the client's wishes. What is left in the parameters is for the server.
func loginOf(serverName string, parameters map[string]string) (Login, error) {
	login := Login{Role: parameters["user"], Database: parameters["database"]}
	if login.Role == "" {
		return login, refuse(codeAuthorization, "no PostgreSQL user name specified in startup packet")
	}
	if login.Database == "" {
		login.Database = login.Role
	}
	label, _, isEndpoint := strings.Cut(serverName, ".")
	if !isEndpoint || net.ParseIP(serverName) != nil {
		label = "" // Such as localhost: it is this machine, and the endpoint is said otherwise.
	}
	var others []string
	for option := range strings.FieldsSeq(parameters["options"]) {
		// Clients that don't send the host name with TLS say it here.
		if id, found := strings.CutPrefix(option, "endpoint="); found {
			label = id
		} else {
			others = append(others, option)
		}
	}
	delete(parameters, "channel_binding") // postgres.js sends what it doesn't know of the connection string.
	if _, given := parameters["options"]; given {
		parameters["options"] = strings.Join(others, " ")
	}
	login.Endpoint = strings.TrimSuffix(label, "-pooler")
	if login.Endpoint == "" {
		return login, refuse(codeConnection, "Endpoint ID is not specified. Either please upgrade the postgres client "+
			"library (libpq) for SNI support or pass the endpoint ID (first part of the domain name) as a parameter: "+
			"'?options=endpoint%%3D<endpoint-id>'")
	}
	return login, nil
}

// authenticate lets the client prove that it knows the password, and proves the
// same to it. The server's last word, that all is well, isn't said yet. Without TLS there is no certificate
// that the login could be bound to.
func authenticate(conn net.Conn, leaf *x509.Certificate, role string, target Target) error {
	offer := &pgproto3.AuthenticationSASL{AuthMechanisms: []string{boundSCRAM, plainSCRAM}}
	if leaf == nil {
		offer.AuthMechanisms = []string{plainSCRAM}
	}
	if err := send(conn, offer); err != nil {
		return err
	}
	body, err := readPassword(conn)
	if err != nil {
		return err
	}
	var first pgproto3.SASLInitialResponse
	if err := first.Decode(body); err != nil {
		return refuse(codeProtocol, "malformed SCRAM message")
	}
	conversation, err := newConversation(first.AuthMechanism, leaf, target)
	if err != nil {
		return err
	}
	challenge, err := conversation.Step(string(first.Data))
	if err != nil {
		return refuse(codeProtocol, "SCRAM: %v", err)
	}
	if err := send(conn, &pgproto3.AuthenticationSASLContinue{Data: []byte(challenge)}); err != nil {
		return err
	}
	proof, err := readPassword(conn)
	if err != nil {
		return err
	}
	verdict, err := conversation.Step(string(proof))
	if err != nil || !conversation.Valid() {
		return wrongPassword(role)
	}
	return send(conn, &pgproto3.AuthenticationSASLFinal{Data: []byte(verdict)})
}

// newConversation begins the server's side. An empty password is that of nobody: it
// is replaced by one that nobody knows, so that the client can't tell.
func newConversation(mechanism string, leaf *x509.Certificate, target Target) (*scram.ServerConversation, error) {
	credentials, err := parseVerifier(target.Verifier)
	if err != nil || target.Verifier == "" {
		credentials, err = credentialsOf(cmp.Or(target.Password, rand.Text()),
			scram.KeyFactors{Salt: rand.Text(), Iters: scramIterations})
	}
	if err != nil {
		return nil, err
	}
	server, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return credentials, nil })
	if err != nil {
		return nil, err
	}
	if leaf == nil {
		return server.NewConversation(), nil
	}
	binding, err := scram.NewTLSServerEndpointBinding(&tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}})
	if err != nil {
		return nil, err
	}
	switch mechanism {
	case boundSCRAM:
		return server.NewConversationWithChannelBindingRequired(binding), nil
	case plainSCRAM:
		return server.NewConversationWithChannelBinding(binding), nil
	}
	return nil, refuse(codeProtocol, "client selected an invalid SASL authentication mechanism")
}

// negotiate tells a client that wanted more of the protocol than it gets.
func negotiate(conn net.Conn, askedForMore bool, parameters map[string]string) error {
	var unknown []string
	for name := range parameters {
		if strings.HasPrefix(name, "_pq_.") {
			unknown = append(unknown, name)
			delete(parameters, name)
		}
	}
	if !askedForMore && len(unknown) == 0 {
		return nil
	}
	return send(conn, &pgproto3.NegotiateProtocolVersion{
		NewestMinorProtocol: pgproto3.ProtocolVersion30, UnrecognizedOptions: unknown,
	})
}

// refusalOf is what the client is told of an error, nil when it has gone.
func refusalOf(err error) *RefusalError {
	refusal, _ := errors.AsType[*RefusalError](err)
	return refusal
}

// credentialsOf is what a server keeps of a password. Which role's it is was said before: SCRAM's
// own name, which couldn't be any, counts for nothing. As in PostgreSQL, a password that can't be
// prepared counts as it is.
func credentialsOf(password string, factors scram.KeyFactors) (scram.StoredCredentials, error) {
	client, err := scram.SHA256.NewClient("", password, "")
	if err != nil {
		client, err = scram.SHA256.NewClientUnprepped("", password, "")
	}
	if err != nil {
		return scram.StoredCredentials{}, err
	}
	return client.GetStoredCredentialsWithError(factors)
}

// parseVerifier reads what PostgreSQL keeps of a password:
// SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>.
func parseVerifier(verifier string) (scram.StoredCredentials, error) {
	parts := strings.FieldsFunc(verifier, func(r rune) bool { return r == '$' || r == ':' })
	if len(parts) != 5 || parts[0] != plainSCRAM {
		return scram.StoredCredentials{}, errors.New("it isn't a verifier of SCRAM")
	}
	iterations, err := strconv.Atoi(parts[1])
	var decoded [3][]byte
	for i, part := range parts[2:] {
		if err == nil {
			decoded[i], err = base64.StdEncoding.DecodeString(part)
		}
	}
	return scram.StoredCredentials{
		KeyFactors: scram.KeyFactors{Salt: string(decoded[0]), Iters: iterations}, StoredKey: decoded[1],
		ServerKey: decoded[2],
	}, err
}

// Verifies reports whether a verifier is that of a password.
func Verifies(verifier, password string) bool {
	kept, err := parseVerifier(verifier)
	if err != nil {
		return false
	}
	own, err := credentialsOf(password, kept.KeyFactors)
	return err == nil && bytes.Equal(own.StoredKey, kept.StoredKey)
}

package wire

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// File is an answer that isn't JSON.
type File struct {
	Content []byte
	// Type is its media type, and ETag what it is known by, as a header has them; empty for none.
	Type, ETag string
}

// FailureOf is what an error says to who called.
func FailureOf(err error) *Error {
	if failure, isOurs := errors.AsType[*Error](err); isOurs {
		return failure
	}
	return &Error{Status: http.StatusInternalServerError, Message: err.Error()}
}

// StatusOf is the status that an error is answered with.
func StatusOf(err error) int { return FailureOf(err).Status }

// Encode is the body of an answer.
func Encode(body any) []byte {
	if file, isFile := body.(File); isFile {
		return file.Content
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // Answers are made of what JSON can hold.
	}
	return append(text, '\n')
}

// Send sends an answer.
func Send(w http.ResponseWriter, status int, body []byte) {
	if len(body) > 0 {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // A client that has gone needs no answer.
}

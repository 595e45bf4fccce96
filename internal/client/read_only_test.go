package client

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// onlyRead are the calls that write nothing, though they aren't GETs: neither Neon nor somebody who relies on it can
// tell afterwards that one was sent. A reveal shows what a credential has, and changes nothing of it; a token of
// Claimable Neon is what each read there needs, and ends by itself. What presigns an upload is the first half of that,
// so it writes; a claim link ends the one before it, and a test mail arrives. That a GET wakes a suspended compute
// doesn't count.
var onlyRead = []string{
	"POST /projects/{project_id}/branches/{branch_id}/credentials/{token_id}/reveal",
	"POST /v1/oauth2/token",
}

// doesWrite reports whether a call writes.
func doesWrite(call sayable) bool {
	return !strings.HasPrefix(call.said, http.MethodGet+" ") && !slices.Contains(onlyRead, call.said)
}

// What is named as an exception is a call of the client.
func TestWhatOnlyReadsIsSent(t *testing.T) {
	t.Parallel()
	said := slices.Concat(slices.Collect(maps.Values(saidCalls(t)))...)
	for _, call := range onlyRead {
		if !slices.ContainsFunc(said, func(one sayable) bool { return one.said == call }) {
			t.Errorf("no method sends %s", call)
		}
	}
}

// A client that only reads sends nothing that writes, whatever is called: each method that writes says so, with who
// asked for it, and every other works.
func TestAReadOnlyClientWritesNothing(t *testing.T) {
	const by = "the environment variable NEON_READ_ONLY"
	said, arguments := saidCalls(t), map[string]writing{}
	for _, writing := range writings {
		arguments[writing.method] = writing
	}
	for method := range reflect.TypeFor[*Client]().Methods() {
		if method.Type.NumIn() < 2 || method.Type.In(1) != reflect.TypeFor[context.Context]() {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				platform, args := &sentCalls{world: &world{state: fullWorld}}, plainArguments(ctx, method.Type)
				if writing, is := arguments[method.Name]; is {
					platform.world = &world{writing: writing, state: writing.before}
					args = append([]any{ctx}, writing.args...)
				}
				err := errorOf(callMethod(newClient(t, platform, func(c *Config) { c.ReadOnly = by }), method.Name, args...))
				var refused *ReadOnlyError
				wantsRefusal := slices.ContainsFunc(said[method.Name], doesWrite)
				if errors.As(err, &refused) != wantsRefusal {
					t.Errorf("it says %v, and ends with %v", said[method.Name], err)
				} else if wantsRefusal {
					contains(t, err.Error(), by, "was not sent", refused.Method)
				}
				for _, sent := range platform.all {
					isRead := func(call sayable) bool { return !doesWrite(call) && call.isSentAs(sent) }
					if !slices.ContainsFunc(said[method.Name], isRead) && !strings.HasPrefix(sent, http.MethodGet+" /api/v2/") {
						t.Errorf("it sends %s", sent)
					}
				}
			})
		})
	}
}

// What a read-only client says of what it hasn't sent names what that is about, and no id that is a secret.
func TestReadOnlyError(t *testing.T) {
	t.Parallel()
	const secret = "0123abcd-0000-4000-8000-0123456789ab"
	api := newClient(t, always(http.StatusOK, `{}`), func(c *Config) { c.ReadOnly = "read_only" })
	err := api.AcceptTransferRequest(t.Context(), Ref[TransferRequest]{"p", secret}, "o")
	if refused := new(ReadOnlyError); !errors.As(err, &refused) || strings.Contains(err.Error(), secret) {
		t.Fatalf("got %v", err)
	}
	contains(t, err.Error(), "which is about the transfer of project p to organization o")
}

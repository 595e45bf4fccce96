package client

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

// An operation without an id can't be waited for, nor asked for by the next run. An answer with one is a lost one:
// the effect of the write is looked for, and the operations are read.
func TestAnOperationWithoutIDIsNone(t *testing.T) {
	for name, test := range map[string]struct {
		write  func(context.Context, *Client) ([]Operation, error)
		object string
	}{
		"change": {func(ctx context.Context, c *Client) ([]Operation, error) {
			return OperationsOf(c.UpdateEndpoint(ctx, EndpointRef{"p", "x"}, EndpointUpdate{Name: new("n")}))
		}, `"endpoint":{"id":"x","name":"n"}`},
		"deletion": {func(ctx context.Context, c *Client) ([]Operation, error) {
			return c.DeleteEndpoint(ctx, EndpointRef{"p", "x"})
		}, `"endpoint":{"id":"x"}`},
		"end of a restore": {func(ctx context.Context, c *Client) ([]Operation, error) {
			return c.FinalizeRestore(ctx, aBranch, "")
		}, `"branch":{"id":"b","restore_status":"finalized"}`},
	} {
		for _, operation := range []string{"{}", "null", `{"id":""}`} {
			t.Run(name+" "+operation, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
						switch {
						case request.Method != http.MethodGet:
							return respond(request, http.StatusOK, `{`+test.object+`,"operations":[`+operation+`]}`), nil
						case strings.HasSuffix(request.URL.Path, "/operations"):
							running := `{"id":"o","endpoint_id":"x","branch_id":"b","status":"running"}`
							return respond(request, http.StatusOK, `{"operations":[`+running+`]}`), nil
						case name == "deletion":
							return respond(request, http.StatusNotFound, `{"message":"endpoint not found"}`), nil
						}
						return respond(request, http.StatusOK, `{`+test.object+`}`), nil
					}))
					operations, err := test.write(t.Context(), api)
					if err != nil || len(operations) != 1 || operations[0].ID != "o" {
						t.Errorf("got %v, %v", operations, err)
					}
				})
			})
		}
	}
}

package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

func TestCalls_anonymized(t *testing.T) {
	const (
		at    = "/api/v2/projects/p/branches/b"
		rules = `{"masking_rules":[{"column_name":"c","database_name":"d","masking_value":"1","schema_name":"s","table_name":"t"}]}`
	)
	rule := MaskingRule{DatabaseName: "d", SchemaName: "s", TableName: "t", ColumnName: "c", Value: "1"}
	holdCalls(t, []exchange{
		{"masking rules", func(ctx context.Context, c *Client) (any, error) { return c.ListMaskingRules(ctx, aBranch) },
			"GET " + at + "/masking_rules ", 200, rules, `"masking_value":"1"`},
		{"set masking rules", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.SetMaskingRules(ctx, aBranch, []MaskingRule{rule})
		}, "PATCH " + at + "/masking_rules " + rules, 200, rules, `null`},
		{"an anonymization", func(ctx context.Context, c *Client) (any, error) { return c.GetAnonymization(ctx, aBranch) },
			"GET " + at + "/anonymized_status ", 200,
			`{"state":"error","status_message":"m","last_run":{"started_at":"2026-01-02T03:04:05Z","masked_columns":2}}`,
			`"masked_columns":2`},
		{"create an anonymized branch", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateAnonymizedBranch(ctx, "p", BranchCreate{Name: "n"}, []MaskingRule{})
		}, "POST /api/v2/projects/p/branch_anonymized " +
			`{"annotation_value":{"terraform-provider-neon/creation":"*"},"branch_create":{"branch":{"name":"n"}},"masking_rules":[]}`, 201,
			`{"branch":{"id":"b","restricted_actions":[{"name":"delete-rw-endpoint","reason":"r"}]}}`, `"reason":"r"`},
	})
}

// anonymizing answers with one state after another, and repeats the last one.
func anonymizing(t *testing.T, states ...string) (c *Client, posted func() int) {
	t.Helper()
	posts, state := 0, ""
	return newClient(t, &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
		if request.Method == http.MethodPost {
			if posts++; strings.Contains(state, `"created"`) || strings.Contains(state, `"queued"`) {
				return respond(request, http.StatusConflict, `{"message":"it isn't ready"}`), nil
			}
			return respond(request, http.StatusOK, `{"state":"anonymized"}`), nil
		}
		state = states[0]
		states = states[min(1, len(states)-1):]
		return respond(request, http.StatusOK, state), nil
	}}), func() int { return posts }
}

// What an earlier run has left is no end of the one that was asked for.
func TestAnonymize(t *testing.T) {
	t.Parallel()
	const (
		before = `{"state":"anonymized","last_run":{"started_at":"2026-01-02T03:04:05Z"}}`
		during = `{"state":"anonymizing"}`
		after  = `{"state":"anonymized","last_run":{"started_at":"2026-01-02T03:05:05Z"}}`
		failed = `{"state":"error","status_message":"no column age","last_run":{"started_at":"2026-01-02T03:05:05Z"}}`
	)
	for name, test := range map[string]struct {
		states []string
		fails  string
	}{
		"seen while it runs":        {[]string{`{"state":"created"}`, `{"state":"initialized"}`, `{"state":"initialized"}`, during, during, after}, ""},
		"begins late":               {[]string{before, before, before, during, after}, ""},
		"over before it was seen":   {[]string{before, before, after}, ""},
		"over, without its times":   {[]string{`{"state":"initialized"}`, `{"state":"initialized"}`, `{"state":"anonymized"}`}, ""},
		"never seen":                {[]string{before}, "isn't known"},
		"made good":                 {[]string{failed, failed, during, after}, ""},
		"fails":                     {[]string{before, during, failed}, "no column age"},
		"fails again":               {[]string{failed, during, failed}, "no column age"},
		"can't be prepared":         {[]string{`{"state":"created"}`, `{"state":"initialization_error"}`}, "Neon doesn't say why"},
		"in a state without a name": {[]string{`{"state":"queued"}`, before, `{"state":"queued"}`, during, after}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, posted := anonymizing(t, test.states...)
				err := c.Anonymize(t.Context(), aBranch, nil)
				var failure *AnonymizationError
				switch {
				case test.fails == "" && err != nil, test.fails != "" && test.fails != "isn't known" &&
					!errors.As(err, &failure), test.fails != "" && err == nil:
					t.Fatal(err)
				case test.fails != "":
					contains(t, err.Error(), test.fails)
				case posted() != 1:
					t.Errorf("it was asked for %d times", posted())
				}
			})
		})
	}
}

// A database's own message may name how it was connected to.
func TestAnonymization_hasNoSecret(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const secret = "npg_secret0123456789"
		var said []string
		ctx := WithProgress(t.Context(), func(text string) { said = append(said, text) })
		c, _ := anonymizing(t, `{"state":"created","status_message":"`+secret+`"}`,
			`{"state":"initialization_error","status_message":"`+secret+`"}`)
		now, err := c.PrepareAnonymization(ctx, aBranch)
		if text := fmt.Sprint(said, now, err); strings.Contains(text, secret) || !strings.Contains(text, masked) {
			t.Errorf("got %s", text)
		}
	})
}

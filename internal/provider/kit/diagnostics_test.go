package kit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

func platformError(status int) error {
	return &client.Error{
		StatusCode: status, Message: "Neon's words", RequestID: "req-1", Method: "POST",
		Path: "/api/v2/projects/p-1/branches",
	}
}

func TestAddError(t *testing.T) {
	t.Parallel()
	everyAnswer := []string{"POST /api/v2/projects/p-1/branches", "Neon's words", "req-1"}
	operation := client.Operation{ID: "op-1", ProjectID: "p-1", BranchID: "br-1", Action: "create_branch",
		Status: "failed", Error: "no room left"}
	notJSON := &client.BadAnswerError{Method: "GET", Path: "/api/v2/api_keys", StatusCode: 200, RequestID: "req-1",
		Reason: "it isn't JSON"}
	for name, test := range map[string]struct {
		err  error
		want []string
	}{
		"400": {platformError(400), append([]string{"400", "check the values"}, everyAnswer...)},
		"401": {platformError(401), append([]string{"401", "mistyped, expired or revoked", "NEON_API_KEY", "api_key", "an emulator without -data has other keys"}, everyAnswer...)},
		"403": {platformError(403), append([]string{"403", "isn't allowed", "administrator"}, everyAnswer...)},
		"404": {platformError(404), append([]string{"404", "Check the ids and names", "may see"}, everyAnswer...)},
		"409": {platformError(409), append([]string{"409", "exists already", "apply again", "a third name", "import"}, everyAnswer...)},
		"412": {platformError(412), append([]string{"412", "plan"}, everyAnswer...)},
		"412 of Launch": {
			&client.Error{StatusCode: 412, Message: "suspend interval is too short for your plan", Method: "PATCH",
				Path: "/api/v2/projects/p-1"},
			[]string{"suspend interval is too short for your plan", "doesn't allow this", "https://neon.com/pricing"},
		},
		"422":     {platformError(422), append([]string{"422", "limit of the plan"}, everyAnswer...)},
		"423":     {platformError(423), append([]string{"423", "Other work", "max_retries", "timeouts"}, everyAnswer...)},
		"429":     {platformError(429), append([]string{"429", "requests_per_minute"}, everyAnswer...)},
		"500":     {platformError(500), append([]string{"500", "Apply again later"}, everyAnswer...)},
		"418":     {platformError(418), everyAnswer},
		"wrapped": {fmt.Errorf("reading a page: %w", platformError(401)), []string{"Reading a page", "NEON_API_KEY"}},
		"lost answer": {
			&client.AmbiguousError{
				Method: "PATCH", Path: "/api/v2/projects/p-1", Subject: "the change of project p-1", RequestID: "req-1",
				Err: errors.New("EOF"),
			},
			[]string{"answer was lost", "The change of project p-1 may have taken effect; it was not sent again.", "req-1",
				"Apply again: it reads what Neon has"},
		},
		"lost answer that wasn't JSON": {
			&client.AmbiguousError{Method: "POST", Path: "/api/v2/api_keys", Subject: "x", Err: notJSON},
			[]string{"it isn't JSON", "base_url", "proxy"},
		},
		"failed operation": {
			&client.OperationError{Operation: operation, Reason: "failed"},
			[]string{"Operation op-1 (create_branch)", "project p-1", "branch br-1", "no room left", "kept in the state"},
		},
		"timeout while waiting": {
			&client.WaitError{Running: []client.Operation{operation}, Waited: 2 * time.Second, Err: context.DeadlineExceeded},
			[]string{"Timed out after waiting 2s", "op-1", "timeouts",
				"nothing is lost. The next apply reads what it has done, and does what is left."},
		},
		"timeout at once": {
			&client.WaitError{Running: []client.Operation{operation}, Err: context.DeadlineExceeded},
			[]string{"Timed out after waiting less than 0.1s for", "op-1"},
		},
		"interruption while waiting": {
			&client.WaitError{Running: []client.Operation{operation}, Waited: 2 * time.Second, Err: context.Canceled},
			[]string{"Interrupted after waiting 2s", "op-1", "does what is left."},
		},
		"timeout of a creation": {
			kit.Kept(&client.WaitError{Running: []client.Operation{operation}, Waited: 2 * time.Second,
				Err: context.DeadlineExceeded}, "branch br-1"),
			[]string{"branch br-1 exists and is kept in the state",
				"it is tainted: the next apply replaces it, unless it is untainted", "raise the timeouts", "nothing is lost."},
		},
		"interruption of a creation": { // The next apply doesn't go on from what is tainted.
			kit.Kept(&client.WaitError{Running: []client.Operation{operation}, Err: context.Canceled}, "branch br-1"),
			[]string{"the next apply replaces it, unless it is untainted with terraform untaint before. Neon goes on by itself"},
		},
		"timeout before acceptance": {
			&client.EndedError{Method: "POST", Path: "/api/v2/projects/p-1/branches", Last: platformError(423),
				Err: context.DeadlineExceeded},
			[]string{"timed out", "423", "Neon's words", "timeouts"},
		},
		"not sent": {
			&client.NotSentError{Method: "GET", URL: "https://nowhere.example/api/v2/projects", Err: errors.New("no such host")},
			[]string{"https://nowhere.example", "no such host", "base_url", "NEON_BASE_URL", "HTTPS_PROXY"},
		},
		"a read without an answer": {
			&client.UnansweredError{Method: "GET", Path: "/api/v2/api_keys", Err: errors.New("connection reset")},
			[]string{"GET /api/v2/api_keys", "connection reset", "Nothing was changed", "apply again"},
		},
		"not JSON":        {notJSON, []string{"GET /api/v2/api_keys", "it isn't JSON", "req-1", "base_url", "proxy"}},
		"incomplete list": {&client.PartialListError{UnavailableProjectIDs: []string{"p-7"}}, []string{"p-7", "search"}},
		"another":         {errors.New("the connection broke"), []string{"The connection broke."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var diags diag.Diagnostics
			kit.AddError(&diags, "Unable to create branch", test.err)
			if len(diags) != 1 || diags[0].Severity() != diag.SeverityError || diags[0].Summary() != "Unable to create branch" {
				t.Fatalf("diagnostics: %v", diags)
			}
			for _, want := range test.want {
				if !strings.Contains(diags[0].Detail(), want) {
					t.Errorf("%q is missing in:\n%s", want, diags[0].Detail())
				}
			}
			for _, unwanted := range []string{"What was being", "client.", "*errors", "%!", "{"} {
				if strings.Contains(diags[0].Detail(), unwanted) {
					t.Errorf("%q is for Go programmers, in:\n%s", unwanted, diags[0].Detail())
				}
			}
		})
	}
}

// A hint of the caller's takes the place of the general advice.
func TestAddError_hint(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	kit.AddError(&diags, "Unable to create branch", platformError(409), "A hint of the caller's.")
	detail := diags[0].Detail()
	if !strings.HasSuffix(detail, "\n\nA hint of the caller's.") || !strings.Contains(detail, "409") ||
		strings.Contains(detail, "exists already") {
		t.Errorf("the error says:\n%s", detail)
	}
}

func TestAddAttributeError(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	kit.AddAttributeError(&diags, path.Root("project_id"), "Unable to create branch", platformError(404))
	problem, ok := diags[0].(diag.DiagnosticWithPath)
	if !ok || !problem.Path().Equal(path.Root("project_id")) || !strings.Contains(problem.Detail(), "Check the ids") {
		t.Errorf("diagnostics: %v", diags)
	}
}

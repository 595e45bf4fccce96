package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestCalls_functions(t *testing.T) {
	const at = "/api/v2/projects/p/branches/b/functions"
	const deployment = `{"id":3,"status":"completed","memory_mib":2048,"runtime":"nodejs24","created_at":"2026-12-01T02:03:04Z","environment":["A"]}`
	const function = `{"id":"fn-1","slug":"api","name":"The API","invocation_url":"https://a/","current_deployment":` +
		deployment + `,"active_deployment":` + deployment + `}`
	holdCalls(t, []exchange{
		{"functions", func(ctx context.Context, c *Client) (any, error) { return All(c.ListFunctions(ctx, aBranch)) },
			"GET " + at + " ", 200, `{"functions":[` + function + `],"pagination":{}}`,
			`"invocation_url":"https://a/","current_deployment":{"id":3`},
		{"read a function", func(ctx context.Context, c *Client) (any, error) { return c.GetFunction(ctx, aBranch, "api") },
			"GET " + at + "/api ", 200, `{"function":` + function + `}`, `"slug":"api","name":"The API"`},
		{"a deployment that is over", func(ctx context.Context, c *Client) (any, error) {
			return c.WaitForDeployment(ctx, aBranch, "api", 3)
		},
			"GET " + at + "/api ", 200, `{"function":` + function + `}`, `"active_deployment":{"id":3`},
		{"name a function", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RenameFunction(ctx, aBranch, "api", "n")
		},
			"PATCH " + at + `/api {"name":"n"}`, 200, `{"function":` + function + `}`, `null`},
		{"take the name of a function away", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RenameFunction(ctx, aBranch, "api", "")
		},
			"PATCH " + at + `/api {"name":null}`, 200, `{"function":` + function + `}`, `null`},
		{"delete a function", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.DeleteFunction(ctx, aBranch, "api")
		},
			"DELETE " + at + "/api ", 204, ``, `null`},
	})
}

// A deployment is a form, and a log has its size alone.
func TestFunctionDeploy_form(t *testing.T) {
	t.Parallel()
	form := FunctionDeploy{Bundle: []byte("PK"), Environment: map[string]string{"KEY": "hush", "OLD": ""}}.form()
	_, of, err := mime.ParseMediaType(form.contentType)
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]string{}
	for parts := multipart.NewReader(bytes.NewReader(form.data), of["boundary"]); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		sent[part.FormName()] = string(content)
	}
	if len(sent) != 2 || sent["zip"] != "PK" || sent["environment"] != `{"KEY":"hush","OLD":""}` {
		t.Errorf("sent %v", sent)
	}
	if logged, err := form.MarshalJSON(); err != nil || bytes.Contains(logged, []byte("hush")) {
		t.Errorf("a log has %s (%v)", logged, err)
	}
}

func TestCalls_triggers(t *testing.T) {
	const at = "/api/v2/projects/p/branches/b/triggers"
	const trigger = `{"type":"schedule","trigger_id":"trigger-1","function_slug":"api","name":"n","function_path":"/","schedule":{"cron":"0 3 * * *"},"enabled":true,"version":1}`
	spec := TriggerSpec{Type: "storage_object_created", FunctionSlug: "api", Name: "n", Path: "/",
		Object: &TriggerObject{Bucket: "uploads"}}
	const sent = ` {"enabled":false,"function_path":"/","function_slug":"api","name":"n","storage_object_created":{"bucket_name":"uploads"},"type":"storage_object_created"}`
	holdCalls(t, []exchange{
		{"triggers", func(ctx context.Context, c *Client) (any, error) { return All(c.ListTriggers(ctx, aBranch)) },
			"GET " + at + " ", 200, `{"triggers":[` + trigger + `]}`, `"trigger_id":"trigger-1"`},
		{"make a trigger", func(ctx context.Context, c *Client) (any, error) { return c.CreateTrigger(ctx, aBranch, spec) },
			"POST " + at + sent, 201, `{"triggers":[],"trigger":` + trigger + `}`, `"schedule":{"cron":"0 3 * * *"}`},
		{"change a trigger", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.UpdateTrigger(ctx, aBranch, "trigger-1", spec)
		},
			"PATCH " + at + "/trigger-1" + sent, 200, `{"trigger":` + trigger + `}`, `null`},
		{"delete a trigger", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.DeleteTrigger(ctx, aBranch, "trigger-1")
		},
			"DELETE " + at + "/trigger-1 ", 204, ``, `null`},
	})
}

func TestCalls_customDomains(t *testing.T) {
	const at = "/api/v2/projects/p/branches/b/custom-domains"
	const domain = `"domain":"api.example.com","entity_type":"function","entity_id":"api","cname_target":"a.neon.tech","status":"pending","dns_status":"pending","status_reason":""`
	holdCalls(t, []exchange{
		{"custom domains", func(ctx context.Context, c *Client) (any, error) { return All(c.ListCustomDomains(ctx, aBranch)) },
			"GET " + at + " ", 200, `{"custom_domains":[{` + domain + `}],"pagination":{}}`, `"cname_target":"a.neon.tech"`},
		{"register a domain", func(ctx context.Context, c *Client) (any, error) {
			return c.CreateCustomDomain(ctx, aBranch, "api.example.com", "api")
		},
			"POST " + at + ` {"domain":"api.example.com","entity_id":"api","entity_type":"function"}`, 201,
			`{"custom_domains":[],` + domain + `}`, `"entity_id":"api"`},
		{"end a domain", func(ctx context.Context, c *Client) (any, error) {
			return nil, c.DeleteCustomDomain(ctx, aBranch, "api.example.com")
		},
			"DELETE " + at + "/api.example.com ", 204, ``, `null`},
	})
}

// A deployment that Neon could not build is an error that says why.
func TestWaitForDeployment_failed(t *testing.T) {
	t.Parallel()
	const function = `{"function":{"slug":"api","current_deployment":{"id":3,"status":"failed","error":"no index.mjs at https://user:secret@host"},"active_deployment":{"id":2,"status":"completed"}}}`
	_, err := newClient(t, always(200, function)).WaitForDeployment(t.Context(), aBranch, "api", 3)
	var failed *DeploymentError
	if !errors.As(err, &failed) || failed.Deployment.ID != 3 {
		t.Fatalf("got %v", err)
	}
	contains(t, err.Error(), "no index.mjs")
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
	// A later one is another run's, and says nothing of this one.
	_, err = newClient(t, always(200, function)).WaitForDeployment(t.Context(), aBranch, "api", 2)
	if err != nil {
		t.Errorf("beside a later one: got %v", err)
	}
	const later = `{"function":{"slug":"api","current_deployment":{"id":3,"status":"failed","error":"no index.mjs"},"active_deployment":{"id":1,"status":"completed"}}}`
	_, err = newClient(t, always(200, later)).WaitForDeployment(t.Context(), aBranch, "api", 2)
	if !errors.As(err, &failed) || failed.After != 2 {
		t.Fatalf("after a later one: got %v", err)
	}
	contains(t, err.Error(), "deployment 2 of function api was followed by deployment 3",
		"What became of deployment 2 isn't known")
}

// What Neon builds goes on while it can't be read.
func TestWaitForDeployment_outage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const function = `{"function":{"slug":"api","current_deployment":{"id":3,"status":"completed"},"active_deployment":{"id":3,"status":"completed"}}}`
		outage := time.Now().Add(4 * time.Minute)
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if time.Now().Before(outage) {
				return respond(request, 503, `{}`), nil
			}
			return respond(request, 200, function), nil
		}))
		if _, err := api.WaitForDeployment(t.Context(), aBranch, "api", 3); err != nil {
			t.Fatal(err)
		}
	})
}

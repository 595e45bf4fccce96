package connectionuri_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// answer is what a function gave: a text, that it isn't known yet, or an error
// with the position of the argument that is to blame.
type answer struct {
	text     string
	unknown  bool
	problem  string
	argument int64
}

// call calls a function of the provider as Terraform does.
func call(t testing.TB, name string, arguments ...tftypes.Value) answer {
	t.Helper()
	req := &tfprotov6.CallFunctionRequest{Name: name}
	for _, argument := range arguments {
		value, err := tfprotov6.NewDynamicValue(argument.Type(), argument)
		if err != nil {
			t.Fatal(err)
		}
		req.Arguments = append(req.Arguments, &value)
	}
	resp, err := provider.NewServer("test").New().CallFunction(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Error != nil {
		if resp.Error.FunctionArgument == nil {
			t.Fatalf("the error blames no argument: %s", resp.Error.Text)
		}
		return answer{problem: resp.Error.Text, argument: *resp.Error.FunctionArgument}
	}
	result, err := resp.Result.Unmarshal(tftypes.String)
	if err != nil {
		t.Fatal(err)
	}
	if !result.IsKnown() {
		return answer{unknown: true}
	}
	var text string
	if err := result.As(&text); err != nil {
		t.Fatal(err)
	}
	return answer{text: text}
}

// wantProblem checks an error, and that no secret is in it.
func wantProblem(t *testing.T, got answer, argument int64, parts ...string) {
	t.Helper()
	if got.problem == "" || got.argument != argument {
		t.Errorf("got %+v, want an error about argument %d", got, argument)
	}
	for _, part := range parts {
		if !strings.Contains(got.problem, part) {
			t.Errorf("%q doesn't say %q", got.problem, part)
		}
	}
	if strings.Contains(got.problem, "s3cret") {
		t.Errorf("%q shows a secret", got.problem)
	}
}

func TestConnectionStringFunctions(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"direct_connection_string": acctest.DirectURL,
		"pooled_connection_string": acctest.PooledURL} {
		for _, given := range []string{acctest.PooledURL, acctest.DirectURL} {
			if got := call(t, name, acctest.Text(given)); got != (answer{text: want}) {
				t.Errorf("%s(%q): got %+v, want %q", name, given, got, want)
			}
		}
		for given, part := range map[string]string{
			"npg_s3cret":                                "url must be a connection URL that begins with postgresql:// or postgres://",
			"postgresql://u:s3cret/@ep-x.neon.tech/":    "url must be a valid connection URL",
			"postgresql://u:s3cret@localhost/?a=s3cret": "url must be a connection URL with one host name",
		} {
			wantProblem(t, call(t, name, acctest.Text(given)), 0, part)
		}
	}
}

// FuzzConnectionStringFunctions makes URLs of parts, which must all be there
// again, whatever they look like.
func FuzzConnectionStringFunctions(f *testing.F) {
	f.Add("neondb_owner", "npg_x", "ep-cool-a1", "c-2.us-east-2.aws.neon.tech", "",
		"neondb?channel_binding=require&sslmode=require")
	f.Add("a-pooler.b", "c-pooler.d", "x", "y-pooler.z.", ":5432", "db-pooler.x?options=a-pooler.b#c-pooler.d")
	f.Add("%75", "p@ss", "X", "y", ":", "?%61=%zz&&")
	f.Fuzz(func(t *testing.T, user, password, endpoint, domain, port, rest string) {
		if strings.Contains(endpoint, ".") || strings.HasSuffix(strings.ToLower(endpoint), "-pooler") {
			t.Skip("more than the first label, or one with the suffix already")
		}
		if strings.ContainsAny(user+password, "/?#") || strings.ContainsAny(endpoint+domain+port, "/?#@") {
			t.Skip("the parts are cut elsewhere")
		}
		url := func(suffix string) string {
			return fmt.Sprintf("postgresql://%s:%s@%s%s.%s%s/%s", user, password, endpoint, suffix, domain, port, rest)
		}
		if call(t, "direct_connection_string", acctest.Text(url(""))).problem != "" {
			t.Skip("no connection URL")
		}
		direct, pooled := answer{text: url("")}, answer{text: url("-pooler")}
		for _, given := range []answer{direct, pooled} {
			if got := call(t, "direct_connection_string", acctest.Text(given.text)); got != direct {
				t.Errorf("direct_connection_string(%q) is %+v", given.text, got)
			}
			if got := call(t, "pooled_connection_string", acctest.Text(given.text)); got != pooled {
				t.Errorf("pooled_connection_string(%q) is %+v", given.text, got)
			}
		}
	})
}

package provider

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	anyText   = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	anyNumber = tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)
)

func text(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }
func number(value int) tftypes.Value  { return tftypes.NewValue(tftypes.Number, value) }

func kinds(of ...tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, of)
}

// providerConfiguration is a provider block with these attributes.
func providerConfiguration(t *testing.T, given map[string]tftypes.Value) tfsdk.Config {
	t.Helper()
	ctx := context.Background()
	var schema provider.SchemaResponse
	(&neonProvider{}).Schema(ctx, provider.SchemaRequest{}, &schema)
	values := map[string]tftypes.Value{}
	for name, attribute := range schema.Schema.Attributes {
		values[name] = tftypes.NewValue(attribute.GetType().TerraformType(ctx), nil)
		if value, ok := given[name]; ok {
			values[name] = value
		}
	}
	return tfsdk.Config{Schema: schema.Schema, Raw: tftypes.NewValue(schema.Schema.Type().TerraformType(ctx), values)}
}

// validated gives what Terraform is told when it validates the block.
func validated(t *testing.T, config tfsdk.Config) []*tfprotov6.Diagnostic {
	t.Helper()
	value, err := tfprotov6.NewDynamicValue(config.Raw.Type(), config.Raw)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := NewServer("test").New().ValidateProviderConfig(
		context.Background(), &tfprotov6.ValidateProviderConfigRequest{Config: &value})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Diagnostics
}

// chosen is what the provider is configured with, in a form that can be
// compared.
type chosen struct {
	APIKey, BaseURL, ClaimBaseURL, OrgID string
	RequestsPerMinute, MaxRetries        int
	Unknown                              []string
}

func TestProviderConfiguration(t *testing.T) {
	for name, test := range map[string]struct {
		environment map[string]string
		config      map[string]tftypes.Value
		want        chosen
	}{
		"nothing": {want: chosen{RequestsPerMinute: 700, MaxRetries: 10}},
		"configuration": {
			config: map[string]tftypes.Value{
				"api_key": text("napi_one"), "base_url": text("https://one.example"),
				"claim_base_url": text("https://two.example/api/v1"),
				"org_id":         text("org-one"), "requests_per_minute": number(300), "max_retries": number(0),
			},
			want: chosen{"napi_one", "https://one.example", "https://two.example/api/v1", "org-one", 300, 0, nil},
		},
		"environment": {
			environment: map[string]string{
				"NEON_API_KEY": "napi_two\n", "NEON_BASE_URL": "https://three.example/api/v2",
				"NEON_CLAIM_BASE_URL": "http://localhost:1",
				"NEON_ORG_ID":         "org-two", "NEON_REQUESTS_PER_MINUTE": "1", "NEON_MAX_RETRIES": "0",
			},
			want: chosen{"napi_two", "https://three.example/api/v2", "http://localhost:1", "org-two", 1, 0, nil},
		},
		"the official tools' variable": {
			environment: map[string]string{"NEON_API_HOST": "http://127.0.0.1:8473/api/v2"},
			want:        chosen{BaseURL: "http://127.0.0.1:8473/api/v2", RequestsPerMinute: 700, MaxRetries: 10},
		},
		"our own variable counts before the official tools'": {
			environment: map[string]string{"NEON_API_HOST": "https://four.example", "NEON_BASE_URL": "https://five.example"},
			want:        chosen{BaseURL: "https://five.example", RequestsPerMinute: 700, MaxRetries: 10},
		},
		"configuration counts before environment": {
			environment: map[string]string{
				"NEON_API_KEY": "napi_two", "NEON_BASE_URL": "not looked at", "NEON_CLAIM_BASE_URL": "nor this",
				"NEON_ORG_ID":              "NOR THIS",
				"NEON_REQUESTS_PER_MINUTE": "none", "NEON_MAX_RETRIES": "none",
			},
			config: map[string]tftypes.Value{
				"api_key": text("napi_one"), "base_url": text("https://one.example"), "claim_base_url": text("https://two.example"),
				"org_id": text("org-one"), "requests_per_minute": number(700), "max_retries": number(50),
			},
			want: chosen{"napi_one", "https://one.example", "https://two.example", "org-one", 700, 50, nil},
		},
		"unknown, whatever the environment says": {
			environment: map[string]string{"NEON_API_KEY": "napi_two", "NEON_ORG_ID": "org-two"},
			config: map[string]tftypes.Value{
				"api_key": anyText, "base_url": anyText, "claim_base_url": anyText, "org_id": anyText,
				"requests_per_minute": anyNumber, "max_retries": anyNumber,
			},
			want: chosen{
				RequestsPerMinute: 700, MaxRetries: 10,
				Unknown: []string{"api_key", "base_url", "claim_base_url", "org_id", "requests_per_minute", "max_retries"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for variable, value := range test.environment {
				t.Setenv(variable, value)
			}
			config := providerConfiguration(t, test.config)
			if problems := validated(t, config); len(problems) > 0 {
				t.Fatalf("validation: %v", problems[0])
			}
			var model providerModel
			diags := config.Get(context.Background(), &model)
			got := model.settings(&diags)
			if diags.HasError() {
				t.Fatal(diags)
			}
			seen := chosen{
				got.client.APIKey, got.client.BaseURL, got.client.ClaimBaseURL, got.orgID,
				got.client.RequestsPerMinute, got.client.MaxRetries, got.unknown,
			}
			if diff := cmp.Diff(test.want, seen); diff != "" {
				t.Errorf("configured with (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProviderConfigurationErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		attribute string
		value     tftypes.Value
		want      string
	}{
		"empty key":                  {"api_key", text(""), "is empty"},
		"key with white space":       {"api_key", text("napi_one two"), "no API key has"},
		"address that isn't one":     {"base_url", text("console"), "no scheme"},
		"address of another scheme":  {"base_url", text("ftp://console.neon.tech"), "scheme must be https"},
		"address without encryption": {"base_url", text("http://console.neon.tech"), "http is allowed to loopback only"},
		"address with a password":    {"base_url", text("https://me:geheim@console.neon.tech"), "password can't be part of it"},
		"address with a query":       {"claim_base_url", text("https://neon.new?x=1"), "query or fragment"},
		"address that can't be read": {"claim_base_url", text("https://neon.new:geheim"), "not a URL"},
		"organization that isn't":    {"org_id", text("My Organization"), "must be the id"},
		"no requests":                {"requests_per_minute", number(0), "between 1 and 60000"},
		"more than the limit":        {"requests_per_minute", number(60001), "between 1 and 60000"},
		"fewer than no retries":      {"max_retries", number(-1), "at least 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := validated(t, providerConfiguration(t, map[string]tftypes.Value{test.attribute: test.value}))
			if len(problems) != 1 || !strings.Contains(problems[0].Detail, test.want) {
				t.Fatalf("%d problems: %v, want %q", len(problems), problems, test.want)
			}
			if got := problems[0].Attribute.String(); got != `AttributeName("`+test.attribute+`")` {
				t.Errorf("attached to %s, want %s", got, test.attribute)
			}
			if strings.Contains(problems[0].Detail, "geheim") || strings.Contains(problems[0].Detail, "napi_") {
				t.Errorf("a secret is repeated: %s", problems[0].Detail)
			}
		})
	}
}

func TestProviderEnvironmentErrors(t *testing.T) {
	for variable, test := range map[string]struct{ attribute, value, want string }{
		"NEON_API_KEY":        {"api_key", "napi_one two", "no API key has"},
		"NEON_BASE_URL":       {"base_url", "http://console.neon.tech", "http is allowed to loopback only"},
		"NEON_API_HOST":       {"base_url", "console.neon.tech", "no scheme"},
		"NEON_CLAIM_BASE_URL": {"claim_base_url", "https://me:geheim@neon.new", "password can't be part of it"},
		"NEON_CLAIMABLE_NEON_BASE_URL": {"claimable_neon_base_url", "https://" + strings.Repeat("a", 3000) + ".geheim",
			"2048 at most"},
		"NEON_ORG_ID":              {"org_id", "My Organization", "must be the id"},
		"NEON_REQUESTS_PER_MINUTE": {"requests_per_minute", "60001", "from 1 to 60000"},
		"NEON_MAX_RETRIES":         {"max_retries", "many", "whole number"},
		"NEON_READ_ONLY":           {"read_only", "yes please", "1 or true, or 0 or false"},
		"NEON_PROTECT":             {"protect", "project,everything", "some of these, with commas in between: project, branch, database"},
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, test.value)
			var resp provider.ConfigureResponse
			(&neonProvider{}).Configure(context.Background(), provider.ConfigureRequest{Config: providerConfiguration(t,
				nil)}, &resp)
			if len(resp.Diagnostics) != 1 {
				t.Fatalf("diagnostics: %v", resp.Diagnostics)
			}
			problem, ok := resp.Diagnostics[0].(diag.DiagnosticWithPath)
			if !ok || problem.Path().String() != test.attribute {
				t.Errorf("not attached to %s: %v", test.attribute, resp.Diagnostics[0])
			}
			for _, want := range []string{variable, test.want} {
				if !strings.Contains(resp.Diagnostics[0].Detail(), want) {
					t.Errorf("%q is missing in: %s", want, resp.Diagnostics[0].Detail())
				}
			}
			if strings.Contains(resp.Diagnostics[0].Detail(), "geheim") ||
				strings.Contains(resp.Diagnostics[0].Detail(), "napi_") {
				t.Errorf("a secret is repeated: %s", resp.Diagnostics[0].Detail())
			}
		})
	}
}

// What only adds to safety is asked for by the configuration or by the environment, neither of which undoes the other.
// What isn't known yet counts.
func TestProviderConfiguration_onlyAdds(t *testing.T) {
	yes, no, unknown := tftypes.NewValue(tftypes.Bool, true), tftypes.NewValue(tftypes.Bool, false),
		tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)
	const readOnlyBlock, readOnlyHere = "read_only of the provider block", "the environment variable NEON_READ_ONLY"
	const block, here = "protect of the provider block", "the environment variable NEON_PROTECT"
	for name, test := range map[string]struct {
		readOnly, protect string
		config            map[string]tftypes.Value
		wantReadOnly      string
		wantProtects      map[string]string
	}{
		"nothing":           {},
		"false and nothing": {readOnly: "0", protect: " ", config: map[string]tftypes.Value{"read_only": no, "protect": kinds()}},
		"the configuration": {
			config:       map[string]tftypes.Value{"read_only": yes, "protect": kinds(text("branch"))},
			wantReadOnly: readOnlyBlock, wantProtects: map[string]string{"branch": block},
		},
		"the environment": {readOnly: "true", protect: "project, database", wantReadOnly: readOnlyHere, wantProtects: map[string]string{"project": here, "database": here}},
		"the environment against the configuration": {
			readOnly: "1", protect: "branch", config: map[string]tftypes.Value{"read_only": no, "protect": kinds()},
			wantReadOnly: readOnlyHere, wantProtects: map[string]string{"branch": here},
		},
		"the configuration against the environment": {
			readOnly: "false", protect: "branch", config: map[string]tftypes.Value{"read_only": yes,
				"protect": kinds(text("project"))},
			wantReadOnly: readOnlyBlock, wantProtects: map[string]string{"project": block, "branch": here},
		},
		"both": {
			readOnly: "1", protect: "branch", config: map[string]tftypes.Value{"read_only": yes,
				"protect": kinds(text("branch"))},
			wantReadOnly: readOnlyBlock + ", as well as " + readOnlyHere + ",",
			wantProtects: map[string]string{"branch": block + ", as well as " + here + ","},
		},
		"one of them isn't known": {
			config: map[string]tftypes.Value{"protect": kinds(text("branch"), anyText)},
			wantProtects: map[string]string{
				"branch": block, "project": block + ", which isn't known yet,", "database": block + ", which isn't known yet,",
			},
		},
		"not known": {
			readOnly: "0", config: map[string]tftypes.Value{"read_only": unknown},
			wantReadOnly: readOnlyBlock + ", which isn't known yet,",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("NEON_READ_ONLY", test.readOnly)
			t.Setenv("NEON_PROTECT", test.protect)
			var model providerModel
			diags := providerConfiguration(t, test.config).Get(t.Context(), &model)
			got := model.settings(&diags)
			if diags.HasError() || got.client.ReadOnly != test.wantReadOnly {
				t.Errorf("read-only by %q, want %q; %v", got.client.ReadOnly, test.wantReadOnly, diags)
			}
			if diff := cmp.Diff(test.wantProtects, got.protects, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("protected by (-want +got):\n%s", diff)
			}
		})
	}
}

// TestProviderUnknownIsNoErrorUntilNeeded lets each API ask for its client.
func TestProviderUnknownIsNoErrorUntilNeeded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config             map[string]tftypes.Value
		control, claimable string
	}{
		"no key":            {nil, "No API key", ""},
		"a key":             {map[string]tftypes.Value{"api_key": text("napi_one")}, "", ""},
		"unknown key":       {map[string]tftypes.Value{"api_key": anyText}, "Provider configuration not known yet", ""},
		"unknown address":   {map[string]tftypes.Value{"api_key": text("napi_one"), "base_url": anyText}, "Provider configuration not known yet", ""},
		"unknown claim API": {map[string]tftypes.Value{"api_key": text("napi_one"), "claim_base_url": anyText}, "", "Provider configuration not known yet"},
		"unknown organization": {
			map[string]tftypes.Value{"api_key": text("napi_one"), "org_id": anyText}, "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var resp provider.ConfigureResponse
			(&neonProvider{}).Configure(
				context.Background(), provider.ConfigureRequest{Config: providerConfiguration(t, test.config)}, &resp)
			if len(resp.Diagnostics) > 0 {
				t.Fatal(resp.Diagnostics)
			}
			var diags diag.Diagnostics
			shared, _ := resp.ResourceData.(*kit.Platform)
			if got := shared.Control(&diags); (got == nil) != (test.control != "") {
				t.Errorf("client for the control API: %v", got)
			}
			checkSummary(t, diags, test.control)
			diags = nil
			if got := shared.Claimable(&diags); (got == nil) != (test.claimable != "") {
				t.Errorf("client for the claimable API: %v", got)
			}
			checkSummary(t, diags, test.claimable)
		})
	}
}

func checkSummary(t *testing.T, diags diag.Diagnostics, want string) {
	t.Helper()
	got := ""
	for _, problem := range diags {
		got += problem.Summary()
	}
	if got != want {
		t.Errorf("diagnostics %v, want %q", diags, want)
	}
}

// TestProviderSchema finds every attribute described.
func TestProviderSchema(t *testing.T) {
	t.Parallel()
	resp, err := NewServer("test").New().GetProviderSchema(
		context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range resp.Diagnostics {
		t.Errorf("%s: %s", problem.Summary, problem.Detail)
	}
	checkDescribed(t, "provider", resp.Provider.Block.Attributes)
	for name, schema := range resp.ResourceSchemas {
		checkDescribed(t, name, schema.Block.Attributes)
	}
	for name, schema := range resp.DataSourceSchemas {
		checkDescribed(t, "data."+name, schema.Block.Attributes)
	}
	for name, schema := range resp.EphemeralResourceSchemas {
		checkDescribed(t, "ephemeral."+name, schema.Block.Attributes)
	}
	listed, ctx := &neonProvider{}, context.Background()
	want := [3]int{len(listed.Resources(ctx)), len(listed.DataSources(ctx)), len(listed.EphemeralResources(ctx))}
	served := [3]int{len(resp.ResourceSchemas), len(resp.DataSourceSchemas), len(resp.EphemeralResourceSchemas)}
	if served != want || slices.Min(served[:]) == 0 {
		t.Errorf("%d resources, data sources and ephemeral resources, want %d", served, want)
	}
}

func checkDescribed(t *testing.T, where string, attributes []*tfprotov6.SchemaAttribute) {
	t.Helper()
	for _, attribute := range attributes {
		name := where + "." + attribute.Name
		if !strings.HasSuffix(attribute.Description, ".") || attribute.DescriptionKind != tfprotov6.StringKindMarkdown &&
			!strings.Contains(name, ".timeouts.") {
			t.Errorf("%s has no description in whole sentences: %q", name, attribute.Description)
		}
		if attribute.NestedType != nil {
			checkDescribed(t, name, attribute.NestedType.Attributes)
		}
	}
}

package walks_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// What people paste into the wrong place.
var pasted = map[string]string{
	"a key":               "napi_" + strings.Repeat("7hq2mz", 10) + "abc",
	"a short key":         "napi_7hq2mz",
	"a key with a break":  "napi_7hq2mz\nabc",
	"a connection string": "postgresql://owner:npg_Pa55w0rd@ep-x.neon.tech/db",
	"another's token":     "ghp_0123456789abcdefghijABCDEFGHIJ012345",
	"a pair of ids":       "org-x/napi_7hq2mz",
	"a slash in it":       "postgresql://owner:Pa55/w0rd@ep-x.neon.tech/db",
	"no scheme":           "owner:Pa55w0rd@ep-x.neon.tech/db",
}

// filled is a value of a type whose text at a path, and no other, is the given one. It
// also gives the paths of all texts.
func filled(kind tftypes.Type, at, wanted, secret string) (value tftypes.Value, paths []string) {
	switch kind := kind.(type) {
	case tftypes.Object:
		values := map[string]tftypes.Value{}
		inside := false
		for name, kind := range kind.AttributeTypes {
			var more []string
			values[name], more = filled(kind, at+"."+name, wanted, secret)
			paths = append(paths, more...)
			inside = inside || !values[name].IsNull()
		}
		if at != "" && !inside {
			return tftypes.NewValue(kind, nil), paths
		}
		return tftypes.NewValue(kind, values), paths
	case tftypes.Map:
		element, paths := filled(kind.ElementType, at+".*", wanted, secret)
		if element.IsNull() {
			return tftypes.NewValue(kind, nil), paths
		}
		return tftypes.NewValue(kind, map[string]tftypes.Value{"a": element}), paths
	case tftypes.Set:
		element, paths := filled(kind.ElementType, at+".*", wanted, secret)
		if element.IsNull() {
			return tftypes.NewValue(kind, nil), paths
		}
		return tftypes.NewValue(kind, []tftypes.Value{element}), paths
	case tftypes.List:
		element, paths := filled(kind.ElementType, at+".*", wanted, secret)
		if element.IsNull() {
			return tftypes.NewValue(kind, nil), paths
		}
		return tftypes.NewValue(kind, []tftypes.Value{element}), paths
	}
	if !kind.Is(tftypes.String) {
		return tftypes.NewValue(kind, nil), nil
	}
	if at == wanted {
		return tftypes.NewValue(kind, secret), []string{at}
	}
	return tftypes.NewValue(kind, nil), []string{at}
}

// keepsQuiet fails for each diagnostic that repeats a secret, and gives their number.
func keepsQuiet(t *testing.T, diags []*tfprotov6.Diagnostic, secret string) int {
	t.Helper()
	for _, problem := range diags {
		for _, part := range strings.FieldsFunc(secret, func(r rune) bool { return r == '\n' || r == '/' || r == ':' }) {
			if len(part) > 8 && part != "postgresql" && strings.Contains(problem.Summary+problem.Detail, part) {
				t.Errorf("%s: %s", problem.Summary, problem.Detail)
			}
		}
	}
	return len(diags)
}

// eachText validates, for each text of a schema, a value that has a secret there.
func eachText(
	t *testing.T, schema *tfprotov6.Schema, validate func(*tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error),
) {
	t.Helper()
	kind := schema.ValueType()
	_, paths := filled(kind, "", "", "")
	for _, at := range paths {
		for what, secret := range pasted {
			value, _ := filled(kind, "", at, secret)
			config, err := tfprotov6.NewDynamicValue(kind, value)
			if err != nil {
				t.Fatal(err)
			}
			diags, err := validate(&config)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(at+" "+what, func(t *testing.T) { keepsQuiet(t, diags, secret) })
		}
	}
}

// No error repeats an input that may be a secret: no attribute of anything.
func TestSecretInputs_attributes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server := provider.NewServer("test").New()
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	eachText(t, schemas.Provider, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
		validated, err := server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: config})
		if err != nil {
			return nil, err
		}
		configured, err := provider.NewServer("test").New().ConfigureProvider(ctx,
			&tfprotov6.ConfigureProviderRequest{Config: config})
		if err != nil {
			return nil, err
		}
		return append(validated.Diagnostics, configured.Diagnostics...), nil
	})
	for _, each := range configurables(t, server) {
		eachText(t, each.schema, each.validate)
	}
}

// Nor what Neon's refusal of it says, also where it is in the path of the request.
func TestSecretInputs_refusals(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	p, branch := acctest.NewProtocol(t, w.World), w.MainBranch(t).ID
	kind := p.Schema.DataSourceSchemas["neon_role"].ValueType()
	for what, secret := range pasted {
		secret = secret[:min(len(secret), 63)] // Nobody is asked about a longer name.
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			read, err := p.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: "neon_role",
				Config: acctest.Dynamic(t, kind, acctest.Object(kind, acctest.Texts(map[string]string{"project_id": w.ProjectID,
					"branch_id": branch, "name": secret})))})
			invoked := p.Invoke(t, acctest.ActionOf("refresh_data_api_schema", "project_id", w.ProjectID, "branch_id", branch,
				"database_name", secret), nil)
			if err != nil || len(read.Diagnostics) == 0 || invoked.Problem == "" {
				t.Fatal(err, read.Diagnostics, invoked)
			}
			keepsQuiet(t, append(read.Diagnostics, &tfprotov6.Diagnostic{Detail: invoked.Problem}), secret)
		})
	}
}

// Nor an id that is imported.
func TestSecretInputs_imports(t *testing.T) {
	ctx := context.Background()
	server := provider.NewServer("test").New()
	for _, name := range []string{"neon_api_key", "neon_org_api_key", "neon_branch", "neon_claimable_database"} {
		for what, secret := range pasted {
			t.Run(name+" "+what, func(t *testing.T) {
				resp, err := server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: name, ID: secret})
				if err != nil {
					t.Fatal(err)
				}
				if keepsQuiet(t, resp.Diagnostics, secret) == 0 {
					t.Error("it was imported")
				}
			})
		}
	}
}

// Nor a variable of the environment.
func TestSecretInputs_environment(t *testing.T) {
	schemas, err := provider.NewServer("test").New().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]tftypes.Value{}
	for _, attribute := range schemas.Provider.Block.Attributes {
		values[attribute.Name] = tftypes.NewValue(attribute.Type, nil)
	}
	empty := schemas.Provider.ValueType()
	config, err := tfprotov6.NewDynamicValue(empty, tftypes.NewValue(empty, values))
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range []string{
		"NEON_API_KEY", "NEON_BASE_URL", "NEON_API_HOST", "NEON_CLAIM_BASE_URL", "NEON_ORG_ID", "NEON_REQUESTS_PER_MINUTE",
		"NEON_MAX_RETRIES",
	} {
		for what, secret := range pasted {
			for _, value := range []string{secret, "http://" + strings.ReplaceAll(secret, "\n", "")} {
				t.Run(fmt.Sprintf("%s %s", variable, what), func(t *testing.T) {
					t.Setenv(variable, value)
					resp, err := provider.NewServer("test").New().ConfigureProvider(t.Context(),
						&tfprotov6.ConfigureProviderRequest{Config: &config})
					if err != nil {
						t.Fatal(err)
					}
					keepsQuiet(t, resp.Diagnostics, secret)
				})
			}
		}
	}
}

// What is harmless is repeated, since it helps.
func TestSecretInputs_harmless(t *testing.T) {
	for _, input := range []string{
		"", "br-wispy-meadow-a1b2c3d4", "preview/feature-42", "2026-11-21T06:00:00Z", "https://console.neon.tech",
		"./seeds/trial.sql", "1234567",
		"preview/3f786850e387550fdab836ed7e6dc881de23001b", "renovate/npm:@types/node", "git@github.com:o/r",
	} {
		if kit.MayBeSecret(input) {
			t.Errorf("%q is taken for a secret", input)
		}
	}
}

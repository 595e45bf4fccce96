package connectionuri_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// runFunctionSteps runs steps that call functions.
func runFunctionSteps(t *testing.T, w *acctest.World, steps ...resource.TestStep) {
	t.Helper()
	acctest.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: w.Factories(),
		Steps:                    steps,
	})
}

// outputs are the lines of outputs with these values.
func outputs(values map[string]string) string {
	var lines strings.Builder
	for name, value := range values {
		fmt.Fprintf(&lines, "output %q {\n  sensitive = true\n  value     = %s\n}\n", name, value)
	}
	return lines.String()
}

func TestAccFunctions_values(t *testing.T) {
	t.Parallel()
	w := acctest.StartAny(t)
	values := map[string]string{
		"direct": `provider::neon::direct_connection_string("` + acctest.PooledURL + `")`,
		"pooled": `provider::neon::pooled_connection_string("` + acctest.DirectURL + `")`,
		"file": `provider::neon::env_file({
			connection_string = "` + acctest.PooledURL + `"
			claim_url         = "https://neon.new/claim/0198"
			expires_at        = "2026-11-23T21:12:08Z"
			more              = 1
		}, { prefix = "VITE_", key = null })`,
	}
	exactly := func(name, value string) statecheck.StateCheck {
		return statecheck.ExpectKnownOutputValue(name, knownvalue.StringExact(value))
	}
	runFunctionSteps(t, w, resource.TestStep{
		Config: outputs(values),
		ConfigStateChecks: []statecheck.StateCheck{
			exactly("direct", acctest.DirectURL), exactly("pooled", acctest.PooledURL),
			exactly("file", "DATABASE_URL="+acctest.PooledURL+"\nDATABASE_URL_DIRECT="+acctest.DirectURL+
				"\n# Claimable DB expires at: Mon, 23 Nov 2026 21:12:08 GMT\n# Claim it now to your account using the link below:"+
				"\nVITE_POSTGRES_CLAIM_URL=https://neon.new/claim/0198\n"),
		},
	})
}

// A whole resource can be given, before it is there, while it is there and once
// it was claimed.
func TestAccFunctions_ofAResource(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := w.KeylessConfig() + acctest.ClaimableBlock(`ref = "x"`) + outputs(map[string]string{
		"file": "provider::neon::env_file(" + acctest.ClaimableAddress + ")",
		"same": acctest.ClaimableAddress + ".direct_connection_string == provider::neon::direct_connection_string(" +
			acctest.ClaimableAddress + ".connection_string)",
		"and_back": acctest.ClaimableAddress + ".connection_string == provider::neon::pooled_connection_string(" +
			acctest.ClaimableAddress + ".direct_connection_string)",
	})
	var id string
	runFunctionSteps(t, w,
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectUnknownOutputValue("file")},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("same", knownvalue.Bool(true)),
				statecheck.ExpectKnownOutputValue("and_back", knownvalue.Bool(true)),
				statecheck.ExpectKnownOutputValue("file", knownvalue.StringRegexp(regexp.MustCompile(
					`\ADATABASE_URL=postgresql://.*-pooler\.(.*\n){2}# .* GMT\n# .*\nPUBLIC_POSTGRES_CLAIM_URL=http://.*/claim/.*\n\z`))),
				acctest.IDOf(acctest.ClaimableAddress, &id),
			},
		},
		resource.TestStep{
			PreConfig: func() {
				w.Control(t, http.MethodPost, "/_emulator/claimable_databases/"+id+"/claim", map[string]any{}, nil)
			},
			Config:      config,
			ExpectError: acctest.InOrder(`Invalid value for "database" parameter`, "was claimed"),
		},
	)
}

func TestAccFunctions_errors(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.8.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	database := `{ connection_string = "` + acctest.PooledURL +
		`", claim_url = "https://neon.new/claim/0198", expires_at = "2026-11-23T21:12:08Z" }`
	for name, test := range map[string]struct {
		call string
		want *regexp.Regexp
	}{
		"no url":      {`direct_connection_string("x")`, acctest.InOrder(`Invalid value for "url" parameter`, "url must be a connection URL")},
		"null url":    {`pooled_connection_string(null)`, acctest.InOrder(`Invalid value for "url" parameter`, "must not be null")},
		"a number":    {`pooled_connection_string(5)`, acctest.InOrder(`Invalid value for "url" parameter`, "must be a connection URL")},
		"no database": {`env_file("x")`, acctest.InOrder(`Invalid value for "database" parameter`, "object required")},
		"another object": {
			`env_file({ connection_string = "x" })`, acctest.InOrder(`Invalid value for "database" parameter`,
				`"claim_url" and "expires_at" are required`),
		},
		"null database": {`env_file(null)`, acctest.InOrder(`Invalid value for "database" parameter`, "must not be null")},
		"null in it": {
			`env_file({ connection_string = null, claim_url = null, expires_at = null })`,
			acctest.InOrder(`Invalid value for "database" parameter`, "was claimed"),
		},
		"a list of options": {`env_file(` + database + `, ["A"])`, acctest.InOrder(`Invalid value for "options" parameter`, "map of string required")},
		"a bad key":         {`env_file(` + database + `, { key = "a-b" })`, acctest.InOrder(`Invalid value for "options" parameter`, "options.key")},
		"options twice":     {`env_file(` + database + `, {}, {})`, acctest.InOrder(`Invalid value for "options" parameter`, "given once")},
		"a bad key before there is a database": {
			`env_file(` + acctest.ClaimableAddress + `, { key = "a-b" })`,
			acctest.InOrder(`Invalid value for "options" parameter`, "options.key"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{
				Config: w.KeylessConfig() + acctest.ClaimableBlock(`ref = "x"`) +
					outputs(map[string]string{"o": "provider::neon::" + test.call}),
				Command: acctest.Plan,
				Want:    test.want,
			})
		})
	}
}

// What is made of a secret is a secret.
func TestAccFunctions_keepSecrets(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0") // Before, Terraform says so only at the apply.
	w := acctest.StartEmulator(t, emulator.Config{})
	for _, call := range []string{
		"direct_connection_string(" + acctest.ClaimableAddress + ".connection_string)",
		"pooled_connection_string(" + acctest.ClaimableAddress + ".connection_string)",
		"env_file(" + acctest.ClaimableAddress + ")",
	} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{
				Config: w.KeylessConfig() + acctest.ClaimableBlock(`ref = "x"`) + "output \"o\" {\n  value = provider::neon::" +
					call + "\n}\n",
				Command: acctest.Plan,
				Want:    acctest.InWords("Output refers to sensitive values"),
			})
		})
	}
}

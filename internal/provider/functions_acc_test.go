package provider

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

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// runFunctionSteps runs steps that call functions.
func runFunctionSteps(t *testing.T, w *world, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: w.factories(),
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
	w := startAny(t)
	values := map[string]string{
		"direct": `provider::neon::direct_connection_string("` + pooledURL + `")`,
		"pooled": `provider::neon::pooled_connection_string("` + directURL + `")`,
		"file": `provider::neon::env_file({
			connection_string = "` + pooledURL + `"
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
			exactly("direct", directURL), exactly("pooled", pooledURL),
			exactly("file", "DATABASE_URL="+pooledURL+"\nDATABASE_URL_DIRECT="+directURL+
				"\n# Claimable DB expires at: Mon, 23 Nov 2026 21:12:08 GMT\n# Claim it now to your account using the link below:"+
				"\nVITE_POSTGRES_CLAIM_URL=https://neon.new/claim/0198\n"),
		},
	})
}

// A whole resource can be given, before it is there, while it is there and once
// it was claimed.
func TestAccFunctions_ofAResource(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	config := w.keylessConfig() + claimableBlock(`ref = "x"`) + outputs(map[string]string{
		"file":     "provider::neon::env_file(" + claimableAddress + ")",
		"same":     claimableAddress + ".direct_connection_string == provider::neon::direct_connection_string(" + claimableAddress + ".connection_string)",
		"and_back": claimableAddress + ".connection_string == provider::neon::pooled_connection_string(" + claimableAddress + ".direct_connection_string)",
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
			},
			Check: idOf(claimableAddress, &id),
		},
		resource.TestStep{
			PreConfig: func() {
				w.control(t, http.MethodPost, "/_emulator/claimable_databases/"+id+"/claim", map[string]any{}, nil)
			},
			Config:      config,
			ExpectError: inOrder(`Invalid value for "database" parameter`, "was claimed"),
		},
	)
}

func TestAccFunctions_errors(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	database := `{ connection_string = "` + pooledURL + `", claim_url = "https://neon.new/claim/0198", expires_at = "2026-11-23T21:12:08Z" }`
	for name, test := range map[string]struct {
		call string
		want *regexp.Regexp
	}{
		"no url":      {`direct_connection_string("x")`, inOrder(`Invalid value for "url" parameter`, "url must be a connection URL")},
		"null url":    {`pooled_connection_string(null)`, inOrder(`Invalid value for "url" parameter`, "must not be null")},
		"a number":    {`pooled_connection_string(5)`, inOrder(`Invalid value for "url" parameter`, "must be a connection URL")},
		"no database": {`env_file("x")`, inOrder(`Invalid value for "database" parameter`, "object required")},
		"another object": {
			`env_file({ connection_string = "x" })`, inOrder(`Invalid value for "database" parameter`, `"claim_url" and "expires_at" are required`),
		},
		"null database": {`env_file(null)`, inOrder(`Invalid value for "database" parameter`, "must not be null")},
		"null in it": {
			`env_file({ connection_string = null, claim_url = null, expires_at = null })`,
			inOrder(`Invalid value for "database" parameter`, "was claimed"),
		},
		"a list of options": {`env_file(` + database + `, ["A"])`, inOrder(`Invalid value for "options" parameter`, "map of string required")},
		"a bad key":         {`env_file(` + database + `, { key = "a-b" })`, inOrder(`Invalid value for "options" parameter`, "options.key")},
		"options twice":     {`env_file(` + database + `, {}, {})`, inOrder(`Invalid value for "options" parameter`, "given once")},
		"a bad key before there is a database": {
			`env_file(` + claimableAddress + `, { key = "a-b" })`, inOrder(`Invalid value for "options" parameter`, "options.key"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runFunctionSteps(t, w, resource.TestStep{
				Config:      w.keylessConfig() + claimableBlock(`ref = "x"`) + outputs(map[string]string{"o": "provider::neon::" + test.call}),
				PlanOnly:    true,
				ExpectError: test.want,
			})
		})
	}
}

// What is made of a secret is a secret.
func TestAccFunctions_keepSecrets(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	for _, call := range []string{
		"direct_connection_string(" + claimableAddress + ".connection_string)",
		"pooled_connection_string(" + claimableAddress + ".connection_string)",
		"env_file(" + claimableAddress + ")",
	} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			runFunctionSteps(t, w, resource.TestStep{
				Config:      w.keylessConfig() + claimableBlock(`ref = "x"`) + "output \"o\" {\n  value = provider::neon::" + call + "\n}\n",
				PlanOnly:    true,
				ExpectError: inWords("Output refers to sensitive values"),
			})
		})
	}
}

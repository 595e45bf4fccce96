package provider

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Without an API key each run has a database of its own.
func TestAccEphemeralClaimableDatabase(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	config := func(lines string) string {
		return w.keylessConfig() + "ephemeral \"neon_claimable_database\" \"test\" {\n  ref = \"test\"\n" + lines + "}\n" +
			echoed("ephemeral.neon_claimable_database.test")
	}
	runEphemeral(t, w, resource.TestStep{
		Config: config("enable_logical_replication = true\n"),
		ConfigStateChecks: []statecheck.StateCheck{
			echoes("ref", knownvalue.StringExact("test")),
			echoes("enable_logical_replication", knownvalue.Bool(true)),
			echoes("id", knownvalue.StringRegexp(uuidPattern)),
			echoes("project_id", knownvalue.StringRegexp(idPattern)),
			echoes("connection_string", matches(`^postgresql://[^@]+@[^./]+-pooler\.`)),
			echoes("direct_connection_string", matches(`^postgresql://[^@]+@ep(-[a-z0-9]+){3}\.`)),
			echoes("claim_url", matches(`^http://.*/claim/`)),
			echoes("expires_at", matches(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)),
		},
	})
	made := len(w.objects(t).ClaimableDatabases)
	if made < 2 {
		t.Errorf("%d databases were made, want one for the plan and one for the apply at least", made)
	}
	w.advance(t, 73*time.Hour)
	if left := len(w.objects(t).ClaimableDatabases); left != 0 {
		t.Errorf("%d databases are left after 73 hours", left)
	}
}

func TestAccEphemeralClaimableDatabase_errors(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	const block = "ephemeral \"neon_claimable_database\" \"test\" {\n  ref = %q\n}\n"
	runEphemeral(t, w,
		resource.TestStep{
			Config: w.keylessConfig() + fmt.Sprintf(block, ""), ExpectError: inWords("ref string length must be at least 1"),
		},
		resource.TestStep{
			PreConfig:   func() { w.addFault(t, fault{Route: "POST /api/v1/database", Kind: "lost_after"}) },
			Config:      w.keylessConfig() + fmt.Sprintf(block, "test"),
			ExpectError: inOrder("Unable to create claimable database", "answer was lost", "it expires by itself"),
		},
	)
}

func TestAccClaimableDatabaseDataSource(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	made, err := w.clientWith(t, "").CreateClaimableDatabase(t.Context(), client.ClaimableDatabaseCreate{Ref: "test"})
	if err != nil {
		t.Fatal(err)
	}
	config := w.keylessConfig() + dataBlock("claimable_database", fmt.Sprintf("id = %q", made.ID))
	is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue("data.neon_claimable_database.test", tfjsonpath.New(attribute), check)
	}
	sensitive := func(attribute string) statecheck.StateCheck {
		return statecheck.ExpectSensitiveValue("data.neon_claimable_database.test", tfjsonpath.New(attribute))
	}
	const moment = `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`
	runSteps(t, w,
		resource.TestStep{
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{
				is("status", knownvalue.StringExact("UNCLAIMED")),
				is("project_id", knownvalue.StringExact(made.ProjectID)),
				is("connection_string", knownvalue.StringExact(*made.ConnectionString)),
				is("direct_connection_string", knownvalue.StringExact(client.DirectConnectionString(*made.ConnectionString))),
				is("claim_url", knownvalue.StringExact(made.ClaimURL)),
				is("expires_at", matches(moment)), is("created_at", matches(moment)), is("updated_at", matches(moment)),
				sensitive("connection_string"), sensitive("direct_connection_string"),
			},
		},
		resource.TestStep{
			PreConfig: func() {
				w.control(t, http.MethodPost, "/_emulator/claimable_databases/"+made.ID+"/claim", map[string]any{}, nil)
			},
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{
				is("status", knownvalue.StringExact("CLAIMED")),
				is("connection_string", knownvalue.Null()), is("direct_connection_string", knownvalue.Null()),
			},
		},
	)
}

func TestAccClaimableDatabaseDataSource_errors(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	made, err := w.clientWith(t, "").CreateClaimableDatabase(t.Context(), client.ClaimableDatabaseCreate{Ref: "test"})
	if err != nil {
		t.Fatal(err)
	}
	w.advance(t, 73*time.Hour)
	for name, test := range map[string]struct {
		id    string
		wants []string
	}{
		"expired":    {made.ID, []string{"No such claimable database", "It may have expired"}},
		"never made": {"01933333-3333-7333-8333-333333333333", []string{"No such claimable database", "01933333"}},
		"not an id":  {"my-database", []string{"must be a UUID"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runSteps(t, w, resource.TestStep{
				Config:      w.keylessConfig() + dataBlock("claimable_database", fmt.Sprintf("id = %q", test.id)),
				ExpectError: inOrder(test.wants...),
			})
		})
	}
}

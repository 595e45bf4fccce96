package claimable_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Without an API key each run has a database of its own.
func TestAccEphemeralClaimableDatabase(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	config := func(lines string) string {
		return w.KeylessConfig() + "ephemeral \"neon_claimable_database\" \"test\" {\n  ref = \"test\"\n" + lines + "}\n" +
			acctest.Echoed("ephemeral.neon_claimable_database.test")
	}
	acctest.RunEphemeral(t, w, resource.TestStep{
		Config: config("enable_logical_replication = true\n"),
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.Echoes("ref", knownvalue.StringExact("test")),
			acctest.Echoes("enable_logical_replication", knownvalue.Bool(true)),
			acctest.Echoes("id", knownvalue.StringRegexp(regexp.MustCompile(
				`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`))),
			acctest.Echoes("project_id", knownvalue.StringRegexp(regexp.MustCompile(`^[a-z0-9-]+-[0-9]{8}$`))),
			acctest.Echoes("connection_string", acctest.Matches(`^postgresql://[^@]+@[^./]+-pooler\.`)),
			acctest.Echoes("direct_connection_string", acctest.Matches(`^postgresql://[^@]+@ep(-[a-z0-9]+){3}\.`)),
			acctest.Echoes("claim_url", acctest.Matches(`^http://.*/claim/`)),
			acctest.Echoes("expires_at", acctest.Matches(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)),
		},
	})
	made := len(w.Objects(t).ClaimableDatabases)
	if made < 2 {
		t.Errorf("%d databases were made, want one for the plan and one for the apply at least", made)
	}
	w.Advance(t, 73*time.Hour)
	if left := len(w.Objects(t).ClaimableDatabases); left != 0 {
		t.Errorf("%d databases are left after 73 hours", left)
	}
}

// What Claimable Neon has made for a run is deleted at its end.
func TestAccEphemeralClaimableDatabase_isDeleted(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.ClaimBaseURL = ""
	config := w.KeylessConfig() + "ephemeral \"neon_claimable_database\" \"test\" {\n  ref = \"test\"\n}\n" +
		acctest.Echoed("ephemeral.neon_claimable_database.test")
	acctest.RunEphemeral(t, w, resource.TestStep{
		Config: config,
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.Echoes("connection_string", acctest.Matches(`^postgres(ql)?://`)),
			acctest.Echoes("claim_url", acctest.Matches(`^http://`)),
		},
	})
	sent := w.Requests(t).ByRoute
	if left := len(w.Objects(t).ClaimableDatabases); left != 0 || sent["DELETE /v1/projects/{project_id}"] < 2 {
		t.Errorf("%d databases are left of %v", left, sent)
	}
}

func TestAccEphemeralClaimableDatabase_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	const block = "ephemeral \"neon_claimable_database\" \"test\" {\n  ref = %q\n}\n"
	acctest.NeedsTerraform(t, "1.10.0")
	w.Refuses(t, acctest.Refusal{Config: w.KeylessConfig() + fmt.Sprintf(block, ""),
		Want: acctest.InWords("ref string length must be at least 1")})
	w.AddFault(t, acctest.Fault{Route: "POST /api/v1/database", Kind: "lost_after"})
	w.Refuses(t, acctest.Refusal{
		Config: w.KeylessConfig() + fmt.Sprintf(block, "test"),
		Want:   acctest.InOrder("Unable to create claimable database", "answer was lost", "it expires by itself"),
	})
}

func TestAccClaimableDatabaseDataSource(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	made, err := w.ClientWith(t, "").CreateClaimableDatabase(t.Context(), client.ClaimableDatabaseCreate{Ref: "test"})
	if err != nil {
		t.Fatal(err)
	}
	config := w.KeylessConfig() + acctest.DataBlock("claimable_database", fmt.Sprintf("id = %q", made.ID))
	is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue("data.neon_claimable_database.test", tfjsonpath.New(attribute), check)
	}
	sensitive := func(attribute string) statecheck.StateCheck {
		return statecheck.ExpectSensitiveValue("data.neon_claimable_database.test", tfjsonpath.New(attribute))
	}
	const moment = `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`
	acctest.RunSteps(t, w,
		resource.TestStep{
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{
				is("status", knownvalue.StringExact("UNCLAIMED")),
				is("project_id", knownvalue.StringExact(made.ProjectID)),
				is("connection_string", knownvalue.StringExact(*made.ConnectionString)),
				is("direct_connection_string", knownvalue.StringExact(client.DirectConnectionString(*made.ConnectionString))),
				is("claim_url", knownvalue.StringExact(made.ClaimURL)),
				is("expires_at", acctest.Matches(moment)), is("created_at", acctest.Matches(moment)),
				is("updated_at", acctest.Matches(moment)),
				sensitive("connection_string"), sensitive("direct_connection_string"),
			},
		},
		resource.TestStep{
			PreConfig: func() {
				w.Control(t, http.MethodPost, "/_emulator/claimable_databases/"+made.ID+"/claim", map[string]any{}, nil)
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
	w := acctest.StartEmulator(t, emulator.Config{})
	made, err := w.ClientWith(t, "").CreateClaimableDatabase(t.Context(), client.ClaimableDatabaseCreate{Ref: "test"})
	if err != nil {
		t.Fatal(err)
	}
	w.Advance(t, 73*time.Hour)
	for name, test := range map[string]struct {
		id    string
		wants []string
	}{
		"expired":    {made.ID, []string{"No such claimable database", "It may have expired"}},
		"never made": {"01933333-3333-7333-8333-333333333333", []string{"No such claimable database", "Neon knows no database of that id"}},
		"not an id":  {"my-database", []string{"must be a UUID"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{
				Config: w.KeylessConfig() + acctest.DataBlock("claimable_database", fmt.Sprintf("id = %q", test.id)),
				Want:   acctest.InOrder(test.wants...),
			})
		})
	}
}

package claimable_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The way from the first apply to the claim, as the guide has it: the database that
// was claimed stays, and no other is made.
func TestAccExamples_claim(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, "").With("NEON_API_KEY=", "NEON_ORG_ID=")
	r.Write(t, "versions.tf", acctest.ReadExample(t, "getting-started/versions.tf"))
	r.Write(t, "database.tf", acctest.ReadExample(t, "getting-started/database.tf"))
	r.Terraform(t, "apply", "-auto-approve")
	if url := r.Terraform(t, "output", "-raw", "claim_url"); !strings.HasPrefix(url, w.ClaimBaseURL) {
		t.Errorf("the claim URL is %q", url)
	}
	made := w.Objects(t).ClaimableDatabases
	if len(made) != 1 {
		t.Fatalf("there are %d databases", len(made))
	}
	w.Control(t, http.MethodPost, "/_emulator/claimable_databases/"+fmt.Sprint(made[0]["id"])+"/claim", map[string]any{}, nil)
	if said := acctest.InOneLine(r.Terraform(t, "plan")); !strings.Contains(said, "Claimable database was claimed") {
		t.Errorf("the plan doesn't speak of the claim:\n%s", said)
	}

	r.Write(t, "database.tf", "")
	r.Terraform(t, "apply", "-auto-approve")
	r.Terraform(t, "plan", "-detailed-exitcode")
	if now := w.Objects(t).ClaimableDatabases; len(now) != 1 || now[0]["id"] != made[0]["id"] {
		t.Errorf("there are %v; want the one that was claimed", now)
	}
}

package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The way from the first apply to the claim, as the guide has it: the database that
// was claimed stays, and no other is made.
func TestAccExamples_claim(t *testing.T) {
	t.Parallel()
	w := startEmulator(t, emulator.Config{})
	r := newRun(t, w, "").with("NEON_API_KEY=", "NEON_ORG_ID=")
	r.write(t, "versions.tf", readExample(t, "getting-started/versions.tf"))
	r.write(t, "database.tf", readExample(t, "getting-started/database.tf"))
	r.terraform(t, "apply", "-auto-approve")
	if url := r.terraform(t, "output", "-raw", "claim_url"); !strings.HasPrefix(url, w.claimBaseURL) {
		t.Errorf("the claim URL is %q", url)
	}
	made := w.objects(t).ClaimableDatabases
	if len(made) != 1 {
		t.Fatalf("there are %d databases", len(made))
	}
	w.control(t, http.MethodPost, "/_emulator/claimable_databases/"+fmt.Sprint(made[0]["id"])+"/claim", map[string]any{}, nil)
	if said := inOneLine(r.terraform(t, "plan")); !strings.Contains(said, "Claimable database was claimed") {
		t.Errorf("the plan doesn't speak of the claim:\n%s", said)
	}

	r.write(t, "database.tf", "")
	r.terraform(t, "apply", "-auto-approve")
	r.terraform(t, "plan", "-detailed-exitcode")
	if now := w.objects(t).ClaimableDatabases; len(now) != 1 || now[0]["id"] != made[0]["id"] {
		t.Errorf("there are %v; want the one that was claimed", now)
	}
}

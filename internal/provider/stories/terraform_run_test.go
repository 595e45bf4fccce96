package stories_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Nothing secret is in the most talkative log, nor on the terminal.
func TestAccTerraform_logHasNoSecrets(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	log := filepath.Join(t.TempDir(), "trace.log")
	r := acctest.NewRun(t, w, everything(w), "TF_LOG=TRACE", "TF_LOG_PATH="+log)
	said := r.Terraform(t, "apply", "-auto-approve")
	said += r.Terraform(t, "plan")
	said += r.Terraform(t, "destroy", "-auto-approve")
	traced, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{"request to the platform", "bodies of the request", "***"} {
		if !strings.Contains(string(traced), wanted) {
			t.Errorf("the log doesn't say %q", wanted)
		}
	}
	secrets := w.Emulator.Secrets()
	// The first key, three more, and the password of a database at the least.
	if len(secrets) < 5 {
		t.Errorf("the emulator handed out %d secrets", len(secrets))
	}
	for i, secret := range secrets {
		if strings.Contains(string(traced), secret) {
			t.Errorf("secret %d is in the log", i)
		}
		if strings.Contains(said, secret) {
			t.Errorf("secret %d is on the terminal", i)
		}
	}
}

// What can't be created is no reason not to destroy what there is.
func TestAccTerraform_destroyBesideWhatCantBe(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddMember(t, "max@example.com", "viewer")
	const key = "resource \"neon_api_key\" \"k\" {\n name = \"k\"\n}\n"
	r := acctest.NewRun(t, w, key)
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, key+fmt.Sprintf(`
resource "neon_org_invitation" "i" {
  email = "max@example.com"
  role  = "viewer"
}
resource "neon_branch" "b" {
  project_id = %[1]q
  name       = "b"
  parent_id  = %[2]q
}
resource "neon_role" "r" {
  project_id = %[1]q
  branch_id  = %[2]q
  name       = "r"
}
resource "neon_org_api_key" "o" {
  name       = "o"
  project_id = "calm-lake-12345678"
}
`, w.ProjectID, noSuchBranch))
	warned := acctest.InOneLine(r.Terraform(t, "plan"))
	failed := r.Fails(t, "apply", "-auto-approve")
	for _, wanted := range []string{
		"max@example.com (email) is a member", `parent_id = "` + noSuchBranch, `branch_id = "` + noSuchBranch,
		`project_id = "calm-lake-12345678"`,
	} {
		if !strings.Contains(warned, wanted) || !strings.Contains(failed, wanted) {
			t.Errorf("plan and apply should say %q:\n%s\n%s", wanted, warned, failed)
		}
	}
	if !strings.Contains(warned, "Until that is mended, the creation fails") {
		t.Error("the plan doesn't say what will fail: " + warned)
	}
	if said := r.Terraform(t, "destroy", "-auto-approve"); !strings.Contains(said, "1 destroyed") {
		t.Error(said)
	}
}

// What has expired, Neon has deleted, and its moment is past by then. That keeps nobody from destroying the rest:
// terraform destroy plans all resources before it destroys any. Its creation is refused.
func TestAccTerraform_expiredKeepsNothing(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	config := func(expiry string) string {
		return w.ProviderConfig() + fmt.Sprintf(`
resource "neon_branch" "b" {
  project_id = %[1]q
  name       = "b"
  expires_at = %[3]q
}
resource "neon_snapshot" "s" {
  project_id = %[1]q
  branch_id  = %[2]q
  expires_at = %[3]q
}
resource "neon_role" "r" {
  project_id = %[1]q
  branch_id  = %[2]q
  name       = "r"
}
`, w.ProjectID, w.MainBranch(t).ID, expiry)
	}
	r := acctest.NewRun(t, w.World, config(acctest.InDays(1)))
	r.Terraform(t, "apply", "-auto-approve")
	w.Advance(t, 48*time.Hour)
	r.Configure(t, config("2020-01-01T00:00:00Z"))
	warned, failed := acctest.InOneLine(r.Terraform(t, "plan")), acctest.InOneLine(r.Fails(t, "apply", "-auto-approve"))
	const past = "expires_at is 2020-01-01T00:00:00Z, which is past"
	if !strings.Contains(warned, "Warning: Expiry in the past") || !strings.Contains(warned, past) {
		t.Error(warned)
	}
	if strings.Count(failed, past) < 3 { // The warning, and the errors of both.
		t.Error(failed)
	}
	if said := r.Terraform(t, "destroy", "-auto-approve"); !strings.Contains(said, "1 destroyed") {
		t.Error(said)
	}
}

// many is a configuration with so many keys and branches.
func many(w *acctest.World, keys, branches int) string {
	return fmt.Sprintf(`
resource "neon_api_key" "personal" {
  count = %[1]d
  name  = "personal-${count.index}"
}
resource "neon_org_api_key" "organization" {
  count = %[1]d
  name  = "organization-${count.index}"
}
resource "neon_branch" "b" {
  count      = %[2]d
  project_id = %[3]q
  name       = "branch-${count.index}"
}
`, keys/2, branches, w.ProjectID)
}

// The provider keeps Neon's limits before Neon has to.
func TestAccTerraform_keepsTheLimits(t *testing.T) {
	t.Parallel()
	for _, limits := range []string{emulator.LimitsWindow, emulator.LimitsPaced} {
		t.Run(limits, func(t *testing.T) {
			t.Parallel()
			keepsTheLimits(t, limits)
		})
	}
}

func keepsTheLimits(t *testing.T, limits string) {
	t.Helper()
	w := acctest.StartEmulator(t, emulator.Config{Limits: limits})
	// More than the account's limit takes minutes: the client's tests have that in a time of their own.
	r := acctest.NewRun(t, w, many(w, 30, 4))
	r.Terraform(t, "apply", "-auto-approve", "-parallelism=50")
	r.Terraform(t, "plan", "-detailed-exitcode", "-parallelism=50")
	// What is slower than "700 a minute" says refuses requests, which are then sent again.
	if refused := w.Requests(t).ByStatus["429"]; refused > 0 && limits == emulator.LimitsWindow {
		t.Errorf("%d requests were refused: %v", refused, w.Requests(t))
	}
	if made := len(w.Objects(t).APIKeys); made != 31 {
		t.Errorf("there are %d keys, want the first one and 30", made)
	}
	if made := len(w.Objects(t).Branches); made != 5 {
		t.Errorf("there are %d branches, want main and 4", made)
	}
	r.Terraform(t, "destroy", "-auto-approve", "-parallelism=50")
}

// Another client uses up the limit: the provider waits until Neon takes
// requests again.
func TestAccTerraform_waitsOutTheLimits(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "rate-limits", waitsOutTheLimits)
}

func waitsOutTheLimits(t *testing.T, played emulator.Config) {
	t.Helper()
	t.Parallel()
	clock := &fastClock{began: time.Now(), since: time.Now(), runs: true}
	played.Limits, played.Now, played.OperationDuration = emulator.LimitsWindow, clock.now, 200*time.Millisecond
	w := acctest.StartEmulator(t, played)
	r := acctest.NewRun(t, w, many(w, 20, 10))
	other := &otherClient{World: w}
	for other.taken < 690 {
		other.send(t)
	}
	// However long terraform takes to start, it finds the minute that is used up.
	clock.stop()
	ctx, stop := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	busy.Go(func() {
		for ctx.Err() == nil && w.Requests(t).ByStatus["429"] == other.refused {
			time.Sleep(20 * time.Millisecond)
		}
		clock.start()
		for ctx.Err() == nil {
			other.send(t)
			time.Sleep(20 * time.Millisecond)
		}
	})
	r.Terraform(t, "apply", "-auto-approve", "-parallelism=50")
	stop()
	busy.Wait()
	if refused := w.Requests(t).ByStatus["429"] - other.refused; refused <= 0 {
		t.Error("no request of the provider was refused, so nothing was waited out")
	}
	if made := len(w.Objects(t).APIKeys); made != 21 {
		t.Errorf("there are %d keys, want the first one and 20", made)
	}
}

// fastClock is a platform's, whose minute takes six seconds, and its second a tenth of
// one. It can be stopped.
type fastClock struct {
	mu           sync.Mutex
	began, since time.Time
	runs         bool
}

func (c *fastClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.runs {
		return c.began
	}
	return c.began.Add(10 * time.Since(c.since))
}

func (c *fastClock) stop() {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.began, c.runs = now, false
}

func (c *fastClock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since, c.runs = time.Now(), true
}

// otherClient is somebody else with the same account.
type otherClient struct {
	*acctest.World

	sent, taken, refused int
}

// send sends one request, each time of another route, since routes have limits
// of their own.
func (c *otherClient) send(t *testing.T) {
	project := "/api/v2/projects/" + c.ProjectID
	routes := []string{
		"/api/v2/api_keys", "/api/v2/organizations/" + c.OrgID + "/api_keys", "/api/v2/projects?org_id=" + c.OrgID,
		project + "/branches", project + "/endpoints", project + "/operations",
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.BaseURL+routes[c.sent%len(routes)], nil)
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Authorization", "Bearer "+c.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	_ = response.Body.Close()
	c.sent++
	if response.StatusCode == http.StatusTooManyRequests {
		c.refused++
	} else {
		c.taken++
	}
}

// everything is a configuration with all that the provider has.
func everything(w *acctest.World) string {
	return fmt.Sprintf(`
resource "neon_api_key" "k" {
  name = "k"
}
resource "neon_org_api_key" "o" {
  name = "o"
}
resource "neon_org_api_key" "p" {
  name       = "p"
  project_id = %[1]q
}
resource "neon_branch" "b" {
  project_id = %[1]q
  name       = "b"
  endpoints  = { app = { type = "read_write" } }
}
resource "neon_claimable_database" "d" {
  ref = "test"
}
data "neon_projects" "all" {}
data "neon_operations" "all" {
  project_id = %[1]q
}
`, w.ProjectID)
}

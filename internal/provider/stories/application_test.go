package stories_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What the application's configuration is given in secret.
const (
	mailSecret   = "smtp-7hq2mz9wkd"
	githubSecret = "github-7hq2mz9wkd"
	googleSecret = "google-7hq2mz9wkd"

	oneProject = "/api/v2/projects/{project_id}"
	oneBranch  = oneProject + "/branches/{branch_id}"
)

// application is the example.
func application(t *testing.T, w *acctest.BranchWorld, environment ...string) acctest.Run {
	t.Helper()
	return acctest.NewExampleRun(t, w.World, "application").With(append(environment,
		"TF_VAR_project_id="+w.ProjectID, "TF_VAR_smtp_password="+mailSecret,
		`TF_VAR_oauth_client_ids={"github":"shop-at-github","google":"shop-at-google"}`,
		fmt.Sprintf(`TF_VAR_oauth_client_secrets={"github":%q,"google":%q}`, githubSecret, googleSecret))...)
}

// misbehave has each route refuse a request because of other work, and then lose the answer to one.
func misbehave(t *testing.T, w *acctest.BranchWorld, routes ...string) {
	t.Helper()
	for _, route := range routes {
		w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: http.StatusLocked, Count: 1})
		w.AddFault(t, acctest.Fault{Route: route, Kind: "lost_after", Count: 1})
	}
}

// has is what exists of the application.
type has struct{ Projects, Branches, Auths, DataAPIs, JWKS int }

func (h has) check(t *testing.T, w *acctest.BranchWorld) {
	t.Helper()
	all := w.Objects(t)
	if found := (has{len(all.Projects), len(all.Branches), len(all.Auths), len(all.DataAPIs), len(all.JWKS)}); found != h {
		t.Errorf("there are %+v, want %+v", found, h)
	}
}

// A preview's whole life, beside a production that has all of it and one that has nothing, with lost answers,
// conflicts, an interruption and changes by others. Its secrets reach Neon, and are in no state, plan, log or output.
// Production stays as it is.
func TestAccExamples_application(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	for name, test := range map[string]struct {
		isInProduction bool
		made           has
		losing         []string
	}{
		"production has it": {true, has{Projects: 1, Branches: 2, Auths: 2, DataAPIs: 2, JWKS: 2}, []string{"PATCH " + oneBranch + "/auth/oauth_providers/{oauth_provider_id}"}},
		"production has nothing": {false, has{Projects: 1, Branches: 2, Auths: 1, DataAPIs: 1, JWKS: 1}, []string{
			"POST " + oneBranch + "/auth", "POST " + oneBranch + "/auth/oauth_providers", "POST " + oneBranch + "/auth/domains",
			"POST " + oneBranch + "/data-api/{database_name}",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{})
			production := application(t, w)
			if test.isInProduction {
				production.Terraform(t, "apply", "-auto-approve")
			}
			existing := w.Existing(t)
			previewed(t, w, test.made, test.losing...)
			if difference := cmp.Diff(existing, w.Existing(t)); difference != "" || w.FaultsLeft(t) > 0 {
				t.Errorf("%d faults weren't met, and this is left:\n%s", w.FaultsLeft(t), difference)
			}
			if test.isInProduction {
				production.Terraform(t, "plan", "-detailed-exitcode")
				production.Terraform(t, "destroy", "-auto-approve")
				has{Projects: 1, Branches: 1}.check(t, w)
			}
		})
	}
}

// previewed plays the life of a preview.
func previewed(t *testing.T, w *acctest.BranchWorld, made has, losing ...string) {
	t.Helper()
	traces := t.TempDir()
	r := application(t, w, "TF_VAR_preview=pr-17", "TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(traces, "trace.log"))
	var said strings.Builder
	run := func(arguments ...string) string {
		text := r.Terraform(t, arguments...)
		said.WriteString(text)
		return acctest.InOneLine(text)
	}
	run("plan", "-out=create.plan")
	misbehave(t, w, append(losing, "PATCH "+oneBranch+"/auth/email_provider", "POST "+oneProject+"/branch_anonymized")...)
	w.AddFault(t, acctest.Fault{Route: "POST " + oneBranch + "/anonymize", Kind: "slow", Delay: "2s", Count: 1})
	interrupted := signaled(t, r, w.World, os.Interrupt, "POST "+oneBranch+"/anonymize", "apply", "create.plan")
	if !strings.Contains(interrupted, "_branch.preview") {
		t.Errorf("the interrupted run says %s", interrupted)
	}
	said.WriteString(interrupted)
	run("apply", "-auto-approve")
	made.check(t, w)
	run("plan", "-detailed-exitcode", "-out=nothing.plan")

	changeApplication(t, w)
	changes := run("plan", "-var=address=https://www.example.com", "-var=secrets_version=2", "-out=change.plan")
	for _, change := range []string{
		`"meddled" -> "shop-at-github"`, "neon_auth_trusted_domain.shop will be created", "db_max_rows = 7 -> 500",
		`state = "outdated" -> "anonymized"`, "2 to add, 4 to change, 0 to destroy",
	} {
		if !strings.Contains(changes, change) {
			t.Errorf("the plan doesn't say %q: %s", change, changes)
		}
	}
	misbehave(t, w, "PATCH "+oneBranch+"/auth/oauth_providers/{oauth_provider_id}",
		"PATCH "+oneBranch+"/data-api/{database_name}",
		"PATCH "+oneBranch+"/masking_rules", "POST "+oneBranch+"/anonymize")
	run("apply", "change.plan")
	made.check(t, w)
	run("plan", "-detailed-exitcode", "-var=address=https://www.example.com", "-var=secrets_version=2")

	misbehave(t, w, "DELETE "+oneBranch+"/auth/oauth_providers/{oauth_provider_id}", "DELETE "+oneBranch+"/auth/domains",
		"DELETE "+oneBranch+"/auth",
		"DELETE "+oneBranch+"/data-api/{database_name}", "DELETE "+oneProject+"/jwks/{jwks_id}", "DELETE "+oneBranch)
	run("plan", "-destroy", "-out=destroy.plan")
	run("apply", "destroy.plan")
	checkUntold(t, w, r.Folder, traces, said.String())
}

// changeApplication changes what the application has past Terraform.
func changeApplication(t *testing.T, w *acctest.BranchWorld) {
	t.Helper()
	ctx := t.Context()
	preview, few := w.BranchNamed(t, "preview/pr-17").ID, int64(7)
	api, err := w.API.GetDataAPI(ctx, w.Ref(preview), "neondb")
	w.Settle(t, nil, err)
	api.Settings.MaxRows = &few
	w.Settle(t, nil, w.API.UpdateDataAPI(ctx, w.Ref(preview), "neondb", *api.Settings, *api.Settings))
	w.Settle(t, nil, w.API.UpdateAuthOAuthProvider(ctx, w.Ref(preview), "github",
		client.AuthOAuthSettings{ClientID: "meddled"}))
	w.Settle(t, nil, w.API.DeleteAuthOAuthProvider(ctx, w.Ref(preview), "google"))
	w.Settle(t, nil, w.API.DeleteAuthDomain(ctx, w.Ref(preview),
		client.AuthDomain{Domain: "https://shop.example.com", Provider: "better_auth"}))
	w.Settle(t, nil, w.API.SetMaskingRules(ctx, w.Ref(preview), []client.MaskingRule{}))
}

// checkUntold looks for secrets in all that terraform has written and said.
func checkUntold(t *testing.T, w *acctest.BranchWorld, folder, traces, said string) {
	t.Helper()
	contents := map[string][]byte{"the terminal": []byte(said)}
	acctest.ReadTree(t, folder, contents)
	acctest.ReadTree(t, traces, contents)
	secrets := append(w.Emulator.Secrets(), mailSecret, githubSecret, googleSecret, "npg_")
	for where, content := range contents {
		for _, secret := range secrets {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s holds a secret that begins with %.5s", where, secret)
			}
		}
	}
	for _, wanted := range []string{"trace.log", "terraform.tfstate", "create.plan!tfplan", "change.plan!tfplan"} {
		if !acctest.ContainsFile(contents, wanted) {
			t.Errorf("%s wasn't looked at", wanted)
		}
	}
	if len(secrets) < 5 || !bytes.Contains(contents[filepath.Join(traces, "trace.log")], []byte("email_provider")) {
		t.Errorf("%d secrets were looked for, in a log that doesn't have the requests", len(secrets))
	}
}

// importedBy has the addresses of what the application consists of, with what each is imported by.
func importedBy(t *testing.T, r acctest.Run) map[string]string {
	t.Helper()
	saved := func(address, attribute string) string {
		value, _ := r.Saved(t, "terraform.tfstate", address)[attribute].(string)
		return value
	}
	auth := saved("neon_auth.shop", "id")
	project, _, _ := strings.Cut(auth, "/")
	return map[string]string{
		"neon_auth.shop": auth, "neon_auth_trusted_domain.shop": auth + "/https://shop.example.com",
		"neon_auth_oauth_provider.shop[each.key]": auth + "/${each.key}",
		"neon_data_api.shop":                      auth + "/neondb",
		"neon_jwks_url.staff":                     project + "/" + saved("neon_jwks_url.staff", "id"),
	}
}

// Without its state, the application is imported by ids, by identities, and by what a query finds.
func TestAccTerraform_importApplication(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	first := application(t, w)
	first.Terraform(t, "apply", "-auto-approve")
	existing, ids := w.Existing(t), importedBy(t, first)
	// The secrets are sent again, and whose tokens the Data API accepts is recorded: Neon returns neither.
	const taken = "6 imported, 0 added, 4 changed, 0 destroyed"
	var byID, byIdentity strings.Builder
	for _, address := range slices.Sorted(maps.Keys(ids)) {
		resource, _, _ := strings.Cut(address, ".")
		names := acctest.NounResource(t, resource).Identity
		instances := "" // Of two blocks for two instances of one resource, Terraform 1.16 imports one.
		if strings.Contains(address, "each.key") {
			instances = "  for_each = toset([\"github\", \"google\"])\n"
		}
		fmt.Fprintf(&byID, "import {\n%s  to = %s\n  id = %q\n}\n", instances, address, ids[address])
		fmt.Fprintf(&byIdentity, "import {\n%s  to = %s\n  identity = {\n", instances, address)
		for i, value := range strings.SplitN(ids[address], "/", len(names)) {
			fmt.Fprintf(&byIdentity, "    %s = %q\n", names[i], value)
		}
		byIdentity.WriteString("  }\n}\n")
	}
	for name, by := range map[string]struct{ since, blocks string }{"ids": {"1.11.0", byID.String()},
		"identities": {"1.12.0", byIdentity.String()}} {
		t.Run(name, func(t *testing.T) {
			acctest.NeedsTerraform(t, by.since)
			r := application(t, w)
			r.Write(t, "imports.tf", by.blocks)
			checkTakenIn(t, r, taken)
		})
	}
	t.Run("a query", func(t *testing.T) {
		acctest.NeedsTerraform(t, acctest.QueriesSince)
		r := acctest.NewRun(t, w.World,
			"terraform {\n  required_providers {\n    neon = {\n      source = \"hashicorp/neon\"\n    }\n  }\n}\nprovider \"neon\" {}\n")
		r.Write(t, "application.tfquery.hcl", applicationQuery(t, acctest.NewProtocol(t, w.World).Schema.ListResourceSchemas,
			w.ProjectID, ids["neon_auth.shop"]))
		r.Terraform(t, "query", "-generate-config-out=generated.tf")
		r.Write(t, "generated.tf", defaultBranch.ReplaceAllString(readGenerated(t, r), ""))
		checkTakenIn(t, r, "7 imported, 0 added, 0 changed, 0 destroyed")
	})
	if difference := cmp.Diff(existing, w.Existing(t)); difference != "" {
		t.Errorf("what exists is no longer as it was (-before +after):\n%s", difference)
	}
}

var applicationBlock = regexp.MustCompile(`(?m)^resource "(\w+)"`)

// applicationQuery looks for all of the application in its project, and on the branch of its users.
func applicationQuery(t *testing.T, lists map[string]*tfprotov6.Schema, projectID, auth string) string {
	t.Helper()
	query := "list \"neon_project\" \"all\" {\n  provider = neon\n  include_resource = true\n}\n"
	_, branchID, _ := strings.Cut(auth, "/")
	kinds := map[string]bool{}
	for _, block := range applicationBlock.FindAllStringSubmatch(acctest.ReadExample(t, "application/main.tf"), -1) {
		kinds[block[1]] = true
	}
	for kind := range kinds {
		branch := ""
		if _, isOnBranch := lists[kind].ValueType().(tftypes.Object).AttributeTypes["branch_id"]; isOnBranch {
			branch = fmt.Sprintf("branch_id = %q", branchID)
		}
		query += fmt.Sprintf("list %q \"all\" {\n  provider = neon\n  include_resource = true\n  config {\n    project_id = %q\n    %s\n  }\n}\n", kind, projectID, branch)
	}
	return query
}

package walks_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// newBackend makes what a state of Neon's own provider has of what runs and stores on a branch.
func newBackend(t *testing.T, w *acctest.BranchWorld) peerObjects {
	t.Helper()
	branch := w.Ref(w.MainBranch(t).ID)
	w.MakeFunction(t, branch, "api")
	_, err := w.API.CreateCustomDomain(t.Context(), branch, "api.example.com", "api")
	w.Settle(t, nil, err)
	trigger, err := w.API.CreateTrigger(t.Context(), branch, client.TriggerSpec{
		Type: "schedule", FunctionSlug: "api", Name: "nightly", Path: "/", Enabled: true,
		Schedule: &client.TriggerSchedule{Cron: "0 3 * * *"},
	})
	w.Settle(t, nil, err)
	credential, err := client.ObjectOf(w.API.CreateCredential(t.Context(), branch,
		client.CredentialCreate{Name: "app", Scopes: []string{"storage:read"}}))
	w.Settle(t, nil, err)
	_, err = w.API.CreateBucket(t.Context(), branch, "uploads", "")
	w.Settle(t, nil, err)
	etag, err := w.API.UploadBucketObject(t.Context(), client.BucketPlace{Branch: branch, Bucket: "uploads",
		Key: "img/logo.svg"}, "", 1,
		func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil })
	w.Settle(t, nil, err)
	return peerObjects{
		"PROJECT_ID": w.ProjectID, "BRANCH_ID": branch.ID, "OBJECT_ETAG": strings.Trim(etag, `"`), "TRIGGER_ID": trigger.ID,
		"TOKEN_ID": credential.TokenID, "API_TOKEN": credential.APIToken, "SECRET_KEY": credential.S3SecretAccessKey,
	}
}

// backendBlocks are these objects as this provider has them, with lines for the function.
func backendBlocks(objects peerObjects, label, function string) string {
	place := "  project_id = \"" + objects["PROJECT_ID"] + "\"\n  branch_id  = \"" + objects["BRANCH_ID"] + "\"\n"
	var blocks strings.Builder
	for _, block := range []struct{ kind, name, lines string }{
		{"neon_bucket", "b", `name = "uploads"`},
		{"neon_bucket_object", "o", "bucket_name = \"uploads\"\n  key = \"img/logo.svg\"\n  source = \"${path.module}/logo.svg\""},
		{"neon_custom_domain", "d", "domain = \"api.example.com\"\n  function_slug = \"api\""},
		{"neon_function", "f", "slug = \"api\"\n" + function},
		{"neon_service_credential", "c", "name = \"app\"\n  scopes = [\"storage:read\"]"},
		{"neon_trigger", "t", "name = \"nightly\"\n  function_slug = \"api\"\n  schedule = { cron = \"0 3 * * *\" }"},
	} {
		blocks.WriteString("resource \"" + block.kind + "\" \"" + block.name + label + "\" {\n" + place + "  " + block.lines +
			"\n}\n")
	}
	return blocks.String()
}

// What Neon's own provider manages on a branch is taken over by one command and one moved block, or by moved blocks
// alone: nothing is created, deployed, uploaded or deleted, and no secret stays in the state.
func TestAccTerraform_officialBackendMovesIn(t *testing.T) {
	t.Parallel()
	const domain = "moved {\n from = neon_custom_branch_domain.d\n to = neon_custom_domain.d"
	for name, test := range map[string]struct {
		label, moved string
		isReplaced   bool
	}{
		"replace-provider": {"", domain + "\n}\n", true},
		"moved": {"2", domain + "2\n}\n" + movedOne("neon_bucket.b") + movedOne("neon_bucket_object.o") +
			movedOne("neon_function.f") +
			movedOne("neon_service_credential.c") + movedOne("neon_trigger.t"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{})
			objects := newBackend(t, w)
			r := acctest.NewRun(t, w.World, w.ProviderConfig()+backendBlocks(objects, test.label, "")+test.moved)
			r.Write(t, "logo.svg", "x")
			useOtherProvider(t, r, "neondatabase/neon")
			r.Write(t, "terraform.tfstate", objects.state(t, "neondatabase"))
			if test.isReplaced {
				r.Terraform(t, "state", "replace-provider", "-auto-approve", "registry.terraform.io/neondatabase/neon",
					"hashicorp/neon")
			} else { // Of a folder, which is no object here, nothing has to be moved.
				r.Terraform(t, "state", "rm", "neon_bucket_object.folder")
			}
			before := w.Requests(t).ByRoute
			// The hash of the object's content, which nobody has to upload for it.
			if said := r.Terraform(t, "plan"); !strings.Contains(said, "Plan: 0 to add, 1 to change, 0 to destroy.") {
				t.Errorf("the plan changes something:\n%s", said)
			}
			r.Terraform(t, "apply", "-auto-approve")
			if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
				t.Errorf("the plan after isn't empty:\n%s", said)
			}
			for route, count := range w.Requests(t).ByRoute {
				if !strings.HasPrefix(route, "GET ") && count > before[route] {
					t.Errorf("it sends %s", route)
				}
			}
			left, err := os.ReadFile(filepath.Join(r.Folder, "terraform.tfstate"))
			if err != nil || strings.Contains(string(left), objects["API_TOKEN"]) ||
				strings.Contains(string(left), objects["SECRET_KEY"]) || strings.Contains(string(left), "hush") {
				t.Errorf("a secret is in the state (%v)", err)
			}
		})
	}
}

// Nothing tells which code a function that was taken over runs: a plan that deploys it says so, once.
func TestAccTerraform_officialFunctionIsDeployed(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	objects := newBackend(t, w)
	config := w.ProviderConfig() + backendBlocks(objects, "",
		`source = "`+filepath.ToSlash(acctest.CodeFolder(t, "same"))+`"`) +
		"moved {\n from = neon_custom_branch_domain.d\n to = neon_custom_domain.d\n}\n"
	r := acctest.NewRun(t, w.World, config)
	r.Write(t, "logo.svg", "x")
	useOtherProvider(t, r, "neondatabase/neon")
	r.Write(t, "terraform.tfstate", objects.state(t, "neondatabase"))
	r.Terraform(t, "state", "replace-provider", "-auto-approve", "registry.terraform.io/neondatabase/neon",
		"hashicorp/neon")
	const warning = "The function will be deployed"
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "0 to add, 2 to change, 0 to destroy") ||
		!strings.Contains(said, warning) {
		t.Errorf("the plan doesn't say that it deploys:\n%s", said)
	}
	r.Terraform(t, "apply", "-auto-approve")
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") || strings.Contains(said, warning) {
		t.Errorf("the plan after isn't empty:\n%s", said)
	}
}

// movedOne moves one resource to one of the same type, with another name.
func movedOne(address string) string {
	return "moved {\n from = " + address + "\n to = " + address + "2\n}\n"
}

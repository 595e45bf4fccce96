package neonfunction_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A function that Ctrl-C left while Neon built it stays: the next apply waits for its deployment, and deploys again
// only what Neon couldn't build.
func TestAccTerraform_interruptedFunction(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare    func(t *testing.T, w *acctest.BranchWorld)
		plan, done string
		deployed   float64
	}{
		"Neon still builds it": {func(*testing.T, *acctest.BranchWorld) {}, "0 to add, 1 to change, 0 to destroy", "0 added, 1 changed, 0 destroyed", 1},
		"Neon has built it": {
			func(t *testing.T, w *acctest.BranchWorld) { w.Advance(t, time.Hour) }, "No changes.",
			"0 added, 0 changed, 0 destroyed", 1,
		},
		"a deployment after it failed": {
			func(t *testing.T, w *acctest.BranchWorld) {
				branch := w.Ref(w.MainBranch(t).ID)
				now, err := w.API.GetFunction(t.Context(), branch, "api")
				if err == nil {
					_, err = w.API.DeployFunction(t.Context(), branch, now, client.FunctionDeploy{Bundle: []byte("no archive")})
				}
				if err != nil {
					t.Fatal(err)
				}
				w.Advance(t, time.Hour)
			}, "0 to add, 1 to change, 0 to destroy", "0 added, 1 changed, 0 destroyed", 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 10 * time.Minute})
			r := acctest.NewRun(t, w.World, w.ProviderConfig()+block("function", w.Ref(w.MainBranch(t).ID),
				code(acctest.CodeFolder(t, "1"))))
			said, _ := r.SignaledWhen(t, os.Interrupt, func() bool { return len(w.Objects(t).Functions) > 0 }, "apply",
				"-auto-approve")
			said = acctest.InOneLine(said)
			if !strings.Contains(said, "Creation interrupted") || !strings.Contains(said, "the next apply does what is left") {
				t.Errorf("the interruption isn't explained:\n%s", said)
			}
			test.prepare(t, w)
			if said := r.Terraform(t, "plan", "-out=next.plan"); !strings.Contains(said, test.plan) {
				t.Errorf("the plan doesn't say %q:\n%s", test.plan, said)
			}
			stop := w.KeepAdvancing(t)
			defer stop()
			if said := r.Terraform(t, "apply", "next.plan"); !strings.Contains(said, test.done) {
				t.Errorf("the apply doesn't say %q:\n%s", test.done, said)
			}
			if all := w.Objects(t).Functions; len(all) != 1 || all[0]["deployments"] != test.deployed {
				t.Errorf("there are %v, want one with %v deployments", all, test.deployed)
			}
			if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
				t.Errorf("the last plan isn't empty:\n%s", said)
			}
		})
	}
}

// A trigger that somebody deletes between the plan and the apply is said to be gone, and not its function.
func TestAccTerraform_triggerDeletedSincePlan(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch, folder := w.Ref(w.MainBranch(t).ID), acctest.CodeFolder(t, "1")
	config := func(name string) string {
		return w.ProviderConfig() + block("function", branch, code(folder)) +
			inFunction("trigger", "name = \""+name+"\"", schedule)
	}
	r := acctest.NewRun(t, w.World, config("a"))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, config("b"))
	r.Terraform(t, "plan", "-out=next.plan")
	w.Settle(t, nil, w.API.DeleteTrigger(t.Context(), branch, fmt.Sprint(w.Objects(t).Triggers[0]["id"])))
	said := r.Fails(t, "apply", "next.plan")
	if !acctest.InOrder("Unable to update trigger", "deleted after this was planned").MatchString(said) ||
		strings.Contains(said, "finds no function") {
		t.Error(said)
	}
	r.Terraform(t, "apply", "-auto-approve")
}

// Neon takes a trigger for a bucket that isn't there, which never runs: who applies it is told so.
func TestAccTerraform_triggerWithoutBucket(t *testing.T) {
	t.Parallel()
	w, branchID, _ := newTakenWorld(t)
	config := func(bucket, prefix string) string {
		return w.ProviderConfig() + block("trigger", w.Ref(branchID), `name = "uploaded"`, `function_slug = "api"`,
			"storage_object_created = { bucket_name = "+bucket+", prefix = \""+prefix+"\" }")
	}
	r := acctest.NewRun(t, w.World, config(`"uploads"`, "a/"))
	told := acctest.InOrder("No such bucket (uploads)", "bucket_name", "trigger \"uploaded\"",
		"bucket_name = neon_bucket.NAME.name")
	if said := r.Terraform(t, "apply", "-auto-approve"); !told.MatchString(said) {
		t.Errorf("the creation says:\n%s", said)
	}
	r.Configure(t, config(`"uploads"`, "b/"))
	if said := r.Terraform(t, "apply", "-auto-approve"); !told.MatchString(said) {
		t.Errorf("the change says:\n%s", said)
	}
	r.Configure(t, config("neon_bucket.test.name", "a/")+block("bucket", w.Ref(branchID), `name = "uploads"`))
	if said := r.Terraform(t, "apply", "-auto-approve"); strings.Contains(said, "No such bucket") {
		t.Errorf("with the bucket, it says:\n%s", said)
	}
}

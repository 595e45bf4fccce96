package bucket_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// withObjects makes a bucket of the default branch with these objects, and a child.
func withObjects(t *testing.T, w *acctest.BranchWorld, keys ...string) (parentID, childID string) {
	t.Helper()
	parentID = w.MainBranch(t).ID
	_, err := w.API.CreateBucket(t.Context(), w.Ref(parentID), "uploads", "")
	w.Settle(t, nil, err)
	for _, key := range keys {
		place := client.BucketPlace{Branch: w.Ref(parentID), Bucket: "uploads", Key: key}
		w.Upload(t, place, "", 1, openText("x"))
	}
	return parentID, w.MakeBranch(t, "child").ID
}

// counts are the buckets and objects of a branch's own.
func counts(t *testing.T, w *acctest.BranchWorld, branchID string) string {
	t.Helper()
	buckets, objects := 0, 0
	for _, bucket := range w.Objects(t).Buckets {
		if bucket["branch_id"] == branchID {
			buckets++
		}
	}
	for _, object := range w.Objects(t).BucketObjects {
		if object["branch_id"] == branchID {
			objects++
		}
	}
	return fmt.Sprintf("%d buckets, %d objects", buckets, objects)
}

// A bucket of the parent becomes the branch's own with its objects, and the parent's stays as it is, whatever Neon does
// where that isn't known.
func TestAccBucket_ofParent(t *testing.T) {
	t.Parallel()
	for _, reading := range []string{"bucket-of-child", "deleted-on-child", "inherited-not-empty"} {
		acctest.EachReading(t, reading, func(t *testing.T, config emulator.Config) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, config)
			parentID, childID := withObjects(t, w, "a.txt", "img/a.txt", "img/b.txt")
			configured := w.ProviderConfig() + bucketBlock(w.Ref(childID), "force_destroy = true")
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: configured, ConfigStateChecks: []statecheck.StateCheck{acctest.After(
					func(acctest.State) error {
						if has := counts(t, w, childID); has != "1 buckets, 3 objects" {
							return fmt.Errorf("the child has %s", has)
						}
						return nil
					})}},
				resource.TestStep{Config: configured, ConfigPlanChecks: acctest.ExpectAction("neon_bucket.test",
					plancheck.ResourceActionNoop)},
				resource.TestStep{Config: w.ProviderConfig()},
			)
			if has := counts(t, w, parentID); has != "1 buckets, 3 objects" {
				t.Errorf("the parent has %s", has)
			}
			if has := counts(t, w, childID); has != "0 buckets, 0 objects" {
				t.Errorf("the child still has %s", has)
			}
		})
	}
}

// Whatever becomes of the answer, the bucket is taken over once; what is the child's own already isn't.
func TestAccBucket_ofParentFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]acctest.Fault{
		"lost": {Kind: "lost_after"}, "answered too late": {Kind: "status_after", Status: http.StatusInternalServerError}, "locked": {Kind: "status", Status: http.StatusLocked},
		"never there": {Kind: "lost_before"},
	} {
		for _, second := range []string{"409", "400", "422"} {
			t.Run(name+" "+second, func(t *testing.T) {
				t.Parallel()
				w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"second-bucket": second}})
				_, childID := withObjects(t, w)
				fault.Route, fault.Count = "POST /api/v2/projects/{project_id}/branches/{branch_id}/buckets", 1
				w.AddFault(t, fault)
				configured := w.ProviderConfig() + bucketBlock(w.Ref(childID))
				acctest.RunSteps(t, w.World, resource.TestStep{Config: configured,
					ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
						w.Refuses(t, acctest.Refusal{Config: configured, Want: acctest.InOrder("is there already", "import {")})
						return nil
					})}})
				if w.FaultsLeft(t) > 0 {
					t.Error("nothing met the fault")
				}
			})
		}
	}
}

// What a preview has from its parent can be read, and that it comes from there.
func TestAccBucketsData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	_, childID := withObjects(t, w)
	_, err := w.API.CreateBucket(t.Context(), w.Ref(childID), "own", "public_read")
	w.Settle(t, nil, err)
	config := w.ProviderConfig() + fmt.Sprintf("data \"neon_buckets\" \"all\" {\n project_id = %q\n branch_id = %q\n}\n",
		w.ProjectID, childID) +
		fmt.Sprintf("data \"neon_bucket\" \"one\" {\n project_id = %q\n branch_id = %q\n name = \"uploads\"\n}\n",
			w.ProjectID, childID)
	at := tfjsonpath.New("buckets")
	acctest.RunSteps(t, w.World, resource.TestStep{Config: config, ConfigStateChecks: []statecheck.StateCheck{
		statecheck.ExpectKnownValue("data.neon_bucket.one", tfjsonpath.New("inherited"), knownvalue.Bool(true)),
		statecheck.ExpectKnownValue("data.neon_buckets.all", at.AtSliceIndex(0).AtMapKey("inherited"), knownvalue.Bool(true)),
		statecheck.ExpectKnownValue("data.neon_buckets.all", at.AtSliceIndex(1).AtMapKey("name"),
			knownvalue.StringExact("own")),
		statecheck.ExpectKnownValue("data.neon_buckets.all", at.AtSliceIndex(1).AtMapKey("inherited"),
			knownvalue.Bool(false)),
		statecheck.ExpectKnownValue("data.neon_buckets.all", at.AtSliceIndex(1).AtMapKey("access_level"),
			knownvalue.StringExact("public_read")),
	}})
}

package bucket_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	bucketAddress = "neon_bucket.test"
	objectAddress = "neon_bucket_object.test"
	buckets       = "/api/v2/projects/{project_id}/branches/{branch_id}/buckets"
	storageAt     = "PUT /_storage/{project_id}/{branch_id}/{bucket_name}/{object_key}"
	objectAt      = buckets + "/{bucket_name}/objects/{object_key}"
)

func bucketBlock(branch client.BranchRef, lines ...string) string {
	return fmt.Sprintf("resource \"neon_bucket\" \"test\" {\n project_id = %q\n branch_id = %q\n name = \"uploads\"\n %s\n}\n", branch.ProjectID, branch.ID, strings.Join(lines, "\n "))
}

func objectBlock(source string, lines ...string) string {
	return fmt.Sprintf("resource \"neon_bucket_object\" \"test\" {\n project_id = neon_bucket.test.project_id\n branch_id = neon_bucket.test.branch_id\n "+
		"bucket_name = neon_bucket.test.name\n key = \"img/logo.svg\"\n source = %q\n %s\n}\n", source,
		strings.Join(lines, "\n "))
}

// fileOf is a file with a content.
func fileOf(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	write(t, name, content)
	return name
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// openText opens a text.
func openText(text string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

const content = "a text that no state has"

func life(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	branchID, file := w.MainBranch(t).ID, fileOf(t, content)
	config := func(lines ...string) string {
		return w.ProviderConfig() + bucketBlock(w.Ref(branchID), "force_destroy = true") + objectBlock(file, lines...)
	}
	has := func(size int) statecheck.StateCheck {
		return acctest.After(func(state acctest.State) error {
			objects := w.Objects(t).BucketObjects
			if len(objects) != 1 || objects[0]["size"] != float64(size) {
				return fmt.Errorf("there are %v, want one of %d bytes", objects, size)
			}
			if strings.Contains(state.String(), content) {
				return fmt.Errorf("the state has the content")
			}
			return nil
		})
	}
	place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}
	return []resource.TestStep{
		{
			Config: config(),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(objectAddress, tfjsonpath.New("size"), knownvalue.Int64Exact(int64(len(content)))),
				statecheck.ExpectKnownValue(bucketAddress, tfjsonpath.New("access_level"), knownvalue.StringExact("private")),
				has(len(content)),
			},
		},
		{ResourceName: bucketAddress, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"force_destroy"}},
		{ResourceName: objectAddress, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"source", "source_hash"}},
		// Another content of the file.
		{
			PreConfig: func() { write(t, file, content+"!") }, Config: config(),
			ConfigPlanChecks:  acctest.ExpectAction(objectAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{has(len(content) + 1)},
		},
		// Another content in the bucket.
		{
			PreConfig: func() {
				w.Upload(t, place, "", 1, openText("x"))
			},
			Config: config(), ConfigPlanChecks: acctest.ExpectAction(objectAddress, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{has(len(content) + 1)},
		},
		// Deleted there.
		{
			PreConfig: func() {
				w.Settle(t, nil, w.API.DeleteBucketObject(t.Context(),
					client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}))
			},
			Config: config(), ConfigPlanChecks: acctest.ExpectAction(objectAddress, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{has(len(content) + 1)},
		},
	}
}

func TestAccBucket_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(t, w)...)
	if left := w.Objects(t); len(left.Buckets)+len(left.BucketObjects) > 0 {
		t.Errorf("left: %v %v", left.Buckets, left.BucketObjects)
	}
}

// A content in place of a file is uploaded where it changes, and one of both is needed.
func TestAccBucketObject_content(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(lines string) string {
		return w.ProviderConfig() + bucketBlock(w.Ref(w.MainBranch(t).ID)) +
			strings.Replace(objectBlock("x"), `source = "x"`, lines, 1)
	}
	of := func(size int64, action plancheck.ResourceActionType, lines string) resource.TestStep {
		return resource.TestStep{
			Config: config(lines), ConfigPlanChecks: acctest.ExpectAction(objectAddress, action),
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue(objectAddress, tfjsonpath.New("size"),
				knownvalue.Int64Exact(size))},
		}
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(""), ExpectError: acctest.InWords("(and only one) of [source,content] is required")},
		of(9, plancheck.ResourceActionCreate, `content = jsonencode({ a = 123 })`),
		of(9, plancheck.ResourceActionNoop, `content = "{\"a\":123}"`),
		of(3, plancheck.ResourceActionUpdate, fmt.Sprintf("source = %q", fileOf(t, "abc"))),
		resource.TestStep{Config: config("content = \"a\"\n source = \"b\""),
			ExpectError: acctest.InWords("(and only one) of [source,content] is required")},
		of(0, plancheck.ResourceActionUpdate, `content = ""`),
	)
}

func TestAccTerraform_bucket(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(), Steps: acctest.FirstSteps(4, life(t, w)),
	})
}

// An object that is imported is uploaded again only where Neon's answer doesn't prove that it has the file's content
// and type.
func TestAccBucketObject_imported(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		present, lines string
		uploads        int
	}{
		"the same content":    {content, "", 0},
		"another content":     {content[1:] + "!", "", 1},
		"a type, perhaps new": {content, `content_type = "text/plain"`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branchID := w.MainBranch(t).ID
			_, err := w.API.CreateBucket(t.Context(), w.Ref(branchID), "uploads", "")
			w.Settle(t, nil, err)
			place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}
			w.Upload(t, place, "", int64(len(test.present)), openText(test.present))
			w.ForgetRequests(t)
			taken := fmt.Sprintf("import {\n to = neon_bucket.test\n id = \"%[1]s/%[2]s/uploads\"\n}\nimport {\n to = neon_bucket_object.test\n id = \"%[1]s/%[2]s/uploads/img/logo.svg\"\n}\n", w.ProjectID, branchID)
			file := fileOf(t, content)
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: w.ProviderConfig() + bucketBlock(w.Ref(branchID)) + objectBlock(file, test.lines) +
					taken},
				// Nor is the same content of another file.
				resource.TestStep{Config: w.ProviderConfig() + bucketBlock(w.Ref(branchID)) +
					objectBlock(fileOf(t, content), test.lines)},
			)
			if uploads := w.Requests(t).ByRoute["POST "+objectAt+"/presign"]; uploads != test.uploads {
				t.Errorf("it was uploaded %d times, want %d", uploads, test.uploads)
			}
		})
	}
}

// Contents that ignore_changes has stay as they are, also those of an object that was imported.
func TestAccBucketObject_ignoredContent(t *testing.T) {
	t.Parallel()
	for name, imports := range map[string]bool{"uploaded by this": false, "imported": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branchID := w.MainBranch(t).ID
			place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}
			config := func(lines ...string) string {
				return w.ProviderConfig() + bucketBlock(w.Ref(branchID)) +
					objectBlock(fileOf(t, content), append(lines, "lifecycle {\n ignore_changes = [source]\n }")...)
			}
			taken := ""
			if imports {
				_, err := w.API.CreateBucket(t.Context(), w.Ref(branchID), "uploads", "")
				w.Settle(t, nil, err)
				w.Upload(t, place, "", 1, openText("x"))
				taken = fmt.Sprintf("import {\n to = neon_bucket.test\n id = \"%[1]s/%[2]s/uploads\"\n}\nimport {\n to = neon_bucket_object.test\n id = \"%[1]s/%[2]s/uploads/img/logo.svg\"\n}\n", w.ProjectID, branchID)
			}
			stays := statecheck.ExpectKnownValue(objectAddress, tfjsonpath.New("size"), knownvalue.Int64Exact(1))
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: config() + taken},
				resource.TestStep{
					PreConfig: func() { w.Upload(t, place, "", 1, openText("y")) },
					Config:    config("overwrite = true"), ConfigStateChecks: []statecheck.StateCheck{stays},
				},
				resource.TestStep{Config: config(`content_type = "image/svg+xml"`),
					ConfigStateChecks: []statecheck.StateCheck{stays}},
			)
		})
	}
}

// Whatever answer is lost or refused, there is what the configuration says, and nothing in the end.
func TestAccBucket_faults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]acctest.Fault{
		"creation lost":    {Route: "POST " + buckets, Kind: "lost_after", Count: 1},
		"creation locked":  {Route: "POST " + buckets, Kind: "status", Status: http.StatusLocked, Count: 2},
		"creation late":    {Route: "POST " + buckets, Kind: "late", Delay: "1s", Status: 504, Count: 1},
		"signing lost":     {Route: "POST " + objectAt + "/presign", Kind: "lost_after", Count: 1},
		"upload lost":      {Route: storageAt, Kind: "lost_after", Count: 1},
		"upload broken":    {Route: storageAt, Kind: "lost_before", Count: 2},
		"upload cut":       {Route: storageAt, Kind: "cut_body", Count: 1},
		"upload delayed":   {Route: storageAt, Kind: "slow", Delay: "300ms", Count: 1},
		"upload refused":   {Route: storageAt, Kind: "status", Status: 503, Count: 2},
		"deletion lost":    {Route: "DELETE " + buckets + "/{bucket_name}", Kind: "lost_after", Count: 1},
		"deletion refused": {Route: "DELETE " + objectAt, Kind: "status", Status: 503, Count: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			w.AddFault(t, fault)
			acctest.RunSteps(t, w.World, resource.TestStep{
				Config: w.ProviderConfig() + bucketBlock(w.Ref(w.MainBranch(t).ID)) + objectBlock(fileOf(t, content)),
				ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
					if all := w.Objects(t); len(all.Buckets) != 1 || len(all.BucketObjects) != 1 {
						return fmt.Errorf("there are %v and %v", all.Buckets, all.BucketObjects)
					}
					return nil
				})},
			})
			if left := w.Objects(t); len(left.Buckets)+len(left.BucketObjects) > 0 {
				t.Errorf("left: %v %v", left.Buckets, left.BucketObjects)
			}
			if w.FaultsLeft(t) > 0 {
				t.Error("nothing met the fault")
			}
		})
	}
}

// What was uploaded and could not be read is kept, and isn't uploaded again.
func TestAccBucketObject_unread(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + bucketBlock(w.Ref(w.MainBranch(t).ID)) +
		objectBlock(fileOf(t, content), "overwrite = true") // No look before it.
	w.AddFault(t, acctest.Fault{Route: "GET " + buckets + "/{bucket_name}/objects", Kind: "status",
		Status: http.StatusForbidden, Count: 1})
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue(
			objectAddress, tfjsonpath.New("etag"), knownvalue.NotNull())}},
	)
	if w.FaultsLeft(t) > 0 {
		t.Error("nothing met the fault")
	}
}

// A bucket with objects isn't destroyed unless that is asked for, and one that is there isn't taken over.
func TestAccBucket_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(lines ...string) string { return w.ProviderConfig() + bucketBlock(w.Ref(branchID), lines...) }
	place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("deletion_protection = true")},
		resource.TestStep{
			PreConfig: func() {
				w.Upload(t, place, "", 1, openText("x"))
			},
			Config:      config("deletion_protection = true", `access_level = "public_read"`),
			ExpectError: acctest.InOrder("is protected"),
		},
		resource.TestStep{Config: config()},
		resource.TestStep{Config: w.ProviderConfig(), ExpectError: acctest.InOrder("Unable to delete bucket uploads",
			"bucket is not empty", "force_destroy = true")},
		resource.TestStep{Config: config("force_destroy = true")},
	)
	_, err := w.API.CreateBucket(t.Context(), w.Ref(branchID), "uploads", "")
	w.Settle(t, nil, err)
	child := w.MakeBranch(t, "child")
	for name, test := range map[string]struct {
		config string
		wants  []string
	}{
		"one that is there": {config(), []string{"is there already", "import {"}},
		"another level than the parent's": {
			w.ProviderConfig() + bucketBlock(w.Ref(child.ID), `access_level = "public_read"`),
			[]string{"from its parent", "private", `access_level = "private"`},
		},
		"no such bucket for an object": {
			w.ProviderConfig() + strings.NewReplacer("neon_bucket.test.project_id", `"`+w.ProjectID+`"`,
				"neon_bucket.test.branch_id", `"`+branchID+`"`, "neon_bucket.test.name", `"none"`).
				Replace(objectBlock(fileOf(t, content))), []string{"bucket_name = neon_bucket.NAME.name"},
		},
		"a type without a slash": {config() + objectBlock(fileOf(t, content), `content_type = "png"`), []string{"must be a media type"}},
		"a name with a slash":    {strings.Replace(config(), `"uploads"`, `"up/loads"`, 1), []string{"name must have no slash"}},
		"an object of such a bucket": {
			strings.Replace(config()+objectBlock(fileOf(t, content)), "neon_bucket.test.name", `"up/loads"`, 1),
			[]string{"bucket_name must have no slash"},
		},
		"a name that no path has": {strings.Replace(config(), `"uploads"`, `".."`, 1), []string{"name value must be none of"}},
		"a key that no path has": {
			strings.Replace(config()+objectBlock(fileOf(t, content)), `"img/logo.svg"`, `"."`, 1),
			[]string{"key value must be none of"},
		},
		"an unknown access level": {config(`access_level = "public"`), []string{"public_read"}},
		"no such file": {
			w.ProviderConfig() + strings.ReplaceAll(bucketBlock(w.Ref(branchID)), `"uploads"`, `"other"`) +
				objectBlock("/none/such"),
			[]string{"Unable to read the file", `source = "/none/such": no such file or directory.`, "${path.module}",
				"apply that first"},
		},
		"no such bucket": {w.ProviderConfig() + fmt.Sprintf("data \"neon_bucket\" \"test\" {\n project_id = %q\n branch_id = %q\n name = \"none\"\n}\n", w.ProjectID, branchID), []string{"No such bucket"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: test.config, Want: acctest.InOrder(test.wants...)})
		})
	}
}

// Where there is no storage, the error says why.
func TestAccStorage_notOffered(t *testing.T) {
	t.Parallel()
	for reading, reason := range map[string]string{"nobody": "org_not_entitled", "everybody": "region_unavailable"} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{"backend-offered": reading}})
			projectID := w.ProjectID
			if reading == "everybody" {
				made, err := w.API.CreateProject(t.Context(), client.ProjectCreate{OrgID: w.OrgID, RegionID: "aws-sa-east-1"})
				w.Settle(t, nil, err)
				projectID = made.Object.ID
			}
			main, err := w.API.GetDefaultBranch(t.Context(), projectID)
			w.Settle(t, nil, err)
			for _, source := range []string{"neon_branch_storage", "neon_ai_gateway"} {
				want := reason
				if source == "neon_ai_gateway" {
					want = "ai_gateway_unavailable"
				}
				w.Refuses(t, acctest.Refusal{
					Config: w.ProviderConfig() + fmt.Sprintf("data %q \"test\" {\n project_id = %q\n branch_id = %q\n}\n", source,
						projectID, main.ID),
					Want: acctest.InOrder(map[string]string{"neon_branch_storage": "Unable to read object storage",
						"neon_ai_gateway": "Unable to read AI gateway"}[source], "reason "+want, "some regions only"),
				})
			}
			given := acctest.Texts(map[string]string{"project_id": projectID, "branch_id": main.ID, "name": "uploads"})
			if said := acctest.NewProtocol(t, w.World).PlanCreation(t, "neon_bucket",
				given); !acctest.InOrder("No object storage on the branch", "some regions only",
				"the creation fails").MatchString(said) {
				t.Errorf("the plan says %q", said)
			}
			w.Refuses(t, acctest.Refusal{Config: w.ProviderConfig() +
				bucketBlock(client.BranchRef{ProjectID: projectID, ID: main.ID}),
				Want: acctest.InOrder("reason "+reason, "some regions only")})
		})
	}
}

// No change of a bucket deletes its objects, whatever force_destroy says.
func TestAccBucket_neverEmptiedByAChange(t *testing.T) {
	t.Parallel()
	const looking = "GET " + buckets + "/{bucket_name}/objects"
	for name, test := range map[string]struct {
		from, to, blamed string
		looks            int
	}{
		"its access level": {`"uploads"`, "\"uploads\"\n access_level = \"public_read\"", `access_level than "private"`, 2},
		"its name":         {`"uploads"`, `"other"`, "name", 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branchID := w.MainBranch(t).ID
			place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "users/1.png"}
			before := w.ProviderConfig() + bucketBlock(w.Ref(branchID), "force_destroy = true")
			after := strings.ReplaceAll(before, test.from, test.to)
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: before},
				resource.TestStep{
					PreConfig: func() {
						w.Upload(t, place, "", 1, openText("x"))
					},
					Config: after, ExpectError: acctest.InOrder("The bucket has objects", "Another "+test.blamed, "users/1.png"),
				},
				resource.TestStep{ // A 404 of a proxy doesn't say that the bucket is gone with its objects.
					PreConfig: func() {
						w.AddFault(t, acctest.Fault{Route: looking, Kind: "status", Status: http.StatusNotFound,
							Body: "<html>Not found</html>", Count: 1})
					},
					Config: after, PlanOnly: true, ExpectError: acctest.InOrder("Unable to read bucket", "isn't Neon's"),
				},
				resource.TestStep{
					PreConfig: func() {
						if objects := w.Objects(t).BucketObjects; len(objects) != 1 {
							t.Errorf("there are %v", objects)
						}
						w.Settle(t, nil, w.API.DeleteBucketObject(t.Context(),
							client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "users/1.png"}))
						w.ForgetRequests(t)
					},
					Config: after, PlanOnly: true, ExpectNonEmptyPlan: true,
				},
				resource.TestStep{
					PreConfig: func() {
						// The step before makes two plans, each of which plans the replacement twice. A bucket of
						// another name is looked at as well.
						looks := w.Requests(t).ByRoute[looking]
						if looks != test.looks {
							t.Errorf("the plan looked for objects %d times, want %d", looks, test.looks)
						}
					},
					Config: after, ConfigPlanChecks: acctest.ExpectAction(bucketAddress, plancheck.ResourceActionReplace),
				},
			)
		})
	}
}

// A bucket that a branch has from its parent is emptied and deleted there, whatever its parent's objects count for.
func TestAccBucket_inheritedIsEmptied(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "inherited-not-empty", func(t *testing.T, reading emulator.Config) {
		w := acctest.BranchWorldOf(t, reading)
		parentID := w.MainBranch(t).ID
		_, err := w.API.CreateBucket(t.Context(), w.Ref(parentID), "uploads", "private")
		w.Settle(t, nil, err)
		for _, key := range []string{"users/1.png", "logo.png"} {
			place := client.BucketPlace{Branch: w.Ref(parentID), Bucket: "uploads", Key: key}
			w.Upload(t, place, "", 1, openText("x"))
		}
		childID := w.MakeBranch(t, "child").ID
		config := w.ProviderConfig() + bucketBlock(w.Ref(childID), "force_destroy = true")
		taking := fmt.Sprintf("import {\n to = %s\n id = \"%s/%s/uploads\"\n}\n", bucketAddress, w.ProjectID, childID)
		acctest.RunSteps(t, w.World, resource.TestStep{Config: config + taking},
			resource.TestStep{Config: config, Destroy: true})
		if all := w.Objects(t); len(all.Buckets) != 1 || len(all.BucketObjects) != 2 {
			t.Errorf("the parent has %v and %v", all.Buckets, all.BucketObjects)
		}
		if _, err := w.API.GetSharedBucket(t.Context(), w.Ref(childID), "uploads"); !client.IsAbsent(err) {
			t.Errorf("the branch has the bucket: %v", err)
		}
	})
}

// A replacement that nothing in the configuration asks for doesn't delete objects either.
func TestAccTerraform_bucketForced(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	run := acctest.NewRun(t, w.World, w.ProviderConfig()+bucketBlock(w.Ref(branchID), "force_destroy = true"))
	run.Terraform(t, "apply", "-auto-approve")
	place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "users/1.png"}
	w.Upload(t, place, "", 1, openText("x"))
	said := run.Fails(t, "apply", "-auto-approve", "-replace="+bucketAddress)
	if !acctest.InOrder("The bucket has objects", "-replace or replace_triggered_by", "users/1.png").MatchString(said) {
		t.Errorf("it said %s", said)
	}
}

// Nor does one whose plan can't look for objects, as the provider's key isn't known yet.
func TestAccBucket_neverEmptiedUnseen(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := func(key, name string) string {
		return w.ProviderConfigWith("", "api_key = terraform_data.key.output") + fmt.Sprintf(
			"resource \"terraform_data\" \"key\" {\n input = %q\n triggers_replace = %q\n}\n", w.APIKey, key) +
			strings.Replace(bucketBlock(w.Ref(branchID), "force_destroy = true"), "uploads", name, 1)
	}
	acctest.RunSteps(t, w.World, resource.TestStep{Config: config("1", "uploads")},
		resource.TestStep{
			Config: config("2", "other"), ExpectError: acctest.InOrder("Provider configuration not known yet", "api_key"),
		})
}

// An object that is replaced is there afterwards, also where the new one comes before the old one goes.
func TestAccTerraform_objectReplaced(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]string{
		"the old one first": "", "the new one first": "lifecycle {\n create_before_destroy = true\n }",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			run := acctest.NewRun(t, w.World, w.ProviderConfig()+bucketBlock(w.Ref(w.MainBranch(t).ID))+
				objectBlock(fileOf(t, "content"), lines))
			run.Terraform(t, "apply", "-auto-approve")
			run.Terraform(t, "apply", "-auto-approve", "-replace="+objectAddress)
			if all := w.Objects(t).BucketObjects; len(all) != 1 {
				t.Errorf("there are %v", all)
			}
			run.Terraform(t, "destroy", "-auto-approve")
			if all := w.Objects(t).BucketObjects; len(all) != 0 {
				t.Errorf("after the destroy, there are %v", all)
			}
		})
	}
}

// Of two objects of one key, the deletion of the one whose place was taken deletes nothing, and that of the other one
// does: Terraform may destroy in the process that created.
func TestBucketObject_deletedByTheLastOfItsKey(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	place := client.BucketPlace{Branch: w.Ref(w.MainBranch(t).ID), Bucket: "uploads", Key: "a"}
	if _, err := w.API.CreateBucket(t.Context(), place.Branch, place.Bucket, ""); err != nil {
		t.Fatal(err)
	}
	p := acctest.NewProtocol(t, w.World)
	given := acctest.Texts(map[string]string{"project_id": place.Branch.ProjectID, "branch_id": place.Branch.ID,
		"bucket_name": place.Bucket, "key": place.Key, "content": "x"})
	replaced := p.Created(t, "neon_bucket_object", given)
	_, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "neon_bucket_object",
		CurrentState: replaced.NewState, Private: replaced.Private, CurrentIdentity: replaced.NewIdentity})
	if err != nil {
		t.Fatal(err)
	}
	last := p.Created(t, "neon_bucket_object", given)
	for _, test := range []struct {
		deleted *tfprotov6.ApplyResourceChangeResponse
		left    int
	}{{replaced, 1}, {last, 0}} {
		said, all := p.Destroy(t, "neon_bucket_object", test.deleted), w.Objects(t).BucketObjects
		if said != "" || len(all) != test.left {
			t.Errorf("it leaves %v, want %d, and says %q", all, test.left, said)
		}
	}
}

// A level that somebody changed elsewhere is told, and stays; one that is configured anew isn't taken for that.
func TestAccBucket_levelChangedElsewhere(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "users/1.png"}
	config := func(lines ...string) string {
		return w.ProviderConfig() + bucketBlock(w.Ref(branchID), append(lines, "force_destroy = true")...)
	}
	stays := acctest.After(func(acctest.State) error {
		if all := w.Objects(t); len(all.BucketObjects) != 1 || all.Buckets[0]["access_level"] != "public_read" {
			return fmt.Errorf("there are %v and %v", all.Buckets, all.BucketObjects)
		}
		return nil
	})
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config()},
		resource.TestStep{
			PreConfig: func() {
				w.Settle(t, nil, w.API.DeleteBucket(t.Context(), w.Ref(branchID), "uploads"))
				_, err := w.API.CreateBucket(t.Context(), w.Ref(branchID), "uploads", "public_read")
				w.Settle(t, nil, err)
				w.Upload(t, place, "", 1, openText("x"))
			},
			Config: config(), ConfigPlanChecks: acctest.ExpectAction(bucketAddress, plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{stays},
		},
		// Another change doesn't have it forgotten.
		resource.TestStep{Config: config("deletion_protection = true"),
			ConfigPlanChecks: acctest.ExpectAction(bucketAddress, plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: config(), ConfigStateChecks: []statecheck.StateCheck{stays}},
		resource.TestStep{Config: config(`access_level = "public_read"`),
			ConfigPlanChecks: acctest.ExpectAction(bucketAddress, plancheck.ResourceActionNoop)},
	)
}

// A public bucket whose level is left out stays public, and each plan says so.
func TestAccTerraform_bucketStaysPublic(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.Ref(w.MainBranch(t).ID)
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+bucketBlock(branch, `access_level = "public_read"`))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, w.ProviderConfig()+bucketBlock(branch))
	said := acctest.InOneLine(r.Terraform(t, "plan"))
	if !strings.Contains(said, `The bucket stays "public_read"`) || !strings.Contains(said, "No changes.") {
		t.Errorf("the plan doesn't say that the bucket stays public:\n%s", said)
	}
}

// A replacement loses no data, as only an empty bucket is replaced: the plan warns of no loss.
func TestAccTerraform_emptyBucketReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.Ref(w.MainBranch(t).ID)
	r := acctest.NewRun(t, w.World, w.ProviderConfig()+bucketBlock(branch, "force_destroy = true"))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, w.ProviderConfig()+bucketBlock(branch, "force_destroy = true", `access_level = "public_read"`))
	said := r.Terraform(t, "plan")
	if !strings.Contains(said, "must be replaced") || strings.Contains(said, "Data will be lost") {
		t.Errorf("the plan of a replacement says:\n%s", said)
	}
}

// An object that somebody else put there is overwritten only where that is configured.
func TestAccBucketObject_overwrite(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}
	file := fileOf(t, content)
	config := func(lines ...string) string {
		return w.ProviderConfig() + bucketBlock(w.Ref(branchID), "force_destroy = true") + objectBlock(file, lines...)
	}
	has := func(size int) {
		if objects := w.Objects(t).BucketObjects; len(objects) != 1 || objects[0]["size"] != float64(size) {
			t.Errorf("there are %v, want one of %d bytes", objects, size)
		}
	}
	put := func(text string) func() {
		return func() {
			w.Upload(t, place, "", int64(len(text)), openText(text))
		}
	}
	alone := w.ProviderConfig() + bucketBlock(w.Ref(branchID), "force_destroy = true")
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: alone},
		resource.TestStep{PreConfig: put("x"), Config: config(),
			ExpectError: acctest.InOrder("already", "overwrite = true", "import {")},
		resource.TestStep{PreConfig: func() { has(1) }, Config: config("overwrite = true")},
		resource.TestStep{PreConfig: func() { has(len(content)) }, Config: alone},
		// What a lost run has left is no other content.
		resource.TestStep{PreConfig: put(content), Config: config()},
	)
}

// Where the new one can't be made, the plan says so, and the old one stays.
func TestAccBucket_replacementRefused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	for _, name := range []string{"taken", "media"} {
		_, err := w.API.CreateBucket(t.Context(), w.Ref(branchID), name, "")
		w.Settle(t, nil, err)
	}
	place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "media", Key: "taken"}
	w.Upload(t, place, "", 1, openText("x"))
	file := fileOf(t, content)
	config := func(bucket, key string) string {
		return w.ProviderConfig() + strings.ReplaceAll(bucketBlock(w.Ref(branchID)), `"uploads"`, fmt.Sprintf("%q", bucket)) +
			fmt.Sprintf(
				"resource \"neon_bucket_object\" \"test\" {\n project_id = %q\n branch_id = %q\n bucket_name = \"media\"\n key = %q\n source = %q\n}\n", w.ProjectID, branchID, key, file)
	}
	stays := func() {
		if all := w.Objects(t); len(all.Buckets) != 3 || len(all.BucketObjects) != 2 {
			t.Errorf("there are %v and %v", all.Buckets, all.BucketObjects)
		}
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config("uploads", "logo")},
		resource.TestStep{Config: config("taken", "logo"), ExpectError: acctest.InOrder("Unable to replace bucket",
			"is there already")},
		resource.TestStep{PreConfig: stays, Config: config("uploads", "taken"),
			ExpectError: acctest.InOrder("Unable to replace bucket object", "another content")},
		resource.TestStep{PreConfig: stays, Config: config("uploads", "logo")},
	)
}

// An upload whose answer was lost, and whose second attempt is refused, is told of; applying again takes it.
func TestAccBucketObject_lostThenRefused(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	w.AddFault(t, acctest.Fault{Route: storageAt, Kind: "lost_after", Count: 1})
	w.AddFault(t, acctest.Fault{Route: storageAt, Kind: "status", Status: http.StatusNotFound, Count: 1})
	config := w.ProviderConfig() + bucketBlock(w.Ref(w.MainBranch(t).ID)) + objectBlock(fileOf(t, content))
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config, ExpectError: acctest.InOrder("404", "may have taken effect")},
		resource.TestStep{Config: config},
	)
}

// What another writer puts in the place of an upload isn't ours: the next plan uploads the file again.
func TestAccBucketObject_anothersContent(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	place := client.BucketPlace{Branch: w.Ref(branchID), Bucket: "uploads", Key: "img/logo.svg"}
	isThere := true
	behind := w.Behind(t, func(neon *httputil.ReverseProxy) http.Handler {
		return http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
			if request.Method != http.MethodPut || !isThere {
				neon.ServeHTTP(answer, request)
				return
			}
			answer.Header().Set("ETag", `"that of the file"`) // as S3 says it of what it took
			neon.ServeHTTP(answer, request)
			w.Upload(t, place, "", 1, openText("x"))
		})
	})
	config := behind.ProviderConfig() + bucketBlock(w.Ref(branchID), "force_destroy = true") +
		objectBlock(fileOf(t, content))
	acctest.RunSteps(t, behind,
		resource.TestStep{Config: config, ExpectNonEmptyPlan: true},
		resource.TestStep{PreConfig: func() { isThere = false }, Config: config},
		resource.TestStep{PreConfig: func() {
			if objects := w.Objects(t).BucketObjects; len(objects) != 1 || objects[0]["size"] != float64(len(content)) {
				t.Errorf("there are %v", objects)
			}
		}, Config: config, PlanOnly: true},
	)
}

// With Terraform itself: an object that comes after the plan of a replacement stays, whatever force_destroy says.
func TestAccTerraform_uploadedAfterPlan(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch := w.Ref(w.MainBranch(t).ID)
	before := w.ProviderConfig() + bucketBlock(branch, "force_destroy = true")
	r := acctest.NewRun(t, w.World, before)
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, strings.ReplaceAll(before, `"uploads"`, `"other"`))
	r.Terraform(t, "plan", "-out=next.plan")
	w.Upload(t, client.BucketPlace{Branch: branch, Bucket: "uploads", Key: "late"}, "", 1, openText("x"))
	if said := acctest.InOneLine(r.Fails(t, "apply", "next.plan")); !strings.Contains(said, "a replacement deletes no objects") {
		t.Error(said)
	}
	if object, err := w.API.GetAnyBucketObject(t.Context(), branch, "uploads"); err != nil || object == nil {
		t.Errorf("the bucket has %v, %v", object, err)
	}
	r.Configure(t, before)
	r.Terraform(t, "taint", bucketAddress)
	r.Terraform(t, "destroy", "-auto-approve")
}

package bucket_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// What isn't known before the apply may be another content than that of an object which has the new key.
func TestAccBucketObject_contentIsKnownLater(t *testing.T) {
	t.Parallel()
	for _, attribute := range []string{"content", "source"} {
		t.Run(attribute, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branchID, _ := withObjects(t, w, "taken")
			config := func(key, value, lines string) string {
				return w.ProviderConfig() + fmt.Sprintf(
					"resource \"neon_bucket_object\" \"test\" {\n project_id = %q\n branch_id = %q\n bucket_name = \"uploads\"\n key = %q\n %s = %s\n %s\n}\n", w.ProjectID, branchID, key, attribute, value, lines)
			}
			file := fmt.Sprintf("%q", fileOf(t, "y"))
			const later = "terraform_data.later.output"
			data := "resource \"terraform_data\" \"later\" {\n input = " + file + "\n}\n"
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: config("free", file, "")},
				resource.TestStep{Config: config("taken", later, "") + data,
					ExpectError: acctest.InOrder(`"taken" already`, "perhaps with another content", "overwrite = true")},
				resource.TestStep{Config: config("taken", later, "overwrite = true") + data},
			)
		})
	}
}

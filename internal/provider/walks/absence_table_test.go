package walks_test

import (
	"regexp"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Each setting of neon_project says what becomes of it once its line is removed: it keeps its value, goes back to a default,
// can't change, or only affects Terraform.
func TestProject_saysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	says := regexp.MustCompile("Keeps its value when removed|Without it the project stays where it is|What isn't configured here can be managed by|" +
		"configured value replaces the project|[Rr]emoving it goes back to|only affects this resource.*Defaults to|How long to wait")
	schema := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})).Schema.ResourceSchemas["neon_project"]
	for _, attribute := range schema.Block.Attributes {
		if attribute.Optional && !says.MatchString(attribute.Description) {
			t.Errorf("%s doesn't say what becomes of it when it is removed: %s", attribute.Name, attribute.Description)
		}
	}
}

package branch

import (
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// No rule makes a branch good that Neon could not make ready.
func TestUnmasked(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{"error": "Correct the masking rule",
		"initialization_error": "-replace=ADDRESS"} {
		if said := kit.Describe(&client.AnonymizationError{BranchID: "b", State: state}, nil); !strings.Contains(said, want) {
			t.Errorf("%s: %s", state, said)
		}
	}
}

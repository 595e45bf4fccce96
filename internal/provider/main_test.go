package provider_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// What somebody has set for the provider changes nothing in tests.
func TestMain_surroundings(t *testing.T) {
	t.Parallel()
	const isInner = "NEON_TEST_SURROUNDED"
	acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})) // This fails over a setting that isn't valid.
	if os.Getenv(isInner) != "" {
		return
	}
	inner := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	inner.Env = append(os.Environ(), isInner+"=1", "NEON_MAX_RETRIES=some", "NEON_PROTECT=some", "NEON_READ_ONLY=some")
	if said, err := inner.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

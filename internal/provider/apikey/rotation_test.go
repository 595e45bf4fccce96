package apikey_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A key that has reached its age is replaced by the next apply: the new one is
// made first, the old one works until then, and is revoked after.
func TestAccExamples_rotation(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"key-names": "any"}})
	r := acctest.NewExampleRun(t, w, "rotation", "hashicorp/time")
	apply := func(from time.Time) (key string) {
		t.Helper()
		r.Terraform(t, "apply", "-auto-approve", "-var=rotate_from="+from.UTC().Format(time.RFC3339))
		return strings.TrimSpace(r.Terraform(t, "output", "-raw", "key"))
	}
	young := time.Now()
	first := apply(young)
	if again := apply(young); again != first {
		t.Error("a young key was replaced")
	}
	// The key is 31 days old: to Neon by its clock, to Terraform by the
	// moment that it counts from.
	w.Advance(t, 31*24*time.Hour)
	w.AddFault(t, acctest.Fault{Route: "DELETE /api/v2/api_keys/{key_id}", Kind: "slow", Delay: "1s"})
	watch := watchKeys(t, w)
	second := apply(young.AddDate(0, 0, -31))
	if gaps := watch(); gaps > 0 {
		t.Errorf("%d times no key was live", gaps)
	}
	if second == first {
		t.Error("the old key was not replaced")
	}
	if works(t, w, first) {
		t.Error("the old key still works")
	}
	if !works(t, w, second) {
		t.Error("the new key doesn't work")
	}
	r.Terraform(t, "destroy", "-auto-approve")
	if works(t, w, second) {
		t.Error("the key outlives its resource")
	}
}

func works(t *testing.T, w *acctest.World, key string) bool {
	t.Helper()
	_, err := client.All(w.ClientWith(t, key).ListAPIKeys(context.Background(), client.APIKeyScope{}))
	if err != nil && !client.HasStatus(err, http.StatusUnauthorized) {
		t.Error(err)
	}
	return err == nil
}

// watchKeys counts, until it is asked, how often no key named deploy was live.
func watchKeys(t *testing.T, w *acctest.World) (gaps func() int) {
	t.Helper()
	ended, counted := make(chan struct{}), make(chan int)
	go func() {
		missed := 0
		for {
			select {
			case <-ended:
				counted <- missed
				return
			case <-time.After(20 * time.Millisecond):
				if w.KeysNamed(t, "deploy") == 0 {
					missed++
				}
			}
		}
	}()
	return func() int {
		close(ended)
		return <-counted
	}
}

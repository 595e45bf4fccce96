package acctest

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// suspending, set to anything, has all computes that run suspend before each step of a test and each command of
// terraform, as Neon's do between two runs of terraform.
const suspending = "NEON_ACC_SUSPEND"

// started are the emulators that tests have started, by the names of the tests.
var started struct {
	mu  sync.Mutex
	all map[string][]*emulator.Emulator
}

// testName is that of the test without its subtests.
func testName(t *testing.T) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return name
}

// remember has an emulator's computes suspend, where they are to, until the test is over.
func remember(t *testing.T, e *emulator.Emulator) {
	t.Helper()
	if os.Getenv(suspending) == "" {
		return
	}
	started.mu.Lock()
	defer started.mu.Unlock()
	if started.all == nil {
		started.all = map[string][]*emulator.Emulator{}
	}
	name := testName(t)
	started.all[name] = append(started.all[name], e)
	t.Cleanup(func() {
		started.mu.Lock()
		defer started.mu.Unlock()
		started.all[name] = slices.DeleteFunc(started.all[name], func(other *emulator.Emulator) bool { return other == e })
	})
}

// StaysAwake has the computes of a test run on where those of others suspend: for a test that looks at
// all operations there are, of which a suspension is one.
func StaysAwake(t *testing.T) {
	t.Helper()
	started.mu.Lock()
	defer started.mu.Unlock()
	delete(started.all, testName(t))
}

// suspendComputes suspends those of a test, where that is asked for.
func suspendComputes(t *testing.T) {
	t.Helper()
	started.mu.Lock()
	defer started.mu.Unlock()
	for _, e := range started.all[testName(t)] {
		e.SuspendComputes()
	}
}

// withSuspensions are the steps, each after a suspension of all computes where that is asked for.
func withSuspensions(t *testing.T, steps []resource.TestStep) []resource.TestStep {
	t.Helper()
	if os.Getenv(suspending) == "" {
		return steps
	}
	steps = slices.Clone(steps)
	for i := range steps {
		prepare := steps[i].PreConfig
		steps[i].PreConfig = func() {
			suspendComputes(t)
			if prepare != nil {
				prepare()
			}
		}
	}
	return steps
}

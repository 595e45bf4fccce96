package acctest

import "os"

// suspending, set to anything, has all computes that run suspend before each command of terraform, as Neon's do between
// two runs of it.
const suspending = "NEON_ACC_SUSPEND"

// StaysAwake has the computes run on where those of other tests suspend: for a test that looks at all operations there
// are, of which a suspension is one.
func (w *World) StaysAwake() { w.isAwake = true }

// suspendComputes suspends those that run, where that is asked for.
func (w *World) suspendComputes() {
	if os.Getenv(suspending) != "" && w.Emulator != nil && !w.isAwake {
		w.Emulator.SuspendComputes()
	}
}

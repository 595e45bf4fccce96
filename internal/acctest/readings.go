package acctest

import (
	"maps"
	"net/http"
	"os"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// readings of a run, such as "name=alternative,...", are played by each emulator whose test
// doesn't choose otherwise.
const readings = "NEON_ACC_READINGS"

func readingsOfRun(t *testing.T, chosen map[string]string) map[string]string {
	t.Helper()
	all, err := emulator.ParseReadings(os.Getenv(readings))
	if err != nil {
		t.Fatalf("%s: %v", readings, err)
	}
	maps.Copy(all, chosen)
	return all
}

// Play makes the emulator play an alternative of a reading from now on.
func (w *World) Play(t *testing.T, reading, alternative string) {
	t.Helper()
	w.Control(t, http.MethodPost, "/_emulator/readings",
		map[string]any{"readings": map[string]string{reading: alternative}}, nil)
}

// Plays reports whether the emulator plays an alternative of a reading.
func (w *World) Plays(t *testing.T, reading, alternative string) bool {
	t.Helper()
	var all struct {
		Readings []struct {
			Name, Played string
		}
	}
	w.Control(t, http.MethodGet, "/_emulator/readings", nil, &all)
	for _, r := range all.Readings {
		if r.Name == reading {
			return r.Played == alternative
		}
	}
	t.Fatalf("there is no reading %s", reading)
	return false
}

// DefaultUnits are the compute units of computes in projects that don't say.
func (w *World) DefaultUnits(t *testing.T) float64 {
	t.Helper()
	if w.Plays(t, "compute-sizes-by-default", "one") {
		return 1
	}
	return 0.25
}

// EachReading runs a test under each alternative of a reading.
func EachReading(t *testing.T, name string, test func(t *testing.T, config emulator.Config)) {
	t.Helper()
	for _, reading := range emulator.Readings() {
		if reading.Name != name {
			continue
		}
		for i, alternative := range reading.Alternatives {
			t.Run(name+"="+alternative, func(t *testing.T) {
				if i > 0 {
					WithoutTerraform(t)
				}
				test(t, emulator.Config{Readings: map[string]string{name: alternative}})
			})
		}
		return
	}
	t.Fatalf("there is no reading %s", name)
}

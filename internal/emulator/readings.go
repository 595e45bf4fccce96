package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Reading is one that the emulator can play.
type Reading = doubts.Reading

// Readings are those that there are, in the order of DOUBTS.md.
func Readings() []Reading { return doubts.Readings() }

// ParseReadings reads a text such as "name=alternative,other=alternative". An empty one has none.
func ParseReadings(text string) (map[string]string, error) {
	chosen := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, alternative, _ := strings.Cut(part, "=")
		if other, twice := chosen[name]; twice {
			return nil, fmt.Errorf("reading %s is %q and %q; give it once", name, other, alternative)
		}
		chosen[name] = alternative
	}
	return chosen, checkReadings(chosen)
}

func checkReadings(chosen map[string]string) error {
	readings := Readings()
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		at := slices.IndexFunc(readings, func(r Reading) bool { return r.Name == name })
		if at < 0 {
			return fmt.Errorf("there is no reading %q; there are %s", name, knownReadings())
		}
		if known := readings[at].Alternatives; !slices.Contains(known, chosen[name]) {
			return fmt.Errorf("reading %s is %q; it must be one of %s", name, chosen[name], strings.Join(known, ", "))
		}
	}
	return nil
}

func knownReadings() string {
	var known []string
	for _, reading := range Readings() {
		known = append(known, reading.Name+"="+strings.Join(reading.Alternatives, "|"))
	}
	return strings.Join(known, ", ")
}

// played is the name of the alternative that is played.
func (e *Emulator) played(reading string) string {
	return cmp.Or(e.config.Readings[reading], doubts.Decided(reading))
}

// plays reports whether an alternative of a reading is the one that is played.
func (e *Emulator) plays(reading, alternative string) bool { return e.played(reading) == alternative }

// doubtful is a refusal with the status that is played.
func (e *Emulator) doubtful(reading string, refusal error) error {
	var known *wire.Error
	if status, err := strconv.Atoi(e.played(reading)); err == nil && errors.As(refusal, &known) {
		known.Status = status
	}
	return refusal
}

type readingsSpec struct {
	Readings map[string]string `json:"readings" says:"an alternative for each reading that is to change, by its name"`
}

type playedReading struct {
	Reading
	Played string `json:"played"`
}

func (e *Emulator) showReadings(*call) (reply, error) {
	shown := viewsOf(Readings(), func(r Reading) playedReading { return playedReading{r, e.played(r.Name)} })
	return ok(map[string]any{"readings": shown})
}

// setReadings changes what is played from the next request on.
func (e *Emulator) setReadings(c *call, body readingsSpec) (reply, error) {
	if err := checkReadings(body.Readings); err != nil {
		return reply{}, wire.BadRequest("%v", err)
	}
	maps.Copy(e.config.Readings, body.Readings)
	return e.showReadings(c)
}

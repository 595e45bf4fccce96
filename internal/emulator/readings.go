package emulator

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Reading is something that Neon may do in more than one way, as far as is known. The emulator
// plays any of them, so that nobody's test passes only because of what was decided.
type Reading struct {
	Name string `json:"name"`
	// Alternatives begin with the decision, which is played where nothing else is asked for.
	Alternatives []string `json:"alternatives"`
	Description  string   `json:"description"`
}

// Readings are those that there are, in the order of DOUBTS.md.
func Readings() []Reading {
	return viewsOf(doubts.WithReadings(), func(d *doubts.Doubt) Reading {
		return Reading{d.Key, slices.Clone(d.Alternatives), d.Reading}
	})
}

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
	return strings.Join(viewsOf(Readings(), func(r Reading) string {
		return r.Name + "=" + strings.Join(r.Alternatives, "|")
	}), ", ")
}

// played is the name of the alternative that is played.
func (e *Emulator) played(d *doubts.Doubt) string {
	if chosen := e.config.Readings[d.Key]; chosen != "" {
		return chosen
	}
	return d.Alternatives[0]
}

// plays reports whether an alternative of a doubt is the one that is played.
func (e *Emulator) plays(d *doubts.Doubt, alternative string) bool { return e.played(d) == alternative }

// doubtful is a refusal with the status that is played.
func (e *Emulator) doubtful(d *doubts.Doubt, refusal error) error {
	known, isKnown := errors.AsType[*wire.Error](refusal)
	if status, err := strconv.Atoi(e.played(d)); err == nil && isKnown {
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
	return ok(map[string]any{"readings": viewsOf(doubts.WithReadings(), func(d *doubts.Doubt) playedReading {
		return playedReading{Reading{d.Key, d.Alternatives, d.Reading}, e.played(d)}
	})})
}

// setReadings changes what is played from the next request on.
func (e *Emulator) setReadings(c *call, body readingsSpec) (reply, error) {
	if err := checkReadings(body.Readings); err != nil {
		return reply{}, wire.BadRequest("%v", err)
	}
	maps.Copy(e.config.Readings, body.Readings)
	return e.showReadings(c)
}

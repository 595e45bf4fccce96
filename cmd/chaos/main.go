// Chaos attacks the provider: it plays the lives of many resources on emulated
// platforms whose answers are lost, refused and late, kills runs of terraform at
// random moments, and accounts for each object that is left. It ends with 1 where one
// was left behind, made twice or taken from somebody else, and with 2 where it could
// not attack.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func main() {
	a := attack{out: os.Stdout, limits: "off", only: regexp.MustCompile("")}
	flag.IntVar(&a.cycles, "cycles", 1000, "how many resources are made, changed and destroyed")
	flag.IntVar(&a.kills, "kills", 50, "how many runs of terraform are killed")
	flag.Uint64Var(&a.seed, "seed", 1, "what the random choices begin with")
	flag.StringVar(&a.conflicts, "conflicts", "", "how the platform refuses overlapping work: project, branch or none; "+
		"each for a third of the cycles by default")
	flag.Func("limits", "how the platform reads its limits: off, window or paced (off by default)",
		func(text string) error {
			if a.limits = text; limitsOf[text] == "" {
				return errors.New("it must be off, window or paced")
			}
			return nil
		})
	flag.Func("readings", "what the platforms play where nobody knows what Neon does, `name=alternative,...`, and "+
		"elsewhere as decided; drawn by the seed by default", func(text string) (err error) {
		a.readings, err = emulator.ParseReadings(text)
		return err
	})
	flag.BoolVar(&a.outages, "outages", true, "have lists be away, each for half a minute")
	flag.BoolVar(&a.first, "first", false, "end at the first finding of a run; what is left behind is accounted for "+
		"only at the end of all")
	flag.Float64Var(&a.probability, "faults", 0.1, "the probability of the most frequent kinds of faults")
	flag.TextVar(a.only, "only", a.only, "play only the resources whose type matches this `regexp`, such as api_key")
	flag.Parse()

	// testing.Main has what testing/synctest asks for. It parses no flags where they are parsed.
	testing.Main(nil, []testing.InternalTest{{Name: "attack", F: func(t *testing.T) {
		report, err := a.run(t)
		switch {
		case err != nil:
			fmt.Fprintln(os.Stderr, "Unable to attack:", err)
			os.Exit(2)
		case !report.Good():
			os.Exit(1)
		}
		os.Exit(0)
	}}}, nil, nil)
}

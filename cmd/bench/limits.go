package main

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// limitsBenchmark creates 100 branches, 20 at a time, under both readings of the account's
// limit. The whole needs fewer requests than one minute allows.
func limitsBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "create 100 branches with an endpoint, 700 requests a minute", bound: "the same without limits",
			most: 1.3, mostRequests: 180,
		}, {
			measured: "create 100 branches with an endpoint, 11 requests a second after 40", bound: "that pace, and the operations of one",
			most: 1.1,
		}},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			runs := map[string]creation{}
			for reading, mostRefused := range map[string]float64{emulator.LimitsOff: 0, emulator.LimitsWindow: 0, emulator.LimitsPaced: 0.05} {
				run, err := b.create(ctx, branchesOf(100, 20), emulator.Config{Limits: reading, Conflicts: emulator.ConflictsNone}, nil)
				if err != nil {
					return nil, err
				}
				b.say("Limits %s: %.1f s, %d requests, %d of them refused", reading, run.took.Seconds(), run.requests, run.refused)
				if float64(run.refused) > mostRefused*float64(run.requests) {
					return nil, fmt.Errorf("%d of %d requests were refused with limits %s", run.refused, run.requests, reading)
				}
				runs[reading] = run
			}
			window, paced := runs[emulator.LimitsWindow], runs[emulator.LimitsPaced]
			pace := time.Duration(paced.requests-paced.refused-40)*time.Second/11 + paced.longest
			return []result{window.against(runs[emulator.LimitsOff].took), paced.against(pace)}, nil
		},
	}
}

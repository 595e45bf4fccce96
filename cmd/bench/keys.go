package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const (
	manyKeys = 200
	// keysRuns is how many of these plans take the time of one over many branches.
	keysRuns = 4
)

// keysBenchmark plans over the keys of an organization.
func keysBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "plan over 200 organization keys", bound: "with -refresh=false", most: 1.25, mostRequests: 3,
		}},
		measure: func(ctx context.Context, b *bench) (results []result, err error) {
			p, err := startPlatform(emulator.Config{})
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, p.close()) }()
			w, err := b.newWorkspace(neon, fmt.Sprintf("resource \"neon_org_api_key\" \"k\" {\n  count = %d\n"+
				"  name  = \"key-${count.index}\"\n}\n", manyKeys), p.variables())
			if err != nil {
				return nil, err
			}
			blocks, err := p.makeKeys(ctx)
			if err != nil {
				return nil, err
			}
			if err := w.importAll(ctx, blocks); err != nil {
				return nil, err
			}
			taken, err := b.comparePlans(ctx, p, w, nil, keysRuns*b.options.runs)
			if err != nil {
				return nil, err
			}
			return []result{comparePairs(taken.full, taken.withoutRefresh, taken.requests)}, nil
		},
	}
}

// makeKeys creates the keys, and returns the blocks that import them.
func (p *platform) makeKeys(ctx context.Context) (string, error) {
	var blocks strings.Builder
	for i := range manyKeys {
		var key struct {
			ID int64 `json:"id"`
		}
		err := p.call(ctx, http.MethodPost, "/api/v2/organizations/"+p.world.OrgID+"/api_keys",
			map[string]string{"key_name": fmt.Sprintf("key-%d", i)}, &key)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&blocks, "import {\n  to = neon_org_api_key.k[%d]\n  id = \"%s/%d\"\n}\n", i, p.world.OrgID, key.ID)
	}
	return blocks.String(), nil
}

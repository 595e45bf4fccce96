package chaos

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// converge applies again as a person does: what an error names is taken in with
// the import block that it prints.
func (k *killed) converge(ctx context.Context, arguments []string) {
	for range 3 {
		said, err := k.hear(ctx, arguments...)
		if err == nil {
			return
		}
		imports := importBlocks(said)
		if imports == "" {
			k.surprise("after a kill, terraform %s failed and names nothing to take in: %v", arguments[0], err)
			return
		}
		k.taken += strings.Count(imports, "import {")
		if err := k.write("imports.tf", imports); err != nil {
			k.surprise("%v", err)
		}
	}
	k.surprise("after a kill, terraform %s doesn't converge", arguments[0])
}

// importBlocks are those that errors print, each for its resource.
func importBlocks(said []diagnostic) string {
	var blocks strings.Builder
	for _, d := range said {
		if id := importID.FindStringSubmatch(d.Detail); id != nil && d.Severity == "error" {
			fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n}\n", d.Address, id[1])
		}
	}
	return blocks.String()
}

func (k *killed) hear(ctx context.Context, arguments ...string) ([]diagnostic, error) {
	said, err := k.run(ctx, arguments...)
	k.tell("terraform %s: %v", strings.Join(arguments, " "), err)
	for _, d := range said {
		k.heard(arguments[0], d.String(), nil)
		if d.Severity == "error" && !advice.MatchString(d.Summary+d.Detail) {
			k.helpless = append(k.helpless, d.String())
		}
	}
	return said, err
}

// follow runs a command that must succeed.
func (k *killed) follow(ctx context.Context, arguments ...string) {
	if _, err := k.hear(ctx, arguments...); err != nil && ctx.Err() == nil {
		k.surprise("terraform %s: %v", arguments[0], err)
	}
}

// account compares what exists with the state, and removes what was named.
func (k *killed) account(ctx context.Context) error {
	all, err := k.platform.objects(ctx)
	if err != nil {
		return err
	}
	held, err := k.ids(ctx)
	if err != nil {
		return err
	}
	k.report.mu.Lock()
	defer k.report.mu.Unlock()
	var extra []object
	for _, o := range named(all, k.name) {
		if !slices.Contains(held, o.id()) && !k.report.seen[o.id()] {
			extra = append(extra, o)
		}
	}
	for _, id := range without(held, all) {
		k.surprise("%s is in state and doesn't exist", id)
	}
	for _, o := range alone(extra) {
		k.report.seen[o.id()] = true
		switch {
		case o.stays():
			k.report.Staying++
		case k.names(o):
			k.report.Named++
			if err := k.platform.remove(ctx, o); err != nil {
				return err
			}
		default:
			k.report.Orphans = append(k.report.Orphans, withStory(o.String(), k.String()))
		}
	}
	return nil
}

func (k *killed) finish() {
	k.report.mu.Lock()
	defer k.report.mu.Unlock()
	k.report.Taken += k.taken
	k.report.Helpless = append(k.report.Helpless, k.helpless...)
	for _, surprise := range k.surprises {
		k.report.Surprises = append(k.report.Surprises, withStory(k.name+": "+surprise, k.String()))
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// contender is a provider for Neon that does the same work as ours.
type contender struct {
	provider

	version string
	// config is what creates so many branches with an endpoint each.
	config string
}

const peersBranches = `resource "neon_branch" "b" {
  count      = %[1]d
  project_id = %[2]q
  name       = "branch-${count.index + 1}"
}

resource "neon_endpoint" "e" {
  count      = %[1]d
  project_id = %[2]q
  branch_id  = neon_branch.b[count.index].id
  type       = "read_write"
}
`

// peerWork is what all of them do on platforms of their own.
type peerWork struct {
	name     string
	branches int
	config   emulator.Config
	// parallelism is Terraform's own.
	parallelism int
	// plans is true where the plan is measured, once all has been created.
	plans bool
}

var peerWorks = []peerWork{
	{
		name: "plan of 300 branches with an endpoint", branches: 300, parallelism: 20, plans: true,
		config: emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone},
	},
	{
		name: "create 100 branches with an endpoint, limits on", branches: 100, parallelism: 20,
		config: emulator.Config{Limits: emulator.LimitsWindow, Conflicts: emulator.ConflictsNone},
	},
	{
		name: "create 10 branches with an endpoint, the project refuses overlapping work", branches: 10, parallelism: 10,
		config: emulator.Config{OperationDuration: time.Second, Limits: emulator.LimitsWindow},
	},
}

// standing is how a provider did.
type standing struct {
	observed

	failed error
}

// isAheadOf reports whether it did all of the work for less: with fewer requests, or in
// less than 19 parts of 20 of the other one's time, since no two runs take exactly as long.
func (s standing) isAheadOf(other standing) bool {
	return s.failed == nil && (other.failed != nil || s.seconds < other.seconds/20*19 || s.Total < other.Total)
}

// comparePeers prints what each provider needs for the same work, and fails where another
// is ahead of ours.
func (b *bench) comparePeers(ctx context.Context, out io.Writer) error {
	contenders, err := b.contenders(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(out, "| work | provider | time | requests | refused (429) | refused (423) | errors |\n|---|---|---|---|---|---|---|\n")
	for _, work := range peerWorks {
		var ours standing
		for i, each := range contenders {
			b.say("Measuring: %s, %s", work.name, each.source)
			s, failed := b.stand(ctx, each, work)
			if failed != nil {
				return failed
			}
			_, written := fmt.Fprintf(out, "| %s | %s %s | %s | %d | %d | %d | %d |\n", work.name, each.source, each.version,
				inSeconds(s.seconds), s.Total, s.ByStatus["429"], s.ByStatus["423"], strings.Count(fmt.Sprint(s.failed), "Error: "))
			err = errors.Join(err, written)
			if i == 0 {
				ours = s
			} else if s.isAheadOf(ours) {
				err = errors.Join(err, fmt.Errorf("%s is ahead in: %s", each.source, work.name))
			}
		}
	}
	return err
}

// contenders are ours and those that tools/peers pins, which it builds.
func (b *bench) contenders(ctx context.Context) ([]contender, error) {
	const module = "github.com/kislerdm/terraform-provider-neon"
	kislerdm := provider{"neon", "kislerdm/neon", "peers/terraform-provider-neon"}
	if _, err := pinned(ctx, "build", "-o", filepath.Dir(b.programOf(kislerdm))+"/", module); err != nil {
		return nil, err
	}
	version, err := pinned(ctx, "list", "-m", "-f", "{{.Version}}", module)
	return []contender{{neon, "(this)", branchesConfig}, {kislerdm, version, peersBranches}}, err
}

// pinned runs go where other providers are pinned.
func pinned(ctx context.Context, arguments ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", arguments...)
	cmd.Dir = filepath.Join("tools", "peers")
	output, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, output)
	}
	return strings.TrimSpace(string(output)), nil
}

// stand lets a provider do the work.
func (b *bench) stand(ctx context.Context, of contender, work peerWork) (s standing, err error) {
	p, err := b.startPlatform(work.config)
	if err != nil {
		return s, err
	}
	variables, err := b.startImpostor(p)
	if err != nil {
		return s, err
	}
	w, err := b.newWorkspace(of.provider, p, of.config, work.branches)
	if err != nil {
		return s, err
	}
	maps.Copy(w.variables, variables)
	do := func() error { return w.apply(ctx, work.parallelism) }
	if work.plans {
		if err := do(); err != nil {
			return s, err
		}
		do = func() error { return w.run(ctx, "plan") }
	}
	s.observed, err = p.observe(ctx, func() error {
		s.failed = do()
		return ctx.Err()
	})
	return s, err
}

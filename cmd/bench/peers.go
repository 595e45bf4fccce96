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
	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// contender is a provider for Neon that does the same work as ours.
type contender struct {
	provider

	version string
	// folder has its program.
	folder string
	// config is what creates so many branches with an endpoint each.
	config string
}

const ourBranches = `resource "neon_branch" "b" {
  count      = %[1]d
  project_id = %[2]q
  name       = "branch-${count.index + 1}"
  endpoints  = { primary = { type = "read_write" } }
}
`

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
	took        seconds
	seen        requestsSeen
	isCompleted bool
	failures    int
}

// isAheadOf reports whether it did all of the work for less: with fewer requests, or in
// less than 19 parts of 20 of the other one's time, since no two runs take exactly as long.
func (s standing) isAheadOf(other standing) bool {
	return s.isCompleted && (!other.isCompleted || s.took < other.took/20*19 || s.seen.Total < other.seen.Total)
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
				s.took, s.seen.Total, s.seen.ByStatus["429"], s.seen.ByStatus["423"], s.failures)
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
	pinned := func(arguments ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "go", arguments...)
		cmd.Dir = filepath.Join("tools", "peers")
		output, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, output)
		}
		return strings.TrimSpace(string(output)), nil
	}
	const module = "github.com/kislerdm/terraform-provider-neon"
	folder := filepath.Join(b.folder, "peers")
	if _, err := pinned("build", "-o", folder+string(filepath.Separator), module); err != nil {
		return nil, err
	}
	version, err := pinned("list", "-m", "-f", "{{.Version}}", module)
	return []contender{
		{provider: neon, version: "(this)", folder: process.ProgramsFolder(b.folder), config: ourBranches},
		{provider: provider{"neon", "kislerdm/neon", neon.program}, version: version, folder: folder, config: peersBranches},
	}, err
}

// stand lets a provider do the work.
func (b *bench) stand(ctx context.Context, of contender, work peerWork) (s standing, err error) {
	p, err := startPlatform(work.config)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	i, err := startImpostor(p, filepath.Join(b.folder, "neon.pem"))
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, i.close()) }()
	w, err := b.peerWorkspace(ctx, of, work, p, i)
	if err != nil {
		return s, err
	}
	arguments := []string{"apply", "-auto-approve", fmt.Sprintf("-parallelism=%d", work.parallelism)}
	if work.plans {
		if err := w.run(ctx, arguments...); err != nil {
			return s, err
		}
		arguments = []string{"plan"}
	}
	var took []seconds
	var failed error
	if _, err := p.counted(ctx, func() error {
		failed = w.runInto(ctx, &took, arguments...)
		return ctx.Err()
	}); err != nil {
		return s, err
	}
	s.took, s.isCompleted = took[0], failed == nil
	if failed != nil {
		s.failures = strings.Count(failed.Error(), "Error: ")
	}
	s.seen, err = p.seen(ctx)
	return s, err
}

func (b *bench) peerWorkspace(ctx context.Context, of contender, work peerWork, p *platform, i *impostor) (*workspace, error) {
	project, err := p.makeProjects(ctx, 1, 0, 0)
	if err != nil {
		return nil, err
	}
	override := filepath.Join(b.folder, "peer.tfrc")
	if err := terraformcli.WriteOverride(override, of.folder, of.source); err != nil {
		return nil, err
	}
	variables := p.variables()
	maps.Copy(variables, i.variables)
	variables["TF_CLI_CONFIG_FILE"] = override
	return b.newWorkspace(of.provider, fmt.Sprintf(of.config, work.branches, project.Project.ID), variables)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const (
	createdBranches = 40
	createdInBranch = 30
	// serialOperation is how long an operation takes where they run one after the
	// other, parallelOperation where they run side by side: what Terraform needs for
	// itself is then a part of the whole that is like that of a real run.
	serialOperation   = 300 * time.Millisecond
	parallelOperation = 2 * time.Second
)

// createBenchmark makes branches in a project where one write at a time is taken,
// with and without another client that takes its turns.
func createBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "create 40 branches with an endpoint, the project refuses overlapping work",
			bound:    "the sum of their operations", most: 1.15,
		}},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			run, err := b.create(ctx, branches, emulator.Config{OperationDuration: serialOperation}, nil)
			return []result{run.against(run.sum)}, err
		},
	}
}

// createSideBySideBenchmark makes them where nothing is in the way of anything.
func createSideBySideBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "create 40 branches with an endpoint, nothing is refused", bound: "the longest chain of operations of one",
			most: 2,
		}},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			config := emulator.Config{OperationDuration: parallelOperation, Conflicts: emulator.ConflictsNone}
			run, err := b.create(ctx, branches, config, nil)
			return []result{run.against(run.longest)}, err
		},
	}
}

// createBesideOtherBenchmark makes them beside another client.
func createBesideOtherBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "create 40 branches while another client holds the project's lock half of the time",
			bound:    "the sum of both clients' operations", most: 1.25,
		}},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			other := &otherClient{}
			run, err := b.create(ctx, branches, emulator.Config{OperationDuration: serialOperation}, other)
			if err != nil {
				return nil, err
			}
			b.say("The other client held the lock for %.0f %% of the time", 100*float64(other.held)/float64(run.took))
			run.requests -= other.requests
			return []result{run.against(run.sum + other.held)}, nil
		},
	}
}

// createInBranchBenchmark makes what PostgreSQL has on one branch, the owners with it.
func createInBranchBenchmark() benchmark {
	return benchmark{
		rows: []row{{
			measured: "create 15 roles and a database for each, the project refuses overlapping work",
			bound:    "the sum of their operations", most: 1.15,
		}},
		measure: func(ctx context.Context, b *bench) ([]result, error) {
			run, err := b.create(ctx, rolesAndDatabases, emulator.Config{OperationDuration: serialOperation}, nil)
			return []result{run.against(run.sum)}, err
		},
	}
}

// creations are objects that one apply makes.
type creations struct {
	count, parallelism int

	text func(sizedProject) string
	// chain names the chain that an operation belongs to, from what the platform says of
	// it; empty for one that doesn't count, or counts with another.
	chain func(sizedProject, operation) string
}

var branches = branchesOf(createdBranches, createdBranches)

// branchesOf are so many branches with an endpoint, created so many at a time.
func branchesOf(count, parallelism int) creations {
	return creations{
		count: count, parallelism: parallelism,
		text: func(project sizedProject) string {
			return fmt.Sprintf("resource \"neon_branch\" \"b\" {\n  count      = %d\n  project_id = %q\n"+
				"  name       = \"branch-${count.index + 1}\"\n  endpoints  = { primary = { type = \"read_write\" } }\n}\n",
				count, project.Project.ID)
		},
		chain: func(project sizedProject, o operation) string {
			if o.BranchID == project.DefaultBranchID {
				return ""
			}
			return o.BranchID
		},
	}
}

var rolesAndDatabases = creations{
	count: createdInBranch, parallelism: createdInBranch,
	text: func(project sizedProject) string {
		parent := fmt.Sprintf("  count      = %d\n  project_id = %q\n  branch_id  = %q\n",
			createdInBranch/2, project.Project.ID, project.DefaultBranchID)
		return "resource \"neon_role\" \"r\" {\n" + parent + "  name       = \"role-${count.index + 1}\"\n}\n" +
			"resource \"neon_database\" \"d\" {\n" + parent + "  name       = \"database-${count.index + 1}\"\n" +
			"  owner_name = neon_role.r[count.index].name\n}\n"
	},
	// The compute is told of each, in one operation.
	chain: func(_ sizedProject, o operation) string {
		if o.Action != "apply_config" {
			return ""
		}
		return o.ID
	},
}

// operation is what the platform says of its work.
type operation struct {
	ID              string `json:"id"`
	BranchID        string `json:"branch_id"`
	Action          string `json:"action"`
	TotalDurationMS int64  `json:"total_duration_ms"`
}

// creation is what one run came to.
type creation struct {
	took     time.Duration
	requests int
	// refused is how many of the requests were, for the rate limits.
	refused int
	// sum and longest are those of the chains of operations, each from the creation of the
	// first to the end of the last.
	sum, longest time.Duration
}

func (c creation) against(bound time.Duration) result {
	return compare(seconds(c.took), seconds(bound), c.requests)
}

func (b *bench) create(ctx context.Context, what creations, config emulator.Config, other *otherClient) (run creation, err error) {
	p, err := startPlatform(config)
	if err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	project, err := p.makeProjects(ctx, 1, 0, 0)
	if err != nil {
		return run, err
	}
	w, err := b.newWorkspace(neon, what.text(project), p.variables())
	if err != nil {
		return run, err
	}
	if run.requests, err = p.counted(ctx, func() error {
		stop := other.start(ctx, p, project)
		started := time.Now()
		err := w.run(ctx, "apply", "-auto-approve", fmt.Sprintf("-parallelism=%d", what.parallelism))
		run.took = time.Since(started)
		return errors.Join(err, stop())
	}); err != nil {
		return run, err
	}
	if run.refused, err = p.refused(ctx); err != nil {
		return run, err
	}
	err = run.readOperations(ctx, p, project, what)
	return run, err
}

// readOperations finds out what bounds the run: what the platform itself says of the
// operations. One that waits for another of its chain begins its duration with the wait, so
// that the longest of a chain is that of the chain.
func (c *creation) readOperations(ctx context.Context, p *platform, project sizedProject, what creations) error {
	var answer struct {
		Operations []operation `json:"operations"`
	}
	path := "/api/v2/projects/" + project.Project.ID + "/operations?limit=1000"
	if err := p.call(ctx, http.MethodGet, path, nil, &answer); err != nil {
		return err
	}
	chains := map[string]time.Duration{}
	for _, o := range answer.Operations {
		chain := what.chain(project, o)
		chains[chain] = max(chains[chain], time.Duration(o.TotalDurationMS)*time.Millisecond)
	}
	delete(chains, "")
	for _, took := range chains {
		c.sum += took
		c.longest = max(c.longest, took)
	}
	if len(chains) != what.count {
		return fmt.Errorf("%d chains of operations were seen, for %d objects", len(chains), what.count)
	}
	return nil
}

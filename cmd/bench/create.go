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
			run, err := b.createBranches(ctx, emulator.Config{OperationDuration: serialOperation}, nil)
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
			run, err := b.createBranches(ctx, config, nil)
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
			run, err := b.createBranches(ctx, emulator.Config{OperationDuration: serialOperation}, other)
			if err != nil {
				return nil, err
			}
			b.say("The other client held the lock for %.0f %% of the time", 100*float64(other.held)/float64(run.took))
			run.requests -= other.requests
			return []result{run.against(run.sum + other.held)}, nil
		},
	}
}

// creation is what one run came to.
type creation struct {
	took     time.Duration
	requests int
	// sum and longest are those of the branches' chains of operations, each from the
	// creation of the first to the end of the last.
	sum, longest time.Duration
}

func (c creation) against(bound time.Duration) result {
	return compare(seconds(c.took), seconds(bound), c.requests)
}

func (b *bench) createBranches(ctx context.Context, config emulator.Config, other *otherClient) (run creation, err error) {
	p, err := startPlatform(config)
	if err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	project, err := p.makeProjects(ctx, 1, 0, 0)
	if err != nil {
		return run, err
	}
	text := fmt.Sprintf("resource \"neon_branch\" \"b\" {\n  count      = %d\n  project_id = %q\n"+
		"  name       = \"branch-${count.index + 1}\"\n  endpoints  = { primary = { type = \"read_write\" } }\n}\n",
		createdBranches, project.Project.ID)
	w, err := b.newWorkspace(neon, text, p.variables())
	if err != nil {
		return run, err
	}
	if run.requests, err = p.counted(ctx, func() error {
		stop := other.start(ctx, p, project)
		started := time.Now()
		err := w.run(ctx, "apply", "-auto-approve", fmt.Sprintf("-parallelism=%d", createdBranches))
		run.took = time.Since(started)
		return errors.Join(err, stop())
	}); err != nil {
		return run, err
	}
	err = run.readOperations(ctx, p, project)
	return run, err
}

// readOperations finds out what bounds the run: what the platform itself says of
// the operations.
func (c *creation) readOperations(ctx context.Context, p *platform, project sizedProject) error {
	var answer struct {
		Operations []struct {
			BranchID        string `json:"branch_id"`
			TotalDurationMS int64  `json:"total_duration_ms"`
		} `json:"operations"`
	}
	path := "/api/v2/projects/" + project.Project.ID + "/operations"
	if err := p.call(ctx, http.MethodGet, path, nil, &answer); err != nil {
		return err
	}
	// An operation that waits for another of its branch begins its duration with the
	// wait, so that the longest of a branch is that of the chain.
	chains := map[string]time.Duration{}
	for _, operation := range answer.Operations {
		took := time.Duration(operation.TotalDurationMS) * time.Millisecond
		chains[operation.BranchID] = max(chains[operation.BranchID], took)
	}
	for branch, took := range chains {
		if branch == project.DefaultBranchID {
			continue
		}
		c.sum += took
		c.longest = max(c.longest, took)
	}
	if len(chains) < createdBranches {
		return fmt.Errorf("operations of %d branches were seen, %d were made", len(chains), createdBranches)
	}
	return nil
}

package stories_test

import (
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What newcomers get wrong about actions and moved blocks: the message names the attribute,
// the value, and what to write instead.
func TestAccMistakes_actions(t *testing.T) {
	t.Parallel()
	w := newMistakeWorld(t, emulator.Config{})
	created, err := w.API.CreateBranch(t.Context(), w.ProjectID,
		client.BranchCreate{Name: "grandchild", ParentID: w.child})
	if err != nil {
		t.Fatal(err)
	}
	protocol := acctest.NewProtocol(t, w.World)
	of := func(name string, given ...string) acctest.Action {
		return acctest.ActionOf(name, append([]string{"project_id", w.ProjectID}, given...)...)
	}
	for name, test := range map[string]struct {
		action acctest.Action
		says   []string
	}{
		"a name in place of an id": {
			of("set_default_branch", "branch_id", "child"), []string{"branch_id", `"child"`, "data.neon_branch.NAME.id"},
		},
		"a snapshot's name": {
			of("restore_snapshot", "snapshot_id", "nightly", "target_branch_id", w.main),
			[]string{"snapshot_id", `"nightly"`, "data.neon_snapshot.NAME.id"},
		},
		"a branch that isn't there": {
			of("set_default_branch", "branch_id", noSuchBranch), []string{"Project " + w.ProjectID + " has no branch " +
				noSuchBranch, "neon_branches"},
		},
		"a snapshot that isn't there": {
			of("restore_snapshot", "snapshot_id", "snap-calm-lake-12345678", "target_branch_id", w.main),
			[]string{"has no snapshot snap-calm-lake-12345678", "neon_snapshots"},
		},
		"a branch in place of an endpoint": {of("start_endpoint", "endpoint_id", w.child), []string{"endpoint_id", w.child, "which is the id of a branch"}},
		"no endpoint and no branch":        {of("start_endpoint"), []string{"No attribute specified", "one (and only one) of [endpoint_id,branch_id]"}},
		"an endpoint of a branch without": {
			of("start_endpoint", "branch_id", w.child), []string{"Branch " + w.child + " has no read-write endpoint",
				"Set endpoint_id"},
		},
		"a reset of a parent": {
			of("reset_branch", "branch_id", w.child), []string{`Branch "child" has the child ` + created.Object.ID,
				"set preserve_under_name"},
		},
		"a restore of a parent": {
			of("restore_branch", "branch_id", w.child, "source_branch_id", w.main),
			[]string{"was answered with 422", "has the child " + created.Object.ID, "set preserve_under_name",
				"wasn't restored"},
		},
		"a reset of a root":     {of("reset_branch", "branch_id", w.main), []string{`Branch "main" has no parent`, "neon_restore_branch"}},
		"a restore from itself": {of("restore_branch", "branch_id", w.child), []string{"source_timestamp or source_lsn", "or another source_branch_id"}},
		"a restore from the future": {
			of("restore_branch", "branch_id", w.child, "source_branch_id", w.main, "source_timestamp", "2999-01-01T00:00:00Z"),
			[]string{"source_timestamp", "2999-01-01T00:00:00Z", "must be in the past"},
		},
		"a restore under a name that is taken": {
			of("restore_branch", "branch_id", created.Object.ID, "source_branch_id", w.main, "preserve_under_name", "child"),
			[]string{`has a branch named "child" already`, "set preserve_under_name to a name that no branch has"},
		},
		"a snapshot of a child": {
			of("create_snapshot", "branch_id", w.child), []string{"Branch " + w.child + " has the parent",
				"set branch_id to such a branch"},
		},
		"a password of nobody": {
			of("reset_role_password", "branch_id", w.main, "role_name", "nobody"),
			[]string{"Branch " + w.main + ` has no role "nobody"`, "Check role_name"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			said := protocol.ValidateAction(t, test.action)
			if said == "" {
				said = protocol.PlanAction(t, test.action)
			}
			if said == "" {
				said = protocol.Invoke(t, test.action, func(string) {}).Problem
			}
			for _, words := range test.says {
				if !acctest.InWords(words).MatchString(said) {
					t.Errorf("%q isn't in %s", words, said)
				}
			}
		})
	}
	t.Run("a move of what can't be moved", func(t *testing.T) {
		_, _, said := protocol.Move(t, "neon_branch", acctest.MovedSource{Provider: "kislerdm/neon",
			TypeName: "neon_endpoint"}, map[string]any{"id": "ep-1"})
		for _, words := range []string{"A state of neon_endpoint of kislerdm/neon can't be moved here",
			"neon_branch of kislerdm/neon", "import {"} {
			if !acctest.InWords(words).MatchString(said) {
				t.Errorf("%q isn't in %s", words, said)
			}
		}
	})
}

package main

import (
	"io"
	"strings"
	"testing"
)

// What is shown of what terraform prints, whichever pieces it comes in.
func TestLines(t *testing.T) {
	t.Parallel()
	const output = "neon_project.tour: Refreshing state... [id=p]\n\n  # neon_branch.preview will be created\n  + resource \"neon_branch\" \"preview\" {\n" +
		"      + name = \"b\"\n    }\n\nPlan: 1 to add, 0 to change, 0 to destroy.\n\nneon_branch.preview: Creating...\n" +
		"neon_branch.preview: Creation complete after 12s [id=br]\n\nApply complete! Resources: 1 added.\n\nOutputs:\n\nhost = \"ep\"\n"
	const plan = "    # neon_branch.preview will be created\n    + resource \"neon_branch\" \"preview\" {\n        + name = \"b\"\n      }\n"
	const rest = "  Plan: 1 to add, 0 to change, 0 to destroy.\n  neon_branch.preview: Creation complete after 12s [id=br]\n  Apply complete! Resources: 1 added.\n"
	for name, test := range map[string]struct {
		plans bool
		want  string
	}{"without plans": {false, rest}, "with plans": {true, plan + rest}} {
		for _, size := range []int{1, 7, len(output)} {
			var got strings.Builder
			to := &terraform{demo: &demo{out: &got}, plans: test.plans}
			out := &lines{show: to.shows, to: to.demo}
			for left := output; left != ""; left = left[min(size, len(left)):] {
				if _, err := out.Write([]byte(left[:min(size, len(left))])); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != test.want {
				t.Errorf("%s, in pieces of %d: got\n%s\nwant\n%s", name, size, &got, test.want)
			}
		}
	}
}

func TestRunNeedsTheRootFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := run(t.Context(), io.Discard, options{}); err == nil || !strings.Contains(err.Error(), "root folder") {
		t.Errorf("got %v", err)
	}
}

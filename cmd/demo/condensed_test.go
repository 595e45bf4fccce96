package main

import (
	"strings"
	"testing"
)

// What terraform prints, with and without the attributes of the plan.
func TestCondensed(t *testing.T) {
	t.Parallel()
	const output = "neon_project.tour: Refreshing state... [id=p]\n\n" +
		"Terraform used the selected providers to generate the following execution\nplan.\n  + create\n\n" +
		"Terraform will perform the following actions:\n\n" +
		"  # neon_branch.preview will be created\n  + resource \"neon_branch\" \"preview\" {\n    }\n\n" +
		"\x1b[1mPlan:\x1b[0m 1 to add, 0 to change, 0 to destroy.\n\n" +
		"Changes to Outputs:\n  + host = (known after apply)\n  + projects = [\n    ]\n" +
		"neon_branch.preview: Creating...\nneon_branch.preview: Still creating... [10s elapsed]\n" +
		"neon_branch.preview: Creation complete after 12s [id=br]\n" +
		"data.neon_schema_diff.changes: Read complete after 1s\n" +
		"\x1b[0m\x1b[1m\x1b[32m\nApply complete! Resources: 1 added.\n\x1b[0m\x1b[0m\n" +
		"Outputs:\n\nhost = \"ep\"\nprojects = [\n  \"quickstart\",\n]\n"
	const plan = "    # neon_branch.preview will be created\n    + resource \"neon_branch\" \"preview\" {\n      }\n"
	const rest = "  \x1b[1mPlan:\x1b[0m 1 to add, 0 to change, 0 to destroy.\x1b[0m\n" +
		"  neon_branch.preview: Creation complete after 12s [id=br]\n" +
		"  \x1b[0m\x1b[1m\x1b[32mApply complete! Resources: 1 added.\x1b[0m\n"
	for name, test := range map[string]struct {
		plans bool
		want  string
	}{"without plans": {false, rest}, "with plans": {true, plan + rest}} {
		for _, size := range []int{1, 7, len(output)} { // The pieces in which it may come.
			var got strings.Builder
			c := &condensed{out: &got, plans: test.plans}
			for left := output; left != ""; {
				piece := left[:min(size, len(left))]
				left = left[len(piece):]
				if _, err := c.Write([]byte(piece)); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != test.want {
				t.Errorf("%s, in pieces of %d: got\n%s\nwant\n%s", name, size, &got, test.want)
			}
		}
	}
}

package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The first release takes away what is only so before it.
func TestIncluded_release(t *testing.T) {
	t.Chdir("../..")
	notice := regexp.MustCompile(`isn't on the (Terraform )?Registry yet|Nothing is released yet`)
	for _, file := range []string{"index", "guides/getting-started", "guides/application-tests"} {
		for release, wanted := range map[string]bool{"unreleased": true, "released": false} {
			text, err := included("templates/"+file+".md.tmpl", map[string]string{"release": release})
			if err != nil {
				t.Fatal(err)
			}
			if notice.MatchString(text) != wanted {
				t.Errorf("%s, %s, has the notice: %t", release, file, !wanted)
			}
		}
	}
}

// Pages of a release link to its own files, and those of what comes next to the files on main.
func TestLinked(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(file, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(release, want string) {
		t.Helper()
		if got, err := linked(release); got != want || err != nil {
			t.Errorf("pages link to %q, %v, want %q", got, err, want)
		}
	}
	write("CHANGELOG.md", "# Changelog\n\n## 0.10.0 (2026-12-01)\n\n## 0.9.0\n")
	check("released", "v0.10.0")
	check("unreleased", "main")
	write(".changes/unreleased/Added.yaml", "kind: Added\n")
	check("released", "main")
}

// A page shows what is the reader's own in an example's output, and nothing that every apply prints.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"$ terraform apply\n...\nApply complete! Resources: 1 added.\n\nOutputs:\n\nid = \"br-1\"\n": "$ terraform output\nid = \"br-1\"",
		"$ terraform apply -invoke=action.a.b\n...\nAction started: action.a.b\nAction action.a.b: create_branch: running.\n" +
			"Action action.a.b: create_branch: finished after 1s.\nAction action.a.b: Done after 1s. Import it:\n\nimport {}\nAction complete: action.a.b\n\nApply complete!": //
		"$ terraform apply -invoke=action.a.b\n...\nAction action.a.b: Done after 1s. Import it:\n\nimport {}",
	} {
		if shown := excerpt(output); shown != want {
			t.Errorf("of\n%s\na page shows\n%s", output, shown)
		}
	}
}

// A page begins with what it is about.
func TestShown(t *testing.T) {
	t.Parallel()
	const begin, needed = "terraform {\n\n  a = 1\n}\n\nvariable \"p\" {\n}\n\n",
		"resource \"neon_branch\" \"b\" {\n\n  n = 1\n}\n\n"
	const data, after = "# Reads it.\ndata \"neon_bucket\" \"b\" {\n}", "\n\nresource \"x\" \"y\" {\n}"
	const place = "data \"neon_branch\" \"c\" {\n}\n\n"
	if got := shown(begin+place+needed+data+after+"\n", `data "neon_bucket"`); got != data+after {
		t.Errorf("a data source's page shows\n%s", got)
	}
	if got := shown(begin+place+needed+data+after, `resource "x"`); got != place+data+after {
		t.Errorf("a resource's page shows\n%s", got)
	}
}

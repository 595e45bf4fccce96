package main

import (
	"regexp"
	"testing"
)

// The first release takes away what is only so before it.
func TestIncluded_release(t *testing.T) {
	t.Chdir("../..")
	notice := regexp.MustCompile(`isn't on the (Terraform )?Registry yet|Nothing is released yet`)
	for _, file := range []string{"index", "guides/getting-started", "guides/emulator", "guides/application-tests"} {
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

package release

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	usedAction   = regexp.MustCompile(`(?m)^\s*(?:- )?uses:\s*(.+)$`)
	pinnedAction = regexp.MustCompile(`^([\w.-]+/[\w./-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)$`)
)

// An image's tag moves, too: what the emulator's image is built on is named by digest beside its tag, which Dependabot
// reads.
func TestImages_pinTheirBasesByDigest(t *testing.T) {
	t.Parallel()
	bases := regexp.MustCompile(`(?m)^FROM (.*)$`).FindAllStringSubmatch(read(t, root+"/Dockerfile"), -1)
	if len(bases) == 0 {
		t.Error("the Dockerfile has no base")
	}
	for _, base := range bases {
		if !regexp.MustCompile(`^\S+:[\w.-]+@sha256:[0-9a-f]{64}( AS \w+)?$`).MatchString(base[1]) {
			t.Errorf("%s isn't name:tag@sha256:digest", base[1])
		}
	}
	if !strings.Contains(read(t, root+"/.github/dependabot.yml"), "package-ecosystem: docker\n") {
		t.Error("nothing renews the digests")
	}
}

// A tag can be moved to other code and a commit can't, so actions are taken by
// commit; a comment tells people and Dependabot which version that is.
func TestWorkflows_pinActionsByCommit(t *testing.T) {
	t.Parallel()
	known := map[string]string{}
	// People copy those of the examples.
	for _, path := range slices.Concat(glob(t, root+"/.github/workflows/*.yml"),
		glob(t, root+"/examples/*/*workflow.yml")) {
		for _, match := range usedAction.FindAllStringSubmatch(read(t, path), -1) {
			action := match[1]
			if strings.HasPrefix(action, "./") {
				continue
			}
			pin := pinnedAction.FindStringSubmatch(action)
			if pin == nil {
				t.Errorf("%s uses %s, which isn't owner/name@commit # version", filepath.Base(path), action)
				continue
			}
			repository := strings.Join(strings.SplitN(pin[1], "/", 3)[:2], "/")
			if other := known[repository]; other != "" && other != pin[2] {
				t.Errorf("%s is used at %s and at %s", repository, other, pin[2])
			}
			known[repository] = pin[2]
		}
	}
	if len(known) < 5 {
		t.Errorf("only %v is used, so this test doesn't find the actions", known)
	}
}

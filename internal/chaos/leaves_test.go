package chaos

import (
	"slices"
	"testing"
)

// A destruction leaves one snapshot of its branch, and more only where an error has said that one may be lost.
func TestCycle_wronglyLeft(t *testing.T) {
	t.Parallel()
	taken := func(id string) object {
		return object{kind: snapshots, ID: id, Name: "last of n1", ProjectID: "p", BranchID: "br-1"}
	}
	present := object{kind: branches, ID: "br-1", Name: "other", ProjectID: "p"}
	const lost = `A snapshot named "last of n1" of branch br-1 may have taken effect`
	for name, test := range map[string]struct {
		all     []object
		goAlong bool
		said    string
		want    []string
	}{
		"one":                        {[]object{taken("s1")}, false, "", nil},
		"none":                       {nil, false, "", []string{"its destruction left no snapshot of branch br-1"}},
		"gone with its branch":       {nil, true, "", nil},
		"gone, though it is there":   {[]object{present}, true, "", []string{"its destruction left no snapshot of branch br-1"}},
		"two":                        {[]object{taken("s1"), taken("s2")}, false, "", []string{"its destruction left 2 snapshots of branch br-1"}},
		"two, one of them is broken": {[]object{taken("s1"), taken("s2")}, false, "Snapshot s1 may not be whole", nil},
		"and one more right after":   {[]object{taken("s1"), taken("s2"), taken("s3")}, false, "Snapshot s1 may not be whole", nil},
		"and two more": {[]object{taken("s1"), taken("s2"), taken("s3"), taken("s4")}, false, "Snapshot s1 may not be whole",
			[]string{"its destruction left 3 snapshots of branch br-1"}},
		"two, one of them was lost": {[]object{taken("s1"), taken("s2")}, false, lost, nil},
		"two, of two of its name":   {[]object{taken("s1"), taken("s2")}, false, "two lives", nil},
		"one, whole in the end":     {[]object{taken("s1")}, false, "Snapshot s1 may not be whole\nA last snapshot was taken (s1)", nil},
	} {
		c := newCycle(1, "n1", "neon_database", project{})
		c.left["br-1"] = true
		c.lives["br-1"] = map[string]bool{"1": true}
		if test.said == "two lives" {
			c.lives["br-1"]["2"] = true
		}
		c.tell("destroy: %s", test.said)
		c.words.Reset() // as when its name is settled
		if got := c.wronglyLeft(test.all, test.goAlong); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

package client

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Who has taken whose place is known from what Neon says of the branches; names decide only
// between several that have.
func TestSuccession(t *testing.T) {
	t.Parallel()
	const a, b, c, trap, preview = `{"id":"a","name":"main (old)"}`,
		`{"id":"b","name":"main","restored_as":"a","restore_status":"finalized"}`,
		`{"id":"c","name":"main","restored_as":"b","restore_status":"finalized"}`,
		`{"id":"trap","name":"main (old)","restored_as":"a","restore_status":"finalized"}`,
		`{"id":"p","name":"look","restored_as":"a","restore_status":"restored"}`
	for name, test := range map[string]struct {
		branches  []string
		known     string
		successor string
	}{
		"nobody":                     {[]string{a}, "main", ""},
		"a namesake":                 {[]string{a, `{"id":"x","name":"main"}`}, "main", ""},
		"one":                        {[]string{a, b}, "", "b"},
		"one of another name by now": {[]string{a, strings.Replace(b, `"main"`, `"prod"`, 1)}, "main", "b"},
		"one, and the first is gone": {[]string{b}, "main", "b"},
		"one after the other":        {[]string{a, b, c}, "main", "c"},
		"many, one after the other":  {append(inARow(30), a), "main", "s30"},
		"in a circle": {
			[]string{strings.Replace(a, "}", `,"restored_as":"c","restore_status":"finalized"}`, 1), b, c}, "main", "a",
		},
		"one that is only looked at":  {[]string{a, preview}, "main", ""},
		"one that replaced the old":   {[]string{a, b, trap}, "main", "b"},
		"two, of which none is known": {[]string{a, b, trap}, "staging", ""},
		"itself":                      {[]string{`{"id":"a","name":"m","restored_as":"a","restore_status":"finalized"}`}, "x", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			platform := inTurn(`{"branches":[` + strings.Join(test.branches, ",") + `]}`)
			got, err := newClient(t, platform).GetSuccessor(t.Context(), BranchRef{"p", "a"}, test.known)
			if err != nil || got == nil && test.successor != "" || got != nil && got.ID != test.successor {
				t.Errorf("got %v, %v, want %q", got, err, test.successor)
			}
		})
	}
}

// inARow is a branch for each of so many restores of a, each of which replaced the one before.
func inARow(restores int) (branches []string) {
	before := "a"
	for i := range restores {
		id := fmt.Sprintf("s%d", i+1)
		branches = append(branches, fmt.Sprintf(
			`{"id":%q,"name":"main (old %d)","restored_as":%q,"restore_status":"finalized"}`, id, i, before))
		before = id
	}
	return branches
}

func TestSucceeds(t *testing.T) {
	t.Parallel()
	var many []string // Several reads of one project are answered with its list.
	row := append(inARow(30), `{"id":"c","restored_as":"s30","restore_status":"finalized"}`)
	for _, branch := range slices.Backward(row) {
		many = append(many, `{"branch":`+branch+`,"branches":[`+strings.Join(row, ",")+`]}`)
	}
	const b, c = `{"branch":{"id":"b","restored_as":"a","restore_status":"finalized"}}`,
		`{"branch":{"id":"c","restored_as":"b","restore_status":"finalized"}}`
	for name, test := range map[string]struct {
		bodies []string
		want   bool
	}{
		"at once":                   {[]string{strings.ReplaceAll(c, `"b"`, `"a"`)}, true},
		"one after the other":       {[]string{c, b}, true},
		"many, one after the other": {many, true},
		"in a circle":               {[]string{c, strings.Replace(b, `"a"`, `"c"`, 1)}, false},
		"another one":               {[]string{c, `{"branch":{"id":"b"}}`}, false},
		"only looked at":            {[]string{strings.ReplaceAll(strings.ReplaceAll(c, `"b"`, `"a"`), "finalized", "restored")}, false},
		"no branch of a restore":    {[]string{`{"branch":{"id":"c"}}`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := newClient(t, inTurn(test.bodies...)).Succeeds(t.Context(), BranchRef{"p", "c"}, "a")
			if err != nil || got != test.want {
				t.Errorf("got %t, %v", got, err)
			}
		})
	}
}

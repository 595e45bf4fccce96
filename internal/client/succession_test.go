package client

import (
	"strings"
	"testing"
)

// Who has taken whose place is known from what Neon says of the branches; names decide only
// between several that have.
func TestSuccession(t *testing.T) {
	t.Parallel()
	const a, b, c, trap, preview = `{"id":"a","name":"main (old)"}`, `{"id":"b","name":"main","restored_as":"a","restore_status":"finalized"}`,
		`{"id":"c","name":"main","restored_as":"b","restore_status":"finalized"}`, `{"id":"trap","name":"main (old)","restored_as":"a","restore_status":"finalized"}`,
		`{"id":"p","name":"look","restored_as":"a","restore_status":"restored"}`
	for name, test := range map[string]struct {
		branches  []string
		known     string
		successor string
	}{
		"nobody":                      {[]string{a}, "main", ""},
		"a namesake":                  {[]string{a, `{"id":"x","name":"main"}`}, "main", ""},
		"one":                         {[]string{a, b}, "", "b"},
		"one of another name by now":  {[]string{a, strings.Replace(b, `"main"`, `"prod"`, 1)}, "main", "b"},
		"one, and the first is gone":  {[]string{b}, "main", "b"},
		"one after the other":         {[]string{a, b, c}, "main", "c"},
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

func TestSucceeds(t *testing.T) {
	t.Parallel()
	const b, c = `{"branch":{"id":"b","restored_as":"a","restore_status":"finalized"}}`, `{"branch":{"id":"c","restored_as":"b","restore_status":"finalized"}}`
	for name, test := range map[string]struct {
		bodies []string
		want   bool
	}{
		"at once":                {[]string{strings.ReplaceAll(c, `"b"`, `"a"`)}, true},
		"one after the other":    {[]string{c, b}, true},
		"another one":            {[]string{c, `{"branch":{"id":"b"}}`}, false},
		"only looked at":         {[]string{strings.ReplaceAll(strings.ReplaceAll(c, `"b"`, `"a"`), "finalized", "restored")}, false},
		"no branch of a restore": {[]string{`{"branch":{"id":"c"}}`}, false},
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

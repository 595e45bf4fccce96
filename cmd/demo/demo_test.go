package main

import (
	"io"
	"maps"
	"strings"
	"testing"
)

func TestParseExports(t *testing.T) {
	got := parseExports("# a world\nexport NEON_BASE_URL=http://127.0.0.1:8473/api/v2\n  export NEON_API_KEY='napi_x=='\n" +
		"export NEON_ORG_ID=\"org-1\"\n\nlistening\n")
	want := map[string]string{
		"NEON_BASE_URL": "http://127.0.0.1:8473/api/v2", "NEON_API_KEY": "napi_x==", "NEON_ORG_ID": "org-1",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPlannedChanges(t *testing.T) {
	got, err := plannedChanges([]byte(`{"resource_changes": [
		{"address": "neon_branch.a", "mode": "managed", "change": {"actions": ["update"]}},
		{"address": "neon_api_key.b", "mode": "managed", "change": {"actions": ["no-op"]}},
		{"address": "data.neon_projects.c", "mode": "data", "change": {"actions": ["read"]}},
		{"address": "neon_api_key.d", "mode": "managed", "change": {"actions": ["delete", "create"]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"neon_branch.a": "update", "neon_api_key.d": "delete, create"}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := plannedChanges([]byte("no plan")); err == nil {
		t.Error("what isn't JSON is taken for a plan")
	}
}

func TestReport(t *testing.T) {
	before := objects{
		"projects": {{ID: "p1", Name: "first"}},
		"branches": {{ID: "br-1", Name: "main", ProjectID: "p1"}},
		"api_keys": {{ID: 1.0}},
	}
	trial := object{ID: "db-1", NeonProjectID: "p2"}
	tests := map[string]struct {
		after objects
		says  string
		fails string
	}{
		"as before": {after: before},
		"a claimable database with its project": {
			after: objects{
				"projects": {{ID: "p1"}, {ID: "p2"}}, "branches": {{ID: "br-1"}, {ID: "br-2", ProjectID: "p2"}},
				"api_keys": {{ID: 1.0}}, claimable: {trial},
			},
			says: "belongs to the claimable database",
		},
		"a key is left": {
			after: objects{"projects": {{ID: "p1"}}, "branches": {{ID: "br-1"}}, "api_keys": {{ID: 1.0}, {ID: 2.0, Name: "mine"}}},
			fails: "left behind, of api_keys: 2 mine",
		},
		"a branch is gone": {
			after: objects{"projects": {{ID: "p1"}}, "api_keys": {{ID: 1.0}}},
			fails: "gone, of branches: br-1 main",
		},
		"a branch is left in another project": {
			after: objects{
				"projects": {{ID: "p1"}, {ID: "p2"}}, "branches": {{ID: "br-1"}, {ID: "br-3", ProjectID: "p1"}},
				"api_keys": {{ID: 1.0}}, claimable: {trial},
			},
			fails: "left behind, of branches: br-3",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			err := report(&out, before, test.after, test.after)
			if !strings.Contains(out.String(), test.says) {
				t.Errorf("no %q in\n%s", test.says, out.String())
			}
			if test.fails == "" && err != nil {
				t.Error(err)
			}
			if test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
				t.Errorf("got %v, want %q", err, test.fails)
			}
		})
	}
}

func TestRunNeedsTheRootFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := run(t.Context(), io.Discard, options{}); err == nil || !strings.Contains(err.Error(), "root folder") {
		t.Errorf("got %v", err)
	}
}

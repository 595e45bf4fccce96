package chaos

import (
	"slices"
	"testing"
)

// What terraform says is its diagnostics, and what a crash writes beside them; not that the provider was built here.
func TestDiagnosticsIn(t *testing.T) {
	t.Parallel()
	const output = `{"@message":"Terraform 1.11.4","type":"version"}
{"type":"diagnostic","diagnostic":{"severity":"warning","summary":"Provider development overrides are in effect"}}

{"type":"diagnostic","diagnostic":{"severity":"error","summary":"Unable to create role","address":"neon_role.a"}}
panic: no luck
{"type":"diagnostic","diagnostic":{"severity":"error","summary":"last, and without a line's end"}}`
	want := []diagnostic{
		{Severity: "error", Summary: "Unable to create role", Address: "neon_role.a"},
		{Severity: "output", Summary: "panic: no luck"},
		{Severity: "error", Summary: "last, and without a line's end"},
	}
	if got := diagnosticsIn([]byte(output)); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

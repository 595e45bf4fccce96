package emulator_test

import (
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/emulator"
)

func TestNew_saysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		options emulator.Options
		says    string
	}{
		{emulator.Options{Plan: "gold"}, "plan"},
		{emulator.Options{Readings: map[string]string{"branch-origin": "soon"}}, `reading branch-origin is "soon"`},
		{emulator.Options{Conflicts: "never"}, `conflicts is "never"`},
		{emulator.Options{SeedWorld: strings.NewReader("organisations: []")}, "unable to build the world"},
	} {
		if _, err := emulator.New(t.Context(), test.options); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: %v", test.options, err)
		}
	}
}

func TestNew_seeded(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	e, err := emulator.New(t.Context(), emulator.Options{SeedWorld: strings.NewReader("organizations: [{name: Acme}]"),
		Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	if e.World().APIKey == "" || e.World().DatabaseName == "" {
		t.Errorf("the world is %+v", e.World())
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

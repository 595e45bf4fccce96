package chaos

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// A short attack of each kind of platform. `make chaos` is the long one.
func TestNothingIsLeftBehindOrMadeTwice(t *testing.T) {
	t.Parallel()
	for name, attack := range map[string]Cycles{
		"project": {Conflicts: "project"}, "branch": {Conflicts: "branch"}, "none": {Conflicts: "none"},
		"window": {Conflicts: "none", Limits: emulator.LimitsWindow}, "paced": {Conflicts: "branch", Limits: emulator.LimitsPaced},
		"settings": {Conflicts: "none", Only: regexp.MustCompile("jwks|schedule|data_api|auth|member_role|invitation|limit")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			attack.Count, attack.Seed, attack.Probability, attack.SideBySide = 15, 11, 0.06, 8
			var report *Report
			synctest.Test(t, func(t *testing.T) {
				var err error
				if report, err = attack.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Hour) // What is to come late has come before the clock ends.
			})
			var text strings.Builder
			report.Write(&text)
			if !report.Good() {
				t.Error(text.String())
			}
			for _, kind := range []string{"status", "lost_before", "lost_after", "slow", "cut_body", "status_after"} {
				if report.Faults[kind] == 0 {
					t.Errorf("no fault %s was met:\n%s", kind, text.String())
				}
			}
			if report.Cycles != 15 {
				t.Errorf("%d cycles were played", report.Cycles)
			}
		})
	}
}

// A seed draws the same alternatives again, and another one others; the story tells them as a flag.
func TestDrawReadings(t *testing.T) {
	t.Parallel()
	drawn := func(seed uint64) string { return playedReadings(drawReadings(rand.New(rand.NewPCG(seed, 0)))) }
	others := map[string]bool{}
	for seed := range uint64(20) {
		others[drawn(seed)] = true
		text, _ := strings.CutPrefix(drawn(seed), "-readings ")
		if read, err := emulator.ParseReadings(text); err != nil || drawn(seed) != playedReadings(read) {
			t.Errorf("%s: %v, %v", text, read, err)
		}
	}
	if len(others) < 2 {
		t.Errorf("all seeds draw %v", others)
	}
}

// Each alternative is drawn by some seed, but for those of three readings, which tests play by EachReading or choose.
func TestDrawReadings_all(t *testing.T) {
	t.Parallel()
	drawn := map[string]bool{}
	for seed := range uint64(200) {
		for name, alternative := range drawReadings(rand.New(rand.NewPCG(seed, 0))) {
			drawn[name+"="+alternative] = true
		}
	}
	elsewhere := []string{
		"failed-creation=gone",   // TestAccBranch_operationCancelled
		"key-names=once",         // TestAccAPIKey_severalOfOneName
		"backend-offered=nobody", // TestAccStorage_notOffered
	}
	for _, reading := range emulator.Readings() {
		for _, alternative := range reading.Alternatives {
			if one := reading.Name + "=" + alternative; !drawn[one] && !slices.Contains(elsewhere, one) {
				t.Errorf("no seed draws %s: let a test of the provider play it by acctest.EachReading, and name it here", one)
			}
		}
	}
}

// Killed runs leave nothing that the next one doesn't name.
func TestAccKilledRuns(t *testing.T) {
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("this runs terraform; set TF_ACC=1")
	}
	if testing.Short() {
		t.Skip("this takes its time")
	}
	program, err := acctest.BuiltProvider()
	if err != nil {
		t.Fatal(err)
	}
	report, err := Kills{
		Programs: Programs{acctest.TerraformProgram(), filepath.Dir(program), "hashicorp/neon"}, Count: 2, Seed: 7,
		Folder: t.TempDir(), Probability: 0.1, SideBySide: 2,
	}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !report.Good() || report.Kills != 2 {
		var text strings.Builder
		report.Write(&text)
		t.Error(text.String())
	}
}

// The account itself must find what it is there to find.
func TestAccount(t *testing.T) {
	t.Parallel()
	all := []object{
		{kind: branches, ID: "br-held", Name: "c-1"}, {kind: endpoints, ID: "ep-extra", BranchID: "br-held"},
		{kind: branches, ID: "br-extra", Name: "c-1-renamed"}, {kind: endpoints, ID: "ep-goes-along", BranchID: "br-extra"},
		{kind: "api_keys", ID: float64(1_600_001), Name: "c-1"}, {kind: "api_keys", ID: float64(1_600_002), Name: "c-2"},
		{kind: "claimable_databases", ID: "forgotten", Ref: "c-1"}, {kind: "claimable_databases", ID: "lost", Ref: "c-1"},
		{kind: "claimable_databases", ID: "doubled", Ref: "c-1"},
	}
	held := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("br-held")})
	c := &cycle{name: "c-1", current: state{value: held}, forgotten: []string{"forgotten"}, lost: 1}
	extra, missing := c.account(all)
	var ids []string
	for _, o := range extra {
		ids = append(ids, o.id())
	}
	if got, want := strings.Join(ids, " "), "br-extra 1600001 doubled ep-extra"; got != want || len(missing) > 0 {
		t.Errorf("got %q, want %q; missing: %v", got, want, missing)
	}
	if _, missing = c.account(all[1:]); len(missing) != 1 || missing[0] != "br-held" {
		t.Errorf("missing: %v", missing)
	}
}

// An id counts as named where the provider speaks of it as a leftover.
func TestNames(t *testing.T) {
	t.Parallel()
	var s story
	s.heard("apply", "warning: Other API keys of the same name as 17\nAPI key 17 was created. These were there before: 16 (created yesterday)", nil)
	for id, want := range map[string]bool{"16": true, "17": false, "1": false} {
		if s.names(object{kind: "api_keys", ID: id}) != want {
			t.Errorf("%s is named: %t", id, !want)
		}
	}
	s.heard("apply", `error: A branch named "b" in project p may have taken effect on the platform`, nil)
	s.heard("apply", `error: Role "b" on branch br may have taken effect`, nil)
	s.heard("apply", `error: Database "b" on branch br may have taken effect`, nil)
	s.heard("apply", `error: A read_only endpoint named "b" on branch br may have taken effect`, nil)
	for name, want := range map[string]bool{"b": true, "c": false} {
		for _, kind := range []string{branches, roles, databases, endpoints} {
			if s.names(object{kind: kind, ID: "it", Name: name, ProjectID: "p", BranchID: "br"}) != want {
				t.Errorf("%s %s is named: %t", kind, name, !want)
			}
		}
	}
}

// What a killed terraform leaves of its state file is mended, and nothing else is.
func TestMendState(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		state, backup, want string
		mended              int
	}{
		"no state":               {},
		"whole":                  {`{"serial":2}`, `{"serial":1}`, `{"serial":2}`, 0},
		"empty":                  {"", `{"serial":1}`, `{"serial":1}`, 1},
		"cut off":                {`{"serial":`, `{"serial":1}`, `{"serial":1}`, 1},
		"cut off at first":       {`{"serial":`, "", "", 1},
		"whole, the first of it": {`{"serial":1}`, "", `{"serial":1}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &killed{workspace: &workspace{folder: t.TempDir()}, report: NewReport()}
			if name != "no state" {
				if err := k.write("terraform.tfstate", test.state); err != nil {
					t.Fatal(err)
				}
			}
			if test.backup != "" {
				if err := k.write("terraform.tfstate.backup", test.backup); err != nil {
					t.Fatal(err)
				}
			}
			if err := k.mendState(); err != nil {
				t.Fatal(err)
			}
			state, err := os.ReadFile(filepath.Join(k.folder, "terraform.tfstate"))
			if err != nil && (test.want != "" || !errors.Is(err, fs.ErrNotExist)) {
				t.Fatal(err)
			}
			if string(state) != test.want || k.report.Mended != test.mended {
				t.Errorf("the state is %q, mended %d times; want %q, %d times", state, k.report.Mended, test.want, test.mended)
			}
		})
	}
}

package emulator

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// DOUBTS.md names each reading with its alternatives, and no others.
func TestReadings_areInTheDoubts(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("DOUBTS.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, match := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` .*Reading: ((?:`[a-z0-9-]+`(?:, )?)+)").FindAllStringSubmatch(string(page), -1) {
		alternatives := strings.Split(strings.ReplaceAll(strings.TrimSuffix(match[2], ", "), "`", ""), ", ")
		reading := readingNamed(match[1])
		if reading == nil || !slices.Equal(reading.Alternatives, alternatives) {
			t.Errorf("DOUBTS.md has the reading %s with %v; the emulator plays %+v", match[1], alternatives, reading)
		}
		listed[match[1]] = true
	}
	for _, reading := range readings {
		if !listed[reading.Name] {
			t.Errorf("no row of DOUBTS.md has the reading %s", reading.Name)
		}
		if len(reading.Alternatives) < 2 || !strings.HasSuffix(reading.Description, ".") {
			t.Errorf("reading %s has no alternative or no description", reading.Name)
		}
	}
}

// No test proves what it does only because of a decision: it runs under each reading, or doesn't
// depend on it.
func TestDoubts_noTestHangsOnOne(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("DOUBTS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` .* \\|([^|]*)\\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 150 {
		t.Fatalf("there are %d rows", len(rows))
	}
	for _, row := range rows {
		if strings.TrimSpace(row[2]) != "" {
			t.Errorf("%s: %s hangs on it; let it run under each alternative of a reading (acctest.EachReading)", row[1], row[2])
		}
	}
}

// The emulator asks for no reading or alternative that isn't there, and for each reading that is.
func TestReadings_arePlayed(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`\.(?:plays|doubtful)\("([a-z0-9-]+)",\s(?:"([a-z0-9-]+)"\))?`).FindAllStringSubmatch(string(source), -1) {
			asked[match[1]] = true
			if reading := readingNamed(match[1]); reading == nil || match[2] != "" && !slices.Contains(reading.Alternatives, match[2]) {
				t.Errorf("%s asks for %s=%s, which isn't in the table", file, match[1], match[2])
			}
		}
	}
	for _, reading := range readings {
		if !asked[reading.Name] {
			t.Errorf("reading %s changes nothing", reading.Name)
		}
	}
}

func TestReadings_controlPath(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Readings: map[string]string{"branch-origin": "always"}})
	if got := p.control("GET", "/readings", ""); !strings.Contains(got.text, `"played":"always"`) {
		t.Errorf("it plays %s", got.text)
	}
	if got := p.control("POST", "/readings", `{"readings":{"branch-origin":"asked"}}`); strings.Contains(got.text, `"played":"always"`) {
		t.Errorf("it plays %s", got.text)
	}
	for body, says := range map[string]string{
		`{"readings":{"branch-origin":"soon"}}`: "it must be one of late, asked, always",
		`{"readings":{"parents":"late"}}`:       "branch-origin=late|asked|always",
	} {
		if got := p.send("POST", "/_emulator/readings", body); got.status != 400 || !strings.Contains(got.text, says) {
			t.Errorf("%s: %d %s", body, got.status, got.text)
		}
	}
}

// An answer says where a branch begins in one of three ways.
func TestReadings_parentPosition(t *testing.T) {
	t.Parallel()
	for played, want := range map[string]struct{ atCreation, later, asked bool }{
		"late": {false, true, false}, "asked": {true, true, true}, "always": {true, true, false},
	} {
		p := start(t, Config{Readings: map[string]string{"branch-origin": played}})
		moment := p.ahead(-time.Minute)
		born := p.must("POST", "{p}/branches", `{"branch":{"parent_timestamp":"`+moment+`"}}`)
		read := p.must("GET", "{p}/branches/"+born.str("branch", "id"), "")
		for name, at := range map[string]struct {
			a    answer
			told bool
		}{"creation": {born, want.atCreation}, "GET": {read, want.later}} {
			told, _ := at.a.at("branch", "parent_timestamp").(string)
			if (told != "") != at.told || told != "" && (told == moment) != want.asked {
				t.Errorf("%s: the answer to the %s has parent_timestamp %q, %s was asked for", played, name, told, moment)
			}
			if at.a.str("branch", "parent_lsn") == "" {
				t.Errorf("%s: the answer to the %s has no parent_lsn", played, name)
			}
		}
	}
}

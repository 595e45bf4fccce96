package recording

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestLooks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]span{
		"plain":                          {{"plain", nil}},
		"":                               nil,
		"\x1b[1mbold\x1b[0m not":         {{"bold", []string{"b"}}, {" not", nil}},
		"\x1b[1;36mboth\x1b[22mless":     {{"both", []string{"b", "cyan"}}, {"less", []string{"cyan"}}},
		"\x1b[31mred\x1b[32mgreen\x1b[m": {{"red", []string{"red"}}, {"green", []string{"green"}}},
		"\x1b[4;33mline\x1b[39mon":       {{"line", []string{"u", "yellow"}}, {"on", []string{"u"}}},
		"\x1b[7mnot known":               {{"not known", nil}},
	} {
		got, _ := parse(text, nil)
		if len(got) != len(want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
			continue
		}
		for i := range got {
			if got[i].text != want[i].text || fmt.Sprint(got[i].classes) != fmt.Sprint(want[i].classes) {
				t.Errorf("%q: got %v, want %v", text, got, want)
			}
		}
	}
}

func TestLinesAreBrokenAtTheEdge(t *testing.T) {
	t.Parallel()
	spans := []span{{"abc", nil}, {"défgh", []string{"b"}}}
	want := [][]span{{{"abc", nil}, {"d", []string{"b"}}}, {{"éfgh", []string{"b"}}}}
	if got := wrap(spans, 4); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// record writes lines, each so long after the one before.
func record(t *testing.T, lines ...string) *Recording {
	t.Helper()
	r := New(regexp.MustCompile(`^# `))
	now := time.Unix(0, 0)
	r.now = func() time.Time { return now }
	for _, line := range lines {
		wait, text, _ := strings.Cut(line, " ")
		pause, err := time.ParseDuration(wait)
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(pause)
		if _, err := io.WriteString(r, text+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestWaitsAreShortened(t *testing.T) {
	t.Parallel()
	got, duration := record(t, "0s first", "1ms at once", "200ms later", "9s much later", "0s # title", "0s after it").moments()
	const title = 860 + 60 + 1700
	for i, want := range []int64{0, 60, 260, 860, title, title + 60 + 900} {
		if got[i].Milliseconds() != want {
			t.Errorf("line %d appears at %s, want %d ms", i, got[i], want)
		}
	}
	if duration != got[5]+atTheEnd {
		t.Errorf("the whole takes %s", duration)
	}
}

// The picture is well-formed whatever is written, at rest shows the last lines, and moves for
// those who like that.
func TestPicture(t *testing.T) {
	t.Parallel()
	lines := []string{"0s a < b && \"c\" > 'd'", "0s \x1b[31mred\x1b[0m"}
	for range rows + 5 {
		lines = append(lines, "100ms more")
	}
	var picture strings.Builder
	if err := record(t, lines...).WriteSVG(&picture, "a name & more", "what it shows"); err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(strings.NewReader(picture.String()))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, &picture)
		}
	}
	atRest, moving, _ := strings.Cut(picture.String(), "@media (prefers-reduced-motion:no-preference)")
	if want := fmt.Sprintf(".screen{transform:translateY(%dpx)}", -7*lineHeight); !strings.Contains(atRest, want) || strings.Contains(atRest, "animation") {
		t.Errorf("at rest there should be %s, and no movement: %s", want, atRest)
	}
	for _, want := range []string{
		"animation:screen", "animation:unwritten", `<tspan class="red">red</tspan>`, "a &lt; b &amp;&amp;", "a name &amp; more",
	} {
		if !strings.Contains(moving+atRest, want) {
			t.Errorf("no %s in\n%s", want, &picture)
		}
	}
}

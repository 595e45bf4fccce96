package questions_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/questions"
)

// Each doubt with a reading has a question, or says why not.
func TestQuestions_areThoseOfDoubts(t *testing.T) {
	t.Parallel()
	asked := map[*doubts.Doubt]bool{}
	for _, q := range questions.All() {
		if asked[q.Doubt] {
			t.Errorf("there are two questions about %s", q.Doubt.Key)
		}
		asked[q.Doubt] = true
	}
	for _, d := range doubts.WithReadings() {
		if asked[d] == (d.Unasked != "") {
			t.Errorf("%s: asked is %t, and the reason why it isn't asked is %q", d.Key, asked[d], d.Unasked)
		}
	}
}

// Where the emulator plays another alternative of a reading, its row differs, and no other.
func TestQuestions_noticeReadings(t *testing.T) {
	t.Parallel()
	for _, d := range doubts.WithReadings() {
		for _, alternative := range d.Alternatives[1:] {
			t.Run(d.Key+"="+alternative, func(t *testing.T) {
				t.Parallel()
				differ, _ := ask(t, map[string]string{d.Key: alternative}, questions.All())
				if differ[d.Key].Doubt == nil && d.Unasked == "" {
					t.Errorf("%s is as decided", d.Key)
				}
				delete(differ, d.Key)
				for _, r := range differ {
					t.Error(r.Line())
				}
			})
		}
	}
}

// altered changes one thing in the answers of an emulated Neon, the one with this number, and all
// values of the same name that follow.
type altered struct {
	http.RoundTripper

	number, met int
	// name is that of the value that was changed; ids are those that answers had.
	name string
	ids  []any
}

// reached counts what could be changed.
func (a *altered) reached() bool {
	a.met++
	return a.met == a.number
}

func (a *altered) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := a.RoundTripper.RoundTrip(r)
	if err != nil || strings.Contains(r.URL.Path, "/operations/") {
		return response, err
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	var body any
	if json.Unmarshal(text, &body) == nil {
		body = a.change("", body)
		text, _ = json.Marshal(body)
	}
	response.Body = io.NopCloser(strings.NewReader(string(text)))
	if a.reached() {
		response.StatusCode = map[bool]int{true: http.StatusConflict, false: http.StatusOK}[response.StatusCode < 300]
	}
	return response, nil
}

func (a *altered) change(of string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			value[name] = a.change(name, value[name])
		}
		if a.reached() {
			value["parent_lsn"] = "0/1"
		}
		return value
	case []any:
		for i := range value {
			value[i] = a.change(of, value[i])
		}
		if a.reached() {
			for _, id := range append(a.ids, "another") {
				value = append(value, map[string]any{"id": id, "action": "another", "status": "finished",
					"library_name": "another"})
			}
		}
		return value
	}
	if of == "id" {
		a.ids = append(a.ids, value)
	}
	if a.reached() {
		a.name = of
	}
	if a.name == "" || a.name != of {
		return value
	}
	switch value := value.(type) {
	case bool:
		return !value
	case string:
		return "altered"
	default:
		return nil
	}
}

// There is something in Neon's answers by which each question notices that it isn't as decided.
func TestQuestions_notice(t *testing.T) {
	t.Parallel()
	for _, q := range questions.All() {
		t.Run(q.Doubt.Key, func(t *testing.T) {
			t.Parallel()
			config := surroundings[slices.IndexFunc(surroundings, func(config emulator.Config) bool {
				return len(q.Plans) == 0 || slices.Contains(q.Plans, config.Plan)
			})]
			play := func(number int) (verdict questions.Verdict, met int) {
				neon, _ := start(t, config)
				changing := &altered{RoundTripper: neon.HTTP.Transport, number: number}
				neon.HTTP = &http.Client{Transport: changing}
				_, _ = questions.Run(t.Context(), neon, []questions.Question{q},
					func(r questions.Result) { verdict, met = r.Verdict, changing.met })
				return verdict, met
			}
			_, all := play(1 << 30)
			for number := all; number > 0; number-- {
				if verdict, _ := play(number); verdict == questions.Differs {
					return
				}
			}
			t.Error("it notices nothing")
		})
	}
}

package kit_test

import (
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

func TestSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                           ".",
		"not found":                  "Not found.",
		"timeout.":                   "Timeout.",
		"endpoint a: gone":           "Endpoint a: gone.",
		"seeds/trial.sql, line 2: a": "seeds/trial.sql, line 2: a.",
		"trial.sql, line 2: a":       "trial.sql, line 2: a.",
		`seeds\trial.sql isn't text`: `seeds\trial.sql isn't text.`,
		"api_key is empty":           "api_key is empty.",
		"run this:\n  curl\n":        "Run this:\n  curl",
	} {
		if got := kit.Sentence(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

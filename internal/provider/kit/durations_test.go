package kit_test

import (
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

func TestParseDuration(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"30d": 30 * day, "1d": day, "0d": 0, "65535d": 65535 * day, "36h": 36 * time.Hour, "1h30m": 90 * time.Minute,
		"-1h": -time.Hour,
	} {
		if got, err := kit.ParseDuration(text); got != want || err != nil {
			t.Errorf("%q is %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "30", "30 d", "-1d", "+1d", "1.5d", "1d12h", "65536d", "three days", "30D"} {
		if got, err := kit.ParseDuration(text); err == nil {
			t.Errorf("%q is %s, want an error", text, got)
		}
	}
}

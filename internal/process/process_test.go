package process

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestMain_exitCodes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		work func(context.Context) error
		code int
		says string
	}{
		"done":   {func(context.Context) error { return nil }, 0, ""},
		"failed": {func(context.Context) error { return errors.New("no luck") }, 1, "It failed: no luck"},
		"late":   {func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }, 1, "It failed: not done after 50ms"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said strings.Builder
			if code := Main(50*time.Millisecond, &said, "It failed", test.work); code != test.code ||
				strings.TrimSpace(said.String()) != test.says {
				t.Errorf("code %d, %q", code, &said)
			}
		})
	}
}

package page

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// An open page of a world that takes long to collect leaves the emulator most of its time.
func TestStream_leavesTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const takes, opened = 200 * time.Millisecond, time.Minute
		var collecting time.Duration
		view := func(*http.Request) View {
			time.Sleep(takes)
			collecting += takes
			return View{}
		}
		ctx, cancel := context.WithTimeout(t.Context(), opened)
		defer cancel()
		request := httptest.NewRequestWithContext(ctx, http.MethodGet, "/_emulator/page", nil)
		Handlers(view, nil)["GET /_emulator/page"](httptest.NewRecorder(), request)
		if collecting == 0 || collecting > opened/8 {
			t.Errorf("of %s, %s went into one open page", opened, collecting)
		}
	})
}

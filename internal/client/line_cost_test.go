package client

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// standInLine lets so many writes enter the line of a project, and leave it in their turn.
func standInLine(writes int) {
	line := projectWrites{lines: map[string][]chan struct{}{}}
	turns := make([]chan struct{}, writes)
	for i := range turns {
		_ = line.hasLine("p")
		turns[i], _ = line.enter("p")
	}
	for _, turn := range turns {
		<-turn
		line.leave("p", turn)
	}
}

// The bookkeeping of a line of 500 writes takes less than 1 % of the time in which the client
// sends them, even to a platform on the same machine that answers at once.
func TestALineOfFiveHundredCostsLittle(t *testing.T) {
	const writes, passes = 500, 20
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"branch":{"id":"br-1","name":"b"},"operations":[]}`)
	}))
	defer platform.Close()
	var line, sent []time.Duration
	for range passes {
		api := newClient(t, nil, func(config *Config) { config.BaseURL = platform.URL })
		began := time.Now()
		for range routePerSecond { // More would have to wait for the limit.
			if _, err := api.CreateBranch(t.Context(), "p", BranchCreate{Name: "b"}); err != nil {
				t.Fatal(err)
			}
		}
		sent = append(sent, time.Since(began)*writes/routePerSecond)
		began = time.Now()
		standInLine(writes)
		line = append(line, time.Since(began))
	}
	own, whole := slices.Min(line), slices.Min(sent)
	t.Logf("the line took %s, sending the writes %s", own, whole)
	if own > whole/100 {
		t.Errorf("the line takes %.1f %% of the time", 100*own.Seconds()/whole.Seconds())
	}
}

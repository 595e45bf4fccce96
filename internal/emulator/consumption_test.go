package emulator

import (
	"testing"
	"time"
)

// What is asked for of the future has no answer, and takes no time: everybody else waits meanwhile.
func TestConsumption_future(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	ask := func(to string) string {
		return p.must("GET", "/consumption_history/v2/projects?granularity=hourly&metrics=compute_unit_seconds&org_id="+p.org+
			"&from="+p.ahead(-24*time.Hour)+"&to="+to, "").text
	}
	present, began := ask(p.ahead(2*time.Hour)), time.Now()
	if future := ask("9999-12-31T00:00:00Z"); future != present || future == ask(p.ahead(-time.Hour)) {
		t.Errorf("%s, and up to now %s", future, present)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("it took %s", took)
	}
}

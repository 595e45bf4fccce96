package emulator

import (
	"strings"
	"testing"
	"time"
)

// A branch, a restore and a snapshot begin at a moment that the project's history has.
func TestMoments_history(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	main := p.e.FirstWorld().BranchID
	p.clock.advance(48 * time.Hour)
	path := "{p}/branches/" + main
	for _, at := range []struct{ moment, says string }{
		{p.ahead(-23 * time.Hour), ""},
		{p.ahead(-25 * time.Hour), "is older than the project's history of 86400 seconds"},
	} {
		for what, answer := range map[string]answer{
			"parent_timestamp": p.api("POST", "{p}/branches", `{"branch":{"parent_timestamp":"`+at.moment+`"}}`),
			"source_timestamp": p.api("POST", path+"/restore", `{"source_branch_id":"`+main+
				`","preserve_under_name":"kept","source_timestamp":"`+at.moment+`"}`),
			"timestamp": p.api("POST", path+"/snapshot?timestamp="+at.moment, ""),
		} {
			if at.says != "" {
				answer.refused(400, what+" "+at.says)
			} else if strings.Contains(answer.text, "timestamp") && answer.status == 400 {
				t.Errorf("%s is refused: %s", what, answer.text)
			}
		}
	}
}

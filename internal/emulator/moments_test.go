package emulator

import (
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
	for _, at := range []struct {
		ago  time.Duration
		says string
	}{
		{23 * time.Hour, ""}, {25 * time.Hour, "is older than the project's history of 86400 seconds"},
		{-time.Hour, "cannot be in the future"},
	} {
		moment, position := p.ahead(-at.ago), fakeLSN(p.clock.Now().Add(-at.ago))
		restore := `{"source_branch_id":"` + main + `","preserve_under_name":"kept",`
		for what, answer := range map[string]answer{
			"parent_timestamp": p.api("POST", "{p}/branches", `{"branch":{"parent_timestamp":"`+moment+`"}}`),
			"parent_lsn":       p.api("POST", "{p}/branches", `{"branch":{"parent_lsn":"`+position+`"}}`),
			"source_timestamp": p.api("POST", path+"/restore", restore+`"source_timestamp":"`+moment+`"}`),
			"source_lsn":       p.api("POST", path+"/restore", restore+`"source_lsn":"`+position+`"}`),
			"timestamp":        p.api("POST", path+"/snapshot?timestamp="+moment, ""),
			"lsn":              p.api("POST", path+"/snapshot?lsn="+position, ""),
			"base_lsn":         p.api("GET", path+"/compare_schema?db_name=neondb&base_lsn="+position, ""),
		} {
			if at.says != "" {
				answer.refused(400, what+" "+at.says)
			} else if answer.status == 400 {
				t.Errorf("%s is refused: %s", what, answer.text)
			}
		}
	}
}

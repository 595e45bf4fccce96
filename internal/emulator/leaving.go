package emulator

import (
	"maps"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

// leaves remembers what is deleted for as long as the work on that takes, where reads of it are
// answered until then.
func (e *Emulator) leaves(c *call, id string, answer map[string]any, until time.Time) {
	if e.plays(doubts.ReadsDuringDeletion, "gone") {
		return
	}
	if c.project.leavers == nil {
		c.project.leavers = map[string]leaver{}
	}
	maps.DeleteFunc(c.project.leavers, func(_ string, left leaver) bool { return !c.now.Before(left.until) })
	c.project.leavers[id] = leaver{answer, until}
}

// leaving answers a read of what isn't there any more: with a refusal, or with what it was while its
// deletion runs.
func (c *call) leaving(id string, refusal error) (reply, error) {
	if left, known := c.project.leavers[id]; known && c.now.Before(left.until) {
		return ok(left.answer)
	}
	return reply{}, refusal
}

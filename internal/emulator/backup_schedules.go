package emulator

import (
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var scheduleRoutes = []route{
	{"GET " + branchPath + "/backup_schedule", forProject, tells("schedule",
		func(_ *Emulator, c *call) []scheduleEntry { return append([]scheduleEntry{}, c.branch.Schedule...) })},
	{"PUT " + branchPath + "/backup_schedule", forProject, withBody((*Emulator).setSchedule)},
}

// longestRetention is how long a scheduled snapshot is kept at most, and by default: 35 days.
const longestRetention = 3_024_000

// setSchedule turns it off by an empty list.
func (e *Emulator) setSchedule(c *call, body struct {
	Schedule []scheduleEntry `json:"schedule" fits:"required"`
}) (reply, error) {
	b := c.branch
	if len(body.Schedule) > 0 { // Nothing forbids to turn it off.
		if err := e.checkRoot(b, "backup schedules are for root branches"); err != nil {
			return reply{}, err
		}
		if e.planOfProject(c.project).name == PlanFree {
			return reply{}, wire.Unprocessable("backup-schedule creation is not enabled for this project")
		}
	}
	for i := range body.Schedule {
		if body.Schedule[i].Retention == nil {
			body.Schedule[i].Retention = new(int64(longestRetention))
		}
	}
	b.Schedule = slices.Clone(body.Schedule)
	return ok(map[string]any{})
}

var shownSchedules = shown{
	list: "backup_schedules", heading: "Backups",
	ofBranch: func(b *branch) []object {
		if len(b.Schedule) == 0 {
			return nil
		}
		return []object{{"schedule": b.Schedule}}
	},
	items: func(_ *project, b *branch, _ time.Time) []page.Item {
		return viewsOf(b.Schedule, func(s scheduleEntry) page.Item { return page.Item{Name: s.Frequency} })
	},
}

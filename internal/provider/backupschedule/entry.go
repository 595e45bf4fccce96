package backupschedule

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// entry is one of the times of a schedule.
type entry struct {
	Frequency        types.String `tfsdk:"frequency"`
	Hour             types.Int64  `tfsdk:"hour"`
	Day              types.Int64  `tfsdk:"day"`
	Month            types.Int64  `tfsdk:"month"`
	RetentionSeconds types.Int64  `tfsdk:"retention_seconds"`
}

func (e entry) request() client.BackupEntry {
	return client.BackupEntry{
		Frequency: e.Frequency.ValueString(), Hour: e.Hour.ValueInt64Pointer(), Day: e.Day.ValueInt64Pointer(),
		Month: e.Month.ValueInt64Pointer(), RetentionSeconds: e.RetentionSeconds.ValueInt64Pointer(),
	}
}

func entries(schedule []entry) []client.BackupEntry {
	requested := make([]client.BackupEntry, len(schedule))
	for i, e := range schedule {
		requested[i] = e.request()
	}
	return requested
}

// newEntry returns an entry of Neon's schedule. Neon's default retention becomes null.
func newEntry(actual client.BackupEntry) entry {
	read := entry{
		Frequency: types.StringValue(actual.Frequency), Hour: types.Int64PointerValue(actual.Hour),
		Day:   types.Int64PointerValue(actual.Day),
		Month: types.Int64PointerValue(actual.Month), RetentionSeconds: types.Int64PointerValue(actual.RetentionSeconds),
	}
	if read.RetentionSeconds.ValueInt64() == client.DefaultRetentionSeconds {
		read.RetentionSeconds = types.Int64Null()
	}
	return read
}

// refreshed returns Neon's schedule, matched with the state's. An entry of the state stays as it is if it allows one of
// Neon's entries: Neon fills in what the configuration leaves out. The matching gives each state entry a different one
// of Neon's. Duplicates are dropped, since the schedule is a set.
func refreshed(state []entry, actual []client.BackupEntry) []entry {
	rank := func(other client.BackupEntry) int { return slices.Index(state, newEntry(other)) }
	actual = slices.SortedStableFunc(slices.Values(actual), func(a, b client.BackupEntry) int { return rank(b) - rank(a) })
	schedule, found := make([]entry, len(actual)), make([]bool, len(actual))
	var place func(known entry, tried []bool) bool
	place = func(known entry, tried []bool) bool {
		for i, other := range actual {
			if tried[i] || !known.request().Allows(other) {
				continue
			}
			if tried[i] = true; !found[i] || place(schedule[i], tried) {
				schedule[i], found[i] = known, true
				return true
			}
		}
		return false
	}
	for _, known := range state {
		place(known, make([]bool, len(actual)))
	}
	var once []entry
	for i, other := range actual {
		if !found[i] {
			schedule[i] = newEntry(other)
		}
		if !slices.Contains(once, schedule[i]) {
			once = append(once, schedule[i])
		}
	}
	return once
}

// sameSchedule plans no change if configuration and state differ only in how they name Neon's default retention: by its
// number, or as null.
type sameSchedule struct{ kit.Unsaid }

// PlanModifySet keeps the state's schedule if the configured one means the same.
func (sameSchedule) PlanModifySet(ctx context.Context, req planmodifier.SetRequest, resp *planmodifier.SetResponse) {
	var configured, present []entry
	if req.ConfigValue.ElementsAs(ctx, &configured, false).HasError() ||
		req.StateValue.ElementsAs(ctx, &present, false).HasError() {
		return // The configuration is partly unknown.
	}
	if !req.StateValue.IsNull() && slices.Equal(meanings(configured), meanings(present)) {
		resp.PlanValue = req.StateValue
	}
}

// meanings returns sorted texts that are equal for schedules with the same meaning.
func meanings(schedule []entry) []string {
	texts := []string{}
	for _, e := range schedule {
		if e.RetentionSeconds.IsNull() {
			e.RetentionSeconds = types.Int64Value(client.DefaultRetentionSeconds)
		}
		texts = append(texts, fmt.Sprint(e))
	}
	slices.Sort(texts)
	return texts
}

// dayValidator refuses days above 7 in a weekly entry.
type dayValidator struct{ kit.Unsaid }

func (dayValidator) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	frequency, _ := req.ConfigValue.Attributes()["frequency"].(types.String)
	day, _ := req.ConfigValue.Attributes()["day"].(types.Int64)
	if frequency.ValueString() == "weekly" && day.ValueInt64() > 7 {
		resp.Diagnostics.AddAttributeError(req.Path, "No such day of the week", fmt.Sprintf("schedule.day is %d with "+
			"frequency = \"weekly\", but a week has the days 1 to 7.", day.ValueInt64()))
	}
}

// checkFrequency warns of frequencies that Neon's documentation doesn't have. Neon may add some, so none is refused.
func checkFrequency(at path.Path, frequency string, diags *diag.Diagnostics) {
	if !slices.Contains([]string{"daily", "weekly", "monthly"}, frequency) {
		diags.AddAttributeWarning(at, "Unknown frequency", "Neon's published frequencies are daily, weekly or monthly, so "+
			"it may refuse "+kit.Quoted(frequency)+".")
	}
}

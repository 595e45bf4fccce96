package snapshot

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	idText      = "Id of the snapshot."
	slugText    = "A second name of the snapshot, which never changes and is unique in the project."
	createdText = "When the snapshot was taken."
	manualText  = "Whether it was taken on request; `false` for one that a backup schedule took."
)

var slugPattern = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)

func resourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A snapshot of a root branch: a copy of its data at a point in time, which later changes of " +
			"the branch don't affect. `neon_branch_backup_schedule` takes snapshots regularly.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
			"branch_id": schema.StringAttribute{
				MarkdownDescription: "Id of the branch to take the snapshot of, which must be a root: a branch without a parent. " +
					"It stays what it was at creation. Changing it replaces the snapshot, [except after a " +
					"restore](../guides/restore-points.md#what-to-know).",
				Required:   true,
				Validators: kit.IDValidators(),
			},
			"name": kit.KeptString("Name of the snapshot, which needn't be unique. Defaults to one that Neon chooses; "+
				"removing it keeps the name.", kit.NotEmpty()...),
			"slug": schema.StringAttribute{
				MarkdownDescription: slugText + " Lower-case letters, digits and hyphens, at most 63; the first is a letter, and " +
					"the last no hyphen. Defaults to one that Neon chooses. Changing a configured value replaces the snapshot.",
				Optional: true,
				Computed: true,
				Validators: []validator.String{stringvalidator.RegexMatches(slugPattern, "must be lower-case letters, digits and "+
					"hyphens, at most 63, begin with a letter and end with a letter or digit")},
				PlanModifiers: origin()[1:],
			},
			"lsn": schema.StringAttribute{
				MarkdownDescription: "Position in the branch's write-ahead log (LSN) to take the snapshot at, such as " +
					"`0/1E88480`, within the project's history. Conflicts with `timestamp`. Defaults to the current data. It stays " +
					"what it was at creation. Changing a configured value replaces the snapshot.",
				Optional:      true,
				Computed:      true,
				Validators:    append(kit.LSNValidators(), stringvalidator.ConflictsWith(path.MatchRoot("timestamp"))),
				PlanModifiers: append(kit.SamePosition(), origin()[1:]...),
			},
			"timestamp": schema.StringAttribute{
				CustomType: timetypes.RFC3339Type{},
				MarkdownDescription: "Time to take the snapshot at, in RFC 3339, to the second, within the project's history. " +
					"Conflicts with `lsn`. Defaults to the current data. It stays what it was at creation. Changing a configured " +
					"value replaces the snapshot.",
				Optional:      true,
				Computed:      true,
				PlanModifiers: origin(),
			},
			"expires_at": schema.StringAttribute{
				CustomType: timetypes.RFC3339Type{},
				MarkdownDescription: "When Neon deletes the snapshot by itself, in RFC 3339, to the second. The next apply then " +
					"takes another. Without it the snapshot stays.",
				Optional:      true,
				PlanModifiers: []planmodifier.String{kit.SameInstant()},
			},
			"deletion_protection": kit.DeletionProtection("snapshot"),

			"id":         kit.ComputedString(idText),
			"manual":     kit.ComputedBool(manualText),
			"created_at": kit.ComputedTime(createdText),
			"timeouts":   kit.Timeouts(timeouts.Opts{Create: true, Update: true, Delete: true}),
		},
	}
}

type model struct {
	kit.InBranch

	ID                 types.String      `tfsdk:"id"`
	Name               types.String      `tfsdk:"name"`
	Slug               types.String      `tfsdk:"slug"`
	LSN                types.String      `tfsdk:"lsn"`
	Timestamp          timetypes.RFC3339 `tfsdk:"timestamp"`
	ExpiresAt          timetypes.RFC3339 `tfsdk:"expires_at"`
	Manual             types.Bool        `tfsdk:"manual"`
	CreatedAt          timetypes.RFC3339 `tfsdk:"created_at"`
	DeletionProtection types.Bool        `tfsdk:"deletion_protection"`
	Timeouts           timeouts.Value    `tfsdk:"timeouts"`
}

// created returns the plan with Neon's values for those that were unknown.
func (m model) created(ctx context.Context, snapshot *client.Snapshot) model {
	return kit.Resolved(ctx, m.withOrigin(snapshot), model{
		ID: types.StringValue(snapshot.ID), Name: types.StringValue(snapshot.Name),
		Slug: kit.OptionalString(snapshot.Slug), Manual: types.BoolValue(snapshot.Manual),
		CreatedAt: kit.OptionalTime(&snapshot.CreatedAt),
	})
}

// refreshed returns the state with Neon's present values. The snapshot's origin never changes, and is read only if the
// state lacks it, as after an import.
func (m model) refreshed(snapshot *client.Snapshot) model {
	if m.CreatedAt.IsNull() {
		m.LSN, m.Timestamp = types.StringUnknown(), timetypes.NewRFC3339Unknown()
		m = m.withOrigin(snapshot)
	}
	m.DeletionProtection = types.BoolValue(m.DeletionProtection.ValueBool()) // An import knows nothing of it.
	if m.BranchID.IsNull() {
		m.BranchID = kit.OptionalString(snapshot.SourceBranchID)
	}
	m.ID, m.Name = types.StringValue(snapshot.ID), types.StringValue(snapshot.Name)
	if snapshot.Slug != "" { // An answer without it takes nothing back.
		m.Slug = types.StringValue(snapshot.Slug)
	}
	if expiry := kit.OptionalTime(snapshot.ExpiresAt); !kit.AtSameInstant(m.ExpiresAt, expiry) {
		m.ExpiresAt = expiry
	}
	m.Manual, m.CreatedAt = types.BoolValue(snapshot.Manual), kit.OptionalTime(&snapshot.CreatedAt)
	return m
}

// withOrigin fills in an unknown moment and position. A configuration has one of them, so
// a snapshot of a moment has no position here.
func (m model) withOrigin(snapshot *client.Snapshot) model {
	lsn, moment := kit.OptionalString(snapshot.LSN), kit.OptionalTime(snapshot.Timestamp)
	if kit.IsSet(m.LSN) {
		moment = timetypes.NewRFC3339Null()
	}
	m.Timestamp = kit.Known(m.Timestamp, moment)
	if !m.Timestamp.IsNull() {
		lsn = types.StringNull()
	}
	m.LSN = kit.Known(m.LSN, lsn)
	return m
}

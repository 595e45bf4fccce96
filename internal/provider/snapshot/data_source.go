package snapshot

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_snapshot: one snapshot, by its id or its name.
func NewDataSource() datasource.DataSource {
	attributes := listedAttributes()
	attributes["project_id"] = kit.RequiredID(projectText)
	attributes["id"] = schema.StringAttribute{
		MarkdownDescription: "Id of the snapshot. Set either this or `name`.",
		Optional:            true,
		Computed:            true,
		Validators: append(kit.IDValidators(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"),
			path.MatchRoot("name"))),
	}
	attributes["name"] = schema.StringAttribute{
		MarkdownDescription: "Exact name of the snapshot. A name that several snapshots have is an error that lists their " +
			"ids. Set either this or `id`.",
		Optional:   true,
		Computed:   true,
		Validators: kit.NotEmpty(),
	}
	return kit.NewDataSource(kit.DataSource[dataModel]{
		Name:   "snapshot",
		Schema: schema.Schema{MarkdownDescription: "A snapshot, by its id or its exact name.", Attributes: attributes},
		Read:   readOne,
	})
}

// NewListDataSource returns neon_snapshots: the snapshots of a project.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Snapshot, listedSnapshot]{
		Name: "snapshots", Called: "snapshots", Attribute: "snapshots", Objects: "The snapshots.", Model: newListedSnapshot,
		Text:   "The snapshots of a project, those that backup schedules took included, in Neon's order.",
		Schema: listedAttributes(),
	}, map[string]schema.Attribute{
		"project_id": kit.RequiredID(projectText),
		"branch_id": kit.OptionalID("Id of a branch, to list only its snapshots. By default those of all branches " +
			"are listed."),
	}, func(
		ctx context.Context, platform *kit.Platform, in *kit.InBranch, _ *diag.Diagnostics,
	) iter.Seq2[client.Snapshot, error] {
		branch := in.Branch()
		return kit.Only(platform.Client.ListSnapshots(ctx, branch.ProjectID), func(snapshot client.Snapshot) bool {
			return branch.ID == "" || snapshot.SourceBranchID == branch.ID
		})
	})
}

func listedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":         kit.ReturnedString(idText),
		"name":       kit.ReturnedString("Name of the snapshot."),
		"slug":       kit.ReturnedString(slugText + " Null if Neon returns none."),
		"branch_id":  kit.ReturnedString("Id of the branch that it was taken of; null if Neon returns none."),
		"lsn":        kit.ReturnedString("Position in the branch's log that it was taken at; null if Neon returns none."),
		"timestamp":  kit.ReturnedTime("Moment that it was taken at; null if Neon returns none."),
		"expires_at": kit.ReturnedTime("When Neon deletes it by itself; null if it doesn't."),
		"manual":     kit.ReturnedBool(manualText),
		"created_at": kit.ReturnedTime(createdText),
		"full_size":  kit.ReturnedInt("Size in bytes; null until Neon has calculated it."),
		"diff_size": kit.ReturnedInt("Size in bytes of what differs from the scheduled snapshot before it; null until " +
			"Neon has calculated it, or where it bills the full size."),
	}
}

type dataModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	listedSnapshot
}

type listedSnapshot struct {
	ID        types.String      `tfsdk:"id"`
	Name      types.String      `tfsdk:"name"`
	Slug      types.String      `tfsdk:"slug"`
	BranchID  types.String      `tfsdk:"branch_id"`
	LSN       types.String      `tfsdk:"lsn"`
	Timestamp timetypes.RFC3339 `tfsdk:"timestamp"`
	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
	Manual    types.Bool        `tfsdk:"manual"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
	FullSize  types.Int64       `tfsdk:"full_size"`
	DiffSize  types.Int64       `tfsdk:"diff_size"`
}

func newListedSnapshot(snapshot client.Snapshot) listedSnapshot {
	return listedSnapshot{
		ID:        types.StringValue(snapshot.ID),
		Name:      types.StringValue(snapshot.Name),
		Slug:      kit.OptionalString(snapshot.Slug),
		BranchID:  kit.OptionalString(snapshot.SourceBranchID),
		LSN:       kit.OptionalString(snapshot.LSN),
		Timestamp: kit.OptionalTime(snapshot.Timestamp),
		ExpiresAt: kit.OptionalTime(snapshot.ExpiresAt),
		Manual:    types.BoolValue(snapshot.Manual),
		CreatedAt: kit.OptionalTime(&snapshot.CreatedAt),
		FullSize:  types.Int64PointerValue(snapshot.FullSize),
		DiffSize:  types.Int64PointerValue(snapshot.DiffSize),
	}
}

func readOne(ctx context.Context, platform *kit.Platform, m *dataModel, diags *diag.Diagnostics) {
	snapshots, err := client.All(platform.Client.ListSnapshots(ctx, m.ProjectID.ValueString()))
	if err != nil {
		kit.AddError(diags, "Unable to read snapshot", err)
		return
	}
	attribute, wanted := "id", m.ID.ValueString()
	if m.ID.IsNull() {
		attribute, wanted = "name", m.Name.ValueString()
	}
	found := slices.DeleteFunc(snapshots, func(snapshot client.Snapshot) bool {
		return attribute == "id" && snapshot.ID != wanted || attribute == "name" && snapshot.Name != wanted
	})
	switch len(found) {
	case 0:
		diags.AddAttributeError(path.Root(attribute), "No such snapshot", fmt.Sprintf(
			"Project %s has no snapshot whose %s is %s.", m.ProjectID.ValueString(), attribute, kit.Quoted(wanted)))
	case 1:
		m.listedSnapshot = newListedSnapshot(found[0])
	default:
		ids := make([]string, len(found))
		for i, snapshot := range found {
			ids[i] = snapshot.ID
		}
		diags.AddAttributeError(path.Root(attribute), "Several snapshots of that name", fmt.Sprintf(
			"Project %s has several snapshots named %s: %s. Set id to one of these instead.", m.ProjectID.ValueString(),
			kit.Quoted(wanted), strings.Join(ids, ", ")))
	}
}

package snapshot

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_snapshot: one snapshot, by its id or its name.
func NewDataSource() datasource.DataSource {
	return kit.NewObjectSource(kit.ObjectSource[given, client.Snapshot]{
		Name: "snapshot", Text: "A snapshot, by its id or its exact name.", Returns: returned, Read: readOne,
		Given: kit.IDOrName("snapshot", " A name that several snapshots have is an error that lists their ids.",
			map[string]schema.Attribute{"project_id": kit.RequiredID(kit.ProjectText)}),
	})
}

// NewListDataSource returns neon_snapshots: the snapshots of a project.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Snapshot]{
		Name: "snapshots", Returns: returned,
		Text: "The snapshots of a project, those that backup schedules took included, in Neon's order.",
	}, map[string]schema.Attribute{
		"project_id": kit.RequiredID(kit.ProjectText),
		"branch_id": kit.OptionalID("Id of a branch, to list only its snapshots. By default those of all branches " +
			"are listed."),
	}, func(ctx context.Context, run kit.Run, in *kit.InBranch) iter.Seq2[client.Snapshot, error] {
		branch := in.Branch()
		all := run.API.ListSnapshots(ctx, branch.ProjectID)
		if branch.ID == "" {
			return all
		}
		return ofBranch(ctx, run.Platform, branch, all)
	})
}

// ofBranch are the snapshots of a branch, which may be deleted meanwhile. Without any, the branch must be there.
func ofBranch(
	ctx context.Context, platform *kit.Platform, branch client.BranchRef, all iter.Seq2[client.Snapshot, error],
) iter.Seq2[client.Snapshot, error] {
	return func(yield func(client.Snapshot, error) bool) {
		isAny := false
		for snapshot, err := range all {
			if err == nil && snapshot.SourceBranchID != branch.ID {
				continue
			}
			if isAny = true; !yield(snapshot, err) {
				return
			}
		}
		if isAny {
			return
		}
		if _, err := platform.LookUpBranch(ctx, branch); err != nil {
			yield(client.Snapshot{}, err)
		}
	}
}

func returned(snapshot client.Snapshot) kit.Returned {
	return kit.Returned{
		"id":   kit.Returns(idText, types.StringValue(snapshot.ID)),
		"name": kit.Returns("Name of the snapshot.", types.StringValue(snapshot.Name)),
		"slug": kit.Returns(slugText+" Null if Neon returns none.", kit.OptionalString(snapshot.Slug)),
		"branch_id": kit.Returns("Id of the branch that it was taken of; null if Neon returns none.",
			kit.OptionalString(snapshot.SourceBranchID)),
		"lsn": kit.Returns("Position in the branch's log that it was taken at; null if Neon returns none.",
			kit.OptionalString(snapshot.LSN)),
		"timestamp": kit.Returns("Moment that it was taken at; null if Neon returns none.",
			kit.OptionalTime(snapshot.Timestamp)),
		"expires_at": kit.Returns("When Neon deletes it by itself; null if it doesn't.",
			kit.OptionalTime(snapshot.ExpiresAt)),
		"manual":     kit.Returns(manualText, types.BoolValue(snapshot.Manual)),
		"created_at": kit.Returns(createdText, kit.OptionalTime(&snapshot.CreatedAt)),
		"full_size": kit.Returns("Size in bytes; null until Neon has calculated it.",
			types.Int64PointerValue(snapshot.FullSize)),
		"diff_size": kit.Returns("Size in bytes of what differs from the scheduled snapshot before it; null until Neon "+
			"has calculated it, or where it bills the full size.", types.Int64PointerValue(snapshot.DiffSize)),
	}
}

type given struct {
	ProjectID types.String `tfsdk:"project_id"`
	ID        types.String `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
}

func readOne(ctx context.Context, run kit.Run, m *given) *client.Snapshot {
	snapshots, err := client.All(run.API.ListSnapshots(ctx, m.ProjectID.ValueString()))
	if err != nil {
		kit.AddListError(run.Diags, "Unable to read snapshot", err)
		return nil
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
		run.Diags.AddAttributeError(path.Root(attribute), "No such snapshot", fmt.Sprintf(
			"Project %s has no snapshot whose %s is %s.", m.ProjectID.ValueString(), attribute, kit.Quoted(wanted)))
	case 1:
		return &found[0]
	default:
		ids := kit.TextsOf(found, func(snapshot client.Snapshot) string { return snapshot.ID })
		run.Diags.AddAttributeError(path.Root(attribute), "Several snapshots of that name", fmt.Sprintf(
			"Project %s has several snapshots named %s: %s. Set id to one of these instead.", m.ProjectID.ValueString(),
			kit.Quoted(wanted), strings.Join(ids, ", ")))
	}
	return nil
}

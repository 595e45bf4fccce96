package snapshot

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

// NewCreateAction returns the action neon_create_snapshot.
func NewCreateAction() action.Action {
	return kit.NewAction(kit.Action[createModel]{
		Name: "create_snapshot",
		Description: "Takes a snapshot of a root branch, for instance before a risky change. Each invocation creates " +
			"another one, which Terraform doesn't manage: set `expires_at`, or delete it yourself.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"branch_id":  kit.RequiredID("Id of the branch, which must be a root: a branch without a parent."),
			"name":       kit.OptionalText("Name of the snapshot, which needn't be unique. Defaults to one that Neon chooses."),
			"expires_at": kit.ActionTime("When Neon deletes the snapshot by itself, in RFC 3339, to the second. Without it " +
				"the snapshot stays."),
		},
		Plan:   checkCreate,
		Invoke: invokeCreate,
		Doubt:  "Look in the web console, or with the data source neon_snapshots, whether the snapshot was taken.",
	})
}

type createModel struct {
	kit.InBranch
	kit.Invocation

	Name      types.String      `tfsdk:"name"`
	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
}

// checkCreate refuses a snapshot that expires in the past, or of a branch that isn't a root.
func checkCreate(ctx context.Context, run kit.Run, config createModel) {
	run.CheckFuture(ctx, config.ExpiresAt, run.Diags)
	if _, branch := run.CheckBranch(ctx, config.InBranch, run.Diags); branch != nil {
		rootbranch.Check(branch, "snapshot", run.Diags)
	}
}

func invokeCreate(ctx context.Context, api *client.Client, config createModel) (string, error) {
	branch := config.Branch()
	created, err := api.CreateSnapshot(ctx, branch, client.SnapshotCreate{
		Name: config.Name.ValueString(), ExpiresAt: kit.Instant(config.ExpiresAt),
	})
	if err != nil {
		return "", adviseRefused(ctx, api, branch, err)
	}
	id, name := created.Object.ID, kit.Quoted(created.Object.Name)
	if err := api.WaitForOperations(ctx, branch.ProjectID, created.Operations); err != nil {
		return "", fmt.Errorf("%w; the snapshot is %s, named %s", err, id, name)
	}
	return fmt.Sprintf("Snapshot %s was taken, named %s. This doesn't show up in the next plan; Terraform manages it "+
		"once it is imported.", id, name), nil
}

// Package backupschedule is a backup schedule: when Neon takes snapshots of a root branch by
// itself, and how long it keeps them.
package backupschedule

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/rootbranch"
)

const (
	branchText       = "Id of the branch that snapshots are taken of, which must be a root: a branch without a parent."
	shortestKeepTime = 3600
)

var key = kit.KeyInBranch("A backup schedule", "")

// NewResource returns the managed resource neon_branch_backup_schedule.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:     "branch_backup_schedule",
		First:    "branch_id id project_id schedule",
		ListedBy: "branches",
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "The schedule by which Neon takes snapshots of a root branch. A branch has one schedule, " +
				"which is managed as a whole. " +
				"Destroying it leaves the snapshots that were taken. Needs a paid plan.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
				"branch_id":  kit.FollowedBranch(branchText),
				"schedule": schema.SetNestedAttribute{
					MarkdownDescription: "The times at which snapshots are taken, at least one.",
					Required:            true,
					Validators:          []validator.Set{setvalidator.SizeAtLeast(1), kit.NoNulls{}},
					PlanModifiers:       []planmodifier.Set{sameSchedule{}},
					NestedObject: schema.NestedAttributeObject{Attributes: entryAttributes(),
						Validators: []validator.Object{dayValidator{}}},
				},
				"id": kit.ComputedString("`project_id/branch_id`."),
			},
		},
		MovedFrom: map[string]string{"kislerdm/neon": "neon_branch_backup_schedule",
			"neondatabase/neon": "neon_branch_backup_schedule", "kenchan0130/neon": "neon_snapshot_schedule"},
		FindAgain:   kit.SameInBranch(read),
		GoesAlong:   true,
		Plan:        plan,
		IsExclusive: true,
		IsReadAlone: true,
		Create:      create,
		Read:        read,
		Update:      update,
		Delete:      remove,
	})
}

func entryAttributes() map[string]schema.Attribute {
	number := func(text string, check validator.Int64) schema.Attribute {
		return schema.Int64Attribute{
			MarkdownDescription: text + " Without it Neon chooses a value, which then stays.",
			Optional:            true,
			Validators:          []validator.Int64{check},
		}
	}
	return map[string]schema.Attribute{
		"frequency": schema.StringAttribute{
			MarkdownDescription: "How often: `daily`, `weekly` or `monthly`. Any other value is sent with a warning.",
			Required:            true,
			Validators:          []validator.String{kit.TextRule(checkFrequency)},
		},
		"hour":  number("Hour of the day, 0 to 23.", int64validator.Between(0, 23)),
		"day":   number("Day of the week, 1 to 7, or of the month, 1 to 31.", int64validator.Between(1, 31)),
		"month": number("Month of the year, 1 to 12.", int64validator.Between(1, 12)),
		"retention_seconds": number("How long each snapshot is kept, in seconds, 3600 or more. Neon's default and maximum "+
			"is 3024000, which is 35 days. Neon keeps the newest snapshot for as long as there is a schedule.",
			int64validator.Between(shortestKeepTime, client.DefaultRetentionSeconds)),
	}
}

type model struct {
	kit.InBranch

	ID       types.String `tfsdk:"id"`
	Schedule []entry      `tfsdk:"schedule"`
}

// plan checks that a new schedule's branch can have one.
func plan(ctx context.Context, p kit.Planning) {
	if !p.Diags.HasError() {
		rootbranch.CheckPlanned(ctx, p, "branch backup schedule")
	}
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	branch := plan.Branch()
	_, err := run.API.GetBackupSchedule(ctx, branch)
	if err == nil {
		return client.ErrTaken
	}
	if !client.IsAbsent(err) {
		return err
	}
	plan.ID = types.StringValue(branch.ProjectID + "/" + branch.ID)
	return set(ctx, run.API, plan, save)
}

func set(ctx context.Context, api *client.Client, plan model, save func(model)) error {
	branch := plan.Branch()
	err := api.SetBackupSchedule(ctx, branch, entries(plan.Schedule))
	if err != nil {
		return rootbranch.Advise(ctx, api, branch, err, "Schedules need a paid plan.")
	}
	save(plan)
	return nil
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	actual, err := run.API.GetBackupSchedule(ctx, state.Branch())
	if err != nil {
		return model{}, err
	}
	return state.refreshed(actual), nil
}

func (m model) refreshed(actual []client.BackupEntry) model {
	branch := m.Branch()
	m.ID = types.StringValue(branch.ProjectID + "/" + branch.ID)
	m.Schedule = refreshed(m.Schedule, actual)
	return m
}

func update(ctx context.Context, run kit.Run, _, plan model, save func(model)) error {
	return set(ctx, run.API, plan, save)
}

func remove(ctx context.Context, run kit.Run, state model) error {
	return run.API.DeleteBackupSchedule(ctx, state.Branch())
}

// NewListResource returns the list resource neon_branch_backup_schedule: the schedules of a
// project's branches.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfProject, "branch_backup_schedule", key,
		"Lists the backup schedules of a project's branches. Sends one request for each root branch, since only these can "+
			"have one.", schedules,
		func(imported model, found *scheduled) model { return imported.refreshed(found.entries) },
		func(found scheduled) (id, name string) { return found.branch.ID, found.branch.Name })
}

type scheduled struct {
	branch  client.Branch
	entries []client.BackupEntry
}

// schedules reads the schedule of each root branch: the list of branches doesn't say which have one.
func schedules(api *client.Client, ctx context.Context, projectID string) iter.Seq2[scheduled, error] { //nolint:revive // Like the client's methods.
	return func(yield func(scheduled, error) bool) {
		for branch, err := range api.ListBranches(ctx, projectID, client.BranchQuery{}) {
			if err == nil && branch.ParentID != "" {
				continue
			}
			found := scheduled{branch: branch}
			if err == nil {
				found.entries, err = api.GetBackupSchedule(ctx, client.BranchRef{ProjectID: projectID, ID: branch.ID})
				if client.IsAbsent(err) {
					continue
				}
			}
			if !yield(found, err) {
				return
			}
		}
	}
}

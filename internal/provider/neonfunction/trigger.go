package neonfunction

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/objectvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	triggerText = "Id of the trigger."
	bySchedule  = "schedule"
	byObject    = "storage_object_created"
)

// functionPath is the path of a request.
var functionPath = regexp.MustCompile(`^/($|[^/?#\s][^?#\s]*$)`)

var triggerNoun = kit.Introduce(kit.Noun{Called: "trigger", ListedBy: "triggers"})

var triggerKey = kit.KeyInBranch("A trigger", "trigger-4a4f0a0e-8a2f-4f0e-9b1e-0f6c1c2d3e4f",
	kit.KeyPart{Name: "trigger_id", Description: triggerText, Valid: kit.IsGeneratedID})

// NewTriggerResource returns the managed resource neon_trigger.
func NewTriggerResource() resource.Resource {
	return kit.NewResource(kit.Resource[triggerModel]{
		Name:     "trigger",
		ListedBy: triggerNoun.ListedBy,
		Key:      triggerKey,
		Schema: schema.Schema{
			MarkdownDescription: "Runs a function on a schedule, or when an object is created in a bucket. The function " +
				"receives a POST at its public address, with JSON: `scheduled_at`, or `bucket_name` and `object_key`. It has no " +
				"credentials, and anybody could send the same: let the code check it.\n\nChild branches have the trigger too, " +
				"disabled. This resource on a child branch takes the parent's of that name over, and enables it unless `enabled` " +
				"is `false`, as previews may want it. Destroying it there leaves the parent's alone.",
			Attributes: triggerAttributes(),
		},
		MovedFrom: map[string]string{"neondatabase/neon": "neon_trigger"},
		FindAgain: kit.SameInBranch(readTrigger),
		Plan:      planTrigger,
		Create: func(ctx context.Context, run kit.Run, plan triggerModel, save func(triggerModel)) error {
			made, err := run.API.CreateTrigger(ctx, plan.Branch(), plan.spec())
			var taken *client.TakenError
			if errors.As(err, &taken) {
				return plan.taken(taken.ID)
			}
			if err != nil {
				return adviseNoFunction(err, plan.Slug)
			}
			save(plan.with(made))
			plan.warnOfNoBucket(ctx, run)
			return nil
		},
		Read: readTrigger,
		Update: func(ctx context.Context, run kit.Run, _, plan triggerModel, save func(triggerModel)) error {
			err := run.API.UpdateTrigger(ctx, plan.Branch(), plan.TriggerID.ValueString(), plan.spec())
			if client.IsMissing(err) {
				if _, readErr := readTrigger(ctx, run, plan); client.IsAbsent(readErr) {
					return readErr // It is the trigger that is missing.
				}
			}
			if client.HasStatus(err, http.StatusConflict) {
				if other := plan.namesake(ctx, run.API); other.ID != "" && other.ID != plan.TriggerID.ValueString() {
					err = kit.Blame(kit.Advise(err, "Trigger "+other.ID+" of the branch has that name: choose another name. If "+
						"this run gives that trigger another one, apply that first, with a name of its own here."), path.Root("name"))
				}
			}
			if err != nil {
				return adviseNoFunction(err, plan.Slug)
			}
			save(plan)
			plan.warnOfNoBucket(ctx, run)
			return nil
		},
		Delete: func(ctx context.Context, run kit.Run, state triggerModel) error {
			return run.API.DeleteTrigger(ctx, state.Branch(), state.TriggerID.ValueString())
		},
	})
}

// planTrigger checks, before a trigger is replaced, that no other has its name in the new place. It warns of a trigger
// that begins to run by this plan alone.
func planTrigger(ctx context.Context, p kit.Planning) {
	warnOfEnabling(ctx, p)
	if p.IsCreation() && !p.IsDestruction() && !p.Diags.HasError() {
		config := kit.ModelOf[triggerModel](ctx, p.Config, p.Diags)
		warnOfStart(ctx, p, config)
		p.WarnOfTwo("trigger", path.Root("name"), config.ProjectID.ValueString(), config.BranchID.ValueString(),
			config.Name.ValueString())
	}
	p.CheckReplacement(ctx, "trigger", "name", []string{"project_id"},
		func(api *client.Client) error {
			planned := kit.ModelOf[triggerModel](ctx, p.Answer.Plan, p.Diags)
			if other := planned.namesake(ctx, api); other.ID != "" && !other.Inherited {
				return planned.taken(other.ID)
			}
			return nil
		})
	p.CheckNeeded(ctx, functionSlug, []string{"project_id"}, findFunction(ctx))
}

const functionSlug = "function_slug"

// findFunction looks for a function, the branch's own or its parent's.
func findFunction(ctx context.Context) func(*client.Client, client.BranchRef, string) error {
	return func(api *client.Client, branch client.BranchRef, slug string) error {
		_, err := api.GetSharedFunction(ctx, branch, slug)
		if client.IsAbsent(err) {
			return &client.AbsentError{What: "branch " + branch.ID + " has no function " + slug, Noun: "function"}
		}
		return err
	}
}

// namesake returns the branch's trigger with the same name; a zero one if there is none or the list can't be read.
func (m triggerModel) namesake(ctx context.Context, api *client.Client) client.Trigger {
	for trigger, err := range api.ListTriggers(ctx, m.Branch()) {
		if err == nil && trigger.Name == m.Name.ValueString() {
			return trigger
		}
	}
	return client.Trigger{}
}

// warnOfEnabling warns if only the default enables a disabled trigger. A preview's trigger that comes from its parent,
// for example, would start to do what production does when it is imported.
func warnOfEnabling(ctx context.Context, p kit.Planning) {
	if !p.IsChange() {
		return
	}
	state := kit.ModelOf[triggerModel](ctx, p.State, p.Diags)
	config := kit.ModelOf[triggerModel](ctx, p.Config, p.Diags)
	if config.Enabled.IsNull() && !state.Enabled.IsNull() && !state.Enabled.ValueBool() {
		p.Diags.AddAttributeWarning(path.Root("enabled"), "The trigger gets enabled ("+state.ID.ValueString()+")",
			fmt.Sprintf("Trigger %s is disabled, and enabled defaults to true: from this apply on it runs function %s here. To "+
				"leave it disabled, as is usual for one that the branch has from its parent, write\n\n  enabled = "+
				"false\n\nIf it is meant to run, write enabled = true, which says so.", kit.Quoted(state.Name.ValueString()),
				state.Slug.ValueString()))
	}
}

// warnOfStart warns of a trigger of the parent that is off on the branch, and that runs there once it is created
// without a word about enabled. A branch that isn't there yet is taken for a child of the default one.
func warnOfStart(ctx context.Context, p kit.Planning, config triggerModel) {
	if !config.Enabled.IsNull() || !kit.IsSet(config.ProjectID) || !kit.IsSet(config.Name) {
		return
	}
	p.LookUps(func(run kit.Run) {
		branch := config.Branch()
		isNew := config.BranchID.IsUnknown()
		if isNew {
			parent, err := p.LookUpDefaultBranch(ctx, branch.ProjectID)
			if err != nil {
				return // Others say what is wrong with the project.
			}
			branch.ID = parent.ID
		}
		triggers, err := kit.LookUp(p.Platform, "triggers of branch "+branch.ProjectID+"/"+branch.ID,
			func() ([]client.Trigger, error) {
				return client.All(run.API.ListTriggers(ctx, branch))
			})
		if err != nil {
			return
		}
		for _, trigger := range triggers {
			if trigger.Name == config.Name.ValueString() && (isNew || trigger.Inherited) {
				run.Diags.AddAttributeWarning(path.Root("enabled"), "It will run on the child branch ("+trigger.Name+")",
					"The parent has a trigger of that name, which is off on its child branches. This resource takes it over on the "+
						"child, and runs it there as well from then on, since enabled defaults to true. If that is meant, write "+
						"enabled = true; otherwise enabled = false.")
			}
		}
	})
}

// warnOfNoBucket warns if the branch lacks the bucket that the trigger waits for, which Neon doesn't refuse.
func (m triggerModel) warnOfNoBucket(ctx context.Context, run kit.Run) {
	name, isThere := m.Object.Attributes()["bucket_name"]
	if !isThere {
		return
	}
	_, err := run.API.GetSharedBucket(ctx, m.Branch(), kit.Text(name))
	if client.IsAbsent(err) {
		run.Diags.AddAttributeWarning(path.Root(byObject).AtName("bucket_name"), "No such bucket ("+kit.Text(name)+")",
			fmt.Sprintf("Branch %s has no bucket %s, so nothing runs trigger %s until there is one. Look for a misspelt name. "+
				"Where this configuration creates the bucket, refer to it, as in bucket_name = neon_bucket.NAME.name, so that it "+
				"is created first.", m.BranchID.ValueString(), kit.Quoted(kit.Text(name)), kit.Quoted(m.Name.ValueString())))
	}
}

// taken is the error about a trigger of the name that is there already.
func (m triggerModel) taken(id string) error {
	branch := m.Branch()
	return kit.Exists("branch "+branch.ID+" has a trigger named "+kit.Quoted(m.Name.ValueString())+" already",
		"neon_trigger", branch.ProjectID, branch.ID, id)
}

// adviseNoFunction adds advice to the error of a write if Neon doesn't find the function.
func adviseNoFunction(err error, slug types.String) error {
	if !client.IsMissing(err) {
		return err
	}
	return kit.Blame(kit.Advise(err, "Neon finds no function "+slug.ValueString()+" on the branch. Where it is one of "+
		"this configuration, refer to its resource, as in function_slug = neon_function.NAME.slug, so that it is "+
		"created first."), path.Root(functionSlug))
}

func readTrigger(ctx context.Context, run kit.Run, state triggerModel) (triggerModel, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedTrigger(ctx, state.Branch(), state.TriggerID.ValueString()))
}

func triggerAttributes() map[string]schema.Attribute {
	const kindText = "Changing from one to the other replaces the trigger."
	// otherKind replaces the trigger where one kind comes or goes.
	otherKind := []planmodifier.Object{objectplanmodifier.RequiresReplaceIf(
		func(_ context.Context, req planmodifier.ObjectRequest, resp *objectplanmodifier.RequiresReplaceIfFuncResponse) {
			resp.RequiresReplace = req.PlanValue.IsNull() != req.StateValue.IsNull()
		}, kindText, kindText)}
	one := objectvalidator.ExactlyOneOf(path.MatchRoot(bySchedule), path.MatchRoot(byObject))
	return map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":  kit.FollowedBranch(branchText),
		"name": schema.StringAttribute{
			MarkdownDescription: "Name, 1 to 256 characters, which no other trigger of the branch has.", Required: true,
			Validators: []validator.String{stringvalidator.UTF8LengthBetween(1, 256)},
		},
		"function_slug": schema.StringAttribute{MarkdownDescription: "Slug of the function.", Required: true,
			Validators: []validator.String{slugRule}},
		"function_path": schema.StringAttribute{
			MarkdownDescription: "Path of the request to the function, which begins with a slash and has no query; at most " +
				"2048 bytes. Defaults to `/`.", Optional: true, Computed: true,
			Default: stringdefault.StaticString("/"),
			Validators: []validator.String{stringvalidator.RegexMatches(functionPath, "must begin with a slash, and have "+
				"neither a query nor a host, such as /jobs/nightly"), stringvalidator.LengthAtMost(2048)},
		},
		"enabled": kit.Flag("Whether it runs the function. Defaults to `true`.", true),
		bySchedule: schema.SingleNestedAttribute{
			MarkdownDescription: "Runs it at these times. Either this or `storage_object_created` is needed. " + kindText,
			Optional:            true, PlanModifiers: otherKind, Validators: []validator.Object{one},
			Attributes: map[string]schema.Attribute{"cron": schema.StringAttribute{
				MarkdownDescription: "Minute, hour, day of the month, month and day of the week in UTC, in numbers, such as `0 " +
					"3 * * 1`.", Required: true,
				Validators: []validator.String{kit.TextRule(checkCron)},
			}},
		},
		byObject: schema.SingleNestedAttribute{
			MarkdownDescription: "Runs it for each object that is created in a bucket. Either this or `schedule` is needed. " +
				kindText,
			Optional: true, PlanModifiers: otherKind, Validators: []validator.Object{one},
			Attributes: map[string]schema.Attribute{
				"bucket_name": schema.StringAttribute{MarkdownDescription: "Name of the bucket.", Required: true,
					Validators: kit.NotEmpty()},
				"prefix": schema.StringAttribute{
					MarkdownDescription: "Prefix of the object's key, at most 1024 bytes. Defaults to any.", Optional: true,
					Validators: []validator.String{stringvalidator.LengthBetween(1, 1024)},
				},
			},
		},
		"trigger_id": kit.ComputedString(triggerText),
		"id":         kit.ComputedString("`project_id/branch_id/trigger_id`."),
	}
}

type triggerModel struct {
	kit.InBranch

	Name      types.String `tfsdk:"name"`
	Slug      types.String `tfsdk:"function_slug"`
	Path      types.String `tfsdk:"function_path"`
	Enabled   types.Bool   `tfsdk:"enabled"`
	Schedule  types.Object `tfsdk:"schedule"`
	Object    types.Object `tfsdk:"storage_object_created"`
	TriggerID types.String `tfsdk:"trigger_id"`
	ID        types.String `tfsdk:"id"`
}

var (
	scheduleTypes = map[string]attr.Type{"cron": types.StringType}
	objectTypes   = map[string]attr.Type{"bucket_name": types.StringType, "prefix": types.StringType}
)

func (m triggerModel) spec() client.TriggerSpec {
	spec := client.TriggerSpec{
		Type: bySchedule, FunctionSlug: m.Slug.ValueString(), Name: m.Name.ValueString(), Path: m.Path.ValueString(),
		Enabled: m.Enabled.ValueBool(),
	}
	if on := m.Object.Attributes(); !m.Object.IsNull() {
		spec.Type, spec.Object = byObject, &client.TriggerObject{Bucket: kit.Text(on["bucket_name"]),
			Prefix: kit.Text(on["prefix"])}
	} else {
		spec.Schedule = &client.TriggerSchedule{Cron: kit.Text(m.Schedule.Attributes()["cron"])}
	}
	return spec
}

func (m triggerModel) with(t *client.Trigger) triggerModel {
	m.TriggerID, m.ID, m.Name, m.Slug = types.StringValue(t.ID), m.IDOf(t.ID), types.StringValue(t.Name),
		types.StringValue(t.FunctionSlug)
	m.Path, m.Enabled = types.StringValue(t.Path), types.BoolValue(t.Enabled)
	isUnsaid := t.Schedule == nil && t.Object == nil // Each has one of them, for good.
	if !isUnsaid || m.Schedule.IsNull() && m.Object.IsNull() {
		m.Schedule, m.Object = types.ObjectNull(scheduleTypes), types.ObjectNull(objectTypes)
	}
	if t.Schedule != nil {
		m.Schedule = types.ObjectValueMust(scheduleTypes, map[string]attr.Value{"cron": types.StringValue(t.Schedule.Cron)})
	}
	if t.Object != nil {
		m.Object = types.ObjectValueMust(objectTypes, map[string]attr.Value{"bucket_name": types.StringValue(t.Object.Bucket),
			"prefix": kit.OptionalString(t.Object.Prefix)})
	}
	return m
}

// NewTriggerList returns the list resource neon_trigger: those of a branch.
func NewTriggerList() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "trigger", triggerKey,
		"Lists the triggers of a branch, also those that come from its parent.",
		(*client.Client).ListTriggers, triggerModel.with,
		func(t client.Trigger) (id, name string) { return t.ID, t.Name })
}

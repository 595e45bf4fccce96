package kit

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Action describes an action: something that Neon does once, and that no state keeps. M is
// its model: a struct with the schema's attributes in tfsdk tags.
type Action[M any] struct {
	Name string // what follows neon_, with the verb first
	// Description is in Markdown, and says what the next plan shows too. Attributes are all
	// but the timeouts: M embeds [Invocation] for these.
	Description string
	Attributes  map[string]schema.Attribute

	// Validate refuses an invalid configuration without requests to Neon; nil if the schema is enough. Values may be
	// unknown. It runs again in each plan and invocation, since Terraform doesn't do that.
	Validate func(config M, diags *diag.Diagnostics)
	// Plan checks the objects that the configuration names, as far as they are known; nil for none. It adds an error
	// only for problems that can't be solved by the time of the invocation.
	Plan func(ctx context.Context, run Run, config M)
	// Invoke runs the action, waits for its operations, and returns a sentence about the next plan. Calls with ctx
	// report their progress to Terraform.
	Invoke func(ctx context.Context, api *client.Client, config M) (next string, err error)
	// Doubt says how to check whether the action took effect after a lost answer; empty if repeating it does no harm.
	Doubt string
	// Deletes returns the kind of object that the configured invocation deletes, as protect of the provider block names
	// it, such as "branch"; empty for none, nil for an action that never deletes.
	Deletes func(config M) (kind string)
	// Keyless is true of an action that needs no API key.
	Keyless bool
	// Patience bounds how long Invoke takes where nothing is configured; 0 for [DefaultTimeout].
	Patience time.Duration
}

// Invocation has the attributes of every action.
type Invocation struct {
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// NewAction returns the action that spec describes.
func NewAction[M any](spec Action[M]) action.Action {
	return &described[M]{spec: spec}
}

var (
	_ action.ActionWithConfigure      = (*described[any])(nil)
	_ action.ActionWithModifyPlan     = (*described[any])(nil)
	_ action.ActionWithValidateConfig = (*described[any])(nil)
)

type described[M any] struct {
	spec     Action[M]
	platform *Platform
}

func (a *described[M]) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + a.spec.Name
}

func (a *described[M]) Configure(_ context.Context, req action.ConfigureRequest, _ *action.ConfigureResponse) {
	a.platform, _ = req.ProviderData.(*Platform)
}

func (a *described[M]) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := maps.Clone(a.spec.Attributes)
	attributes["timeouts"] = invocationTimeouts(ctx, a.spec.patience())
	resp.Schema = schema.Schema{MarkdownDescription: a.spec.Description + howToInvoke, Attributes: attributes}
}

const howToInvoke = "\n\nNeeds Terraform 1.14: [how to invoke an " +
	"action](../guides/restore-points.md#how-to-invoke-an-action)."

func (a Action[M]) patience() time.Duration { return cmp.Or(a.Patience, DefaultTimeout) }

func invocationTimeouts(ctx context.Context, standard time.Duration) schema.Attribute {
	attribute, _ := timeouts.Attributes(ctx).(schema.SingleNestedAttribute)
	attribute.MarkdownDescription = timeoutsOf(timeoutsText, standard, "invoke")
	attribute.Attributes = map[string]schema.Attribute{"invoke": schema.StringAttribute{
		MarkdownDescription: timeoutText(standard),
		Optional:            true,
		Validators:          []validator.String{IsTimeout()},
	}}
	return attribute
}

// ActionTime is a moment that an action may be given, unless it is given what that can't be combined with.
func ActionTime(text string, conflicts ...string) schema.Attribute {
	var validators []validator.String
	for _, other := range conflicts {
		validators = append(validators, stringvalidator.ConflictsWith(path.MatchRoot(other)))
		text += " Can't be combined with `" + other + "`."
	}
	return schema.StringAttribute{MarkdownDescription: text, CustomType: timetypes.RFC3339Type{}, Optional: true,
		Validators: validators}
}

func (a *described[M]) ValidateConfig(
	ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse,
) {
	config := ModelOf[M](ctx, req.Config, &resp.Diagnostics)
	if a.spec.Validate != nil && !resp.Diagnostics.HasError() {
		a.spec.Validate(config, &resp.Diagnostics)
	}
}

// ModifyPlan looks up what the plan knows of the configuration. What the apply alone knows is never planned.
func (a *described[M]) ModifyPlan(ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse) {
	config := ModelOf[M](ctx, req.Config, &resp.Diagnostics)
	a.refuseProtected(config, &resp.Diagnostics)
	if a.spec.Plan != nil && !resp.Diagnostics.HasError() {
		a.spec.Plan(ctx, Run{Platform: a.platform, Diags: &resp.Diagnostics}, config)
	}
}

// refuseProtected refuses to delete what protect of the provider block names.
func (a *described[M]) refuseProtected(config M, diags *diag.Diagnostics) {
	if a.spec.Deletes == nil || a.platform == nil {
		return
	}
	kind := a.spec.Deletes(config)
	if by := a.platform.Protects[kind]; by != "" {
		diags.AddError(Protected(kind, by, "neon_"+a.spec.Name+" would delete objects of this kind"))
	}
}

func (a *described[M]) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	config := ModelOf[M](ctx, req.Config, &resp.Diagnostics)
	a.refuseProtected(config, &resp.Diagnostics)
	configured := Get[timeouts.Value](ctx, req.Config, path.Root("timeouts"), &resp.Diagnostics)
	ctx, cancel := Limit(ctx, a.spec.patience(), configured.Invoke, &resp.Diagnostics)
	defer cancel()
	if resp.Diagnostics.HasError() {
		return
	}
	api := a.platform.reach(a.spec.Keyless, &resp.Diagnostics)
	if api == nil {
		return
	}
	say := func(text string) {
		// Terraform hears nothing behind what is said after an interruption.
		if !errors.Is(ctx.Err(), context.Canceled) {
			resp.SendProgress(action.InvokeProgressEvent{Message: text})
		}
	}
	began := time.Now()
	next, err := a.spec.Invoke(client.WithProgress(ctx, say), api, config)
	if err != nil {
		AddError(&resp.Diagnostics, "Unable to "+strings.ReplaceAll(a.spec.Name, "_", " "), err, a.hints(err)...)
		return
	}
	say("Done after " + time.Since(began).Round(100*time.Millisecond).String() + ". " + next)
	if errors.Is(ctx.Err(), context.Canceled) {
		resp.Diagnostics.AddWarning("Done in spite of the interruption (neon_"+a.spec.Name+")", next)
	}
}

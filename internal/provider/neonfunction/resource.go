// Package neonfunction is code that Neon runs: functions with their deployments, what triggers them, and the domains
// that lead to them.
package neonfunction

import (
	"context"
	"errors"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	branchText = "Id of the branch."
	slugText   = "Name in the address of the function, 1 to 20 lower-case letters and digits."
	secrets    = "environment_wo"
	version    = "environment_wo_version"
	names      = "environment_names"
)

var (
	slugPattern = regexp.MustCompile(`^[a-z0-9]{1,20}$`)
	namePattern = regexp.MustCompile(`^[^\s\pZ]([\s\S]*[^\s\pZ])?$`)
	slugRule    = stringvalidator.RegexMatches(slugPattern, "must be 1 to 20 lower-case letters and digits")
)

var _ = kit.Introduce(kit.Noun{Called: "function", ListedBy: "functions"})

var key = kit.KeyInBranch("A function", "api",
	kit.KeyPart{Name: "slug", Description: slugText, Valid: slugPattern.MatchString})

// NewResource returns the managed resource neon_function.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name: "function",
		Key:  key,
		Schema: schema.Schema{
			MarkdownDescription: "A JavaScript program, for Node, that Neon runs when somebody requests its address. Anyone " +
				"who knows the address can send requests: let the code check who sends them.\n\n" +
				"Bundle TypeScript and packages into one file, as with `esbuild src/index.ts --bundle --platform=node " +
				"--format=esm --outfile=dist/index.mjs` and `source` set to the folder `dist`. Terraform waits until a " +
				"deployment has succeeded; for two minutes after that, requests may still reach the previous one.\n\nBesides its " +
				"own variables, a function has Neon's for all that its branch has: `DATABASE_URL`, `NEON_AUTH_BASE_URL` and " +
				"others of Neon Auth, `NEON_DATA_API_URL`, and for buckets `AWS_ENDPOINT_URL_S3`, `AWS_REGION`, " +
				"`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.\n\nChild branches use the function until they have their own. " +
				"This resource on a child branch deploys its own there, with only these variables. Destroying it leaves the " +
				"parent's alone; whether the child then uses that again, Neon doesn't say.\n\nNeon doesn't return code. What " +
				"somebody else has deployed shows in `deployment_id`, and the next apply deploys `source` again. Destroy " +
				"`neon_custom_domain` first: a domain stays registered without its function.",
			Attributes: attributes(),
		},
		MovedFrom:   map[string]string{"neondatabase/neon": "neon_function"},
		FindAgain:   findAgain,
		IsExclusive: true,
		IsInherited: func(ctx context.Context, api *client.Client, place model) (bool, error) {
			function, err := find(api, ctx, place.Branch(), place.Slug.ValueString())
			return err == nil && function.isInherited, err
		},
		Plan:   plan,
		Create: create,
		Read:   read,
		Update: update,
		Delete: func(ctx context.Context, run kit.Run, state model) error {
			return run.API.DeleteFunction(ctx, state.Branch(), state.Slug.ValueString())
		},
	})
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":  kit.FollowedBranch(branchText),
		"slug":       kit.ImmutableString(slugText, slugRule),
		"name": schema.StringAttribute{
			MarkdownDescription: "Name, 1 to 256 characters, without blanks at its ends. Defaults to the slug.", Optional: true,
			Validators: []validator.String{
				stringvalidator.UTF8LengthBetween(1, 256),
				stringvalidator.RegexMatches(namePattern,
					"must have other characters than blanks, and no blank at either end, which Neon would cut off"),
			},
		},
		"source": schema.StringAttribute{
			MarkdownDescription: "Path of a ZIP archive or a folder with `index.mjs` or `index.js` at its root, which must " +
				"exist when Terraform plans. An archive is deployed whole. Of a folder, names that begin with a dot, " +
				"`*.tfstate`, `*.tfstate.backup`, `*.tfvars` and `*.tfvars.json` are left out; a folder with `.terraform` or a " +
				"state in it is refused. Links inside a folder are followed. Changed contents are deployed. Null where " +
				"it isn't configured, and in the state once somebody else has deployed: this is deployed again then, unless " +
				"`ignore_changes` has it. A new function needs it; an imported one keeps its code without it.",
			Optional: true, Validators: kit.NotEmpty(),
		},
		"runtime": schema.StringAttribute{
			MarkdownDescription: "Runtime: `nodejs24` is the only one that Neon has so far, and its default. Without " +
				"it, the function keeps its runtime. A change deploys it again.",
			Optional: true, Computed: true, Validators: kit.NotEmpty(),
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown()},
		},
		"environment": schema.MapAttribute{
			MarkdownDescription: "Variables that aren't secret: names of letters, digits and `_`, values that aren't empty; " +
				"together with the secret ones at most 1000, of 64 KiB. Neon returns their names alone, so a value isn't " +
				"compared with what Neon has. Once this or `" + secrets + "` is configured, the function has no others: those " +
				"from elsewhere are removed, which the plan shows in `" + names + "`. A variable with a name that Neon itself " +
				"sets, such as `NEON_AUTH_BASE_URL`, overrides Neon's. A change deploys the function again.",
			Optional: true, ElementType: types.StringType, Validators: variables(),
		},
		secrets: schema.MapAttribute{
			MarkdownDescription: "Secret variables. Only their names are in the state. It isn't compared with what Neon has: " +
				"a value is sent at the creation, whenever `" + version + "` changes, and where Neon lacks the name.",
			Optional: true, WriteOnly: true, Sensitive: true, ElementType: types.StringType,
			Validators: append(variables(), mapvalidator.AlsoRequires(path.MatchRoot(version))),
		},
		version: kit.SecretVersion(secrets, "the secret variables"),
		names: schema.SetAttribute{
			MarkdownDescription: "Names of all variables that the newest deployment has, also of those that come from " +
				"elsewhere.", Computed: true, ElementType: types.StringType,
		},
		"source_hash": kit.ComputedString("SHA-256 of what this resource deployed last, in hexadecimal digits. Null after " +
			"an import or a move from another provider, and after somebody else has deployed: the next apply deploys, if " +
			"`source` is set."),
		"deployment_id": schema.Int64Attribute{MarkdownDescription: "Number of the newest deployment.", Computed: true},
		"invocation_url": onceKnown("Address for requests, which everybody can send. Null while no deployment has " +
			"succeeded, and if Neon returns none."),
		"created_at": kit.ComputedTime("When the function was created, not its newest deployment; null if Neon " +
			"returns none."),
		"id":       kit.ComputedString("`project_id/branch_id/slug`."),
		"timeouts": kit.Timeouts(timeouts.Opts{Create: true, Update: true}),
	}
}

// onceKnown is a text that stays as it is from when Neon has it.
func onceKnown(text string) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: text, Computed: true,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown()}}
}

type model struct {
	kit.InBranch

	Slug          types.String `tfsdk:"slug"`
	Name          types.String `tfsdk:"name"`
	Source        types.String `tfsdk:"source"`
	Runtime       types.String `tfsdk:"runtime"`
	Environment   types.Map    `tfsdk:"environment"`
	Secrets       types.Map    `tfsdk:"environment_wo"`
	Version       types.String `tfsdk:"environment_wo_version"`
	Names         types.Set    `tfsdk:"environment_names"`
	SourceHash    types.String `tfsdk:"source_hash"`
	DeploymentID  types.Int64  `tfsdk:"deployment_id"`
	InvocationURL types.String `tfsdk:"invocation_url"`

	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`

	ID       types.String   `tfsdk:"id"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

func (m model) with(f *client.Function) model {
	m.ID, m.Secrets = m.IDOf(m.Slug.ValueString()), types.MapNull(types.StringType)
	if m.SourceHash.IsUnknown() {
		m.SourceHash = types.StringNull()
	}
	if f.Name != f.Slug || m.Name.ValueString() == f.Name {
		m.Name = types.StringValue(f.Name)
	} else {
		m.Name = types.StringNull()
	}
	m.CreatedAt = kit.OptionalTime(&f.CreatedAt)
	m.InvocationURL, m.DeploymentID, m.Names = kit.OptionalString(f.InvocationURL), types.Int64Null(), kit.SetOf(nil)
	if f.Current != nil {
		m.Names = kit.SetOf(f.Current.Environment)
		m.DeploymentID, m.Runtime = types.Int64Value(f.Current.ID), types.StringValue(f.Current.Runtime)
	}
	return m
}

// isUnseen reports whether what this resource has deployed is to be waited for: the creation was interrupted.
func (m model) isUnseen() bool { return kit.IsSet(m.SourceHash) && !kit.IsSet(m.DeploymentID) }

// plan plans the hash of the code and the names of the variables, and a deployment if one of them changes.
func plan(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() || p.Diags.HasError() {
		return
	}
	state, planned, config := kit.ModelsOf[model](ctx, p)
	if planned.Source.IsNull() && planned.ID.IsUnknown() {
		p.Diags.AddAttributeError(path.Root("source"), "A new function needs code", "Set source to the path of a "+
			"ZIP archive, or of a folder with index.mjs or index.js. A function that is there already keeps its code, once it "+
			"is imported.")
	}
	isDeployed := p.PlanSource(ctx, "Unable to pack the code", planned.Source, func() (string, error) {
		code, err := readBundle(planned.Source.ValueString())
		if err != nil {
			return "", err
		}
		return code.hash, nil
	})
	present, isSettled := state.Names, planned.Names.Equal(state.Names) // Nothing else of it is planned to change.
	if isMoved := !planned.BranchID.Equal(state.BranchID); isMoved {    // What the other branch has is planned by now.
		present, isSettled, isDeployed = planned.Names, false, isDeployed || config.hasVariables()
	}
	wanted := config.wantedNames(state, present, isSettled)
	p.Set(ctx, path.Root(names), wanted)
	deployment := planned.DeploymentID
	switch {
	case isDeployed || !wanted.Equal(present) || planned.needsDeployment(state):
		deployment = types.Int64Unknown()
	case planned.BranchID.Equal(state.BranchID):
		deployment = state.DeploymentID
	}
	p.Set(ctx, path.Root("deployment_id"), deployment)
	planned.warnOfDeployment(state, p.Diags)
	if state.isUnseen() && state.InvocationURL.IsNull() {
		p.Set(ctx, path.Root("invocation_url"), types.StringUnknown())
	}
}

// warnOfDeployment warns that the code of an imported function, or of one from another provider, will be deployed:
// nothing tells which code it runs.
func (m model) warnOfDeployment(state model, diags *diag.Diagnostics) {
	if kit.IsSet(m.Source) && kit.IsSet(state.DeploymentID) && state.Source.IsNull() && state.SourceHash.IsNull() {
		diags.AddAttributeWarning(path.Root("source"), "The function will be deployed ("+state.ID.ValueString()+")",
			"Nothing says which code function "+state.Slug.ValueString()+
				" runs now: Neon doesn't return it. So this apply deploys what source names, also if that is the same. To leave "+
				"the function as it is, remove source until the code changes.")
	}
}

// needsDeployment reports whether what is deployed isn't as planned, or isn't known.
func (m model) needsDeployment(state model) bool {
	return state.isUnseen() || !m.Environment.Equal(state.Environment) || !m.Version.Equal(state.Version) ||
		isSetOtherwise(m.Runtime, state.Runtime)
}

// isSetOtherwise reports whether an attribute that may keep its value is configured to change.
func isSetOtherwise(planned, present types.String) bool {
	return kit.IsSet(planned) && !planned.Equal(present)
}

// findAgain reads the function of a branch that has replaced another. Where that isn't the deployment which the other
// has, nothing of it counts as deployed.
func findAgain(ctx context.Context, run kit.Run, state model, branchID types.String) (model, error) {
	deployed := state.DeploymentID
	state.BranchID = branchID
	source := state.Source
	found, err := read(ctx, run, state)
	found.Source = source
	if err == nil && !found.DeploymentID.Equal(deployed) {
		found.SourceHash, found.Environment, found.Version = types.StringNull(), types.MapNull(types.StringType),
			types.StringNull()
	}
	return found, err
}

// planned reads the code, which must still be what was planned.
func (m model) planned() (*bundle, error) {
	code, err := readBundle(m.Source.ValueString())
	if err == nil && !m.SourceHash.IsUnknown() && code.hash != m.SourceHash.ValueString() {
		err = kit.Advise(errors.New("the code has changed since the plan"), "Nothing was deployed. Apply again, with code "+
			"that stays as it is meanwhile.")
	}
	return code, err
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	branch := plan.Branch()
	slug := plan.Slug.ValueString()
	code, err := plan.planned()
	if err != nil {
		return err
	}
	deploy := client.FunctionDeploy{Bundle: code.data, Runtime: plan.Runtime.ValueString()}
	if environment := plan.environment(ctx, run); len(environment) > 0 {
		deploy.Environment = environment
	}
	made, err := run.API.CreateFunction(ctx, branch, slug, deploy)
	if err != nil {
		return err
	}
	plan.SourceHash = types.StringValue(code.hash)
	begun := plan.with(made)
	begun.DeploymentID = types.Int64Null()
	save(begun)
	if made, err = run.API.WaitForDeployment(ctx, branch, slug, made.Current.ID); err != nil {
		return adviseDeployment(err)
	}
	err = plan.finish(ctx, run.API, made, func(named model) {
		named.Name = plan.Name // As Terraform wants it. The next refresh reads the name.
		save(named)
	})
	if err != nil && !run.IsMove {
		run.Warn("The function isn't named as configured ("+plan.IDOf(slug).ValueString()+")", kit.Describe(err, nil)+
			"\n\nThe function is deployed and kept in the state. An error would have the next apply replace it. The next "+
			"plan shows the name that it has, and the next apply changes it.")
		return nil
	}
	return err
}

// adviseDeployment is an error about a deployment that is awaited, with what to do.
func adviseDeployment(err error) error {
	var failed *client.DeploymentError
	switch {
	case errors.As(err, &failed) && failed.After != 0:
		return kit.Advise(err, "Find out who else deploys this function, and apply again when that has ended.")
	case errors.As(err, &failed):
		return kit.Advise(err, "Mend the code at source, and apply again. What was deployed before, if anything, goes on.")
	}
	return err
}

// finish sets the function's name, and saves the function even if Neon refuses the name, so that it isn't deployed
// again.
func (m model) finish(ctx context.Context, api *client.Client, now *client.Function, save func(model)) (err error) {
	saved := m.with(now)
	// What somebody else has deployed since the plan shows in the next.
	saved.Names, saved.DeploymentID = kit.Known(m.Names, saved.Names), kit.Known(m.DeploymentID, saved.DeploymentID)
	saved.Runtime, saved.InvocationURL = kit.Known(m.Runtime, saved.Runtime),
		kit.Known(m.InvocationURL, saved.InvocationURL)
	saved.CreatedAt = kit.Known(m.CreatedAt, saved.CreatedAt)
	slug, wanted := m.Slug.ValueString(), m.Name.ValueString()
	if wanted != now.Name && (wanted != "" || now.Name != slug) {
		err = api.RenameFunction(ctx, m.Branch(), slug, wanted)
	}
	if err == nil {
		saved.Name = m.Name
	}
	save(saved)
	return err
}

// update deploys what has changed.
func update(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	branch := plan.Branch()
	slug := plan.Slug.ValueString()
	var deploy client.FunctionDeploy
	if !plan.Source.IsNull() && !plan.SourceHash.Equal(state.SourceHash) {
		code, err := plan.planned()
		if err != nil {
			return err
		}
		deploy.Bundle, plan.SourceHash = code.data, types.StringValue(code.hash)
	}
	now, err := run.API.GetFunction(ctx, branch, slug)
	if err != nil {
		return err
	}
	if changed := plan.changedVariables(ctx, run, state, now.Current); plan.DeploymentID.IsUnknown() && len(changed) > 0 {
		deploy.Environment = changed
	}
	if plan.DeploymentID.IsUnknown() && isSetOtherwise(plan.Runtime, state.Runtime) {
		deploy.Runtime = plan.Runtime.ValueString()
	}
	isDeployed := deploy.Bundle != nil || deploy.Runtime != "" || len(deploy.Environment) > 0
	if isDeployed {
		if now, err = run.API.DeployFunction(ctx, branch, now, deploy); err != nil {
			return err
		}
	}
	if isDeployed || state.isUnseen() && now.Current != nil {
		if now, err = run.API.WaitForDeployment(ctx, branch, slug, now.Current.ID); err != nil {
			return adviseDeployment(err)
		}
	}
	return plan.finish(ctx, run.API, now, save)
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	found, err := run.API.GetSharedFunction(ctx, state.Branch(), state.Slug.ValueString())
	if err != nil {
		return model{}, err
	}
	if deployed := found.Current; deployed != nil && kit.IsSet(state.DeploymentID) &&
		deployed.ID != state.DeploymentID.ValueInt64() {
		// Somebody else has deployed since, or the parent's is there again. That stays where ignore_changes has source.
		state.Source, state.SourceHash = types.StringNull(), types.StringNull()
	}
	now := state.with(found)
	switch deployed := found.Current; {
	case !state.isUnseen() || deployed == nil || found.Active != nil && found.Active.ID >= deployed.ID:
	case deployed.HasFailed():
		now.SourceHash = types.StringNull() // So that the next apply deploys again.
	default:
		now.DeploymentID = types.Int64Null()
	}
	return now, nil
}

// NewListResource returns the list resource neon_function: those of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "function", key,
		"Lists the functions of a branch, also those that come from its parent.", (*client.Client).ListFunctions, model.with,
		func(f client.Function) (id, name string) { return f.Slug, f.Name })
}

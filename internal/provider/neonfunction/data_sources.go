package neonfunction

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

type foundFunction struct {
	Slug          types.String `tfsdk:"slug"`
	Name          types.String `tfsdk:"name"`
	InvocationURL types.String `tfsdk:"invocation_url"`
	Runtime       types.String `tfsdk:"runtime"`
	DeploymentID  types.Int64  `tfsdk:"deployment_id"`
	Status        types.String `tfsdk:"status"`
	Names         types.Set    `tfsdk:"environment_names"`
	Inherited     types.Bool   `tfsdk:"inherited"`

	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
}

func functionAttributes(slug schema.Attribute) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"slug": slug, "name": kit.ReturnedString("Name; the slug where it has no other."),
		"invocation_url": kit.ReturnedString("Address for requests, which everybody can send. Null while no deployment has " +
			"succeeded, and if Neon returns none."),
		"runtime":       kit.ReturnedString("Runtime, such as `nodejs24`."),
		"deployment_id": kit.ReturnedInt("Number of the newest deployment."),
		"status":        kit.ReturnedString("Status of the newest deployment, such as `building`, `completed` or `failed`."),
		names:           kit.ReturnedTexts("Names of the variables that the newest deployment has. Neon returns no values."),
		"inherited": kit.ReturnedBool("Whether the branch has it only from its parent: nothing was deployed on the " +
			"branch itself."),
		"created_at": kit.ReturnedTime("When the function was created, not its newest deployment; null if Neon " +
			"returns none."),
	}
}

// found reads whether the branch has a function of its own.
func found(ctx context.Context, api *client.Client, branch client.BranchRef, f client.Function) (foundFunction, error) {
	m := foundFunction{
		Slug: types.StringValue(f.Slug), Name: types.StringValue(f.Name), InvocationURL: kit.OptionalString(f.InvocationURL),
		Names:     kit.SetOf(nil),
		CreatedAt: kit.OptionalTime(&f.CreatedAt),
	}
	if f.Current != nil {
		m.Runtime, m.DeploymentID, m.Status = types.StringValue(f.Current.Runtime), types.Int64Value(f.Current.ID),
			types.StringValue(f.Current.Status)
		m.Names = kit.SetOf(f.Current.Environment)
	}
	isInherited, err := api.IsFunctionInherited(ctx, branch, &f)
	m.Inherited = types.BoolValue(isInherited)
	return m, err
}

type dataModel struct {
	kit.InBranch
	foundFunction
}

// NewDataSource returns neon_function: a function of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[dataModel]{
		Name: "function", Called: "function", By: "slug",
		Text:   "A function of a branch, also one that comes from its parent.",
		Schema: functionAttributes(kit.RequiredText(slugText)),
		Read: func(ctx context.Context, api *client.Client, m *dataModel) error {
			function, err := api.GetSharedFunction(ctx, m.Branch(), m.Slug.ValueString())
			if err == nil {
				m.foundFunction, err = found(ctx, api, m.Branch(), *function)
			}
			return err
		},
	})
}

// NewListDataSource returns neon_functions: the functions of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceInBranch(kit.ListSource[foundFunction, foundFunction]{
		Name: "functions", Called: "functions", Attribute: "functions", Objects: "The functions.",
		Model:  kit.Itself[foundFunction],
		Text:   "The functions of a branch, also those that come from its parent, by their slugs.",
		Schema: functionAttributes(kit.ReturnedString(slugText)),
	}, func(api *client.Client, ctx context.Context, branch client.BranchRef) iter.Seq2[foundFunction, error] {
		return kit.With(api.ListFunctions(ctx, branch), func(f client.Function) (foundFunction, error) {
			return found(ctx, api, branch, f)
		})
	})
}

type foundTrigger struct {
	TriggerID types.String `tfsdk:"trigger_id"`
	Name      types.String `tfsdk:"name"`
	Slug      types.String `tfsdk:"function_slug"`
	Path      types.String `tfsdk:"function_path"`
	Enabled   types.Bool   `tfsdk:"enabled"`
	Inherited types.Bool   `tfsdk:"inherited"`
	Schedule  types.Object `tfsdk:"schedule"`
	Object    types.Object `tfsdk:"storage_object_created"`
}

// NewTriggersDataSource returns neon_triggers: the triggers of a branch.
func NewTriggersDataSource() datasource.DataSource {
	return kit.NewListSourceInBranch(kit.ListSource[client.Trigger, foundTrigger]{
		Name: "triggers", Called: "triggers", Attribute: "triggers", Objects: "The triggers.",
		Text: "The triggers of a branch, also those that come from its parent, by their ids.",
		Schema: map[string]schema.Attribute{
			"trigger_id": kit.ReturnedString(triggerText), "name": kit.ReturnedString("Name."),
			"function_slug": kit.ReturnedString("Slug of the function."),
			"function_path": kit.ReturnedString("Path of the request to the function."),
			"enabled":       kit.ReturnedBool("Whether it runs the function on this branch."),
			"inherited":     kit.ReturnedBool("Whether the branch has it only from its parent. Then it is disabled."),
			bySchedule: schema.SingleNestedAttribute{
				MarkdownDescription: "When it runs; null for a trigger of the other kind.", Computed: true,
				Attributes: map[string]schema.Attribute{"cron": kit.ReturnedString("Minute, hour, day of the month, month and " +
					"day of the week in UTC.")},
			},
			byObject: schema.SingleNestedAttribute{
				MarkdownDescription: "Where objects are created that it runs for; null for a trigger of the other kind.",
				Computed:            true,
				Attributes: map[string]schema.Attribute{
					"bucket_name": kit.ReturnedString("Name of the bucket."), "prefix": kit.ReturnedString("Prefix of the object's " +
						"key; null for any."),
				},
			},
		},
		Model: func(t client.Trigger) foundTrigger {
			one := triggerModel{}.with(&t)
			return foundTrigger{one.TriggerID, one.Name, one.Slug, one.Path, one.Enabled, types.BoolValue(t.Inherited),
				one.Schedule, one.Object}
		},
	}, (*client.Client).ListTriggers)
}

type foundDomain struct {
	kit.InBranch

	Domain       types.String `tfsdk:"domain"`
	Slug         types.String `tfsdk:"function_slug"`
	Target       types.String `tfsdk:"cname_target"`
	Status       types.String `tfsdk:"status"`
	DNSStatus    types.String `tfsdk:"dns_status"`
	StatusReason types.String `tfsdk:"status_reason"`
}

// NewDomainDataSource returns neon_custom_domain: a custom domain of a branch, with what keeps it from being active.
func NewDomainDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[foundDomain]{
		Name: "custom_domain", Called: "custom domain", By: "domain",
		Text: "A custom domain of a branch, and whether it works yet, for instance for a `check` block. Child branches " +
			"don't have their parent's.",
		Schema: map[string]schema.Attribute{
			"domain":        kit.RequiredText(domainText),
			"function_slug": kit.ReturnedString("Slug of the function that it leads to."),
			"cname_target":  kit.ReturnedString("What its DNS record points to. Null if Neon returns none."),
			"status": kit.ReturnedString("Whether it works, such as `pending`, `active` or `error`. It says nothing " +
				"of the certificate. Null if Neon returns none."),
			"dns_status": kit.ReturnedString("What Neon finds in DNS, such as `pending`, `ok`, `misconfigured` or " +
				"`caa_blocked`. Null if Neon returns none."),
			"status_reason": kit.ReturnedString("What is in the way, such as `cname-not-pointing-at-edge` or " +
				"`caa-blocks-lets-encrypt`. Null for nothing."),
		},
		Read: func(ctx context.Context, api *client.Client, m *foundDomain) error {
			d, err := api.GetSharedCustomDomain(ctx, m.Branch(), m.Domain.ValueString())
			if err != nil {
				return err
			}
			m.Slug, m.Target = types.StringValue(d.FunctionSlug), kit.OptionalString(d.CNAMETarget)
			m.Status, m.DNSStatus, m.StatusReason = kit.OptionalString(d.Status), kit.OptionalString(d.DNSStatus),
				kit.OptionalString(d.StatusReason)
			return nil
		},
	})
}

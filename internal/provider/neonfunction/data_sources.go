package neonfunction

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// foundFunction is a function, and whether the branch has it only from its parent.
type foundFunction struct {
	client.Function

	isInherited bool
}

// find looks for a function of a branch.
func find(api *client.Client, ctx context.Context, branch client.BranchRef, slug string) (*foundFunction, error) { //nolint:revive // Like the client's methods.
	function, err := api.GetSharedFunction(ctx, branch, slug)
	if err != nil {
		return nil, err
	}
	isInherited, err := api.IsFunctionInherited(ctx, branch, function)
	return &foundFunction{*function, isInherited}, err
}

func returned(f foundFunction) kit.Returned {
	var newest client.Deployment
	id := types.Int64Null()
	if f.Current != nil {
		newest, id = *f.Current, types.Int64Value(f.Current.ID)
	}
	return kit.Returned{
		"slug": kit.Returns(slugText, types.StringValue(f.Slug)),
		"name": kit.Returns("Name; the slug where it has no other.", types.StringValue(f.Name)),
		"invocation_url": kit.Returns("Address for requests, which everybody can send. Null while no deployment has "+
			"succeeded, and if Neon returns none.", kit.OptionalString(f.InvocationURL)),
		"runtime":       kit.Returns("Runtime, such as `nodejs24`.", kit.OptionalString(newest.Runtime)),
		"deployment_id": kit.Returns("Number of the newest deployment.", id),
		"status": kit.Returns("Status of the newest deployment, such as `building`, `completed` or `failed`.",
			kit.OptionalString(newest.Status)),
		"error": kit.Returns("Why the newest deployment has failed. Null for one that hasn't.",
			kit.OptionalString(newest.Error)),
		names: kit.Returns("Names of the variables that the newest deployment has. Neon returns no values.",
			kit.SetOf(newest.Environment)),
		"inherited": kit.Returns("Whether the branch has it only from its parent: nothing was deployed on the branch "+
			"itself.", types.BoolValue(f.isInherited)),
		"created_at": kit.Returns("When the function was created, not its newest deployment; null if Neon returns none.",
			kit.OptionalTime(&f.CreatedAt)),
	}
}

// NewDataSource returns neon_function: a function of a branch.
func NewDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[foundFunction]{
		Name: "function", Called: "function", By: "slug", Given: kit.RequiredText(slugText), Returns: returned,
		Text: "A function of a branch, also one that comes from its parent.",
		Read: find,
	})
}

// NewListDataSource returns neon_functions: the functions of a branch.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfBranch, kit.ListSource[foundFunction]{
		Name: "functions", Returns: returned,
		Text: "The functions of a branch, also those that come from its parent, by their slugs.",
	}, func(api *client.Client, ctx context.Context, branch client.BranchRef) iter.Seq2[foundFunction, error] {
		return kit.With(api.ListFunctions(ctx, branch), func(f client.Function) (foundFunction, error) {
			isInherited, err := api.IsFunctionInherited(ctx, branch, &f)
			return foundFunction{f, isInherited}, err
		})
	})
}

// NewTriggersDataSource returns neon_triggers: the triggers of a branch.
func NewTriggersDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfBranch, kit.ListSource[client.Trigger]{
		Name: "triggers", Returns: returnedTrigger,
		Text: "The triggers of a branch, also those that come from its parent, by their ids.",
	}, (*client.Client).ListTriggers)
}

func returnedTrigger(t client.Trigger) kit.Returned {
	var schedule client.TriggerSchedule
	var object client.TriggerObject
	if t.Schedule != nil {
		schedule = *t.Schedule
	}
	if t.Object != nil {
		object = *t.Object
	}
	return kit.Returned{
		"trigger_id":    kit.Returns(triggerText, types.StringValue(t.ID)),
		"name":          kit.Returns("Name.", types.StringValue(t.Name)),
		"function_slug": kit.Returns("Slug of the function.", types.StringValue(t.FunctionSlug)),
		"function_path": kit.Returns("Path of the request to the function.", types.StringValue(t.Path)),
		"enabled":       kit.Returns("Whether it runs the function on this branch.", types.BoolValue(t.Enabled)),
		"inherited": kit.Returns("Whether the branch has it only from its parent. Then it is disabled.",
			types.BoolValue(t.Inherited)),
		bySchedule: kit.ReturnsObject("When it runs; null for a trigger of the other kind.", t.Schedule != nil, kit.Returned{
			"cron": kit.Returns("Minute, hour, day of the month, month and day of the week in UTC.",
				types.StringValue(schedule.Cron)),
		}),
		byObject: kit.ReturnsObject("Where objects are created that it runs for; null for a trigger of the other kind.",
			t.Object != nil, kit.Returned{
				"bucket_name": kit.Returns("Name of the bucket.", types.StringValue(object.Bucket)),
				"prefix":      kit.Returns("Prefix of the object's key; null for any.", kit.OptionalString(object.Prefix)),
			}),
	}
}

// NewDomainDataSource returns neon_custom_domain: a custom domain of a branch, with what keeps it from being active.
func NewDomainDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[client.CustomDomain]{
		Name: "custom_domain", Called: "custom domain", By: "domain", Given: kit.RequiredText(domainText),
		Text: "A custom domain of a branch, and whether it works yet, for instance for a `check` block. Child branches " +
			"don't have their parent's.",
		Returns: func(d client.CustomDomain) kit.Returned {
			return kit.Returned{
				"function_slug": kit.Returns("Slug of the function that it leads to.", types.StringValue(d.FunctionSlug)),
				"cname_target": kit.Returns("What its DNS record points to. Null if Neon returns none.",
					kit.OptionalString(d.CNAMETarget)),
				"dns_records": kit.Returns(recordsText, recordsOf(&d)),
				"status": kit.Returns("Whether it works, such as `pending`, `active` or `error`. It says nothing of the "+
					"certificate. Null if Neon returns none.", kit.OptionalString(d.Status)),
				"dns_status": kit.Returns("What Neon finds in DNS, such as `pending`, `ok`, `misconfigured` or `caa_blocked`. "+
					"Null if Neon returns none.", kit.OptionalString(d.DNSStatus)),
				"binding_status": kit.Returns("Whether Neon leads it to the function yet: `pending`, `present` or `missing`. "+
					"Null if Neon returns none.", kit.OptionalString(d.BindingStatus)),
				"status_reason": kit.Returns("What is in the way, such as `cname-not-pointing-at-edge` or "+
					"`caa-blocks-lets-encrypt`. Null for nothing.", kit.OptionalString(d.StatusReason)),
			}
		},
		Read: (*client.Client).GetSharedCustomDomain,
	})
}

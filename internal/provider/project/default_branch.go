package project

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// branchModel is default_branch: what Neon creates with the project.
type branchModel struct {
	ID           types.String `tfsdk:"id"`
	Name         types.String `tfsdk:"name"`
	Protected    types.Bool   `tfsdk:"protected"`
	RoleName     types.String `tfsdk:"role_name"`
	DatabaseName types.String `tfsdk:"database_name"`
	Endpoint     types.Object `tfsdk:"endpoint"`
}

type endpointModel struct {
	ID                    types.String  `tfsdk:"id"`
	Name                  types.String  `tfsdk:"name"`
	Host                  types.String  `tfsdk:"host"`
	PoolerHost            types.String  `tfsdk:"pooler_host"`
	AutoscalingLimitMinCU types.Float64 `tfsdk:"autoscaling_limit_min_cu"`
	AutoscalingLimitMaxCU types.Float64 `tfsdk:"autoscaling_limit_max_cu"`
	SuspendTimeoutSeconds types.Int64   `tfsdk:"suspend_timeout_seconds"`
	Disabled              types.Bool    `tfsdk:"disabled"`
}

var (
	endpointType = map[string]attr.Type{
		"id": types.StringType, "name": types.StringType, "host": types.StringType, "pooler_host": types.StringType,
		"autoscaling_limit_min_cu": types.Float64Type, "autoscaling_limit_max_cu": types.Float64Type,
		"suspend_timeout_seconds": types.Int64Type, "disabled": types.BoolType,
	}
	branchType = map[string]attr.Type{
		"id": types.StringType, "name": types.StringType, "protected": types.BoolType,
		"role_name": types.StringType, "database_name": types.StringType,
		"endpoint": types.ObjectType{AttrTypes: endpointType},
	}
)

// decode is what an object holds; a zero model for one that is null or unknown.
func decode[M any](ctx context.Context, object types.Object) M {
	var model M
	// The models are made for the schema.
	_ = object.As(ctx, &model, basetypes.ObjectAsOptions{UnhandledNullAsEmpty: true, UnhandledUnknownAsEmpty: true})
	return model
}

// defaultBranch is the default branch as it is. It need not have an endpoint, and what was
// created with the project may be gone.
type defaultBranch struct {
	branch                 client.Branch
	endpoint               *client.Endpoint // the one that is read_write; nil for none
	roleName, databaseName string           // empty where they weren't read, or there is none
}

func createdBranch(created client.NewProject) *defaultBranch {
	found := &defaultBranch{branch: created.Branch, endpoint: readWrite(created.Endpoints)}
	found.nameOldest(created.Roles, created.Databases)
	return found
}

// readBranch reads what belongs to the default branch. Where that is known already, the names of
// its role and its database aren't read again: later ones would be mistaken for them.
func readBranch(
	ctx context.Context, api *client.Client, projectID string, branch *client.Branch, prior branchModel,
) (*defaultBranch, error) {
	var expected []string
	if endpoint := decode[endpointModel](ctx, prior.Endpoint); kit.IsSet(endpoint.ID) {
		expected = []string{endpoint.ID.ValueString()}
	}
	endpoints, err := api.ListSharedEndpointsAtOnce(ctx, client.BranchRef{ProjectID: projectID, ID: branch.ID},
		expected...)
	if err != nil {
		return nil, err
	}
	found := &defaultBranch{branch: *branch, endpoint: readWrite(endpoints)}
	if kit.IsSet(prior.ID) {
		return found, nil
	}
	roles, err := api.ListSharedRoles(ctx, client.BranchRef{ProjectID: projectID, ID: branch.ID})
	if err != nil {
		return nil, err
	}
	databases, err := api.ListSharedDatabases(ctx, client.BranchRef{ProjectID: projectID, ID: branch.ID})
	if err != nil {
		return nil, err
	}
	found.nameOldest(roles, databases)
	return found, nil
}

func readWrite(endpoints []client.Endpoint) *client.Endpoint {
	i := slices.IndexFunc(endpoints, func(endpoint client.Endpoint) bool {
		return endpoint.Type == client.EndpointReadWrite
	})
	if i < 0 {
		return nil
	}
	return &endpoints[i]
}

// nameOldest takes the oldest role and database for those that were created with the project.
func (b *defaultBranch) nameOldest(roles []client.Role, databases []client.Database) {
	roles = slices.DeleteFunc(slices.Clone(roles), func(role client.Role) bool { return role.Protected })
	if role := oldest(roles, func(role client.Role) time.Time { return role.CreatedAt }); role != nil {
		b.roleName = role.Name
	}
	created := func(database client.Database) time.Time { return database.CreatedAt }
	if database := oldest(databases, created); database != nil {
		b.databaseName = database.Name
	}
}

func oldest[T any](objects []T, created func(T) time.Time) *T {
	var first *T
	for i := range objects {
		if first == nil || created(objects[i]).Before(created(*first)) {
			first = &objects[i]
		}
	}
	return first
}

// value is default_branch in the state.
func (b *defaultBranch) value(prior branchModel) types.Object {
	return types.ObjectValueMust(branchType, map[string]attr.Value{
		"id": types.StringValue(b.branch.ID), "name": types.StringValue(b.branch.Name),
		"protected": types.BoolValue(b.branch.Protected),
		"role_name": firstOf(prior.RoleName, b.roleName), "database_name": firstOf(prior.DatabaseName, b.databaseName),
		"endpoint": endpointValue(b.endpoint),
	})
}

func firstOf(prior types.String, found string) types.String {
	if kit.IsSet(prior) {
		return prior
	}
	return kit.OptionalString(found)
}

func endpointValue(endpoint *client.Endpoint) types.Object {
	if endpoint == nil {
		return types.ObjectNull(endpointType)
	}
	return types.ObjectValueMust(endpointType, map[string]attr.Value{
		"id": types.StringValue(endpoint.ID), "name": kit.OptionalString(endpoint.Name),
		"host": types.StringValue(endpoint.Host), "pooler_host": types.StringValue(endpoint.PoolerHost()),
		"autoscaling_limit_min_cu": types.Float64Value(endpoint.AutoscalingLimitMinCU),
		"autoscaling_limit_max_cu": types.Float64Value(endpoint.AutoscalingLimitMaxCU),
		"suspend_timeout_seconds":  types.Int64Value(endpoint.SuspendTimeoutSeconds),
		"disabled":                 types.BoolValue(endpoint.Disabled),
	})
}

// apply brings the branch and its endpoint to what is wanted. What is to be as it was before stays, whatever somebody
// has made of it meanwhile: what isn't configured here is planned as it was. The protection comes last: a project whose
// creation fails must be replaceable.
func (b *defaultBranch) apply(
	ctx context.Context, api *client.Client, projectID string, wanted, before branchModel,
) error {
	if kit.IsSet(wanted.Endpoint) {
		if err := b.applyEndpoint(ctx, api, projectID, decode[endpointModel](ctx, wanted.Endpoint),
			decode[endpointModel](ctx, before.Endpoint)); err != nil {
			return err
		}
	}
	var update client.BranchUpdate
	if kit.IsSet(wanted.Name) && !wanted.Name.Equal(before.Name) && wanted.Name.ValueString() != b.branch.Name {
		update.Name = wanted.Name.ValueStringPointer()
	}
	if kit.IsSet(wanted.Protected) && !wanted.Protected.Equal(before.Protected) &&
		wanted.Protected.ValueBool() != b.branch.Protected {
		update.Protected = wanted.Protected.ValueBoolPointer()
	}
	if update == (client.BranchUpdate{}) {
		return nil
	}
	changed, err := api.UpdateBranch(ctx, client.BranchRef{ProjectID: projectID, ID: b.branch.ID}, update)
	if client.HasStatus(err, http.StatusConflict) {
		return adviseTaken(ctx, api, b.branch, wanted.Name.ValueString(), err)
	}
	if err != nil {
		return err
	}
	b.branch = changed.Object
	return api.WaitForOperations(ctx, projectID, changed.Operations)
}

func (b *defaultBranch) applyEndpoint(
	ctx context.Context, api *client.Client, projectID string, wanted, before endpointModel,
) error {
	update := wanted.settings().Changes(before.settings())
	switch {
	case update == (client.EndpointUpdate{}) && (b.endpoint != nil || kit.IsSet(wanted.ID)):
		return nil
	case b.endpoint == nil:
		return b.createEndpoint(ctx, api, projectID, wanted)
	}
	changed, err := api.UpdateEndpoint(ctx, client.EndpointRef{ProjectID: projectID, ID: b.endpoint.ID}, update)
	if err != nil {
		return err
	}
	b.endpoint = &changed.Object
	return api.WaitForOperations(ctx, projectID, changed.Operations)
}

// createEndpoint creates the read_write endpoint that the branch had or is to have.
func (b *defaultBranch) createEndpoint(
	ctx context.Context, api *client.Client, projectID string, wanted endpointModel,
) error {
	if kit.IsSet(wanted.ID) {
		return kit.Advise(fmt.Errorf("endpoint %s of the default branch %s of project %s was deleted since it was planned",
			wanted.ID.ValueString(), b.branch.ID, projectID), "Plan again, which creates another.")
	}
	created, err := api.CreateEndpoint(ctx, client.BranchRef{ProjectID: projectID, ID: b.branch.ID},
		wanted.settings().Create())
	if err != nil {
		return err
	}
	b.endpoint = &created.Object
	return api.WaitForOperations(ctx, projectID, created.Operations)
}

// settings are what can be changed of the endpoint.
func (m endpointModel) settings() compute.Endpoint {
	return compute.Endpoint{
		Type:                  types.StringValue(client.EndpointReadWrite),
		AutoscalingLimitMinCU: m.AutoscalingLimitMinCU, AutoscalingLimitMaxCU: m.AutoscalingLimitMaxCU,
		SuspendTimeoutSeconds: m.SuspendTimeoutSeconds, Disabled: m.Disabled, Name: m.Name,
	}
}

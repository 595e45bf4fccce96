package project

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

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

var (
	branchType   = defaultBranchAttribute().GetType().(types.ObjectType) //nolint:forcetypeassert // It has no type of its own.
	endpointType = branchType.AttrTypes["endpoint"].(types.ObjectType)   //nolint:forcetypeassert // Nor has this.
)

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

// readBranch reads the default branch with its endpoint, role and database. Known names of role and database aren't
// read again: those that were created later would be mistaken for them.
func readBranch(
	ctx context.Context, api *client.Client, projectID string, branch *client.Branch, prior branchModel,
) (*defaultBranch, error) {
	var expected []string
	if endpoint := kit.Decode[compute.Endpoint](prior.Endpoint); kit.IsSet(endpoint.ID) {
		expected = []string{endpoint.ID.ValueString()}
	}
	endpoints, err := api.ListSharedEndpoints(client.AtOnce(ctx), client.BranchRef{ProjectID: projectID, ID: branch.ID},
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
	if len(roles) > 0 {
		b.roleName = slices.MinFunc(roles, func(a, b client.Role) int { return a.CreatedAt.Compare(b.CreatedAt) }).Name
	}
	if len(databases) > 0 {
		b.databaseName = slices.MinFunc(databases,
			func(a, b client.Database) int { return a.CreatedAt.Compare(b.CreatedAt) }).Name
	}
}

// value is default_branch in the state.
func (b *defaultBranch) value(prior branchModel) types.Object {
	endpoint := types.ObjectNull(endpointType.AttrTypes)
	if b.endpoint != nil {
		endpoint = kit.Encode(compute.NewEndpoint(b.endpoint), endpointType)
	}
	return kit.Encode(branchModel{
		ID: types.StringValue(b.branch.ID), Name: types.StringValue(b.branch.Name),
		Protected: types.BoolValue(b.branch.Protected),
		RoleName:  firstOf(prior.RoleName, b.roleName), DatabaseName: firstOf(prior.DatabaseName, b.databaseName),
		Endpoint: endpoint,
	}, branchType)
}

func firstOf(prior types.String, found string) types.String {
	if kit.IsSet(prior) {
		return prior
	}
	return kit.OptionalString(found)
}

// apply changes the branch and its endpoint from before to wanted. Unconfigured settings are planned as they were, and
// so aren't sent, even if somebody has changed them meanwhile. The protection comes last: a project whose creation
// fails must be replaceable.
func (b *defaultBranch) apply(
	ctx context.Context, api *client.Client, projectID string, wanted, before branchModel,
) error {
	if kit.IsSet(wanted.Endpoint) {
		if err := b.applyEndpoint(ctx, api, projectID, kit.Decode[compute.Endpoint](wanted.Endpoint),
			kit.Decode[compute.Endpoint](before.Endpoint)); err != nil {
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
	ctx context.Context, api *client.Client, projectID string, wanted, before compute.Endpoint,
) error {
	update := wanted.Changes(before)
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
	ctx context.Context, api *client.Client, projectID string, wanted compute.Endpoint,
) error {
	if kit.IsSet(wanted.ID) {
		return kit.Advise(fmt.Errorf("endpoint %s of the default branch %s of project %s was deleted since it was planned",
			wanted.ID.ValueString(), b.branch.ID, projectID), "Plan again, which creates another.")
	}
	wanted.Type = types.StringValue(client.EndpointReadWrite)
	created, err := api.CreateEndpoint(ctx, client.BranchRef{ProjectID: projectID, ID: b.branch.ID}, wanted.Create())
	if err != nil {
		return err
	}
	b.endpoint = &created.Object
	return api.WaitForOperations(ctx, projectID, created.Operations)
}

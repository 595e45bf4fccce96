package endpoint

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewStartAction returns the action neon_start_endpoint.
func NewStartAction() action.Action {
	return newRunAction("start", "Starts the compute of an endpoint, so that the first connection doesn't wait for it. "+
		"Neon suspends it again after its suspend timeout. This doesn't show up in the next plan.",
		"runs", (*client.Client).StartEndpoint)
}

// NewSuspendAction returns the action neon_suspend_endpoint.
func NewSuspendAction() action.Action {
	return newRunAction("suspend", "Suspends the compute of an endpoint, which drops its connections. One that is idle "+
		"already is left as it is. The next connection starts it again. This doesn't show up in the next plan.",
		"is suspended", (*client.Client).SuspendEndpoint)
}

// NewRestartAction returns the action neon_restart_endpoint.
func NewRestartAction() action.Action {
	return newRunAction("restart", "Restarts the compute of an endpoint, for instance so that it loads other libraries "+
		"or leaves a bad state. Its connections are dropped. One that is idle is started. This doesn't show up in the "+
		"next plan.",
		"was restarted", (*client.Client).RestartEndpoint)
}

type runModel struct {
	kit.InBranch
	kit.Invocation

	EndpointID types.String `tfsdk:"endpoint_id"`
}

type runFunc func(
	api *client.Client, ctx context.Context, endpoint client.EndpointRef,
) (*client.Answer[client.Endpoint], error)

// newRunAction returns an action on an endpoint; state says in messages what it has done, such as "runs".
func newRunAction(verb, description, state string, run runFunc) action.Action {
	return kit.NewAction(kit.Action[runModel]{
		Name:        verb + "_endpoint",
		Description: description,
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID(kit.ProjectText),
			"endpoint_id": kit.OptionalText("Id of the endpoint. Either this or `branch_id` is needed.", append(
				kit.IDValidators(), stringvalidator.ExactlyOneOf(path.MatchRoot("endpoint_id"), path.MatchRoot("branch_id")))...),
			"branch_id": kit.OptionalID("Id of the branch whose read-write endpoint is meant. Either this or `endpoint_id` is " +
				"needed."),
		},
		Plan: checkRun,
		Invoke: func(ctx context.Context, api *client.Client, config runModel) (string, error) {
			endpoint, err := config.endpoint(ctx, api)
			if err != nil {
				return "", err
			}
			ran, err := run(api, ctx, endpoint)
			if err == nil {
				err = api.WaitForOperations(ctx, endpoint.ProjectID, ran.Operations)
			}
			if err != nil {
				return "", err
			}
			already := ""
			if len(ran.Operations) == 0 {
				already = ", for which Neon named no operation, as where it was so before"
			}
			return fmt.Sprintf("Endpoint %s %s%s. This doesn't show up in the next plan: no resource has whether it runs.",
				ran.Object.ID, state, already), nil
		},
		Doubt: "Look in the web console, or at the operations of the project, whether the " + verb + " took effect.",
	})
}

// endpoint returns the configured endpoint, or the branch's read-write endpoint.
func (m runModel) endpoint(ctx context.Context, api *client.Client) (client.EndpointRef, error) {
	branch, ref := m.Branch(), kit.RefOf[client.Endpoint](m.ProjectID, m.EndpointID)
	if ref.ID != "" {
		return ref, nil
	}
	endpoints, err := client.All(api.ListEndpoints(ctx, branch))
	if err != nil {
		return ref, err
	}
	for _, endpoint := range endpoints {
		if endpoint.Type == client.EndpointReadWrite {
			ref.ID = endpoint.ID
			return ref, nil
		}
	}
	return ref, kit.Advise(fmt.Errorf("branch %s has no read-write endpoint", branch.ID),
		"Set endpoint_id to the endpoint that is meant, or create a read-write endpoint first.")
}

func checkRun(ctx context.Context, run kit.Run, config runModel) {
	api, _ := run.CheckBranch(ctx, config.InBranch, run.Diags)
	if api == nil || !kit.IsSet(config.EndpointID) || run.Diags.HasError() {
		return
	}
	endpoint := kit.RefOf[client.Endpoint](config.ProjectID, config.EndpointID)
	if _, err := api.GetSharedEndpoint(ctx, endpoint); client.IsAbsent(err) {
		kit.AddAttributeError(run.Diags, path.Root("endpoint_id"), "No such endpoint", err)
	} else if err != nil {
		kit.AddError(run.Diags, "Unable to read endpoint", err)
	}
}

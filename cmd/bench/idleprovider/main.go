// Idleprovider has the schema of the provider and does nothing: what it is asked for
// is what it answers. With it Terraform takes as long as it must with resources of
// that many attributes, whoever serves them.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

func main() {
	debug := flag.Bool("debug", false, "serve until interrupted, for whoever wants to own the process")
	flag.Parse()
	provider.SaveWork()

	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	server := provider.NewServer("bench")
	err := tf6server.Serve("registry.terraform.io/seed-a7382548/neon", func() tfprotov6.ProviderServer {
		return idleServer{server.New()}
	}, options...)
	if err != nil {
		log.Fatal(err)
	}
}

type idleServer struct{ tfprotov6.ProviderServer }

// ValidateResourceConfig takes everything for valid.
func (idleServer) ValidateResourceConfig(
	context.Context, *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

// ReadResource takes the state for true.
func (idleServer) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity}, nil
}

// PlanResourceChange plans what Terraform proposes.
func (idleServer) PlanResourceChange(
	_ context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity,
	}, nil
}

// ApplyResourceChange takes what is planned for what is.
func (idleServer) ApplyResourceChange(
	_ context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{
		NewState: req.PlannedState, Private: req.PlannedPrivate, NewIdentity: req.PlannedIdentity,
	}, nil
}

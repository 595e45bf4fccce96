// Terraform-provider-neon is a Terraform provider for Neon, serverless PostgreSQL.
// Terraform starts it; with -debug it can be started by hand, in a debugger, and
// prints how to point Terraform at it.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// address is the provider's place in the registry.
const address = "registry.terraform.io/seed-a7382548/neon"

// version is set by the release build.
var version = "dev"

func main() {
	wait := flag.Bool("debug", false, "serve until interrupted, for a debugger such as delve")
	flag.Parse()
	provider.TuneRuntime()

	var options []tf6server.ServeOpt
	if *wait {
		options = append(options, tf6server.WithManagedDebug())
	}
	server := provider.NewServer(version)
	err := tf6server.Serve(address, server.New, options...)
	for _, problem := range server.Close(context.Background()) {
		log.Print("[ERROR] " + problem)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// Terraform-provider-neon is a Terraform provider for Neon, serverless PostgreSQL.
// Terraform starts it; with -debug it can be started by hand, in a debugger, and
// prints how to point Terraform at it.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// address is the provider's place in the registry.
const address = "registry.terraform.io/seed-a7382548/neon"

// version is set by the release build.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "serve until interrupted, for a debugger such as delve")
	flag.Parse()

	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: address,
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}

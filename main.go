// Terraform-provider-neon is a Terraform provider for Neon, serverless PostgreSQL.
// Terraform starts it; with -debug it can be started by hand, in a debugger, and
// prints how to point Terraform at it. Tests start it so, too.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// address is the provider's place in the registry.
const address = "registry.terraform.io/seed-a7382548/neon"

// version is set by the release build.
var version = "dev"

func main() {
	_ = os.Unsetenv("PGSERVICE") // It is about another server, and is looked up for each connection to a database.
	wait := flag.Bool("debug", false, "serve until interrupted, for a debugger such as delve")
	flag.Parse()
	provider.TuneRuntime()

	var options []tf6server.ServeOpt
	if *wait {
		options = append(options, tf6server.WithManagedDebug(), tf6server.WithManagedDebugReattachConfigTimeout(time.Minute))
	}
	server := provider.NewServer(version)
	go endWithParent(server, os.Getppid())
	err := tf6server.Serve(address, server.New, options...)
	for _, problem := range server.Close(context.Background()) {
		log.Print("[ERROR] " + problem)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// endWithParent ends the program once what started it was killed, which takes the connection down, but not the program.
// Windows never names another parent, and the program stays there.
func endWithParent(server *provider.Server, parent int) {
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
	server.Close(context.Background())
	os.Exit(1)
}

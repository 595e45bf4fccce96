// Profiledprovider is the provider, which writes profiles of what it did when it is
// stopped: where its time went, and what it allocated.
package main

import (
	"errors"
	"log"
	"os"
	"path/filepath"
	"runtime/pprof"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// folderVariable names the folder that the profiles are written to.
const folderVariable = "NEON_BENCH_PROFILES"

func main() {
	if err := run(os.Getenv(folderVariable)); err != nil {
		log.Fatal(err)
	}
}

func run(folder string) error {
	processor, err := os.Create(filepath.Join(folder, "cpu.pprof")) // #nosec G304 G703 -- the bench chooses it
	if err != nil {
		return err
	}
	allocations, err := os.Create(filepath.Join(folder, "allocations.pprof")) // #nosec G304 G703 -- the bench chooses it
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(processor); err != nil {
		return err
	}
	provider.TuneRuntime()
	err = tf6server.Serve("registry.terraform.io/seed-a7382548/neon", provider.NewServer("bench").New)
	pprof.StopCPUProfile()
	return errors.Join(err, processor.Close(), pprof.Lookup("allocs").WriteTo(allocations, 0), allocations.Close())
}

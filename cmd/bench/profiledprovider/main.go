// Profiledprovider is the provider, which writes profiles of what it did when it is
// stopped: where its time went, and what it allocated.
package main

import (
	"errors"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"syscall"

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

func run(folder string) (err error) {
	processor, err := os.Create(filepath.Join(folder, "cpu.pprof")) // #nosec G304 G703 -- the bench chooses it
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(processor); err != nil {
		return err
	}
	provider.TuneRuntime()
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, syscall.SIGTERM) // That is how the bench ends what it has started.
	ended := make(chan error, 1)
	server := provider.NewServer("bench")
	go func() {
		ended <- tf6server.Serve("registry.terraform.io/seed-a7382548/neon", server.New, tf6server.WithManagedDebug())
	}()
	select {
	case <-stopped:
	case err = <-ended:
	}
	pprof.StopCPUProfile()
	return errors.Join(err, processor.Close(), writeAllocations(filepath.Join(folder, "allocations.pprof")))
}

func writeAllocations(path string) error {
	file, err := os.Create(path) // #nosec G304 -- the bench chooses it
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("allocs").WriteTo(file, 0), file.Close())
}

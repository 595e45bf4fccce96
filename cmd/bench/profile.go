package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
)

// profile plans over 1,000 branches with a provider that writes its profiles to a folder.
func (b *bench) profile(ctx context.Context, out io.Writer, folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	if err := process.Build(ctx, os.Stderr, b.folder, "./cmd/bench/profiledprovider"); err != nil {
		return err
	}
	world, err := b.manyBranchesWorld(ctx)
	if err != nil {
		return err
	}
	in := world.neon.with("NEON_BENCH_PROFILES", folder)
	if _, err := b.use(ctx, provider{program: "profiledprovider"}, in, aPlan...); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "go tool pprof -top %[1]s/cpu.pprof\ngo tool pprof -top -sample_index=alloc_space %[1]s/allocations.pprof\n", folder)
	return err
}

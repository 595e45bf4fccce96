// Sweep finds what acceptance tests left on Neon by their names, lists it, and revokes it when
// told so. NEON_API_KEY and NEON_ORG_ID say where it looks.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sweep"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "Sweep:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	api, err := client.New(client.Config{
		BaseURL: os.Getenv("NEON_BASE_URL"), APIKey: os.Getenv("NEON_API_KEY"), MaxRetries: client.DefaultMaxRetries,
	})
	if err != nil {
		return err
	}
	return sweep.Run(ctx, api, os.Getenv("NEON_ORG_ID"), os.Stdin, os.Stdout)
}

// Install-terraform downloads the latest usable release of terraform into a folder, and prints the program's path. The
// library checks the release's signature.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"

	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

func main() {
	folder := flag.String("into", ".cache/terraform", "folder to install terraform into")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	path, err := install(ctx, *folder)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}

func install(ctx context.Context, folder string) (string, error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return "", err
	}
	latest := &releases.LatestVersion{Product: product.Terraform, Constraints: terraformcli.Usable, InstallDir: folder}
	return latest.Install(ctx)
}

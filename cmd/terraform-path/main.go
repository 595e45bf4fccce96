// Terraform-path prints the path of a terraform program that the tests can use,
// and brings one into the cache folder where PATH has none.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

func main() {
	cache := flag.String("cache", ".cache/terraform", "folder to install terraform into")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	path, err := terraformcli.Find(ctx, *cache)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}

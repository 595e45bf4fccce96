package walks_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *updateSamples && os.Getenv("TF_ACC") == "" {
		fmt.Fprintln(os.Stderr, "-update wrote nothing: the examples run with TF_ACC=1 alone.")
		os.Exit(2)
	}
	acctest.Main(m)
}

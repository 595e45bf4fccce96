package acctest

import (
	"os"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
)

// throughTerraform, set to anything, has terraform run all tests, as do OpenTofu and the
// real Neon.
const throughTerraform = "NEON_ACC_TERRAFORM"

// inProcess reports whether a test runs without terraform where it can.
func inProcess(t *testing.T) bool {
	if os.Getenv("TF_ACC_PROVIDER_HOST") != "" || realWorld != nil {
		return false
	}
	return os.Getenv(throughTerraform) == "" || isWithoutTerraform(t.Name())
}

var withoutTerraform sync.Map

// WithoutTerraform has a test run in this process with its parts. It is for one whose steps terraform runs elsewhere:
// with another alternative of a reading, or in a test that is about terraform.
func WithoutTerraform(t *testing.T) {
	t.Helper()
	withoutTerraform.Store(t.Name(), true)
}

// FirstSteps are so many of the steps that another test takes WithoutTerraform, and all of them where terraform runs
// all tests.
func FirstSteps(count int, steps []resource.TestStep) []resource.TestStep {
	if os.Getenv(throughTerraform) != "" {
		return steps
	}
	return steps[:count]
}

// isWithoutTerraform reports whether a test, or one that it is a part of, said so.
func isWithoutTerraform(test string) bool {
	for at, letter := range test + "/" {
		if _, ok := withoutTerraform.Load(test[:at]); letter == '/' && ok {
			return true
		}
	}
	return false
}

// Test runs a test in this process, over the provider's protocol, in milliseconds. What
// only terraform knows (functions, for_each, other providers) is left to it. Whatever is
// about terraform itself calls resource.Test.
func Test(t *testing.T, test resource.TestCase) {
	t.Helper()
	if inProcess(t) && inprocess.Supports(test) == nil {
		if err := inprocess.Run(t.Context(), test); err != nil {
			t.Error(err)
		}
		return
	}
	resource.Test(t, test)
}

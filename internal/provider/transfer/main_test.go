package transfer_test

import (
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

func TestMain(m *testing.M) { acctest.Main(m) }

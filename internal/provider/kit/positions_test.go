package kit_test

import (
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

func TestAtSamePosition(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"0/1a2b", "0/1A2B"}: true, {"00/001A2B", "0/1A2B"}: true, {"A/1", "a/01"}: true,
		{"0/1A2B", "0/1A2C"}: false, {"1/0", "0/1"}: false, {"1/0", "1/00000001"}: false, {"", "0/0"}: false, {"", ""}: false,
	} {
		if kit.AtSamePosition(pair[0], pair[1]) != want || kit.AtSamePosition(pair[1], pair[0]) != want {
			t.Errorf("%q and %q: want %t", pair[0], pair[1], want)
		}
	}
}

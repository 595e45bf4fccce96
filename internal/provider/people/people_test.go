package people_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/people"
)

// An address stays as it was written where Neon's is the same, or where Neon returns none: it is another's only where
// Neon says so.
func TestEmail(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		written types.String
		actual  string
		want    types.String
	}{
		{types.StringValue("Max@example.com"), "max@example.com", types.StringValue("Max@example.com")},
		{types.StringValue("max@example.com"), "eve@example.com", types.StringValue("eve@example.com")},
		{types.StringValue("max@example.com"), "", types.StringValue("max@example.com")},
		{types.StringNull(), "max@example.com", types.StringValue("max@example.com")},
		{types.StringUnknown(), "", types.StringNull()},
	} {
		if got := people.Email(test.written, test.actual); !got.Equal(test.want) {
			t.Errorf("%s, of which Neon returns %q, is %s; want %s", test.written, test.actual, got, test.want)
		}
	}
}

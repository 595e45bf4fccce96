package chaos

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A state file's text is read as the value that it was written of.
func TestPlain(t *testing.T) {
	t.Parallel()
	value := objectValue(map[string]tftypes.Value{
		"text": text("a"), "none": tftypes.NewValue(tftypes.String, nil), "truth": tftypes.NewValue(tftypes.Bool, true),
		"size": tftypes.NewValue(tftypes.Number, 0.25), "bytes": tftypes.NewValue(tftypes.Number, 10_000_000_000),
		"list": tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, []tftypes.Value{text("b")}),
		"map":  tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"c": text("d")}),
	})
	stored, err := json.Marshal(plain(value))
	if err != nil {
		t.Fatal(err)
	}
	read, err := (&tfprotov6.RawState{JSON: stored}).Unmarshal(value.Type())
	if err != nil || !read.Equal(value) {
		t.Errorf("%s is read as %s (%v)", stored, read, err)
	}
}

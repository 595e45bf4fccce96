package claimable

import (
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// TestClaimableDatabaseDelete sees what a person is told, since Neon
// deletes nothing on request. Where the block is gone, Terraform 1.11 hands over what was known before the refresh: the
// database may be claimed by then.
func TestClaimableDatabaseDelete(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		database dataModel
		want     string
	}{
		"unclaimed": {dataModel{Status: kit.OptionalString("UNCLAIMED"), ExpiresAt: kit.OptionalTime(new(time.Unix(0, 0)))},
			"expires by itself at 1970-01-01T00:00:00Z, unless somebody has claimed it or does until then"},
		"unclaimed without expiry": {dataModel{Status: kit.OptionalString("UNCLAIMED")}, "within 72 hours"},
		"claimed":                  {dataModel{Status: kit.OptionalString("CLAIMED"), access: access{ProjectID: kit.OptionalString("p-1")}}, "^Terraform forgets the database. It was claimed .* delete project p-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var schema resource.SchemaResponse
			database := &databaseResource{}
			database.Schema(t.Context(), resource.SchemaRequest{}, &schema)
			state := tfsdk.State{Schema: schema.Schema}
			stored := resourceModel{
				dataModel: test.database, Services: types.SetNull(types.StringType),
				Seed:         types.ObjectNull(map[string]attr.Type{"type": types.StringType, "path": types.StringType}),
				Capabilities: types.MapNull(types.ObjectType{AttrTypes: capabilityTypes}),
			}
			stored.Timeouts = timeouts.Value{Object: types.ObjectNull(map[string]attr.Type{"create": types.StringType})}
			if diags := state.Set(t.Context(), &stored); diags.HasError() {
				t.Fatal(diags)
			}
			var resp resource.DeleteResponse
			database.Delete(t.Context(), resource.DeleteRequest{State: state}, &resp)
			wantWarning(t, resp.Diagnostics, test.want)
		})
	}
}

func TestClaimableDatabaseWarnings(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{
		"UNCLAIMED": "", "CLAIMING": "begun to take the database", "CLAIMED": "remove this resource from the configuration", "SOMETHING_NEW": "",
	} {
		var diags diag.Diagnostics
		(&resourceModel{dataModel: dataModel{Status: kit.OptionalString(status)}}).warn(&diags)
		if want == "" && len(diags) == 0 {
			continue
		}
		wantWarning(t, diags, want)
	}
}

func wantWarning(t *testing.T, diags diag.Diagnostics, want string) {
	t.Helper()
	if len(diags) != 1 || diags[0].Severity() != diag.SeverityWarning ||
		!regexp.MustCompile(want).MatchString(diags[0].Detail()) {
		t.Errorf("diagnostics %v, want a warning that says %q", diags, want)
	}
}

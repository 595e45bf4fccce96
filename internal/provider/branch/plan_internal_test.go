package branch

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// wantedEndpoint is an endpoint in a configuration that sets the minimum, if it
// isn't 0, and nothing else.
func wantedEndpoint(kind string, smallest float64) compute.Endpoint {
	model := compute.Endpoint{Type: types.StringValue(kind), ID: types.StringUnknown()}
	if smallest != 0 {
		model.AutoscalingLimitMinCU = types.Float64Value(smallest)
	}
	return model
}

func existingEndpoint(id, kind string, smallest float64) compute.Endpoint {
	return compute.NewEndpoint(&client.Endpoint{ID: id, Type: kind, AutoscalingLimitMinCU: smallest,
		AutoscalingLimitMaxCU: 8})
}

func TestBranchPlanEndpoints(t *testing.T) {
	t.Parallel()
	unknownType := compute.Endpoint{Type: types.StringUnknown()}
	for name, test := range map[string]struct{ configured, current, want map[string]string }{
		"the same labels": {
			configured: map[string]string{"a": "read_write", "b": "read_only"},
			current:    map[string]string{"a": "read_write", "b": "read_only"},
			want:       map[string]string{"a": "id of a", "b": "id of b"},
		},
		"another type is another endpoint": {
			configured: map[string]string{"a": "read_only"}, current: map[string]string{"a": "read_write"},
			want: map[string]string{"a": "new"},
		},
		"a read_write endpoint moves with its label": {
			configured: map[string]string{"new": "read_write"}, current: map[string]string{"old": "read_write"},
			want: map[string]string{"new": "id of old"},
		},
		"a read_only endpoint doesn't": {
			configured: map[string]string{"new": "read_only"}, current: map[string]string{"old": "read_only"},
			want: map[string]string{"new": "new"},
		},
		"of types that were swapped, the read_write endpoint moves": {
			configured: map[string]string{"a": "read_only", "b": "read_write"},
			current:    map[string]string{"a": "read_write", "b": "read_only"},
			want:       map[string]string{"a": "new", "b": "id of a"},
		},
		"a type that isn't known yet": {
			configured: map[string]string{"a": "unknown", "b": "read_only"},
			current:    map[string]string{"a": "read_write", "b": "read_only"},
			want:       map[string]string{"a": "new", "b": "id of b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			configured, current, got := map[string]compute.Endpoint{}, map[string]compute.Endpoint{}, map[string]string{}
			for label, kind := range test.configured {
				configured[label] = wantedEndpoint(kind, 0)
				if kind == "unknown" {
					configured[label] = unknownType
				}
			}
			for label, kind := range test.current {
				current[label] = existingEndpoint("id of "+label, kind, 1)
			}
			for label, endpoint := range planEndpoints(configured, current) {
				got[label] = endpoint.ID.ValueString()
				if endpoint.ID.IsUnknown() && endpoint.AutoscalingLimitMinCU.IsUnknown() {
					got[label] = "new"
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("ids by label (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBranchMatchCreated(t *testing.T) {
	t.Parallel()
	planned := map[string]compute.Endpoint{
		"any":   wantedEndpoint("read_only", 0),
		"big":   wantedEndpoint("read_only", 4),
		"main":  wantedEndpoint("read_write", 0),
		"small": wantedEndpoint("read_only", 1),
	}
	answer := []client.Endpoint{
		{ID: "4", Type: "read_only", AutoscalingLimitMinCU: 4},
		{ID: "1", Type: "read_only", AutoscalingLimitMinCU: 1},
		{ID: "w", Type: "read_write"},
		{ID: "0", Type: "read_only", AutoscalingLimitMinCU: 0.25},
	}
	want := map[string]string{"any": "0", "big": "4", "main": "w", "small": "1"}
	for range 2 {
		got := map[string]string{}
		for label, endpoint := range matchCreated(t.Context(), planned, sortedLabels(planned), answer) {
			got[label] = endpoint.ID.ValueString()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ids by label (-want +got):\n%s", diff)
		}
		slices.Reverse(answer)
	}
}

func TestBranchMatchCreatedLeavesOutWhatIsMissing(t *testing.T) {
	t.Parallel()
	planned := map[string]compute.Endpoint{"a": wantedEndpoint("read_only", 0), "b": wantedEndpoint("read_only", 0)}
	got := matchCreated(t.Context(), planned, sortedLabels(planned), []client.Endpoint{{ID: "1", Type: "read_only"}})
	if labels := slices.Collect(maps.Keys(got)); len(labels) != 1 || labels[0] != "a" {
		t.Errorf("labels %v, want a alone", labels)
	}
}

func TestBranchLabelImported(t *testing.T) {
	t.Parallel()
	early, late := time.Unix(1, 0), time.Unix(2, 0)
	odd := map[string]compute.Endpoint{"a,b=c": wantedEndpoint("read_write", 0)}
	for name, test := range map[string]struct {
		endpoints []client.Endpoint
		hints     string
		want      map[string]string
	}{
		"by default": {
			endpoints: []client.Endpoint{
				{ID: "3", Type: "read_only"}, {ID: "2", Type: "read_only"}, {ID: "1", Type: "read_write"}, {ID: "4", Type: "strange"},
			},
			want: map[string]string{"primary": "1", "replica": "2", "replica-2": "3", "strange": "4"},
		},
		"by name": {
			endpoints: []client.Endpoint{
				{ID: "1", Type: "read_write", Name: "replica"}, {ID: "2", Type: "read_only"}, {ID: "3", Type: "read_only", Name: "x"},
			},
			want: map[string]string{"replica-2": "1", "replica": "2", "x": "3"},
		},
		"by a name that is no identifier": {
			endpoints: []client.Endpoint{
				{ID: "1", Type: "read_write", Name: "a name, v1.2"}, {ID: "2", Type: "read_only", Name: "2nd"}, {ID: "3", Type: "read_only", Name: "größe-2"},
			},
			want: map[string]string{"a_name_v1_2": "1", "_nd": "2", "größe-2": "3"},
		},
		"by hints, in the order of creation": {
			endpoints: []client.Endpoint{
				{ID: "1", Type: "read_only", CreatedAt: late}, {ID: "2", Type: "read_only", CreatedAt: early}, {ID: "3", Type: "read_write"},
			},
			hints: `{"read_write":["app"],"read_only":["first","second"]}`,
			want:  map[string]string{"app": "3", "first": "2", "second": "1"},
		},
		"by hints of the types that they fit": {
			endpoints: []client.Endpoint{{ID: "1", Type: "read_only"}, {ID: "3", Type: "read_write"}},
			hints:     `{"read_write":["app"],"read_only":["first","second"]}`,
			want:      map[string]string{"app": "3", "replica": "1"},
		},
		"hints that aren't ours": {
			endpoints: []client.Endpoint{{ID: "1", Type: "read_write"}},
			hints:     `{"read_write":[""]}`,
			want:      map[string]string{"primary": "1"},
		},
		"labels with the hints' own signs": {
			endpoints: []client.Endpoint{{ID: "1", Type: "read_write"}},
			hints:     encodeLabels(odd, sortedLabels(odd)),
			want:      map[string]string{"a,b=c": "1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := map[string]string{}
			for label, endpoint := range labelImported(test.endpoints, test.hints) {
				got[label] = endpoint.ID.ValueString()
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("ids by label (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBranchEndpointChangesHoldOnlyWhatDiffers(t *testing.T) {
	t.Parallel()
	current := existingEndpoint("1", "read_write", 1)
	planned := current
	planned.AutoscalingLimitMaxCU = types.Float64Value(9)
	planned.Disabled = types.BoolValue(true)
	planned.SuspendTimeoutSeconds = types.Int64Unknown()
	got := planned.Changes(current)
	nine, yes := 9.0, true
	want := client.EndpointUpdate{EndpointSettings: client.EndpointSettings{AutoscalingLimitMaxCU: &nine}, Disabled: &yes}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if same := current.Changes(current); same != (client.EndpointUpdate{}) {
		t.Errorf("an endpoint differs from itself: %+v", same)
	}
}

func TestBranchCheckExpiry(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Second)
	for ahead, good := range map[time.Duration]bool{
		-time.Second:                false,
		0:                           false,
		time.Minute:                 true,
		longestExpiry - time.Minute: true,
		longestExpiry + time.Minute: false,
	} {
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 3600)} {
			text := now.Add(ahead).In(zone).Format(time.RFC3339)
			if diags := checkedExpiry(timetypes.NewRFC3339ValueMust(text)); diags.HasError() == good {
				t.Errorf("%s: errors %v", text, diags)
			}
		}
	}
	for _, none := range []timetypes.RFC3339{timetypes.NewRFC3339Unknown(), timetypes.NewRFC3339Null()} {
		if diags := checkedExpiry(none); diags.HasError() {
			t.Errorf("%s: %v", none, diags)
		}
	}
}

// checkedExpiry is what a plan says of another expiry for a branch that exists, where Neon can't be asked.
func checkedExpiry(expiry timetypes.RFC3339) (diags diag.Diagnostics) {
	p := kit.Planning{Diags: &diags}
	p.State.Raw = tftypes.NewValue(tftypes.Bool, true)
	checkExpiry(context.Background(), p, expiry)
	return diags
}

func TestBranchSameInstant(t *testing.T) {
	t.Parallel()
	base := timetypes.NewRFC3339ValueMust("2030-01-01T00:00:00Z")
	for text, same := range map[string]bool{
		"2030-01-01T00:00:00+00:00": true,
		"2030-01-01T02:00:00+02:00": true,
		"2030-01-01T00:00:00.75Z":   true,
		"2030-01-01T00:00:01Z":      false,
	} {
		if got := kit.AtSameInstant(base, timetypes.NewRFC3339ValueMust(text)); got != same {
			t.Errorf("%s: %t, want %t", text, got, same)
		}
	}
}

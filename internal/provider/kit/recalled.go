package kit

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// recalledMark is in the private state of what recalls its configuration.
const recalledMark = "recalled"

// applied is what a resource recalls of the configuration that was applied last.
type applied struct {
	// IsCreated is true for what the resource has created, and thus knows all of.
	IsCreated bool                `json:"created"`
	Members   map[string][]string `json:"members"`
}

func recalled(ctx context.Context, private PrivateState) (last applied) {
	mark, _ := private.GetKey(ctx, recalledMark)
	_ = json.Unmarshal(mark, &last) // Without a mark, nothing.
	return last
}

// recall keeps which members of the resource's objects are configured.
func (r *managed[M]) recall(ctx context.Context, config tfsdk.Config, isCreated bool, private PrivateState, diags *diag.Diagnostics) {
	if len(r.spec.Recalls) == 0 {
		return
	}
	now := applied{isCreated, map[string][]string{}}
	for _, name := range r.spec.Recalls {
		var object types.Object
		diags.Append(config.GetAttribute(ctx, path.Root(name), &object)...)
		for member, value := range object.Attributes() {
			if !value.IsNull() {
				now.Members[name] = append(now.Members[name], member)
			}
		}
		slices.Sort(now.Members[name])
	}
	mark, _ := json.Marshal(now) // Texts.
	diags.Append(private.SetKey(ctx, recalledMark, mark)...)
}

// IsCreatedHere reports whether the resource with that private state has created its object, rather than imported it.
func IsCreatedHere(ctx context.Context, private PrivateState) bool {
	return recalled(ctx, private).IsCreated
}

// NoLongerConfigured are the members of an object that were configured when the resource was last applied, and aren't now.
func NoLongerConfigured(ctx context.Context, private PrivateState, name string, config types.Object) (members []string) {
	present := config.Attributes()
	for _, member := range recalled(ctx, private).Members[name] {
		if isLeft(present[member]) && !config.IsUnknown() {
			members = append(members, member)
		}
	}
	return members
}

func isLeft(value attr.Value) bool { return value == nil || value.IsNull() }

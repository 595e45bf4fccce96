package kit

import (
	"context"
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
	IsCreated bool `json:"created"`
	// Members are those of objects that were configured, by the names of the attributes; of any other that was, there are
	// none.
	Members map[string][]string `json:"members"`
}

func recalled(ctx context.Context, private PrivateState) applied {
	last, _ := MarkOf[applied](ctx, private, recalledMark) // Without a mark, nothing.
	return last
}

// recall keeps which of the attributes that the resource recalls are configured, and which of their members. After a
// failure, those that were may still have to go back to their default.
func (r *managed[M]) recall(
	ctx context.Context, config tfsdk.Config, before applied, failed bool, private PrivateState, diags *diag.Diagnostics,
) {
	if len(r.spec.Recalls) == 0 {
		return
	}
	now := applied{before.IsCreated, map[string][]string{}}
	for _, name := range r.spec.Recalls {
		value := Get[attr.Value](ctx, config, path.Root(name), diags)
		members, isConfigured := before.Members[name]
		if !failed {
			members, isConfigured = nil, false
		}
		isConfigured = isConfigured || !isLeft(value)
		if object, ok := value.(types.Object); ok {
			for member, value := range object.Attributes() {
				if !value.IsNull() {
					members = append(members, member)
				}
			}
		}
		if slices.Sort(members); isConfigured {
			now.Members[name] = slices.Compact(members)
		}
	}
	SetMark(ctx, private, recalledMark, now, diags)
}

// IsCreatedHere reports whether the resource with that private state has created its object, rather than imported it.
func IsCreatedHere(ctx context.Context, private PrivateState) bool {
	return recalled(ctx, private).IsCreated
}

// WasConfigured reports whether an attribute was configured when the resource was last applied.
func WasConfigured(ctx context.Context, private PrivateState, name string) bool {
	_, was := recalled(ctx, private).Members[name]
	return was
}

// NoLongerConfigured are the members of an object that were configured when the resource was last applied, and aren't
// now.
func NoLongerConfigured(
	ctx context.Context, private PrivateState, name string, config types.Object,
) (members []string) {
	present := config.Attributes()
	for _, member := range recalled(ctx, private).Members[name] {
		if isLeft(present[member]) && !config.IsUnknown() {
			members = append(members, member)
		}
	}
	return members
}

func isLeft(value attr.Value) bool { return value == nil || value.IsNull() }

// PlanLeftAlone plans attributes that the resource recalls and that aren't configured: to stay as they are where they
// never were, so that nothing that somebody has set elsewhere is undone; and to go back to their default, which is
// null, where they were.
func (p Planning) PlanLeftAlone(ctx context.Context, names []string) {
	for _, name := range names {
		planned := Get[attr.Value](ctx, p.Config, path.Root(name), p.Diags)
		if p.Diags.HasError() || !planned.IsNull() {
			continue
		}
		if !p.IsCreation() && !WasConfigured(ctx, p.Private, name) {
			planned = Get[attr.Value](ctx, p.State, path.Root(name), p.Diags)
		}
		p.Set(ctx, path.Root(name), planned)
	}
}

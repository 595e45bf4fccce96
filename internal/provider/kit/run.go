package kit

import (
	"context"
	"crypto/rand"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Run is one read or change: what it works with, besides the model.
type Run struct {
	*Platform

	API     *client.Client // nil in the plan of an action, which only looks up
	Diags   *diag.Diagnostics
	Private PrivateState // of what a resource saves; nil where nothing is saved, such as in a plan
	// IsMove is true in an update that moves the object to the branch which has replaced its own. The object may have to
	// be created there, and an error of that creation taints nothing.
	IsMove bool

	config tfsdk.Config // of a creation or an update
}

// Run returns a run that reads, and warns in diags.
func (p *Platform) Run(diags *diag.Diagnostics) Run {
	return Run{API: p.Client, Platform: p, Diags: diags}
}

// Finish waits for the operations of a write, or returns its error.
func Finish(ctx context.Context, api *client.Client, projectID string, operations []client.Operation, err error) error {
	if err != nil {
		return err
	}
	return api.WaitForOperations(ctx, projectID, operations)
}

// ReadInto fills in a model, by its with, from what a read of the client returns.
func ReadInto[T, M any](with func(found *T) M) func(found *T, err error) (M, error) {
	return func(found *T, err error) (M, error) {
		if err != nil {
			var none M
			return none, err
		}
		return with(found), nil
	}
}

// Warn adds a warning to what the user reads.
func (r Run) Warn(summary, detail string) { r.Diags.AddWarning(summary, detail) }

// ConfigOf is the configuration of what is created or updated.
func ConfigOf[M any](ctx context.Context, run Run) M { return ModelOf[M](ctx, run.config, run.Diags) }

// IsConfigured reports whether the configuration has an attribute, be it without a value yet.
func (r Run) IsConfigured(ctx context.Context, at path.Path) bool {
	value := Get[attr.Value](ctx, r.config, at, r.Diags)
	return value != nil && !value.IsNull()
}

// WriteOnly returns a write-only text of the configuration, which no plan has; empty for none.
func (r Run) WriteOnly(ctx context.Context, name string) string {
	return Get[types.String](ctx, r.config, path.Root(name), r.Diags).ValueString()
}

// WriteOnlyMap is WriteOnly for a map of texts.
func (r Run) WriteOnlyMap(ctx context.Context, name string) map[string]string {
	return TextMap(Get[types.Map](ctx, r.config, path.Root(name), r.Diags))
}

// Begins reports whether no other creation of this run is of that object, of which the plan didn't know the key.
func (r Run) Begins(resource, key string) bool { return r.begins(resource, key) }

// latestMark is in the private state of an object that Neon knows by its key alone: which of those that had the key.
const latestMark = "latest"

// Creates notes that the object with that key of a resource has taken the place of any other.
func (r Run) Creates(ctx context.Context, resource, key string) {
	mark := rand.Text()
	r.latest.Store(resource+" "+key, mark)
	SetMark(ctx, r.Private, latestMark, mark, r.Diags)
}

// IsSuperseded reports whether another object has taken the place of the one to be deleted, as with
// create_before_destroy.
func (r Run) IsSuperseded(ctx context.Context, resource, key string) bool {
	mark, _ := MarkOf[string](ctx, r.Private, latestMark)
	latest, isKnown := r.latest.Load(resource + " " + key)
	return isKnown && latest != mark
}

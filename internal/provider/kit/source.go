package kit

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// WherePathsBegin is advice about a file that isn't there.
const WherePathsBegin = "Paths begin in the folder that terraform runs in; ${path.module} is the folder of the module."

// PlanSource plans source_hash: the hash, by read, of what the source names on this machine. It reports whether that is
// another one than was planned so far. Failure is the summary of the error about what can't be read.
func (p Planning) PlanSource(
	ctx context.Context, failure string, source types.String, read func() (hash string, err error),
) (isAnother bool) {
	planned := Get[types.String](ctx, p.Answer.Plan, path.Root("source_hash"), p.Diags)
	if source.IsNull() || p.Diags.HasError() {
		return false
	}
	hash := types.StringUnknown()
	if !source.IsUnknown() {
		text, err := read()
		if err != nil {
			if failed, is := errors.AsType[*fs.PathError](err); is && failed.Path == source.ValueString() {
				err = failed.Err // The error names the source by itself.
			}
			advice := " It is read when Terraform plans: if this configuration writes it, apply that first."
			if errors.Is(err, fs.ErrNotExist) {
				advice = " " + WherePathsBegin + advice
			}
			p.Diags.AddAttributeError(path.Root("source"), failure, strings.TrimRight(err.Error(), ".")+"."+advice)
			return false
		}
		hash = types.StringValue(text)
	}
	p.Set(ctx, path.Root("source_hash"), hash)
	return !hash.Equal(planned)
}

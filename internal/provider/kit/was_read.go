package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

type readKey struct{}

// WithRead returns the context of a read whose answer is known already.
func WithRead(ctx context.Context, answer *resource.ReadResponse) context.Context {
	return context.WithValue(ctx, readKey{}, answer)
}

// WasRead reports whether the answer of a read is known already, and sets it. Each resource that
// has an identity begins its read with it: the server reads first, and the framework only
// completes the answer of an object that changed, which is not to be read twice.
func WasRead(ctx context.Context, resp *resource.ReadResponse) bool {
	answer, known := ctx.Value(readKey{}).(*resource.ReadResponse)
	if known {
		*resp = *answer
	}
	return known
}

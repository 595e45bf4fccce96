package kit

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// PrivateState is what Terraform keeps of a resource for the provider alone.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// SetMark keeps a value in private state, if there is one, by the name of the mark; nil takes the mark away.
func SetMark(ctx context.Context, private PrivateState, mark string, value any, diags *diag.Diagnostics) {
	if private == nil {
		return
	}
	var text []byte // Nothing removes the key.
	if value != nil {
		text, _ = json.Marshal(value) // Marks are made of texts and booleans.
	}
	diags.Append(private.SetKey(ctx, mark, text)...)
}

// MarkOf returns the value of a mark in private state, and whether there is one.
func MarkOf[T any](ctx context.Context, private PrivateState, mark string) (value T, isSet bool) {
	if private == nil {
		return value, false
	}
	text, _ := private.GetKey(ctx, mark)
	isSet = json.Unmarshal(text, &value) == nil
	return value, isSet
}

// ForgetMarks removes kit's private data of an object that is gone.
func ForgetMarks(ctx context.Context, private PrivateState, diags *diag.Diagnostics) {
	for _, mark := range []string{protectedMark, OwnProtection, rememberedMark, recalledMark} {
		SetMark(ctx, private, mark, nil, diags)
	}
}

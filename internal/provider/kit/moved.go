package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// MovedSource is a resource of another provider for the same platform, whose
// state a moved block can bring here.
type MovedSource struct {
	// Provider is the namespace and type of the provider's address. Its host
	// doesn't matter: registries carry the same providers.
	Provider string
	TypeName string
	// Version of its schema. Any is taken, since only ids are read.
	Version int64
}

func (s MovedSource) String() string {
	return s.TypeName + " of " + s.Provider
}

// ReadMoved decodes the state of a resource that is moved here, if it is one of
// the known sources. What isn't, or has another shape, gets an error that shows
// how the object is imported instead.
func ReadMoved(
	req resource.MoveStateRequest, sources []MovedSource, importBlock string, into any, diags *diag.Diagnostics,
) bool {
	_, provider, _ := strings.Cut(req.SourceProviderAddress, "/")
	actual := MovedSource{provider, req.SourceTypeName, req.SourceSchemaVersion}
	known := make([]string, len(sources))
	matches := false
	for i, source := range sources {
		known[i] = source.String()
		matches = matches || source.Provider == actual.Provider && source.TypeName == actual.TypeName
	}
	var reason string
	switch {
	case !matches:
		reason = fmt.Sprintf("Known are: %s.", strings.Join(known, "; "))
	case req.SourceRawState == nil || len(req.SourceRawState.JSON) == 0:
		reason = "Its state is empty, or was written by a Terraform before 0.12."
	default:
		// What went wrong isn't repeated: it may hold a part of a key.
		if json.NewDecoder(bytes.NewReader(req.SourceRawState.JSON)).Decode(into) == nil {
			return true
		}
		reason = "Its state has another shape than is known."
	}
	RefuseMove(actual, reason, importBlock, diags)
	return false
}

// RefuseMove says why a state isn't moved, and how the object is imported instead.
func RefuseMove(source MovedSource, reason, importBlock string, diags *diag.Diagnostics) {
	diags.AddError("Unable to move from another provider", fmt.Sprintf(
		"A state of %s can't be moved here. %s Nothing was changed. Forget the old resource, and import the object instead of "+
			"moving it, with these blocks in place of the moved block, where OLD and NAME are the names of the resources:\n\n"+
			"removed {\n  from = %s.OLD\n  lifecycle {\n    destroy = false\n  }\n}\n\n%s", source, reason, source.TypeName, importBlock))
}

// Move takes the key, and the further texts named, from the state of a known source; the
// read that follows fills in the rest.
func (k Key) Move(
	ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse, to string, sources []MovedSource, further ...string,
) {
	names := make([]string, len(k.Parts))
	for i, part := range k.Parts {
		names[i] = part.Name
	}
	importBlock := fmt.Sprintf("import {\n  to = %s.NAME\n  id = %q\n}", to, strings.Join(names, "/"))
	moved := map[string]json.RawMessage{}
	if !ReadMoved(req, sources, importBlock, &moved, &resp.Diagnostics) {
		return
	}
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = movedText(moved[name])
	}
	if !k.valid(values) {
		RefuseMove(sources[0], "Its "+strings.Join(names, " or its ")+" is missing, or has another shape than is known.", importBlock, &resp.Diagnostics)
		return
	}
	k.set(ctx, values, &resp.TargetState, resp.TargetIdentity, &resp.Diagnostics)
	for _, name := range further {
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root(name), OptionalString(movedText(moved[name])))...)
	}
}

// movedText returns an id that some providers keep as text and others as a number; empty
// where it is neither.
func movedText(data json.RawMessage) string {
	var text string
	var number json.Number
	if json.Unmarshal(data, &text) == nil {
		return text
	}
	if json.Unmarshal(data, &number) == nil {
		return number.String()
	}
	return ""
}

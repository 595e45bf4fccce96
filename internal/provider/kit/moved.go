package kit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// MovedSource is a resource of another provider for Neon, whose state a moved block can
// bring here. Any version of its schema is taken, since only ids and keys are read.
type MovedSource struct {
	// Provider is the namespace and type of the provider's address. Its host doesn't
	// matter: registries carry the same providers.
	Provider string
	TypeName string
}

func (s MovedSource) String() string { return s.TypeName + " of " + s.Provider }

// Move takes the key, and the further texts named, from the state of a known source; the
// read that follows fills in the rest. What can't be moved gets an error that shows how
// the object is imported instead.
func (k Key) Move(
	ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse, to string, sources []MovedSource, further ...string,
) {
	_, provider, _ := strings.Cut(req.SourceProviderAddress, "/")
	source := MovedSource{provider, req.SourceTypeName}
	moved, reason := readMoved(req, source, sources)
	values, called := make([]string, len(k.Parts)), make([]string, len(k.Parts))
	for i, part := range k.Parts {
		value := cmp.Or(movedText(moved[part.MovedFrom]), movedText(moved[part.Name]))
		// An id may begin with those of what it belongs to.
		values[i] = strings.TrimPrefix(value, strings.Join(values[:i], "/")+"/")
		called[i] = strings.TrimSuffix(part.Name, "_id")
	}
	if reason == "" && !k.valid(values) {
		slices.Reverse(called) // "Its id or its project", not the other way round.
		reason = "Its " + strings.Join(called, " or its ") + " is missing, or has another shape than is known."
	}
	if reason != "" {
		resp.Diagnostics.AddError("Unable to move from another provider", fmt.Sprintf(
			"A state of %s can't be moved here. %s Nothing was changed. Forget the old resource, and import the object instead of "+
				"moving it, with these blocks in place of the moved block, where OLD and NAME are the names of the resources:\n\n"+
				"%s\n\n%s", source, reason, RemovedBlock(source.TypeName+".OLD"), ImportBlock(to, strings.Join(k.names(), "/"))))
		return
	}
	k.set(ctx, values, &resp.TargetState, resp.TargetIdentity, &resp.Diagnostics)
	for _, name := range further {
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root(name), OptionalString(movedText(moved[name])))...)
	}
}

// readMoved returns the attributes in the state of a known source, or why there are none.
func readMoved(req resource.MoveStateRequest, source MovedSource, known []MovedSource) (attributes map[string]json.RawMessage, reason string) {
	switch {
	case !slices.Contains(known, source):
		names := make([]string, len(known))
		for i, source := range known {
			names[i] = source.String()
		}
		return nil, "Known are: " + strings.Join(names, "; ") + "."
	case req.SourceRawState == nil || len(req.SourceRawState.JSON) == 0:
		return nil, "Its state is empty, or was written by a Terraform before 0.12."
	case json.Unmarshal(req.SourceRawState.JSON, &attributes) != nil:
		// What went wrong isn't repeated: it may hold a part of a key.
		return nil, "Its state has another shape than is known."
	}
	return attributes, ""
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

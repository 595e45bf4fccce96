package kit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// MovedSource is a resource of another provider for the same platform, whose
// state a moved block can bring here.
type MovedSource struct {
	// provider is the namespace and type of the provider's address. Its host
	// doesn't matter: registries carry the same providers.
	Provider string
	TypeName string
	// version is the schema version that is known here.
	Version int64
}

func (s MovedSource) String() string {
	return fmt.Sprintf("%s of %s, schema version %d", s.TypeName, s.Provider, s.Version)
}

// MovedText is an id that some providers keep as text and others as a number.
type MovedText string

// UnmarshalJSON reads both.
func (m *MovedText) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		*m = MovedText(text)
		return nil
	}
	var number json.Number
	if err := json.Unmarshal(data, &number); err != nil {
		return fmt.Errorf("an id is neither a text nor a number: %w", err)
	}
	*m = MovedText(number.String())
	return nil
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
		matches = matches || source == actual
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
		reason = "Its state has another shape than that version is known to have."
	}
	RefuseMove(actual, reason, importBlock, diags)
	return false
}

func RefuseMove(source MovedSource, reason, importBlock string, diags *diag.Diagnostics) {
	diags.AddError("Unable to move from another provider", fmt.Sprintf(
		"A state of %s can't be moved here. %s Nothing was changed. Forget the old resource, and import the object instead of "+
			"moving it, with these blocks in place of the moved block, where OLD and NAME are the names of the resources:\n\n"+
			"removed {\n  from = %s.OLD\n  lifecycle {\n    destroy = false\n  }\n}\n\n%s", source, reason, source.TypeName, importBlock))
}

package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Key lists the string attributes that identify an object, outermost first. They are the resource's identity, its
// import id (joined by slashes), and what a moved resource keeps.
type Key struct {
	Rule  string // how it is imported: "A branch is imported by ..., such as ..."
	Parts []KeyPart
	// Version is that of the identity's schema: whoever changes the parts raises it.
	Version int64
	// EitherWay is true where an import id is taken in the opposite order, too, as another
	// provider has it.
	EitherWay bool
}

// KeyPart is one attribute of a key.
type KeyPart struct {
	Name, Description string
	Valid             func(string) bool
	// MovedFrom is what another provider calls it; empty where all call it the same.
	MovedFrom string
}

// LongestName is the most bytes that PostgreSQL keeps of a name.
const LongestName = 63

// KeyInProject returns the key of an object in a project; noun has its article, and example is a sample id.
func KeyInProject(noun, example string, parts ...KeyPart) Key {
	return keyIn("project_id", "project", "wispy-meadow-12345678", noun, example, parts)
}

// KeyInOrganization is KeyInProject for what an organization has.
func KeyInOrganization(noun, example string, parts ...KeyPart) Key {
	return keyIn("org_id", "organization", "org-wispy-meadow-12345678", noun, example, parts)
}

// KeyInBranch returns the key of an object on a branch; without parts, of an object that a branch has only one of.
func KeyInBranch(noun, example string, parts ...KeyPart) Key {
	branch := KeyPart{Name: "branch_id", Description: "Id of the branch.", Valid: IsID("branch_id")}
	return KeyInProject(noun, strings.TrimSuffix("br-wispy-meadow-a1b2c3d4/"+example, "/"),
		append([]KeyPart{branch}, parts...)...)
}

func keyIn(attribute, parent, id, noun, example string, parts []KeyPart) Key {
	k := Key{Parts: append([]KeyPart{
		{Name: attribute, Description: "Id of the " + parent + ".", Valid: IsID(attribute)},
	}, parts...)}
	k.Rule = noun + " is imported by " + strings.Join(k.names(), "/") + ", such as " + id + "/" + example
	return k
}

// IsText reports whether a text has one to so many bytes.
func IsText(most int) func(string) bool {
	return func(text string) bool { return text != "" && len(text) <= most }
}

// NamedInBranch is the key of what PostgreSQL knows by a name in each branch.
func NamedInBranch(noun, example string) Key {
	return KeyInBranch("A "+noun, example, KeyPart{Name: "name", Description: "Name of the " + noun + ".",
		Valid: IsText(LongestName)})
}

// IdentitySchema describes the identity, all of which an import needs.
func (k Key) IdentitySchema() identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for _, part := range k.Parts {
		attributes[part.Name] = identityschema.StringAttribute{RequiredForImport: true, Description: part.Description}
	}
	return identityschema.Schema{Version: FirstSchemaVersion + k.Version, Attributes: attributes}
}

func (k Key) names() []string {
	names := make([]string, len(k.Parts))
	for i, part := range k.Parts {
		names[i] = part.Name
	}
	return names
}

// object is a plan, a state or an identity.
type object interface {
	GetAttribute(ctx context.Context, path path.Path, target any) diag.Diagnostics
}

// values are the texts that a plan, a state or an identity has of the key; empty for those that are null or unknown.
func (k Key) values(from tftypes.Value) []string {
	values := make([]string, len(k.Parts))
	for i, part := range k.Parts {
		values[i] = textOf(from, part.Name)
	}
	return values
}

// valid reports whether each value can be what its attribute says.
func (k Key) valid(values []string) bool {
	for i, part := range k.Parts {
		if len(values) != len(k.Parts) || !part.Valid(values[i]) {
			return false
		}
	}
	return true
}

// Identify copies the key from an object to its identity. An older Terraform has none.
func (k Key) Identify(
	ctx context.Context, from tftypes.Value, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics,
) {
	if identity == nil || diags.HasError() {
		return
	}
	for i, value := range k.values(from) {
		diags.Append(identity.SetAttribute(ctx, path.Root(k.Parts[i].Name), value)...)
	}
}

// set puts the key into a state and its identity.
func (k Key) set(
	ctx context.Context, values []string, state *tfsdk.State, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics,
) {
	for i, value := range values {
		diags.Append(state.SetAttribute(ctx, path.Root(k.Parts[i].Name), value)...)
	}
	k.Identify(ctx, state.Raw, identity, diags)
}

// Import takes the import id, or the identity; the read that follows fills in the rest. The ids are listed by
// the data source with that name; empty for none.
func (k Key) Import(
	ctx context.Context, listedBy string, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	values := strings.SplitN(req.ID, "/", len(k.Parts)) // A name comes last, and may hold slashes.
	if req.ID == "" && req.Identity != nil {
		values = k.values(req.Identity.Raw)
	}
	if opposite := slices.Clone(values); k.EitherWay && !k.valid(values) {
		if slices.Reverse(opposite); k.valid(opposite) {
			values = opposite
		}
	}
	if !k.valid(values) {
		resp.Diagnostics.AddError("Invalid import id", fmt.Sprintf("%s; got %s. %s", k.Rule,
			Quoted(strings.Join(values, "/")), k.problem(values, listedBy)))
		return
	}
	k.set(ctx, values, &resp.State, resp.Identity, &resp.Diagnostics)
	if resp.Private != nil {
		SetMark(ctx, resp.Private, importedMark, true, &resp.Diagnostics)
	}
}

// importedMark is in the private state of what was imported, until it is read.
const importedMark = "imported"

// IsImport reports whether a read is the one after an import, and not after a moved block.
func IsImport(ctx context.Context, private PrivateState) bool {
	_, isImport := MarkOf[bool](ctx, private, importedMark)
	return isImport
}

// AddMissingImport is the error about an object that is to be imported and that there isn't:
// Terraform's own doesn't say which.
func AddMissingImport(diags *diag.Diagnostics, noun string, err error) {
	diags.AddError("No such "+noun, Describe(err, nil)+" To create it instead, remove the import block.")
}

// problem returns what is wrong with an import id, and how to find the right one.
func (k Key) problem(values []string, listedBy string) string {
	if parts := strings.Split(strings.Join(values, "/"), "/"); len(parts) != len(k.Parts) {
		return fmt.Sprintf("It has %s instead of %d.", counted(len(parts), "part"), len(k.Parts)) + whereListed(listedBy)
	}
	for i := range values {
		for j := range i {
			swapped := slices.Clone(values)
			if swapped[i], swapped[j] = swapped[j], swapped[i]; k.valid(swapped) {
				return "The ids are in another order: write " + Quoted(strings.Join(swapped, "/")) + "."
			}
		}
	}
	for i, part := range k.Parts {
		if part.Valid(values[i]) {
			continue
		}
		if other := nounOfID(values[i]); other != nil {
			return Quoted(values[i]) + " is the id of " + withArticle(other.Called) + "." + whereListed(listedBy)
		}
		return Quoted(values[i]) + " can't be its " + part.Name + "." + whereListed(listedBy)
	}
	return ""
}

func counted(number int, noun string) string {
	if number == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", number, noun)
}

// configuredKey returns the attribute by which a configuration names an object: the last configurable part of the key,
// or name if Neon assigns that part.
func (r *managed[M]) configuredKey() path.Path {
	last, attributes := r.lastPart(), r.spec.Schema.Attributes
	if _, isNamed := attributes["name"]; isNamed && !attributes[last].IsRequired() {
		return path.Root("name")
	}
	return path.Root(last)
}

func (r *managed[M]) lastPart() string { return r.spec.Key.Parts[len(r.spec.Key.Parts)-1].Name }

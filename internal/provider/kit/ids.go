package kit

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// idPattern is what Neon's ids of organizations, projects, branches and endpoints have in
// common.
var idPattern = regexp.MustCompile(`^[a-z0-9-]{1,60}$`)

// idKind is a kind of object whose ids begin with a prefix of their own. An id of a project
// has none.
type idKind struct {
	noun, prefix, example string
	// lookUp is the data source that finds an id by a name; empty where none does. Its
	// argument %s is the name.
	lookUp string
	// listed are the data sources that list the ids, where none finds one by a name.
	listed string
}

var (
	branchKind   = idKind{noun: "branch", prefix: "br-", example: "br-wispy-meadow-a1b2c3d4", lookUp: lookUpInProject("branch")}
	snapshotKind = idKind{noun: "snapshot", prefix: "snap-", example: "snap-wispy-meadow-a1b2c3d4", lookUp: lookUpInProject("snapshot")}
	projectKind  = idKind{noun: "project", example: "wispy-meadow-12345678", lookUp: "data \"neon_project\" \"NAME\" {\n  name = %s\n}"}
	endpointKind = idKind{noun: "endpoint", prefix: "ep-", example: "ep-wispy-meadow-a1b2c3d4", listed: "neon_endpoints"}

	organizationKind = idKind{noun: "organization", prefix: "org-", example: "org-wispy-meadow-12345678", listed: "neon_organizations"}
	vpcEndpointKind  = idKind{noun: "VPC endpoint", prefix: "vpce-", example: "vpce-1234567890abcdef0", listed: "aws_vpc_endpoint or neon_vpc_endpoints"}
)

func lookUpInProject(noun string) string {
	return "data \"neon_" + noun + "\" \"NAME\" {\n  project_id = ...\n  name       = %s\n}"
}

var prefixedKinds = []idKind{branchKind, snapshotKind, endpointKind, organizationKind, vpcEndpointKind}

// listedBy are the data sources that list what the client calls by a word.
var listedBy = map[string]string{
	"branch": "branches", "endpoint": "endpoints", "role": "roles", "database": "databases", "operation": "operations", "snapshot": "snapshots",
	"organization": "organizations", "member": "org_members", "VPC endpoint": "vpc_endpoints",
	"VPC endpoint restriction": "vpc_endpoint_restrictions", "JWKS URL": "jwks_urls", "permission": "project_permissions",
	"invitation": "org_invitations", "API key": "api_keys", "organization API key": "org_api_keys", "service credential": "service_credentials",
}

// kindOf is the kind of ids that an attribute of that name holds; nil where that isn't known.
func kindOf(attribute string) *idKind {
	switch attribute {
	case "project_id":
		return &projectKind
	case "branch_id", "parent_id", "source_branch_id", "target_branch_id", "base_branch_id":
		return &branchKind
	case "endpoint_id":
		return &endpointKind
	case "snapshot_id":
		return &snapshotKind
	case "vpc_endpoint_id":
		return &vpcEndpointKind
	case "org_id", "source_org_id", "destination_org_id":
		return &organizationKind
	}
	return nil
}

// takes reports whether an id can be of that kind.
func (k *idKind) takes(id string) bool {
	return k == nil || strings.HasPrefix(id, k.prefix) && (k.prefix != "" || otherKindOf(id) == nil)
}

// otherKindOf is the kind whose prefix an id has; nil for none.
func otherKindOf(id string) *idKind {
	for _, kind := range prefixedKinds {
		if strings.HasPrefix(id, kind.prefix) {
			return &kind
		}
	}
	return nil
}

// IsID reports whether a text can be the id that an attribute of that name holds, such as
// "branch_id".
func IsID(attribute string) func(string) bool {
	return func(id string) bool { return idPattern.MatchString(id) && kindOf(attribute).takes(id) }
}

// IDProblem says what is wrong with the id that an attribute of that name is given; empty
// where nothing is.
func IDProblem(attribute, id string) string {
	kind := kindOf(attribute)
	switch {
	case kind.takes(id) && idPattern.MatchString(id):
		return ""
	case kind == nil:
		return fmt.Sprintf("must be an id as Neon assigns them: 1 to 60 lower-case letters, digits and hyphens, got: %s.", Quoted(id))
	}
	problem := fmt.Sprintf("must be the id of %s, such as %s, got: %s", withArticle(kind.noun), kind.example, Quoted(id))
	if other := otherKindOf(id); other != nil && other.noun != kind.noun {
		return problem + ", which is the id of " + withArticle(other.noun) + "."
	}
	if kind.listed != "" {
		return problem + ". The data source " + kind.listed + " has the ids."
	}
	if id != "" && !MayBeSecret(id) {
		problem += fmt.Sprintf(". If that is its name, this finds its id:\n\n"+kind.lookUp+"\n\n"+
			"and %[2]s is then data.neon_%[3]s.NAME.id", Quoted(id), attribute, kind.noun)
	}
	return problem + "."
}

func withArticle(noun string) string {
	if strings.ContainsRune("aeio", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// IDValidators refuses what can't be an id of the kind that the attribute's name says.
func IDValidators() []validator.String { return []validator.String{idValidator{}} }

type idValidator struct{}

// Description says what is allowed.
func (idValidator) Description(context.Context) string { return "must be an id as Neon assigns them" }

// MarkdownDescription says the same.
func (v idValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a value that is known.
func (idValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !IsSet(req.ConfigValue) {
		return
	}
	if problem := IDProblem(lastName(req.Path), req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid id", req.Path.String()+" "+problem)
	}
}

// lastName is the name of the innermost attribute of a path.
func lastName(at path.Path) string {
	steps := at.Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if name, ok := steps[i].(path.PathStepAttributeName); ok {
			return string(name)
		}
	}
	return ""
}

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// metaArguments are Terraform's own.
var metaArguments = []string{"count", "depends_on", "for_each", "include_resource", "limit", "provider"}

// kinds are what the provider serves, by the word that a block begins with and the name.
func kinds(t *testing.T) map[string]tftypes.Type {
	t.Helper()
	server := provider.NewServer("test").New()
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]tftypes.Type{"provider neon": schema.Provider.ValueType()}
	for name, one := range schema.ActionSchemas {
		found["action "+name] = one.Schema.ValueType()
	}
	for word, schemas := range map[string]map[string]*tfprotov6.Schema{
		"resource": schema.ResourceSchemas, "data": schema.DataSourceSchemas,
		"ephemeral": schema.EphemeralResourceSchemas, "list": schema.ListResourceSchemas,
	} {
		for name, one := range schemas {
			found[word+" "+name] = one.ValueType()
		}
	}
	return found
}

// Terraform drops a misspelt attribute inside an attribute with objects without a word. No
// configuration that people copy has one, there or anywhere else.
func TestConfigurationsSpellAttributes(t *testing.T) {
	t.Parallel()
	served, checked := kinds(t), 0
	for path, text := range configurations(t) {
		file, problems := hclsyntax.ParseConfig([]byte(text), path, hcl.InitialPos)
		if problems.HasErrors() {
			t.Errorf("%s: %v\n%s", path, problems, text)
			continue
		}
		for _, block := range file.Body.(*hclsyntax.Body).Blocks {
			for _, problem := range misspelt(served, block) {
				t.Errorf("%s: %s", path, problem)
			}
			checked++
		}
	}
	if checked < 300 {
		t.Errorf("%d blocks", checked)
	}
}

// The guide to protection names every resource that has deletion_protection.
func TestProtectionNamesEveryResource(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(root, "docs", "guides", "secrets-and-protection.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, row, isThere := strings.Cut(string(guide), "| `deletion_protection = true` |")
	row, _, _ = strings.Cut(row, "\n")
	if !isThere {
		t.Fatal("the guide has no row of deletion_protection")
	}
	for kind, attributes := range kinds(t) {
		name, isResource := strings.CutPrefix(kind, "resource ")
		_, isProtectable := attributes.(tftypes.Object).AttributeTypes["deletion_protection"]
		if isNamed := strings.Contains(row, "`"+name+"`"); isResource && isNamed != isProtectable {
			t.Errorf("%s has deletion_protection: %t; the guide says so: %t", name, isProtectable, isNamed)
		}
	}
}

// namesAsKeys matches a map of what may share a name at Neon, by its name.
var namesAsKeys = regexp.MustCompile(
	`\{ for (\w+) in data\.neon_(projects|organizations|api_keys|org_api_keys)\.[^:]*: \w+\.name => [^}]*[^.}] \}`)

// An account with two projects of one name can apply what people copy, too.
func TestConfigurationsKeyByID(t *testing.T) {
	t.Parallel()
	for path, text := range configurations(t) {
		if found := namesAsKeys.FindString(text); found != "" {
			t.Errorf("%s: two of one name are an error: key %s by the id, or group them with an ellipsis", path, found)
		}
	}
}

// TestConfigurationsSpellAttributes sees what Terraform doesn't.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	const text = `
resource "neon_branch" "b" {
  nam       = "x"
  endpoints = { app = { type = "read_write", suspend_timeout = 300 } }
}
resource "neon_project" "p" {
  default_branch = { endpoint = { autoscaling_limit_max = 2 } }
}
resource "neon_branch_backup_schedule" "s" {
  schedule = [for hour in [1, 2] : { frequency = "daily", hours = hour }]
}
action "neon_start_endpoint" "a" {
  config {
    project = "x"
  }
}
resource "neon_brunch" "b" {}
`
	file, problems := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	var found []string
	for _, block := range file.Body.(*hclsyntax.Body).Blocks {
		found = append(found, misspelt(kinds(t), block)...)
	}
	slices.Sort(found)
	want := []string{
		"action neon_start_endpoint has no project", "resource neon_branch has no endpoints.suspend_timeout",
		"resource neon_branch has no nam",
		"resource neon_branch_backup_schedule has no schedule.hours",
		"resource neon_project has no default_branch.endpoint.autoscaling_limit_max",
		"there is no resource neon_brunch",
	}
	if !slices.Equal(found, want) {
		t.Errorf("it finds %q, want %q", found, want)
	}
}

// configurations are all that people copy: files of examples, and blocks of pages.
func configurations(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range slices.Concat(files(t, "examples", ".tf"), files(t, "examples", ".hcl")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found[path] = string(text)
	}
	block := regexp.MustCompile("(?s)```(?:terraform|hcl)\n(.*?)\n *```")
	for path, text := range pages(t) {
		if strings.HasPrefix(path, filepath.Join(root, "docs")) || path == filepath.Join(root, "README.md") {
			for _, match := range block.FindAllStringSubmatch(text, -1) {
				found[path] += match[1] + "\n"
			}
		}
	}
	return found
}

// misspelt says what a block has that the provider doesn't know.
func misspelt(served map[string]tftypes.Type, block *hclsyntax.Block) []string {
	if len(block.Labels) == 0 || !slices.Contains([]string{"provider", "resource", "data", "ephemeral", "list", "action"},
		block.Type) ||
		!strings.HasPrefix(block.Labels[0], "neon") {
		return nil
	}
	what := block.Type + " " + block.Labels[0]
	kind, ok := served[what].(tftypes.Object)
	if !ok {
		return []string{"there is no " + what}
	}
	attributes := block.Body.Attributes
	for _, inner := range block.Body.Blocks {
		if inner.Type == "config" {
			attributes = inner.Body.Attributes
		}
	}
	var found []string
	for name, attribute := range attributes {
		if !slices.Contains(metaArguments, name) && name != "alias" {
			found = append(found, unknownIn(kind, name, attribute.Expr, "")...)
		}
	}
	for i := range found {
		found[i] = what + " has no " + found[i]
	}
	return found
}

// unknownIn are the names that an attribute and what is in it have, and its object doesn't.
func unknownIn(object tftypes.Object, name string, value hclsyntax.Expression, below string) []string {
	kind, ok := object.AttributeTypes[name]
	if !ok {
		return []string{below + name}
	}
	return unknownInside(kind, value, below+name+".")
}

func unknownInside(kind tftypes.Type, value hclsyntax.Expression, below string) (found []string) {
	switch kind := kind.(type) {
	case tftypes.Object:
		for _, item := range items(value) {
			if name := hcl.ExprAsKeyword(item.KeyExpr); name != "" {
				found = append(found, unknownIn(kind, name, item.ValueExpr, below)...)
			}
		}
	case tftypes.Map:
		for _, item := range items(value) {
			found = append(found, unknownInside(kind.ElementType, item.ValueExpr, below)...)
		}
		if all, ok := value.(*hclsyntax.ForExpr); ok {
			found = append(found, unknownInside(kind.ElementType, all.ValExpr, below)...)
		}
	case tftypes.List:
		return unknownAmong(kind.ElementType, value, below)
	case tftypes.Set:
		return unknownAmong(kind.ElementType, value, below)
	}
	return found
}

func unknownAmong(kind tftypes.Type, value hclsyntax.Expression, below string) (found []string) {
	switch value := value.(type) {
	case *hclsyntax.TupleConsExpr:
		for _, one := range value.Exprs {
			found = append(found, unknownInside(kind, one, below)...)
		}
	case *hclsyntax.ForExpr:
		return unknownInside(kind, value.ValExpr, below)
	}
	return found
}

// items are those of an object that is written out.
func items(value hclsyntax.Expression) []hclsyntax.ObjectConsItem {
	if object, ok := value.(*hclsyntax.ObjectConsExpr); ok {
		return object.Items
	}
	return nil
}

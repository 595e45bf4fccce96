// Package inprocess does with a configuration what terraform does, without terraform: it
// validates, plans, applies, reads and imports over the provider's protocol, in
// milliseconds instead of seconds. It knows the part of the language that most tests
// need, and Supports reports what it knows. What it refuses to accept from a provider is
// what Terraform refuses.
package inprocess

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// providerKey is the node of the provider block.
const providerKey = "provider.neon"

// config is a configuration as a graph.
type config struct {
	source  []byte
	nodes   map[string]*node
	imports []importBlock
	// forgotten are the addresses that leave the state without being destroyed.
	forgotten []string
}

// node is a block of the configuration on which others may depend.
type node struct {
	key  string
	mode string // provider, managed or data
	kind string
	name string
	// arguments are without those that Terraform keeps for itself.
	arguments hclsyntax.Attributes
	count     hclsyntax.Expression
	needs     []string
	// depth is 0 for a node that needs nothing, else one more than that of what it needs.
	depth int
}

type importBlock struct{ to, id string }

// unsupported is why a configuration is left to terraform.
type unsupported struct{ what string }

func (u unsupported) Error() string { return "only terraform knows " + u.what }

// parse reads a configuration.
func parse(text string) (*config, error) {
	file, problems := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if problems.HasErrors() {
		return nil, problems
	}
	c := &config{source: file.Bytes, nodes: map[string]*node{}}
	body := file.Body.(*hclsyntax.Body)
	for _, block := range body.Blocks {
		if err := c.add(block); err != nil {
			return nil, err
		}
	}
	if c.nodes[providerKey] == nil {
		c.nodes[providerKey] = &node{key: providerKey, mode: "provider"}
	}
	for _, n := range c.nodes {
		if err := c.connect(n); err != nil {
			return nil, err
		}
	}
	for _, n := range c.nodes {
		if err := c.measure(n, 0); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *config) add(block *hclsyntax.Block) error {
	labels := strings.Join(block.Labels, ".")
	switch {
	case block.Type == "provider" && labels == "neon":
		return c.addNode(&node{key: providerKey, mode: "provider"}, block)
	case block.Type == "resource" && (isOurs(labels) || strings.HasPrefix(labels, dataType+".")):
		return c.addNode(&node{key: labels, mode: "managed", kind: block.Labels[0], name: block.Labels[1]}, block)
	case block.Type == "data" && isOurs(labels):
		return c.addNode(&node{key: "data." + labels, mode: "data", kind: block.Labels[0], name: block.Labels[1]}, block)
	case block.Type == "import":
		return c.addImport(block)
	case block.Type == "removed":
		return c.addRemoved(block)
	}
	return unsupported{block.Type + " " + labels}
}

func isOurs(labels string) bool { return strings.HasPrefix(labels, "neon_") }

func (c *config) addNode(n *node, block *hclsyntax.Block) error {
	n.arguments = hclsyntax.Attributes{}
	for name, argument := range block.Body.Attributes {
		switch name {
		case "count":
			n.count = argument.Expr
		case "for_each", "depends_on", "provider", "alias", "ephemeral":
			return unsupported{name}
		default:
			n.arguments[name] = argument
		}
	}
	c.nodes[n.key] = n
	if len(block.Body.Blocks) > 0 {
		return unsupported{"the block " + block.Body.Blocks[0].Type}
	}
	return nil
}

func (c *config) addImport(block *hclsyntax.Block) error {
	to, id := block.Body.Attributes["to"], block.Body.Attributes["id"]
	if to == nil || id == nil || len(block.Body.Attributes) != 2 {
		return unsupported{"this import block"}
	}
	value, problems := id.Expr.Value(nil)
	if problems.HasErrors() {
		return unsupported{"an import by an expression"}
	}
	c.imports = append(c.imports, importBlock{c.text(to.Expr), value.AsString()})
	return nil
}

func (c *config) addRemoved(block *hclsyntax.Block) error {
	from := block.Body.Attributes["from"]
	if from == nil || len(block.Body.Blocks) != 1 ||
		strings.Join(strings.Fields(c.text(block.Body.Blocks[0])), " ") != "lifecycle { destroy = false }" {
		return unsupported{"this removed block"}
	}
	c.forgotten = append(c.forgotten, c.text(from.Expr))
	return nil
}

// text is how a part of the configuration is written.
func (c *config) text(part interface{ Range() hcl.Range }) string {
	return string(part.Range().SliceBytes(c.source))
}

// connect finds what a node needs, and whether all of it can be evaluated here.
func (c *config) connect(n *node) error {
	if n.mode == "data" || isOurs(n.kind) {
		n.needs = append(n.needs, providerKey)
	}
	expressions := []hclsyntax.Expression{}
	for _, argument := range n.arguments {
		expressions = append(expressions, argument.Expr)
	}
	if n.count != nil {
		expressions = append(expressions, n.count)
	}
	for _, expression := range expressions {
		if err := callsNothing(expression); err != nil {
			return err
		}
		for _, traversal := range expression.Variables() {
			key, err := c.target(traversal)
			if err != nil {
				return err
			}
			if key != "" {
				n.needs = append(n.needs, key)
			}
		}
	}
	return nil
}

// target is the node to which an expression refers; none for count.index.
func (c *config) target(traversal hcl.Traversal) (string, error) {
	if traversal.RootName() == "count" {
		return "", nil
	}
	parts := []string{traversal.RootName()}
	for _, step := range traversal[1:] {
		if attribute, ok := step.(hcl.TraverseAttr); ok {
			parts = append(parts, attribute.Name)
		}
	}
	length := 2
	if parts[0] == "data" {
		length = 3
	}
	key := strings.Join(parts[:min(length, len(parts))], ".")
	if c.nodes[key] == nil {
		return "", unsupported{fmt.Sprintf("the reference to %s", key)}
	}
	return key, nil
}

// callsNothing refuses functions, none of which are known here.
func callsNothing(expression hclsyntax.Expression) error {
	var err error
	_ = hclsyntax.VisitAll(expression, func(part hclsyntax.Node) hcl.Diagnostics {
		if call, ok := part.(*hclsyntax.FunctionCallExpr); ok {
			err = unsupported{"the function " + call.Name}
		}
		return nil
	})
	return err
}

// measure sets the depth of a node, and refuses a circle.
func (c *config) measure(n *node, above int) error {
	if above > len(c.nodes) {
		return unsupported{"the circle through " + n.key}
	}
	for _, need := range n.needs {
		if err := c.measure(c.nodes[need], above+1); err != nil {
			return err
		}
		n.depth = max(n.depth, c.nodes[need].depth+1)
	}
	return nil
}

// below are the nodes that one needs, directly or not, and itself.
func (c *config) below(key string) map[string]bool {
	found := map[string]bool{key: true}
	for _, need := range c.nodes[key].needs {
		for inner := range c.below(need) {
			found[inner] = true
		}
	}
	return found
}

package inprocess

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/sync/errgroup"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// workspace is a state, and the provider that works on it.
type workspace struct {
	start func() (tfprotov6.ProviderServer, error)
	// state has the instances by address, data what was read.
	state      map[string]*instance
	data       map[string]cty.Value
	identities map[string]*tfprotov6.ResourceIdentitySchema
}

// walk is one command's way through a configuration.
type walk struct {
	*workspace

	config *config
	server *server

	mu sync.Mutex
	// values are those of the nodes by key; of what isn't in there, nothing is known.
	values   map[string]cty.Value
	failed   map[string]bool
	problems []error
	changes  map[string]*change
	read     map[string]cty.Value
}

func (w *workspace) newWalk(ctx context.Context, c *config) (*walk, error) {
	s, err := newServer(ctx, w.start)
	if err != nil {
		return nil, err
	}
	if w.identities == nil { // They are the same in each command, and take a fifteenth of its time.
		identities, err := s.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
		if err != nil {
			return nil, err
		}
		w.identities = identities.IdentitySchemas
	}
	return &walk{
		workspace: w, config: c, server: s, values: map[string]cty.Value{}, failed: map[string]bool{},
		changes: map[string]*change{}, read: map[string]cty.Value{},
	}, nil
}

// each visits nodes side by side, each after those that it needs.
func (k *walk) each(visited func(*node) bool, visit func(*node) (cty.Value, error)) {
	ended := map[string]chan struct{}{}
	for key, n := range k.config.nodes {
		if visited(n) {
			ended[key] = make(chan struct{})
		}
	}
	var all sync.WaitGroup
	for key, end := range ended {
		all.Go(func() {
			defer close(end)
			n := k.config.nodes[key]
			for _, need := range n.needs {
				if ended[need] != nil {
					<-ended[need]
				}
			}
			if !k.reachable(n) {
				return
			}
			value, err := visit(n)
			k.settle(key, value, err)
		})
	}
	all.Wait()
}

// reachable reports whether all that a node needs has succeeded, and so may it.
func (k *walk) reachable(n *node) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, need := range n.needs {
		k.failed[n.key] = k.failed[n.key] || k.failed[need]
	}
	return !k.failed[n.key]
}

func (k *walk) settle(key string, value cty.Value, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.failed[key] = true
		k.problems = append(k.problems, err)
		return
	}
	k.values[key] = value
}

// instances does something for each instance of a node, side by side.
func (k *walk) instances(n *node, do func(index int) (cty.Value, error)) (cty.Value, error) {
	if n.count == nil {
		return do(-1)
	}
	count, problems := n.count.Value(k.scope(n, -1))
	if problems.HasErrors() {
		return cty.NilVal, problems
	}
	length, _ := count.AsBigFloat().Int64()
	values, failures := make([]cty.Value, length), make([]error, length)
	sideBySide(len(values), func(i int) { values[i], failures[i] = do(i) })
	return cty.TupleVal(values), errors.Join(failures...)
}

// atATime is how many instances Terraform works on side by side.
const atATime = 10

// sideBySide does something so many times, in no order, as Terraform does.
func sideBySide(times int, do func(i int)) {
	var all errgroup.Group
	all.SetLimit(atATime)
	for _, i := range rand.Perm(times) {
		all.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = all.Wait() // Each keeps its own error.
}

func (n *node) address(index int) string {
	if index < 0 {
		return n.key
	}
	return fmt.Sprintf("%s[%d]", n.key, index)
}

// scope is what the expressions of a node may refer to.
func (k *walk) scope(n *node, index int) *hcl.EvalContext {
	k.mu.Lock()
	defer k.mu.Unlock()
	managed, data := map[string]map[string]cty.Value{}, map[string]map[string]cty.Value{}
	for _, need := range n.needs {
		of, tree := k.config.nodes[need], managed
		if of.mode == "provider" {
			continue
		}
		if of.mode == "data" {
			tree = data
		}
		value, known := k.values[need]
		if !known {
			value = cty.DynamicVal
		}
		if tree[of.kind] == nil {
			tree[of.kind] = map[string]cty.Value{}
		}
		tree[of.kind][of.name] = value
	}
	variables := branches(managed)
	variables["data"] = cty.ObjectVal(branches(data))
	variables["count"] = cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(int64(index))})
	return &hcl.EvalContext{Variables: variables}
}

func branches(tree map[string]map[string]cty.Value) map[string]cty.Value {
	values := map[string]cty.Value{}
	for kind, named := range tree {
		values[kind] = cty.ObjectVal(named)
	}
	return values
}

// block is what a node is configured with, as the provider gets it.
func (k *walk) block(n *node, index int) (cty.Value, error) {
	schema, err := k.server.schema(n)
	if err != nil {
		return cty.NilVal, err
	}
	scope, arguments := k.scope(n, index), map[string]cty.Value{}
	for name, argument := range n.arguments {
		value, problems := argument.Expr.Value(scope)
		if problems.HasErrors() {
			return cty.NilVal, problems
		}
		arguments[name] = value
	}
	value, err := planning.Configured(schema, arguments)
	if err != nil {
		err = fmt.Errorf("%w\n\nwith %s", err, n.key)
	}
	return value, err
}

// configure is the visit of the provider block.
func (k *walk) configure(ctx context.Context, n *node) (cty.Value, error) {
	block, err := k.block(n, -1)
	if err == nil {
		err = k.server.configure(ctx, n, block)
	}
	return block, err
}

// nodeValues are the values that what is in the state gives to the nodes, by key.
func (w *workspace) nodeValues() map[string]cty.Value {
	values := maps.Clone(w.data)
	for address, stored := range w.state {
		if !strings.Contains(address, "[") {
			values[address] = stored.value
		}
	}
	return values
}

package inprocess

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// Later is an expression of which a Foresight knows nothing.
const Later = dataType + ".later.output"

// Foresight plans what isn't known yet, and what it may turn out to be, without applying it.
type Foresight struct {
	workspace *workspace
	server    *server
	provider  cty.Value
}

// Foreseen is what is planned of a resource.
type Foreseen struct {
	// Replaces is true where the plan replaces what is there.
	Replaces bool
	// Warnings are the details of all.
	Warnings []string

	planned cty.Value
}

// NewForesight begins with an empty state. The configuration has the provider block of all that are planned.
func NewForesight(
	ctx context.Context, start func() (tfprotov6.ProviderServer, error), text string,
) (*Foresight, error) {
	c, err := parse(text)
	if err != nil {
		return nil, err
	}
	w := newWorkspace(start)
	k, err := w.newWalk(ctx, c)
	if err != nil {
		return nil, err
	}
	provider, err := k.configure(ctx, c.nodes[providerKey])
	return &Foresight{w, k.server, provider}, err
}

// Apply applies a configuration, on which the plans after it are made.
func (f *Foresight) Apply(ctx context.Context, text string) error {
	return f.workspace.run(ctx, text, mode{})
}

// Plan plans a resource of a configuration, in which Later isn't known.
func (f *Foresight) Plan(ctx context.Context, text, address string) (Foreseen, error) {
	c, err := parse(text + "resource \"" + dataType + "\" \"later\" {}\n")
	if err != nil {
		return Foreseen{}, err
	}
	n, k := c.nodes[address], &walk{workspace: f.workspace, config: c, server: f.server}
	block, err := k.block(n, -1)
	if err == nil {
		err = f.server.validate(ctx, n, block)
	}
	if err != nil {
		return Foreseen{}, err
	}
	prior := f.workspace.state[address]
	if prior == nil {
		prior = &instance{value: cty.NullVal(block.Type()), node: n}
	}
	planned, err := f.server.plan(ctx, n, prior, block)
	if planned.replace { // The next plan is another, in which nothing is replaced yet.
		err = errors.Join(err, f.server.configure(ctx, c.nodes[providerKey], f.provider))
	}
	return Foreseen{planned.replace, planned.warnings, planned.value}, err
}

// Becomes says what Terraform doesn't accept of a plan once all is known.
func (f Foreseen) Becomes(known Foreseen) error {
	if known.Replaces && !f.Replaces {
		return errors.New("it was planned as an update, and is replaced now")
	}
	return planning.Agrees("", f.planned, known.planned)
}

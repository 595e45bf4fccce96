package kit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
)

const (
	// afterInterruption is how long making something or ending it may still take when the run
	// is interrupted. Terraform waits for it.
	afterInterruption = 20 * time.Second
	// longestEnd is more than the minute after which Neon's rate limit lets requests through
	// again.
	longestEnd = 2 * time.Minute
	// openedData is the key of the private data that Close needs.
	openedData = "opened"
)

// ForRun describes an ephemeral resource that exists for the time of one run. M is its model: a struct with
// the schema's attributes in tfsdk tags. O is what its end needs, which Terraform keeps in memory alone.
type ForRun[M any, O fmt.Stringer] struct {
	Name   string // what follows neon_
	Noun   string // in the summaries of errors
	Schema schema.Schema
	// Keyless is true of what needs no API key.
	Keyless bool

	// Open makes it and fills in the model, even if the run is interrupted: a creation that is broken
	// off may have made it all the same. It returns nil, and has added an error, where there is none.
	Open func(ctx context.Context, run Run, model *M) *O
	// Close ends it, even if the run is interrupted. What may outlive the run is named in a
	// warning: the run has done its work by then, and only a person can do the rest.
	Close func(ctx context.Context, run Run, opened O)
}

// NewForRun returns the ephemeral resource that spec describes.
func NewForRun[M any, O fmt.Stringer](spec ForRun[M, O]) ephemeral.EphemeralResource {
	return &forRun[M, O]{ephemeralBase{Name: spec.Name}, spec}
}

var (
	_ ephemeral.EphemeralResourceWithConfigure = (*forRun[any, fmt.Stringer])(nil)
	_ ephemeral.EphemeralResourceWithClose     = (*forRun[any, fmt.Stringer])(nil)
)

type forRun[M any, O fmt.Stringer] struct {
	ephemeralBase

	spec ForRun[M, O]
}

func (e *forRun[M, O]) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = e.spec.Schema
}

// Open makes it. What can't be opened in full isn't closed by Terraform, so it is ended here.
func (e *forRun[M, O]) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	model := ModelOf[M](ctx, req.Config, &resp.Diagnostics)
	if e.reach(e.spec.Keyless, &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	if ctx.Err() != nil {
		resp.Diagnostics.AddError("Unable to open "+e.spec.Noun, "The run was interrupted before it was made.")
		return
	}
	// Who closes all waits for what is being made, which is ended here: Terraform may end the program right after.
	made := make(chan struct{})
	making := fmt.Sprintf("%s %p", e.Name, made)
	e.Opened.Add(making, func(context.Context, *diag.Diagnostics) { <-made })
	defer close(made)
	defer e.Opened.Remove(making)
	lasting, stop := outlast(ctx, afterInterruption)
	defer stop()
	opened := e.spec.Open(lasting, e.Run(&resp.Diagnostics), &model)
	if opened == nil {
		return
	}
	name := e.Name + " " + (*opened).String()
	e.Opened.Add(name, func(ctx context.Context, diags *diag.Diagnostics) { e.end(ctx, *opened, diags) })
	data, err := json.Marshal(opened)
	if err != nil {
		resp.Diagnostics.AddError("Unable to open "+e.spec.Noun, err.Error())
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, openedData, data)...)
	resp.Diagnostics.Append(resp.Result.Set(ctx, &model)...)
	if ctx.Err() != nil {
		resp.Diagnostics.AddError("Unable to open "+e.spec.Noun,
			"The run was interrupted while it was being made. It is revoked again, unless a warning says otherwise.")
	}
	if resp.Diagnostics.HasError() {
		e.Opened.Remove(name)
		e.end(ctx, *opened, &resp.Diagnostics)
	}
}

func (e *forRun[M, O]) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	data, diags := req.Private.GetKey(ctx, openedData)
	resp.Diagnostics.Append(diags...)
	var opened O
	if err := json.Unmarshal(data, &opened); err != nil && !diags.HasError() {
		resp.Diagnostics.AddError("Unable to close "+e.spec.Noun, "Terraform didn't give back what was opened: "+
			err.Error()+".")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	e.Opened.Remove(e.Name + " " + opened.String())
	e.end(ctx, opened, &resp.Diagnostics)
}

func (e *forRun[M, O]) end(ctx context.Context, opened O, diags *diag.Diagnostics) {
	lasting, stop := outlast(ctx, afterInterruption)
	defer stop()
	limited, cancel := context.WithTimeout(lasting, longestEnd)
	defer cancel()
	e.spec.Close(limited, e.Run(diags), opened)
}

package inprocess

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// server is a provider's protocol server, which serves one command.
type server struct {
	tfprotov6.ProviderServer
	schemas *tfprotov6.GetProviderSchemaResponse
}

func newServer(ctx context.Context, start func() (tfprotov6.ProviderServer, error)) (*server, error) {
	provider, err := start()
	if err != nil {
		return nil, err
	}
	schemas, err := provider.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	return &server{provider, schemas}, nil
}

// instance is a resource, or one of several that a block declares, as the state has it.
type instance struct {
	value    cty.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	tainted  bool
	// node is the block that declared it last.
	node *node
}

func (i *instance) exists() bool { return i != nil && !i.value.IsNull() }

func (s *server) schema(n *node) (*tfprotov6.Schema, error) {
	all := s.schemas.ResourceSchemas
	if n.mode == "data" {
		all = s.schemas.DataSourceSchemas
	}
	if n.mode == "provider" {
		return s.schemas.Provider, nil
	}
	if n.kind == dataType {
		return dataSchema, nil
	}
	if all[n.kind] == nil {
		return nil, planning.Error("Invalid resource type", "The provider has no %s", n.kind)
	}
	return all[n.kind], nil
}

// configure hands the provider block over.
func (s *server) configure(ctx context.Context, n *node, block cty.Value) error {
	config, err := planning.Encode(block)
	if err != nil {
		return err
	}
	validated, err := s.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: config})
	if err := failure(n, err, func() []*tfprotov6.Diagnostic { return validated.Diagnostics }); err != nil {
		return err
	}
	configured, err := s.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.11.4", Config: config, ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{},
	})
	return failure(n, err, func() []*tfprotov6.Diagnostic { return configured.Diagnostics })
}

// failure is the error of a call: that it failed, or that the provider says so. Where in the configuration that is, it
// says by the block, and no more, as OpenTofu does. Terraform shows the line, too, but none of what is inside of a map.
func failure(n *node, err error, diagnostics func() []*tfprotov6.Diagnostic) error {
	if err != nil {
		return err
	}
	var problems []error
	for _, said := range diagnostics() {
		if said.Severity == tfprotov6.DiagnosticSeverityError {
			problems = append(problems, planning.Error(said.Summary, "with %s,\n\n%s", n.key, said.Detail))
		}
	}
	return errors.Join(problems...)
}

func (s *server) validate(ctx context.Context, n *node, block cty.Value) error {
	if n.kind == dataType {
		return nil
	}
	config, err := planning.Encode(block)
	if err != nil {
		return err
	}
	if n.mode == "data" {
		answer, err := s.ValidateDataResourceConfig(ctx,
			&tfprotov6.ValidateDataResourceConfigRequest{TypeName: n.kind, Config: config})
		return failure(n, err, func() []*tfprotov6.Diagnostic { return answer.Diagnostics })
	}
	answer, err := s.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: n.kind, Config: config,
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	return failure(n, err, func() []*tfprotov6.Diagnostic { return answer.Diagnostics })
}

// readData reads a data source.
func (s *server) readData(ctx context.Context, n *node, block cty.Value) (cty.Value, error) {
	config, err := planning.Encode(block)
	if err != nil {
		return cty.NilVal, err
	}
	answer, err := s.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: n.kind, Config: config})
	if err := failure(n, err, func() []*tfprotov6.Diagnostic { return answer.Diagnostics }); err != nil {
		return cty.NilVal, err
	}
	return planning.Decode(answer.State, block.Type())
}

// upgrade hands a stored instance over as terraform does: as the text in its state file.
func (s *server) upgrade(ctx context.Context, n *node, stored *instance) (*tfprotov6.DynamicValue, error) {
	text, err := ctyjson.Marshal(stored.value, stored.value.Type())
	if err != nil {
		return nil, err
	}
	answer, err := s.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: n.kind, Version: s.schemas.ResourceSchemas[n.kind].Version, RawState: &tfprotov6.RawState{JSON: text},
	})
	if err := failure(n, err, func() []*tfprotov6.Diagnostic { return answer.Diagnostics }); err != nil {
		return nil, err
	}
	return answer.UpgradedState, nil
}

// read reads a resource again; what it returns doesn't exist where it has gone.
func (s *server) read(ctx context.Context, n *node, stored *instance) (*instance, error) {
	if n.kind == dataType {
		return stored, nil
	}
	value, err := s.upgrade(ctx, n, stored)
	if err != nil {
		return nil, err
	}
	answer, err := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: n.kind, CurrentState: value, Private: stored.private, CurrentIdentity: stored.identity,
	})
	if err := failure(n, err, func() []*tfprotov6.Diagnostic { return answer.Diagnostics }); err != nil {
		return nil, err
	}
	read := *stored
	read.private, read.identity = answer.Private, answer.NewIdentity
	read.value, err = planning.Decode(answer.NewState, stored.value.Type())
	return &read, err
}

// take imports what exists, and reads it.
func (s *server) take(ctx context.Context, n *node, id string) (*instance, error) {
	schema, err := s.schema(n)
	if err != nil {
		return nil, err
	}
	answer, err := s.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: n.kind, ID: id})
	if err := failure(n, err, func() []*tfprotov6.Diagnostic { return answer.Diagnostics }); err != nil {
		return nil, err
	}
	found := answer.ImportedResources[0]
	value, err := planning.Decode(found.State, planning.TypeOf(schema))
	if err != nil {
		return nil, err
	}
	read, err := s.read(ctx, n, &instance{value: value, private: found.Private, identity: found.Identity, node: n})
	if err == nil && !read.exists() {
		err = planning.Error("Cannot import non-existent remote object", "There is none with the id %s.", id)
	}
	return read, err
}

// answered is what a provider plans.
type answered struct {
	value    cty.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	replace  bool
	warnings []string
}

// plan asks what would become of a resource; a null block is one that is to go.
func (s *server) plan(ctx context.Context, n *node, prior *instance, block cty.Value) (answered, error) {
	if n.kind == dataType {
		return planData(prior.value, block), nil
	}
	schema, err := s.schema(n)
	if err != nil {
		return answered{}, err
	}
	values, err := planning.EncodeAll(prior.value, planning.Proposed(schema, prior.value, block), block)
	if err != nil {
		return answered{}, err
	}
	answer, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: n.kind, PriorState: values[0], ProposedNewState: values[1], Config: values[2],
		PriorPrivate: prior.private, PriorIdentity: prior.identity,
	})
	if err := failure(n, err, func() []*tfprotov6.Diagnostic { return answer.Diagnostics }); err != nil {
		return answered{}, err
	}
	planned, err := planning.Decode(answer.PlannedState, block.Type())
	if err == nil && !block.IsNull() {
		err = plannable(schema.Block.Attributes, prior.value, unrefined(block), unrefined(planned))
	}
	var warnings []string
	for _, said := range answer.Diagnostics {
		warnings = append(warnings, said.Detail)
	}
	return answered{planned, answer.PlannedPrivate, answer.PlannedIdentity, len(answer.RequiresReplace) > 0, warnings}, err
}

// apply carries a plan out. What it returns belongs into the state, also where it fails.
func (s *server) apply(
	ctx context.Context, n *node, prior *instance, planned answered, block cty.Value,
) (*instance, error) {
	if n.kind == dataType {
		return &instance{value: applyData(planned.value), node: n}, nil
	}
	values, err := planning.EncodeAll(prior.value, planned.value, block)
	if err != nil {
		return prior, err
	}
	answer, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: n.kind, PriorState: values[0], PlannedState: values[1], Config: values[2],
		PlannedPrivate: planned.private, PlannedIdentity: planned.identity,
	})
	if err != nil {
		return prior, err
	}
	failed := failure(n, nil, func() []*tfprotov6.Diagnostic { return answer.Diagnostics })
	value, err := planning.Decode(answer.NewState, block.Type())
	if err != nil {
		return prior, err
	}
	after := &instance{value: value, private: answer.Private, identity: answer.NewIdentity, node: n}
	after.tainted = after.exists() && failed != nil && (prior.value.IsNull() || prior.tainted)
	if failed == nil {
		failed = planning.Applied(n.key, planned.value, value)
	}
	return after, failed
}

// planData plans a terraform_data.
func planData(prior, block cty.Value) answered {
	if block.IsNull() {
		return answered{value: block}
	}
	values := block.AsValueMap()
	unchanged := !prior.IsNull() && prior.GetAttr("input").RawEquals(values["input"])
	switch {
	case prior.IsNull():
		values["id"], values["output"] = cty.UnknownVal(cty.String), cty.UnknownVal(values["input"].Type())
	case unchanged:
		values["id"], values["output"] = prior.GetAttr("id"), prior.GetAttr("output")
	default:
		values["id"], values["output"] = prior.GetAttr("id"), cty.UnknownVal(values["input"].Type())
	}
	replace := !prior.IsNull() && !prior.GetAttr("triggers_replace").RawEquals(values["triggers_replace"])
	return answered{value: cty.ObjectVal(values), replace: replace}
}

func applyData(planned cty.Value) cty.Value {
	if planned.IsNull() {
		return planned
	}
	values := planned.AsValueMap()
	if !values["id"].IsKnown() {
		values["id"] = cty.StringVal("terraform-data")
	}
	values["output"] = values["input"]
	return cty.ObjectVal(values)
}

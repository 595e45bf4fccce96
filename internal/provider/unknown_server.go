package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// unknownServer wraps the framework's server, so that an unknown value alone replaces nothing.
//
// Terraform postpones reading a data source to the apply if something that it depends on changes, as with depends_on of
// a module. Its values are then unknown in the plan, though nearly always unchanged. Such a value is planned as an
// update. During the apply, when all values are known, Terraform plans each change again. If the value is unchanged,
// nothing happens; otherwise the change is refused, and the next plan shows the replacement. If the object is gone by
// then, since its parent was replaced in the same run, it is created again. An unknown rotation trigger does replace:
// it comes from a change, such as time_rotating.
type unknownServer struct {
	frameworkServer

	platform *atomic.Pointer[kit.Platform]
	// beginning is locked while a run begins, so that what the new run stores isn't cleared with the old run's data.
	beginning sync.Mutex
	// plans is true after a request that only a plan sends. A plan reads each object before it plans its change, except
	// with -refresh=false.
	plans atomic.Bool
	// isValidated is true after the provider block was validated. Terraform validates it before it configures the
	// provider for one plan or apply, but not before it configures it for all runs of a test (1.16).
	isValidated atomic.Bool
	// replaced are the ids of objects that this run replaces whatever unknown values become. Objects that belong to
	// them are replaced too: a branch can't be deleted before its children.
	replaced sync.Map
	// planned are the prior states of objects with a planned update, by type and configuration. If the user asks for a
	// replacement, Terraform plans the creation next, with the same configuration.
	planned sync.Map
}

// createdAnew begins the private data of a planned update that will create the object again, since it is gone.
// Terraform passes it from the second plan to the apply.
var createdAnew = []byte("created anew\x00")

// identities are the schemas of all identities. The attributes of an identity name the object and its parents.
var identities = sync.OnceValue(func() map[string]*tfprotov6.ResourceIdentitySchema {
	all, err := providerserver.NewProtocol6(&neonProvider{})().GetResourceIdentitySchemas(context.Background(),
		&tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil
	}
	return all.IdentitySchemas
})

func (s *unknownServer) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	s.isValidated.Store(true)
	return s.frameworkServer.ValidateProviderConfig(ctx, req)
}

// ConfigureProvider begins a plan or an apply. Terraform configures the provider for each, but only once for all runs
// of a test (1.16).
func (s *unknownServer) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	s.forget()
	resp, err := s.frameworkServer.ConfigureProvider(ctx, req)
	s.platform.Load().PlansOnce(s.isValidated.Swap(false))
	return resp, err
}

// forget clears what the last plan or apply stored.
func (s *unknownServer) forget() {
	s.plans.Store(false)
	s.replaced.Clear()
	s.planned.Clear()
}

// beginRun clears the last run's data if that run applied something.
func (s *unknownServer) beginRun() {
	s.beginning.Lock()
	defer s.beginning.Unlock()
	if platform := s.platform.Load(); platform.IsApplying() {
		s.forget()
		platform.Forget()
	}
}

// ReadResource reads an object, which only a plan does.
func (s *unknownServer) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	s.beginRun()
	s.plans.Store(true)
	return s.frameworkServer.ReadResource(ctx, req)
}

// ApplyResourceChange applies a change. An update planned for an object that is gone becomes a creation.
func (s *unknownServer) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.platform.Load().Applies()
	private, isAnew := bytes.CutPrefix(req.PlannedPrivate, createdAnew)
	if !isAnew {
		return s.frameworkServer.ApplyResourceChange(ctx, req)
	}
	creation := *req
	nothing, err := tfprotov6.NewDynamicValue(kindOf(req.TypeName), tftypes.NewValue(kindOf(req.TypeName), nil))
	creation.PriorState, creation.PlannedPrivate, creation.PlannedIdentity = &nothing, private, nil
	if err != nil {
		return nil, err
	}
	return s.frameworkServer.ApplyResourceChange(ctx, &creation)
}

func kindOf(typeName string) tftypes.Type { return schemas().ResourceSchemas[typeName].ValueType() }

func (s *unknownServer) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	asked := *req
	asked.Config = withElements(req.TypeName, req.Config)
	return s.frameworkServer.ValidateResourceConfig(ctx, &asked)
}

func (s *unknownServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	asked := *req
	asked.Config = withElements(req.TypeName, req.Config)
	asked.ProposedNewState = withElements(req.TypeName, req.ProposedNewState)
	resp, err := s.plan(ctx, &asked)
	if err == nil {
		s.remember(&asked, len(resp.RequiresReplace) > 0)
	}
	return resp, err
}

// withElements expands an unknown object in a list, set or map into an object whose configurable attributes are
// unknown. For an unknown object, the framework reports missing required attributes.
func withElements(typeName string, of *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	if of == nil || !mayBeUnknown(of.MsgPack) || schemas().ResourceSchemas[typeName] == nil {
		return of
	}
	kind := kindOf(typeName)
	value, err := of.Unmarshal(kind)
	if err != nil {
		return of // The framework says what is wrong.
	}
	found := false
	value, err = tftypes.Transform(value, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if _, isAttribute := at.LastStep().(tftypes.AttributeName); isAttribute || value.IsKnown() {
			return value, nil
		}
		declared := attributesAt(schemas().ResourceSchemas[typeName].Block.Attributes, at)
		if declared == nil {
			return value, nil
		}
		found = true
		attributes := map[string]tftypes.Value{}
		for _, attribute := range declared {
			attributes[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
			if attribute.Optional || attribute.Required {
				attributes[attribute.Name] = tftypes.NewValue(attribute.ValueType(), tftypes.UnknownValue)
			}
		}
		return tftypes.NewValue(value.Type(), attributes), nil
	})
	if err != nil || !found {
		return of
	}
	expanded, err := tfprotov6.NewDynamicValue(kind, value)
	if err != nil {
		return of
	}
	return &expanded
}

// attributesAt returns the attributes of the nested object at a path, or nil if there is none.
func attributesAt(attributes []*tfprotov6.SchemaAttribute, at *tftypes.AttributePath) []*tfprotov6.SchemaAttribute {
	for _, step := range at.Steps() {
		name, isName := step.(tftypes.AttributeName)
		i := slices.IndexFunc(attributes, func(each *tfprotov6.SchemaAttribute) bool { return each.Name == string(name) })
		switch {
		case !isName:
		case i < 0 || attributes[i].NestedType == nil:
			return nil
		default:
			attributes = attributes[i].NestedType.Attributes
		}
	}
	return attributes
}

// mayBeUnknown reports whether MessagePack may have an unknown value, so that fully known plans aren't decoded.
func mayBeUnknown(text []byte) bool {
	return bytes.Contains(text, []byte{0xd4, 0}) || bytes.IndexByte(text, 0x0c) >= 0
}

// remember stores from a plan that an object is updated or replaced. A creation with the configuration of a planned
// update replaces that object.
func (s *unknownServer) remember(req *tfprotov6.PlanResourceChangeRequest, isReplaced bool) {
	if schemas().ResourceSchemas[req.TypeName] == nil || req.Config == nil {
		return
	}
	said := req.TypeName + "\x00" + string(req.Config.MsgPack)
	before := req.PriorState
	switch isCreation, err := before.IsNull(); {
	case err != nil:
		return
	case isCreation:
		planned, _ := s.planned.Load(said)
		if before, _ = planned.(*tfprotov6.DynamicValue); before == nil {
			return
		}
	case !isReplaced:
		s.planned.Store(said, before)
		return
	}
	if state, err := before.Unmarshal(kindOf(req.TypeName)); err == nil {
		s.replaced.Store(textOf(state, tftypes.NewAttributePath().WithAttributeName("id")), true)
	}
}

func (s *unknownServer) plan(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.frameworkServer.PlanResourceChange(ctx, req)
	if err != nil || len(resp.RequiresReplace) == 0 || schemas().ResourceSchemas[req.TypeName] == nil {
		return resp, err
	}
	change, err := newReplacement(req, resp.RequiresReplace)
	switch {
	case err != nil:
		return nil, err
	case change.prior.IsNull():
		return resp, nil
	case s.belongsToReplaced(change):
		return resp, nil
	case len(change.unknown) > 0:
		return s.planUnknown(ctx, change)
	case s.platform.Load().IsApplying() && !s.plans.Load():
		return s.planLate(ctx, change)
	case !s.plans.Load():
		resp.Diagnostics = append(resp.Diagnostics, change.inDoubt())
	}
	return resp, nil
}

// inDoubt returns a warning for a replacement that was planned without a read: either by -refresh=false, or during an
// apply, where Terraform refuses it with its own message.
func (r *replacement) inDoubt() *tfprotov6.Diagnostic {
	return &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityWarning, Attribute: r.causes[0], Summary: "Replaced without being read",
		Detail: fmt.Sprintf("Another %[1]s replaces this %[2]s, which wasn't read. With -refresh=false that is all. Where "+
			"Terraform stops with \"Provider produced inconsistent final plan\", %[1]s wasn't known when it was planned, and "+
			"has turned out to be another value than before: nothing of the %[2]s was changed. Plan again: the plan shows "+
			"the replacement.", nameOf(r.causes[0]), r.TypeName),
	}
}

// replacement is a change that the framework plans as a replacement.
type replacement struct {
	*tfprotov6.PlanResourceChangeRequest

	kind                    tftypes.Type
	prior, config, proposed tftypes.Value
	// causes are the attributes that cause the replacement; unknown are those of them that are unknown in the
	// configuration.
	causes, unknown []*tftypes.AttributePath
}

func newReplacement(req *tfprotov6.PlanResourceChangeRequest, causes []*tftypes.AttributePath) (*replacement, error) {
	r := &replacement{PlanResourceChangeRequest: req, kind: kindOf(req.TypeName), causes: causes}
	for target, from := range map[*tftypes.Value]*tfprotov6.DynamicValue{
		&r.prior: req.PriorState, &r.config: req.Config, &r.proposed: req.ProposedNewState,
	} {
		value, err := from.Unmarshal(r.kind)
		if err != nil {
			return nil, err
		}
		*target = value
	}
	for _, at := range causes {
		if value, ok := valueOf(r.config, at); ok && !value.IsFullyKnown() && nameOf(at) != "rotation_triggers" {
			r.unknown = append(r.unknown, at)
		}
	}
	return r, nil
}

func valueOf(of tftypes.Value, at *tftypes.AttributePath) (tftypes.Value, bool) {
	found, _, err := tftypes.WalkAttributePath(of, at)
	value, is := found.(tftypes.Value)
	return value, err == nil && is
}

func textOf(of tftypes.Value, at *tftypes.AttributePath) (text string) {
	if value, ok := valueOf(of, at); !ok || value.As(&text) != nil {
		return ""
	}
	return text
}

// planUnknown plans the change with the unknown attributes at their prior values, and marks them as unknown in the
// result.
func (s *unknownServer) planUnknown(
	ctx context.Context, r *replacement,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	known := *r.PlanResourceChangeRequest
	config, configErr := tfprotov6.NewDynamicValue(r.kind, r.withUnknownOf(r.prior, r.config))
	proposed, err := tfprotov6.NewDynamicValue(r.kind, r.withUnknownOf(r.prior, r.proposed))
	if err := errors.Join(configErr, err); err != nil {
		return nil, fmt.Errorf("unable to plan what isn't known yet: %w", err)
	}
	known.Config, known.ProposedNewState = &config, &proposed
	resp, err := s.frameworkServer.PlanResourceChange(ctx, &known)
	if err != nil || resp.PlannedState == nil {
		return resp, err
	}
	planned, err := resp.PlannedState.Unmarshal(r.kind)
	if err != nil || planned.IsNull() {
		return resp, err
	}
	state, err := tfprotov6.NewDynamicValue(r.kind, r.withUnknownOf(r.config, s.assignedAnew(ctx, r, planned)))
	resp.PlannedState = &state
	return resp, err
}

// withUnknownOf returns value with the attributes of r.unknown taken from other.
func (r *replacement) withUnknownOf(other, value tftypes.Value) tftypes.Value {
	changed, err := tftypes.Transform(value, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		for _, unknown := range r.unknown {
			if wanted, ok := valueOf(other, unknown); ok && at.Equal(unknown) {
				return wanted, nil
			}
		}
		return value, nil
	})
	if err != nil {
		return value
	}
	return changed
}

// assignedAnew returns the plan with the attributes that Neon assigns as a creation would plan them, if the object may
// be created again: an unknown attribute names its parent, which may be replaced.
func (s *unknownServer) assignedAnew(ctx context.Context, r *replacement, planned tftypes.Value) tftypes.Value {
	if !r.belongsToUnknown() {
		return planned
	}
	created, err := s.planCreation(ctx, r)
	if err != nil || created.PlannedState == nil {
		return planned
	}
	var all, anew map[string]tftypes.Value
	creation, err := created.PlannedState.Unmarshal(r.kind)
	if err != nil || creation.As(&anew) != nil || planned.As(&all) != nil {
		return planned
	}
	for _, attribute := range schemas().ResourceSchemas[r.TypeName].Block.Attributes {
		if attribute.Computed && !anew[attribute.Name].IsFullyKnown() {
			all[attribute.Name] = anew[attribute.Name]
		}
	}
	return tftypes.NewValue(r.kind, all)
}

// belongsToUnknown reports whether an unknown attribute is part of the identity.
func (r *replacement) belongsToUnknown() bool {
	identity := identities()[r.TypeName]
	if identity == nil {
		return false
	}
	for _, unknown := range r.unknown {
		for _, part := range identity.IdentityAttributes {
			if unknown.Equal(tftypes.NewAttributePath().WithAttributeName(part.Name)) {
				return true
			}
		}
	}
	return false
}

// belongsToReplaced reports whether an unknown attribute was the id of an object that this run replaces.
func (s *unknownServer) belongsToReplaced(r *replacement) bool {
	return slices.ContainsFunc(r.unknown, func(at *tftypes.AttributePath) bool {
		id := textOf(r.prior, at)
		_, is := s.replaced.Load(id)
		return is && id != ""
	})
}

// planCreation plans the change as a creation.
func (s *unknownServer) planCreation(
	ctx context.Context, r *replacement,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	nothing, err := tfprotov6.NewDynamicValue(r.kind, tftypes.NewValue(r.kind, nil))
	if err != nil {
		return nil, err
	}
	creation := *r.PlanResourceChangeRequest
	creation.PriorState, creation.ProposedNewState, creation.PriorPrivate, creation.PriorIdentity = &nothing, r.Config,
		nil, nil
	return s.frameworkServer.PlanResourceChange(ctx, &creation)
}

// planLate plans, during an apply, a replacement that the plan showed as an update. It creates the object if it is
// gone, and refuses the change otherwise.
func (s *unknownServer) planLate(ctx context.Context, r *replacement) (*tfprotov6.PlanResourceChangeResponse, error) {
	read, err := s.frameworkServer.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: r.TypeName, CurrentState: r.PriorState, Private: r.PriorPrivate, ProviderMeta: r.ProviderMeta,
		CurrentIdentity: r.PriorIdentity,
	})
	if err != nil {
		return nil, err
	}
	state, err := read.NewState.Unmarshal(r.kind)
	if err == nil && state.IsNull() && len(read.Diagnostics) == 0 {
		resp, err := s.planCreation(ctx, r)
		if resp != nil {
			resp.RequiresReplace, resp.PlannedIdentity = nil, r.PriorIdentity
			resp.PlannedPrivate = append(bytes.Clone(createdAnew), resp.PlannedPrivate...)
		}
		return resp, err
	}
	moved := *r.PlanResourceChangeRequest
	moved.PriorState = read.NewState
	if resp, err := s.frameworkServer.PlanResourceChange(ctx, &moved); err != nil || len(resp.RequiresReplace) == 0 {
		return resp, err // It has become what is configured, as a Data API whose database this run has renamed.
	}
	cause := r.causes[0]
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: r.PriorState, PlannedIdentity: r.PriorIdentity,
		Diagnostics: []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Attribute: cause, Summary: "Not what it was when this was planned",
			Detail: fmt.Sprintf("%s of this %s wasn't known when the change was planned, and has turned out to be another "+
				"value than before, which replaces the object. Nothing of it was changed. Plan again: the plan shows the "+
				"replacement.", nameOf(cause), r.TypeName),
		}}}, nil
}

// nameOf returns the first attribute of a path.
func nameOf(at *tftypes.AttributePath) string {
	if steps := at.Steps(); len(steps) > 0 {
		if name, is := steps[0].(tftypes.AttributeName); is {
			return string(name)
		}
	}
	return "An attribute"
}

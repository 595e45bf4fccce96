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

// unknownServer is around the framework's server, so that nothing is replaced because a value isn't known yet.
//
// Terraform doesn't read a data source before the apply where something that it depends on changes, as with depends_on
// of a module. What it returns is unknown in the plan, and nearly always what it was before. So a value that is unknown
// replaces nothing: it is planned as an update. During the apply, when all is known, Terraform plans each change again.
// If the value is what it was, nothing happens. If it isn't, the change is refused, and the next plan shows the
// replacement; but where the object is gone by then, since what it belonged to was replaced in the same run, it is
// created there. Only a trigger that isn't known replaces: it comes from what changes, such as time_rotating.
type unknownServer struct {
	frameworkServer

	platform *atomic.Pointer[kit.Platform]
	// beginning is locked while a run begins, so that nothing of it is forgotten with the one before.
	beginning sync.Mutex
	// plans is true once something was asked that only a plan asks. A plan reads each object before it plans its change,
	// unless it was called with -refresh=false.
	plans atomic.Bool
	// isValidated is true once the provider block was validated. Terraform does that before it configures the provider for
	// one plan or apply, and not before it configures it for all runs of a test (1.16).
	isValidated atomic.Bool
	// replaced are the ids of the objects that this run replaces, whatever becomes of what isn't known yet. What belongs
	// to them is replaced with them: a branch, for one, can't be deleted before its children.
	replaced sync.Map
	// planned are the states of the objects whose change was planned, by what the configuration says of them. Where the
	// user asks for a replacement, Terraform then plans the creation.
	planned sync.Map
}

// createdAnew begins the private data of a planned update that creates an object whose predecessor is gone. Terraform
// keeps it from the second plan to the change.
var createdAnew = []byte("created anew\x00")

// identities are the schemas of all identities. What an identity has, the object belongs to, or is.
var identities = sync.OnceValue(func() map[string]*tfprotov6.ResourceIdentitySchema {
	all, err := providerserver.NewProtocol6(&neonProvider{})().GetResourceIdentitySchemas(context.Background(),
		&tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil
	}
	return all.IdentitySchemas
})

// ValidateProviderConfig validates the provider block.
func (s *unknownServer) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	s.isValidated.Store(true)
	return s.frameworkServer.ValidateProviderConfig(ctx, req)
}

// ConfigureProvider begins a plan or an apply. Terraform configures the provider anew for each, but once for all runs
// of a test (1.16).
func (s *unknownServer) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	s.forget()
	resp, err := s.frameworkServer.ConfigureProvider(ctx, req)
	s.platform.Load().PlansOnce(s.isValidated.Swap(false))
	return resp, err
}

// forget forgets what was asked for in the plan or the apply before.
func (s *unknownServer) forget() {
	s.plans.Store(false)
	s.replaced.Clear()
	s.planned.Clear()
}

// beginRun forgets the run before, where something was applied in that.
func (s *unknownServer) beginRun() {
	s.beginning.Lock()
	defer s.beginning.Unlock()
	if platform := s.platform.Load(); platform.IsApplying() {
		s.forget()
		platform.Forget()
	}
}

// ReadResource reads an object, as only a plan does.
func (s *unknownServer) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	s.beginRun()
	s.plans.Store(true)
	return s.frameworkServer.ReadResource(ctx, req)
}

// ApplyResourceChange carries out a change. An object that is gone has nothing to be updated.
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

// ValidateResourceConfig validates a configuration.
func (s *unknownServer) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	asked := *req
	asked.Config = withElements(req.TypeName, req.Config)
	return s.frameworkServer.ValidateResourceConfig(ctx, &asked)
}

// PlanResourceChange plans a change.
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

// withElements is a value in which an object of a list, a set or a map that is unknown as a whole is one whose
// attributes are all unknown, but for those that no configuration has. Of the former, the framework says that its
// required attributes are missing.
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

// attributesAt are those of the objects that a path leads to; none where it leads to something else.
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

// mayBeUnknown reports whether MessagePack has the bytes by which Terraform says that something isn't known, so that
// nothing is decoded for a plan in which all is.
func mayBeUnknown(text []byte) bool {
	return bytes.Contains(text, []byte{0xd4, 0}) || bytes.IndexByte(text, 0x0c) >= 0
}

// remember keeps what was planned of an object: that it changes, is replaced, or is created in its place.
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

// inDoubt is a warning for a replacement of which nothing tells whether it is planned with -refresh=false, or whether
// an apply plans it anew, which Terraform then refuses in words of its own.
func (r *replacement) inDoubt() *tfprotov6.Diagnostic {
	return &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityWarning, Attribute: r.causes[0], Summary: "Replaced without being read",
		Detail: fmt.Sprintf("Another %[1]s replaces this %[2]s, which wasn't read. With -refresh=false that is all. Where "+
			"Terraform stops with \"Provider produced inconsistent final plan\", %[1]s wasn't known when it was planned, and "+
			"has turned out to be another value than before: nothing of the %[2]s was changed. Plan again: the plan shows "+
			"the replacement.", nameOf(r.causes[0]), r.TypeName),
	}
}

// replacement is a change that the framework plans as the replacement of an object.
type replacement struct {
	*tfprotov6.PlanResourceChangeRequest

	kind                    tftypes.Type
	prior, config, proposed tftypes.Value
	// causes are the attributes that replace, and unknown those of them that the configuration doesn't know yet.
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

// planUnknown plans the change as if the unknown attributes stayed what they are, and says that these are unknown.
func (s *unknownServer) planUnknown(
	ctx context.Context, r *replacement,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	as := *r.PlanResourceChangeRequest
	config, configErr := tfprotov6.NewDynamicValue(r.kind, r.as(r.prior, r.config))
	proposed, err := tfprotov6.NewDynamicValue(r.kind, r.as(r.prior, r.proposed))
	if err := errors.Join(configErr, err); err != nil {
		return nil, fmt.Errorf("unable to plan what isn't known yet: %w", err)
	}
	as.Config, as.ProposedNewState = &config, &proposed
	resp, err := s.frameworkServer.PlanResourceChange(ctx, &as)
	if err != nil || resp.PlannedState == nil {
		return resp, err
	}
	planned, err := resp.PlannedState.Unmarshal(r.kind)
	if err != nil || planned.IsNull() {
		return resp, err
	}
	state, err := tfprotov6.NewDynamicValue(r.kind, r.as(r.config, s.assignedAnew(ctx, r, planned)))
	resp.PlannedState = &state
	return resp, err
}

// as is a value in which those attributes that are unknown in the configuration are as another value has them.
func (r *replacement) as(other, value tftypes.Value) tftypes.Value {
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

// assignedAnew is a plan with the attributes that Neon assigns to a new object, in whole or in part, as its creation
// plans them, where the object may be created anew: it belongs to what isn't known yet, which may replace what it
// belonged to.
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

// belongsToUnknown reports whether one of the unknown attributes is a part of the identity.
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

// belongsToReplaced reports whether one of the unknown attributes was the id of what this run replaces.
func (s *unknownServer) belongsToReplaced(r *replacement) bool {
	return slices.ContainsFunc(r.unknown, func(at *tftypes.AttributePath) bool {
		id := textOf(r.prior, at)
		_, is := s.replaced.Load(id)
		return is && id != ""
	})
}

// planCreation plans the object as one that isn't there.
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

// planLate plans a change anew of which all is known by now. It was planned as an update, so it can't replace the
// object.
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

// nameOf is the attribute that a path begins with.
func nameOf(at *tftypes.AttributePath) string {
	if steps := at.Steps(); len(steps) > 0 {
		if name, is := steps[0].(tftypes.AttributeName); is {
			return string(name)
		}
	}
	return "An attribute"
}

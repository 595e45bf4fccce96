package chaos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// session is one run of Terraform: a provider of its own, spoken to through its
// protocol server.
type session struct {
	platform *platform
	// blind is true where the key sees nothing of what there is.
	blind  bool
	server tfprotov6.ProviderServer
	// planner makes all plans: Terraform's plans and changes have a configured provider each.
	planner tfprotov6.ProviderServer
	schemas map[string]*tfprotov6.Schema
	// ephemerals are the schemas of ephemeral resources.
	ephemerals map[string]*tfprotov6.Schema
	actions    map[string]*tfprotov6.ActionSchema
	// ended is done once it was interrupted, by end.
	ended context.Context
	end   context.CancelFunc
	// begins, where it is set, is called when a branch is about to be created, or what leaves a last snapshot to be
	// deleted.
	begins func()
}

// errStopped is why a run that was interrupted begins nothing new.
var errStopped = &failure{"Interrupted: Terraform begins nothing new."}

// state is what Terraform keeps of a resource.
type state struct {
	// resource is its type.
	resource string
	value    cty.Value
	private  []byte
	// tainted is true after a creation that failed half way: the next apply
	// replaces the resource.
	tainted bool
}

func (s state) exists() bool { return isSet(s.value) }

// isToLeave reports whether a snapshot is to be taken before the resource is deleted.
func (s state) isToLeave() bool {
	return isSet(elements(s.value)["final_snapshot"])
}

// id is the resource's; empty for none. Where it has no attribute of that name, it is made of the identity.
func (s state) id() string {
	return idOf(s.resource, func(name string) string { return textIn(s.value, name) })
}

// idOf is the id of a resource that has these attributes.
func idOf(resource string, attribute func(name string) string) string {
	var parts []string
	for _, name := range told()[resource].Identity {
		if part := attribute(name); part != "" {
			parts = append(parts, part)
		}
	}
	return cmp.Or(attribute("id"), strings.Join(parts, "/"))
}

// failure is what a provider said that kept it from doing what it was asked for.
type failure struct{ text string }

func (f *failure) Error() string { return f.text }

// newSession begins a run with an API key.
func newSession(ctx context.Context, p *platform, key string) (*session, error) {
	servers := provider.NewServer("chaos")
	if p.network != nil {
		servers.Transport = p.network.transport()
	}
	s := &session{platform: p, blind: key == p.blindKey, server: servers.New(), planner: servers.New()}
	s.ended, s.end = context.WithCancel(context.WithoutCancel(ctx))
	schema, err := s.server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	s.schemas, s.ephemerals, s.actions = schema.ResourceSchemas, schema.EphemeralResourceSchemas, schema.ActionSchemas
	address := cty.StringVal(p.baseURL)
	config, err := encoded(schema.Provider, map[string]cty.Value{
		"api_key": cty.StringVal(key), "base_url": address, "claim_base_url": address, "claimable_neon_base_url": address,
		"org_id": cty.StringVal(p.OrgID), "requests_per_minute": cty.NumberIntVal(700), "max_retries": cty.NumberIntVal(10),
	})
	if err != nil {
		return nil, err
	}
	for _, server := range []tfprotov6.ProviderServer{s.server, s.planner} {
		configured, err := server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: config})
		if err != nil {
			return nil, err
		}
		if _, err = said(configured.Diagnostics); err != nil {
			return s, err
		}
	}
	return s, nil
}

// interrupt is Ctrl-C: the provider ends what it does, and Terraform begins
// nothing new.
func (s *session) interrupt(ctx context.Context) error {
	s.end()
	_, err := s.server.StopProvider(ctx, &tfprotov6.StopProviderRequest{})
	_, plannerErr := s.planner.StopProvider(ctx, &tfprotov6.StopProviderRequest{})
	return errors.Join(err, plannerErr)
}

// stoppable returns a request's context, which ends with the run, as that of a request
// to the provider's process does.
func (s *session) stoppable(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	leave := context.AfterFunc(s.ended, cancel)
	return ctx, func() { leave(); cancel() }
}

// encoded is a configuration as a request has it.
func encoded(schema *tfprotov6.Schema, values map[string]cty.Value) (*tfprotov6.DynamicValue, error) {
	config, err := planning.Configured(schema, values)
	if err != nil {
		return nil, err
	}
	return planning.Encode(config)
}

// none is the state of what doesn't exist.
func (s *session) none(resource string) state {
	return state{resource: resource, value: cty.NullVal(planning.TypeOf(s.schemas[resource]))}
}

// refresh reads the resource again.
func (s *session) refresh(ctx context.Context, resource string, current state) (state, string, error) {
	if s.ended.Err() != nil {
		return current, "", errStopped
	}
	value, err := planning.Encode(current.value)
	if err != nil {
		return current, "", err
	}
	ctx, cancel := s.stoppable(ctx)
	defer cancel()
	answer, err := s.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: resource, CurrentState: value, Private: current.private,
	})
	if err != nil {
		return current, "", err
	}
	words, err := said(answer.Diagnostics)
	if err != nil {
		return current, words, err
	}
	read, err := current.with(answer.NewState, answer.Private)
	read.tainted = current.tainted
	return read, words, err
}

// change is a plan: what becomes of a resource.
type change struct {
	prior, planned, config cty.Value
	private                []byte
	// replace is true where the resource can't be changed in place.
	replace bool
}

func (c change) nothing() bool { return c.planned.RawEquals(c.prior) }

// plan says what would make of the resource what the configuration wants; a null
// configuration is a resource that is to go.
func (s *session) plan(
	ctx context.Context, resource string, prior state, config cty.Value,
) (change, string, error) {
	planned := change{prior: prior.value, config: config}
	if s.ended.Err() != nil {
		return planned, "", errStopped
	}
	values, err := planning.EncodeAll(prior.value, planning.Proposed(s.schemas[resource], prior.value, config), config)
	if err != nil {
		return planned, "", err
	}
	ctx, cancel := s.stoppable(ctx)
	defer cancel()
	answer, err := s.planner.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: resource, PriorState: values[0], ProposedNewState: values[1], Config: values[2],
		PriorPrivate: prior.private,
	})
	if err != nil {
		return planned, "", err
	}
	words, err := said(answer.Diagnostics)
	if err != nil {
		return planned, words, err
	}
	planned.private, planned.replace = answer.PlannedPrivate, len(answer.RequiresReplace) > 0
	planned.planned, err = planning.Decode(answer.PlannedState, config.Type())
	return planned, words, err
}

// apply carries a plan out. What it returns is what Terraform would keep, also
// where it fails.
func (s *session) apply(ctx context.Context, resource string, planned change) (state, string, error) {
	before := state{resource: resource, value: planned.prior, private: planned.private}
	if s.ended.Err() != nil {
		return before, "", errStopped
	}
	values, err := planning.EncodeAll(planned.prior, planned.planned, planned.config)
	if err != nil {
		return before, "", err
	}
	if creates := resource == branch && planned.prior.IsNull(); s.begins != nil &&
		(creates || planned.planned.IsNull() && before.isToLeave()) {
		s.begins()
	}
	ctx, cancel := s.stoppable(ctx)
	defer cancel()
	answer, err := s.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resource, PriorState: values[0], PlannedState: values[1], Config: values[2],
		PlannedPrivate: planned.private,
	})
	if err != nil {
		return before, "", err
	}
	words, failed := said(answer.Diagnostics)
	after, err := before.with(answer.NewState, answer.Private)
	if err != nil {
		return before, words, err
	}
	after.tainted = failed != nil && planned.prior.IsNull() && after.exists()
	if failed == nil {
		failed = planning.Applied(resource, planned.planned, after.value)
	}
	return after, words, failed
}

// take imports what exists.
func (s *session) take(ctx context.Context, resource, id string) (state, string, error) {
	none := s.none(resource)
	ctx, cancel := s.stoppable(ctx)
	defer cancel()
	answer, err := s.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: resource, ID: id})
	if err != nil {
		return none, "", err
	}
	words, err := said(answer.Diagnostics)
	if err != nil || len(answer.ImportedResources) == 0 {
		return none, words, err
	}
	taken, err := none.with(answer.ImportedResources[0].State, answer.ImportedResources[0].Private)
	if err != nil {
		return taken, words, err
	}
	read, more, err := s.refresh(ctx, resource, taken)
	if err != nil {
		read = none
	}
	return read, words + more, err
}

// with is the state of the same resource with what an answer has.
func (s state) with(value *tfprotov6.DynamicValue, private []byte) (state, error) {
	decoded, err := planning.Decode(value, s.value.Type())
	return state{resource: s.resource, value: decoded, private: private}, err
}

// said returns all that the provider said, and an error where it failed.
func said(diagnostics []*tfprotov6.Diagnostic) (string, error) {
	var words strings.Builder
	failed := false
	for _, d := range diagnostics {
		failed = failed || d.Severity == tfprotov6.DiagnosticSeverityError
		fmt.Fprintf(&words, "%s: %s\n%s\n", strings.ToLower(d.Severity.String()), d.Summary, d.Detail)
	}
	if failed {
		return words.String(), &failure{words.String()}
	}
	return words.String(), nil
}

package acctest

import (
	"encoding/json"
	"errors"
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// Protocol speaks to the provider as Terraform does, without Terraform: what
// needs a newer one than is at hand can be tried so.
type Protocol struct {
	tfprotov6.ProviderServer
	Schema     *tfprotov6.GetProviderSchemaResponse
	Identities *tfprotov6.GetResourceIdentitySchemasResponse
}

// NewProtocol configures the provider for the world, and calls it without Terraform.
func NewProtocol(t *testing.T, w *World) Protocol {
	t.Helper()
	return NewProtocolWith(t, w, nil)
}

// NewProtocolWith does so with more attributes of the provider block.
func NewProtocolWith(t *testing.T, w *World, more map[string]tftypes.Value) Protocol {
	t.Helper()
	server := provider.NewServer("test").New()
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	NoProblem(t, err, schema.Diagnostics)
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	NoProblem(t, err, identities.Diagnostics)
	kind := schema.Provider.ValueType()
	given := map[string]tftypes.Value{
		"api_key": tftypes.NewValue(tftypes.String, w.APIKey), "base_url": tftypes.NewValue(tftypes.String, w.BaseURL),
		"claim_base_url":          tftypes.NewValue(tftypes.String, w.ClaimBaseURL),
		"claimable_neon_base_url": tftypes.NewValue(tftypes.String, w.ClaimableNeonBaseURL),
		"org_id":                  tftypes.NewValue(tftypes.String, w.OrgID),
	}
	maps.Copy(given, more)
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.12.0", Config: Dynamic(t, kind, Object(kind, given)),
	})
	NoProblem(t, err, configured.Diagnostics)
	return Protocol{server, schema, identities}
}

// NoProblem fails the test over an error or a diagnostic of an error.
func NoProblem(t *testing.T, err error, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			t.Fatalf("%s: %s", diagnostic.Summary, diagnostic.Detail)
		}
	}
}

// Object is a value of an object's type in which what isn't given is null.
func Object(kind tftypes.Type, given map[string]tftypes.Value) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, of := range kind.(tftypes.Object).AttributeTypes {
		if value, ok := given[name]; ok {
			values[name] = value
		} else {
			values[name] = tftypes.NewValue(of, nil)
		}
	}
	return tftypes.NewValue(kind, values)
}

// Dynamic encodes a value for a request.
func Dynamic(t *testing.T, kind tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(kind, value)
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}

// IdentityType is the type of a resource's identity.
func (p Protocol) IdentityType(resourceType string) tftypes.Type {
	return p.Identities.IdentitySchemas[resourceType].ValueType()
}

// decoded are the attributes of an object in an answer.
func decoded(t *testing.T, kind tftypes.Type, value *tfprotov6.DynamicValue) (attributes map[string]tftypes.Value) {
	t.Helper()
	object, err := value.Unmarshal(kind)
	if err := errors.Join(err, object.As(&attributes)); err != nil {
		t.Fatal(err)
	}
	return attributes
}

// texts decodes the strings of an object.
func texts(t *testing.T, kind tftypes.Type, value *tfprotov6.DynamicValue) map[string]string {
	t.Helper()
	result := map[string]string{}
	for name, attribute := range decoded(t, kind, value) {
		var text string
		if attribute.IsKnown() && !attribute.IsNull() && attribute.As(&text) == nil {
			result[name] = text
		}
	}
	return result
}

// Returned reads a data source, and returns its attributes.
func (p Protocol) Returned(
	t *testing.T, dataSource string, given map[string]tftypes.Value,
) map[string]tftypes.Value {
	t.Helper()
	kind := p.Schema.DataSourceSchemas[dataSource].ValueType()
	read, err := p.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: dataSource,
		Config: Dynamic(t, kind, Object(kind, given))})
	NoProblem(t, err, read.Diagnostics)
	return decoded(t, kind, read.State)
}

// ReadIDs reads a data source once, and returns the ids of its list of that name.
func (p Protocol) ReadIDs(t *testing.T, dataSource, list string, given map[string]tftypes.Value) []string {
	t.Helper()
	var objects []tftypes.Value
	if err := p.Returned(t, dataSource, given)[list].As(&objects); err != nil {
		t.Fatal(err)
	}
	ids := make([]string, len(objects))
	for i, object := range objects {
		var attributes map[string]tftypes.Value
		if err := errors.Join(object.As(&attributes), attributes["id"].As(&ids[i])); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// Create makes a resource, and returns its state and identity.
func (p Protocol) Create(
	t *testing.T, resourceType string, given map[string]tftypes.Value,
) (state, identity map[string]string) {
	t.Helper()
	applied, kind := p.Created(t, resourceType, given), p.Schema.ResourceSchemas[resourceType].ValueType()
	return texts(t, kind, applied.NewState), texts(t, p.IdentityType(resourceType), applied.NewIdentity.IdentityData)
}

// Created makes a resource, and returns the whole answer.
func (p Protocol) Created(
	t *testing.T, resourceType string, given map[string]tftypes.Value,
) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	return p.Update(t, resourceType, &tfprotov6.ReadResourceResponse{}, given)
}

// Update changes a resource that was read to a configuration, or creates it where nothing was.
func (p Protocol) Update(
	t *testing.T, resourceType string, read *tfprotov6.ReadResourceResponse, given map[string]tftypes.Value,
) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	kind := p.Schema.ResourceSchemas[resourceType].ValueType()
	planned := p.plan(t, resourceType, read, given)
	NoProblem(t, nil, planned.Diagnostics)
	applied, err := p.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceType, PriorState: p.prior(t, resourceType, read), PlannedState: planned.PlannedState,
		Config:         Dynamic(t, kind, Object(kind, given)),
		PlannedPrivate: planned.PlannedPrivate, PlannedIdentity: planned.PlannedIdentity,
	})
	NoProblem(t, err, applied.Diagnostics)
	return applied
}

// prior is the state that was read; null where there is none.
func (p Protocol) prior(
	t *testing.T, resourceType string, read *tfprotov6.ReadResourceResponse,
) *tfprotov6.DynamicValue {
	t.Helper()
	if read.NewState != nil {
		return read.NewState
	}
	kind := p.Schema.ResourceSchemas[resourceType].ValueType()
	return Dynamic(t, kind, tftypes.NewValue(kind, nil))
}

// PlanReplacement returns what a plan says that replaces what was created, as Terraform plans it for
// -replace: like a creation, with the private state of what is there.
func (p Protocol) PlanReplacement(
	t *testing.T, resourceType string, created *tfprotov6.ApplyResourceChangeResponse, given map[string]tftypes.Value,
) string {
	t.Helper()
	return p.PlanUpdate(t, resourceType, &tfprotov6.ReadResourceResponse{Private: created.Private}, given)
}

// Destroy returns what the destruction of what was created says.
func (p Protocol) Destroy(t *testing.T, resourceType string, created *tfprotov6.ApplyResourceChangeResponse) string {
	t.Helper()
	kind := p.Schema.ResourceSchemas[resourceType].ValueType()
	nothing := Dynamic(t, kind, tftypes.NewValue(kind, nil))
	destroyed, err := p.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceType, PriorState: created.NewState, PlannedState: nothing, Config: nothing,
		PlannedPrivate:  created.Private,
		PlannedIdentity: created.NewIdentity,
	})
	if err != nil {
		t.Fatal(err)
	}
	return problems(destroyed.Diagnostics)
}

// CreateAndDestroy makes a resource, destroys it, and returns what the destruction warns of.
func (p Protocol) CreateAndDestroy(
	t *testing.T, resourceType string, given map[string]tftypes.Value,
) (warnings string) {
	t.Helper()
	return p.Destroy(t, resourceType, p.Created(t, resourceType, given))
}

// ImportAndRead imports by identity, and returns what a read says then.
func (p Protocol) ImportAndRead(
	t *testing.T, resourceType string, by map[string]string,
) (state, identity map[string]string) {
	t.Helper()
	read := p.Imported(t, resourceType, by)
	kind := p.Schema.ResourceSchemas[resourceType].ValueType()
	return texts(t, kind, read.NewState), texts(t, p.IdentityType(resourceType), read.NewIdentity.IdentityData)
}

// Imported returns the answer to the read that follows an import by identity.
func (p Protocol) Imported(t *testing.T, resourceType string, by map[string]string) *tfprotov6.ReadResourceResponse {
	t.Helper()
	of := p.IdentityType(resourceType)
	imported, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: resourceType,
		Identity: &tfprotov6.ResourceIdentityData{IdentityData: Dynamic(t, of, Object(of, Texts(by)))},
	})
	NoProblem(t, err, imported.Diagnostics)
	found := imported.ImportedResources[0]
	read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resourceType, CurrentState: found.State, Private: found.Private, CurrentIdentity: found.Identity,
	})
	NoProblem(t, err, read.Diagnostics)
	return read
}

// ImportedState imports by identity, and returns the attributes that a read finds then.
func (p Protocol) ImportedState(t *testing.T, resourceType string, by map[string]string) map[string]tftypes.Value {
	t.Helper()
	kind := p.Schema.ResourceSchemas[resourceType].ValueType()
	return decoded(t, kind, p.Imported(t, resourceType, by).NewState)
}

// PlanUpdate returns what a plan says that changes a resource that was read.
func (p Protocol) PlanUpdate(
	t *testing.T, resourceType string, read *tfprotov6.ReadResourceResponse, given map[string]tftypes.Value,
) string {
	t.Helper()
	return problems(p.plan(t, resourceType, read, given).Diagnostics)
}

// PlanCreation returns what a plan says that creates a resource.
func (p Protocol) PlanCreation(t *testing.T, resourceType string, given map[string]tftypes.Value) string {
	t.Helper()
	return p.PlanUpdate(t, resourceType, &tfprotov6.ReadResourceResponse{}, given)
}

// plan plans a configuration on what was read.
func (p Protocol) plan(
	t *testing.T, resourceType string, read *tfprotov6.ReadResourceResponse, given map[string]tftypes.Value,
) *tfprotov6.PlanResourceChangeResponse {
	t.Helper()
	kind := p.Schema.ResourceSchemas[resourceType].ValueType()
	config := Dynamic(t, kind, Object(kind, given))
	proposed := config
	if read.NewState != nil {
		values := decoded(t, kind, read.NewState)
		maps.Copy(values, given)
		proposed = Dynamic(t, kind, tftypes.NewValue(kind, values))
	}
	planned, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceType, PriorState: p.prior(t, resourceType, read), ProposedNewState: proposed, Config: config,
		PriorPrivate: read.Private, PriorIdentity: read.NewIdentity,
	})
	if err != nil {
		t.Fatal(err)
	}
	return planned
}

// Texts are strings of Terraform.
func Texts(given map[string]string) map[string]tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, text := range given {
		values[name] = Text(text)
	}
	return values
}

// MovedSource is a resource of another provider, with the version of its schema.
type MovedSource struct {
	Provider, TypeName string
	Version            int64
}

// address is the provider's; without one, what OpenTofu 1.10 says.
func (s MovedSource) address() string {
	if s.Provider == "" {
		return "neon"
	}
	return "registry.terraform.io/" + s.Provider
}

// Move moves a raw state of another provider's resource here, and reads it. It
// returns the error that there was.
func (p Protocol) Move(
	t *testing.T, target string, from MovedSource, state map[string]any,
) (attributes, identity map[string]string, problem string) {
	t.Helper()
	raw, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	moved, err := p.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: from.address(), SourceTypeName: from.TypeName,
		SourceSchemaVersion: from.Version, SourceState: &tfprotov6.RawState{JSON: raw}, TargetTypeName: target,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, diagnostic := range moved.Diagnostics {
		return nil, nil, diagnostic.Summary + "\n" + diagnostic.Detail
	}
	read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: target, CurrentState: moved.TargetState, Private: moved.TargetPrivate,
		CurrentIdentity: moved.TargetIdentity,
	})
	NoProblem(t, err, read.Diagnostics)
	kind := p.Schema.ResourceSchemas[target].ValueType()
	return texts(t, kind, read.NewState), texts(t, p.IdentityType(target), read.NewIdentity.IdentityData), ""
}

// Upgrade reads a raw state of that version, which another provider has left to a resource of ours, and returns what
// there is then.
func (p Protocol) Upgrade(t *testing.T, resourceType string, version int64, state map[string]any) map[string]string {
	t.Helper()
	raw, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	upgraded, err := p.UpgradeResourceState(t.Context(),
		&tfprotov6.UpgradeResourceStateRequest{TypeName: resourceType, Version: version,
			RawState: &tfprotov6.RawState{JSON: raw}})
	NoProblem(t, err, upgraded.Diagnostics)
	read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: resourceType,
		CurrentState: upgraded.UpgradedState})
	NoProblem(t, err, read.Diagnostics)
	return texts(t, p.Schema.ResourceSchemas[resourceType].ValueType(), read.NewState)
}

// AnyText is a string that isn't known yet.
var AnyText = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)

// Text is a string of Terraform.
func Text(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }

// Number is a number of Terraform.
func Number(value int) tftypes.Value { return tftypes.NewValue(tftypes.Number, value) }

package walks_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// said is what diagnostics say, in one line.
func said(diagnostics []*tfprotov6.Diagnostic) string {
	var text strings.Builder
	for _, diagnostic := range diagnostics {
		fmt.Fprintf(&text, "%s: %s ", diagnostic.Summary, diagnostic.Detail)
	}
	return text.String()
}

// No version of a state that there has been is left without an upgrader.
func TestUpgrades_thereIsOneForEachVersion(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for name, schema := range p.Schema.ResourceSchemas {
		for version := range schema.Version {
			upgraded, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
				TypeName: name, Version: version, RawState: &tfprotov6.RawState{JSON: []byte(`{}`)},
			})
			if err != nil || strings.Contains(said(upgraded.Diagnostics), "expecting an implementation") {
				t.Errorf("%s: version %d has no upgrader (%v)", name, version, err)
			}
		}
	}
}

// Where it isn't sure that a state of version 0 is ours, the protection that it has counts.
func TestUpgrades_whatIsInDoubtIsProtected(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	kind := p.Schema.ResourceSchemas["neon_project"].ValueType()
	for state, want := range map[string]tftypes.Value{
		`{"id": "a-b-1", "deletion_protection": true, "theirs": 1}`:  tftypes.NewValue(tftypes.Bool, true),
		`{"id": "a-b-1", "deletion_protection": null}`:               tftypes.NewValue(tftypes.Bool, true),
		`{"id": "a-b-1", "deletion_protection": false, "theirs": 1}`: tftypes.NewValue(tftypes.Bool, nil),
		`{"id": "a-b-1", "name": "theirs"}`:                          tftypes.NewValue(tftypes.Bool, nil),
	} {
		upgraded, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: "neon_project", RawState: &tfprotov6.RawState{JSON: []byte(state)},
		})
		acctest.NoProblem(t, err, upgraded.Diagnostics)
		value, err := upgraded.UpgradedState.Unmarshal(kind)
		if err != nil {
			t.Fatal(err)
		}
		var values map[string]tftypes.Value
		if err := value.As(&values); err != nil || !values["deletion_protection"].Equal(want) || !values["name"].IsNull() {
			t.Errorf("%s is taken as %v (%v)", state, values, err)
		}
	}
}

// What has another name since is taken over with its value.
func TestUpgrades_renamed(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for name, test := range map[string]struct{ state, want string }{
		"neon_auth": {
			`{"webhook": {"enabled": true, "webhook_url": "https://a.example", "enabled_events": ["send.otp"], "timeout_seconds": 7}, "email_provider_password_wo_version": 3}`,
			`"url":tftypes.String<"https://a.example">|"events":tftypes.Set[tftypes.String]<tftypes.String<"send.otp">>|"timeout_seconds":tftypes.Number<"7">|wo_version":tftypes.String<"3">`,
		},
		"neon_auth_oauth_provider": {`{"provider_name": "google", "client_secret_wo_version": 1}`, `"oauth_provider":tftypes.String<"google">|wo_version":tftypes.String<"1">`},
		"neon_function":            {`{"environment_wo_version": 1}`, `wo_version":tftypes.String<"1">`},
	} {
		upgraded, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: name, Version: 100, RawState: &tfprotov6.RawState{JSON: []byte(test.state)},
		})
		acctest.NoProblem(t, err, upgraded.Diagnostics)
		value, err := upgraded.UpgradedState.Unmarshal(p.Schema.ResourceSchemas[name].ValueType())
		if err != nil {
			t.Fatal(err)
		}
		for want := range strings.SplitSeq(test.want, "|") {
			if !strings.Contains(value.String(), want) {
				t.Errorf("%s has no %s in %s", name, want, value)
			}
		}
	}
}

// Terraform before 1.12 writes no identity, and a later one has that upgraded all the same. That of another provider is
// left to this one with its state. The next read fills both.
func TestUpgrades_identities(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for name, schema := range p.Identities.IdentitySchemas {
		for version := range schema.Version {
			for _, written := range []string{"", `{"id": "theirs", "number": 1}`} {
				upgraded, err := p.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{
					TypeName: name, Version: version, RawIdentity: &tfprotov6.RawState{JSON: []byte(written)},
				})
				acctest.NoProblem(t, err, upgraded.Diagnostics)
				identity, err := upgraded.UpgradedIdentity.IdentityData.Unmarshal(schema.ValueType())
				if err != nil || identity.IsNull() || !identity.Equal(acctest.Object(schema.ValueType(), nil)) {
					t.Errorf("%s: the identity %s is %s, %v", name, written, identity, err)
				}
			}
		}
		if schema.Version < kit.FirstSchemaVersion {
			t.Errorf("%s: the identity's version %d can be that of another provider's", name, schema.Version)
		}
	}
}

// Of what was taken over and never read the ids alone are known: it is neither changed nor replaced.
func TestUpgrades_whatIsUnreadStays(t *testing.T) {
	t.Parallel()
	w := newChangeWorld(t, startQuick)
	p := acctest.NewProtocol(t, w.World)
	for name, schema := range p.Schema.ResourceSchemas {
		if p.Identities.IdentitySchemas[name] == nil {
			continue // No other provider has it.
		}
		kind, given := schema.ValueType(), w.needed(t, p, name)
		ids := map[string]tftypes.Value{}
		for _, part := range acctest.NounResource(t, name).Identity {
			ids[part] = tftypes.NewValue(tftypes.String, "1")
			if value, has := given[part]; has {
				ids[part] = value
			}
		}
		if len(given) == len(ids) {
			continue // Nothing but the ids is configured, so nothing would be changed.
		}
		config := acctest.Dynamic(t, kind, acctest.Object(kind, given))
		planned, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: name, PriorState: acctest.Dynamic(t, kind, acctest.Object(kind, ids)), ProposedNewState: config,
			Config: config,
		})
		if err != nil {
			t.Fatal(err)
		}
		if text := said(planned.Diagnostics); !strings.Contains(text, "The state of "+name) ||
			!strings.Contains(text, "hasn't been read yet: plan without -refresh=false first.") {
			t.Errorf("%s: the plan says %q", name, text)
		}
	}
}

// identityShape is what Terraform knows of an identity's schema.
type identityShape struct {
	Version    int64             `json:"version"`
	Attributes map[string]string `json:"attributes"`
}

// identityShapes are those of all resources, by name.
func identityShapes(t *testing.T, p acctest.Protocol) map[string]identityShape {
	t.Helper()
	shapes := map[string]identityShape{}
	for name, schema := range p.Identities.IdentitySchemas {
		shape := identityShape{schema.Version, map[string]string{}}
		for _, attribute := range schema.IdentityAttributes {
			kind, err := json.Marshal(attribute.Type)
			if err != nil {
				t.Fatal(err)
			}
			shape.Attributes[attribute.Name] = strings.Trim(string(kind), `"`)
		}
		shapes[name] = shape
	}
	return shapes
}

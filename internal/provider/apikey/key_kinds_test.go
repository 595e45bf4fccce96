package apikey_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	random "github.com/hashicorp/terraform-plugin-testing/helper/acctest"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sweep"
)

// keyKind is one of the kinds of API key, all of which live alike.
type keyKind struct {
	resource string
	// own are the attributes that only this kind has.
	own string
	// orgID is empty for a personal key; projectID for one of all projects.
	orgID, projectID string
}

// keyKinds are the kinds of API keys, by name.
func keyKinds(w *acctest.World) map[string]keyKind {
	org := fmt.Sprintf("org_id = %q\n", w.OrgID)
	return map[string]keyKind{
		"personal":       {resource: "neon_api_key"},
		"organization":   {resource: "neon_org_api_key", own: org, orgID: w.OrgID},
		"project-scoped": {"neon_org_api_key", org + fmt.Sprintf("project_id = %q\n", w.ProjectID), w.OrgID, w.ProjectID},
	}
}

// address is the resource's in the configuration.
func (k keyKind) address() string { return k.resource + ".test" }

// block is a resource with a name and more lines.
func (k keyKind) block(name string, lines ...string) string {
	return fmt.Sprintf("resource %q \"test\" {\n  name = %q\n  %s%s\n}\n", k.resource, name, k.own,
		strings.Join(lines, "\n"))
}

// ephemeralBlock opens a key of this kind.
func (k keyKind) ephemeralBlock(name string, lines ...string) string {
	return "ephemeral" + strings.TrimPrefix(k.block(name, lines...), "resource")
}

// scope is where the client finds the key.
func (k keyKind) scope() client.APIKeyScope {
	return client.APIKeyScope{OrgID: k.orgID, ProjectID: k.projectID}
}

// importID is what the key is imported by.
func (k keyKind) importID(id string) string {
	if k.orgID == "" {
		return id
	}
	return k.orgID + "/" + id
}

// route is the emulator's name of a call about this kind of key.
func (k keyKind) route(method string) string {
	if k.orgID == "" {
		return method + " /api/v2/api_keys"
	}
	return method + " /api/v2/organizations/{org_id}/api_keys"
}

// checks are those of every attribute.
func (k keyKind) checks(name string, triggers knownvalue.Check) []statecheck.StateCheck {
	is := func(attribute string, check knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(k.address(), tfjsonpath.New(attribute), check)
	}
	checks := []statecheck.StateCheck{
		is("id", acctest.Matches(`^[1-9][0-9]{0,18}$`)),
		is("name", knownvalue.StringExact(name)),
		is("rotation_triggers", triggers),
		is("key", knownvalue.StringRegexp(regexp.MustCompile(`^\S{16,}$`))),
		is("created_at", knownvalue.StringRegexp(regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`))),
		is("created_by", knownvalue.StringRegexp(regexp.MustCompile(`.`))),
	}
	if k.orgID == "" {
		return checks
	}
	project := knownvalue.Null()
	if k.projectID != "" {
		return append(checks, is("org_id", knownvalue.StringExact(k.orgID)),
			is("project_id", knownvalue.StringExact(k.projectID)))
	}
	return append(checks, is("org_id", knownvalue.StringExact(k.orgID)), is("project_id", project))
}

// revoke revokes all live keys of a name, past Terraform.
func (k keyKind) revoke(t *testing.T, w *acctest.World, name string) {
	t.Helper()
	api := w.Client(t)
	keys, err := client.All(api.ListAPIKeys(context.Background(), k.scope()))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if key.Name != name {
			continue
		}
		if err := api.RevokeAPIKey(context.Background(), k.scope(), key.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// noneLeft checks that a test leaves no live key of these names.
func (k keyKind) noneLeft(t *testing.T, w *acctest.World, names ...string) {
	t.Helper()
	keys, err := client.All(w.Client(t).ListAPIKeys(context.Background(), k.scope()))
	if err != nil {
		t.Error(err)
	}
	for _, key := range keys {
		if slices.Contains(names, key.Name) {
			t.Errorf("API key %d (%s) was left behind", key.ID, key.Name)
		}
	}
}

// works checks that Neon takes the key in state.
func (k keyKind) works(w *acctest.World) statecheck.StateCheck {
	return acctest.After(func(state acctest.State) error {
		token := state.Texts(k.address())["key"]
		api, err := client.New(client.Config{BaseURL: w.BaseURL, APIKey: token})
		if err != nil {
			return err
		}
		_, err = client.All(api.ListEndpoints(context.Background(), w.Ref("")))
		return err
	})
}

// importAgain imports what is in state once more, and compares: only the token
// can't be had again.
func (k keyKind) importAgain(kind resource.ImportStateKind) resource.TestStep {
	step := resource.TestStep{
		ResourceName: k.address(), ImportState: true, ImportStateKind: kind,
		ImportStateIdFunc: func(state *terraform.State) (string, error) {
			return k.importID(state.RootModule().Resources[k.address()].Primary.ID), nil
		},
	}
	if kind == resource.ImportCommandWithID {
		step.ImportStateVerify = true
		step.ImportStateVerifyIgnore = []string{"key"}
	}
	return step
}

// makeKey makes a key past Terraform, and returns its id.
func makeKey(t *testing.T, w *acctest.World, scope client.APIKeyScope, name string) string {
	t.Helper()
	made, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), scope, name))
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatInt(made.ID, 10)
}

// keyIDs are those of the keys in the scope for which wants is true.
func keyIDs(t *testing.T, w *acctest.World, scope client.APIKeyScope, wants func(client.APIKey) bool) []string {
	t.Helper()
	keys, err := client.All(w.Client(t).ListAPIKeys(t.Context(), scope))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, key := range keys {
		if wants(key) {
			ids = append(ids, strconv.FormatInt(key.ID, 10))
		}
	}
	return ids
}

// uniqueName is one that nothing else has, by which a sweep knows what a test left on Neon.
func uniqueName() string { return random.RandomWithPrefix(strings.TrimSuffix(sweep.Prefix, "-")) }

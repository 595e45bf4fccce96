package walks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// reshape changes an object of an answer to a request in place. Its kind is the name that it has
// in the answer, such as branch, also in a list of them.
type reshape func(r *http.Request, kind string, object map[string]any)

// isBranch says whether a reshaped object is a branch.
func isBranch(kind string) bool { return kind == "branch" || kind == "branches" }

func isCompute(kind string) bool { return kind == "endpoint" || kind == "endpoints" }

// shapes are those of recorded answers of Neon's, and some that it could change to any day.
var shapes = map[string]reshape{
	"branches begin at another moment than was asked for, which appears later": func(r *http.Request, kind string,
		object map[string]any) {
		if isBranch(kind) && object["parent_id"] != nil {
			delete(object, "parent_timestamp")
			if r.Method != http.MethodPost {
				object["parent_timestamp"] = "2025-09-10T12:15:05Z"
			}
		}
	},
	"branches begin at another position than was asked for": func(_ *http.Request, kind string, object map[string]any) {
		if isBranch(kind) && object["parent_lsn"] != nil {
			object["parent_lsn"] = "0/1E88490"
		}
	},
	"roots have a position": func(_ *http.Request, kind string, object map[string]any) {
		if isBranch(kind) && object["parent_id"] == nil {
			object["parent_lsn"], object["parent_timestamp"] = "0/1E88490", "2025-09-10T12:15:05Z"
		}
	},
	"parent-schema": func(_ *http.Request, kind string, object map[string]any) {
		if isBranch(kind) && object["init_source"] == "schema-only" {
			object["init_source"] = "parent-schema"
		}
	},
	"no init_source": func(_ *http.Request, kind string, object map[string]any) {
		if isBranch(kind) {
			delete(object, "init_source")
		}
	},
	"changed projects without organization and owner": func(r *http.Request, kind string, object map[string]any) {
		if kind == "project" && r.Method != http.MethodGet {
			delete(object, "org_id")
			delete(object, "owner")
		}
	},
	"no operations": func(_ *http.Request, _ string, object map[string]any) {
		if object["operations"] != nil {
			object["operations"] = []any{}
		}
	},
	"unknown states that follow": func(r *http.Request, kind string, object map[string]any) {
		if (isBranch(kind) || isCompute(kind)) && r.Method != http.MethodGet {
			object["pending_state"] = "storage_deleted"
		}
	},
	"new computes are idle": func(r *http.Request, kind string, object map[string]any) {
		if isCompute(kind) && r.Method == http.MethodPost {
			object["current_state"] = "idle"
			delete(object, "pending_state")
		}
	},
	"more fields": func(_ *http.Request, kind string, object map[string]any) {
		if kind != "operations" && kind != "pagination" {
			object["slug"], object["branch_slug"], object["group"] = "a-slug", "another-slug", map[string]any{"id": 7}
			object["hosts"], object["tags"] = map[string]any{"read_write_host": "h"}, []any{map[string]any{}, nil}
		}
		if settings, has := object["settings"].(map[string]any); has && isCompute(kind) && settings["pg_settings"] == nil {
			settings["pg_settings"] = map[string]any{}
		}
	},
	"JWKS URLs with roles that are there by default": func(r *http.Request, kind string, object map[string]any) {
		if kind == "jwks" || object["jwks_url"] != nil {
			object["role_names"] = []any{}
			if r.Method == http.MethodGet {
				object["role_names"] = []any{"authenticator", "authenticated", "anonymous"}
			}
		}
	},
	"less fields": func(_ *http.Request, _ string, object map[string]any) {
		for _, name := range []string{"primary", "creation_source", "cpu_used_sec", "owner_id", "owner", "state_changed_at",
			"total_duration_ms", "created_by", "last_active"} {
			delete(object, name)
		}
	},
	"nulls": func(_ *http.Request, kind string, object map[string]any) {
		for _, name := range []string{"expires_at", "ttl_interval_seconds", "last_reset_at", "parent_id", "parent_lsn",
			"parent_timestamp", "pending_state", "revoked_at", "role_names"} {
			if kind != "" && kind != "operations" && object[name] == nil {
				object[name] = nil
			}
		}
	},
}

func (change reshape) all(r *http.Request, kind string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if kind != "settings" && kind != "annotation" && kind != "annotations" {
				change.all(r, name, inner)
			}
		}
		change(r, kind, value)
	case []any:
		for _, inner := range value {
			change.all(r, kind, inner)
		}
	}
}

// reshapedNeon is a Neon whose answers are reshaped.
func reshapedNeon(t *testing.T, baseURL string, change reshape) string {
	t.Helper()
	target, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) { request.SetURL(target) },
		ModifyResponse: func(response *http.Response) error {
			text, err := io.ReadAll(response.Body)
			if err != nil {
				return err
			}
			var answer any
			decoder := json.NewDecoder(bytes.NewReader(text))
			decoder.UseNumber()
			if response.StatusCode < 300 && decoder.Decode(&answer) == nil {
				change.all(response.Request, "", answer)
				text, err = json.Marshal(answer)
			}
			response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
			response.Header.Set("Content-Length", strconv.Itoa(len(text)))
			return err
		},
	})
	t.Cleanup(server.Close)
	return server.URL
}

// reshapedLife is a resource with a change that it doesn't lose its object by.
type reshapedLife struct {
	resource, block, from, to string
}

func reshapedLives(t *testing.T, w *acctest.BranchWorld) map[string]reshapedLife {
	t.Helper()
	inProject := fmt.Sprintf("project_id = %q\n ", w.ProjectID)
	onMain := inProject + fmt.Sprintf("branch_id = %q\n ", w.MainBranch(t).ID)
	branch := func(name, lines string) reshapedLife {
		named := fmt.Sprintf("name = %q", name)
		return reshapedLife{"neon_branch", inProject + named + "\n " + lines, named,
			fmt.Sprintf("name = %q", name+"-renamed")}
	}
	return map[string]reshapedLife{
		"branch":               branch("plain", ""),
		"branch-position":      branch("positioned", `parent_lsn = "0/1E88480"`),
		"branch-schema":        branch("schema-only", `init_source = "schema-only"`),
		"branch-parent-schema": branch("parent-schema", `init_source = "parent-schema"`),
		"branch-computes": branch("computes",
			"endpoints = { main = { type = \"read_write\" }, replica = { type = \"read_only\" } }"),
		"branch-protected": {"neon_branch", inProject + "name = \"protected\"\n protected = false", "= false", "= true"},
		"project":          {"neon_project", fmt.Sprintf("org_id = %q\n name = \"a-project\"", w.OrgID), `"a-project"`, `"b-project"`},
		"endpoint":         {"neon_endpoint", onMain + "type = \"read_only\"\n autoscaling_limit_max_cu = 1", "= 1", "= 2"},
		"role":             {"neon_role", onMain + "name = \"app\"", "", ""},
		"database":         {"neon_database", onMain + "name = \"shop\"\n owner_name = \"neondb_owner\"", `"shop"`, `"store"`},
		"jwks":             {"neon_jwks_url", inProject + "jwks_url = \"https://example.com/jwks.json\"\n provider_name = \"n\"", "", ""},
		"permission":       {"neon_project_permission", inProject + "email = \"anna@example.com\"", "", ""},
		"snapshot":         {"neon_snapshot", onMain + "name = \"a-snapshot\"", `"a-snapshot"`, `"b-snapshot"`},
		"schedule":         {"neon_branch_backup_schedule", onMain + "schedule = [{ frequency = \"daily\", hour = 3 }]", "= 3", "= 4"},
		"key":              {"neon_org_api_key", fmt.Sprintf("org_id = %q\n name = \"a-key\"", w.OrgID), "", ""},
	}
}

// Whatever shape Neon's answers have, each object is created once, planned without differences,
// imported as it is, changed in place, and destroyed. Terraform runs these steps with one of them.
func TestAccShapes(t *testing.T) {
	t.Parallel()
	for shape, change := range shapes {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			if shape != "more fields" {
				acctest.WithoutTerraform(t)
			}
			w := acctest.BranchWorldOf(t, emulator.Config{})
			direct := w.BaseURL
			lives := reshapedLives(t, w)
			w.BaseURL = reshapedNeon(t, direct, change)
			live(t, w, lives)
			w.BaseURL = direct
			w.CheckOnly(t, "main")
		})
	}
}

// live lets all of them live beside each other.
func live(t *testing.T, w *acctest.BranchWorld, lives map[string]reshapedLife) {
	t.Helper()
	configured, changed, forgotten := w.ProviderConfig(), w.ProviderConfig(), w.ProviderConfig()
	var updates []plancheck.PlanCheck
	for name, life := range lives {
		address := life.resource + "." + name
		configured += fmt.Sprintf("resource %q %q {\n %s\n}\n", life.resource, name, life.block)
		changed += fmt.Sprintf("resource %q %q {\n %s\n}\n", life.resource, name,
			strings.Replace(life.block, life.from, life.to, 1))
		forgotten += fmt.Sprintf("removed {\n from = %s\n lifecycle {\n destroy = false\n }\n}\n", address)
		action := plancheck.ResourceActionUpdate
		if life.from == life.to {
			action = plancheck.ResourceActionNoop
		}
		updates = append(updates, plancheck.ExpectResourceAction(address, action))
	}
	ids, imports := map[string]string{}, ""
	sameObjects := acctest.After(func(s acctest.State) error {
		imports = ""
		for name, life := range lives {
			address := life.resource + "." + name
			attributes := s.Texts(address)
			now := attributes["id"]
			if life.resource == "neon_database" { // Its id has its name in it.
				now = attributes["database_id"]
			}
			if ids[address] != "" && ids[address] != now {
				return fmt.Errorf("%s was %s, and is %s", address, ids[address], now)
			}
			ids[address] = now
			imports += fmt.Sprintf("import {\n to = %s\n id = %q\n}\n", address, importID(t, life.resource, attributes))
		}
		return nil
	})
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: configured, ConfigStateChecks: []statecheck.StateCheck{sameObjects}},
		resource.TestStep{Config: changed, ConfigStateChecks: []statecheck.StateCheck{sameObjects},
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: updates}},
		resource.TestStep{Config: configured, ConfigStateChecks: []statecheck.StateCheck{sameObjects}},
		resource.TestStep{Config: forgotten})
	if !t.Failed() {
		acctest.RunSteps(t, w.World, resource.TestStep{Config: configured + imports,
			ConfigStateChecks: []statecheck.StateCheck{sameObjects}})
	}
}

// What an answer lacks that each object has isn't taken for a change, which would replace the object.
func TestAccShapes_requiredFieldMissing(t *testing.T) {
	t.Parallel()
	w := newChangeWorld(t, startQuick)
	inOrg := fmt.Sprintf("org_id = %q", w.OrgID)
	for noun, field := range map[string]string{
		"neon_api_key": "name", "neon_org_api_key": "name", "neon_endpoint": "type", "neon_jwks_url": "provider_name",
		"neon_org_invitation": "role", "neon_service_credential": "scopes",
	} {
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			gap := *w.World
			gap.BaseURL = reshapedNeon(t, w.BaseURL, func(_ *http.Request, _ string, object map[string]any) {
				delete(object, field)
			})
			block := fmt.Sprintf("resource %q \"test\" {\n%s\n}\n", noun, w.lines(t, noun, nil))
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: w.ProviderConfigWith(w.APIKey, inOrg) + block},
				resource.TestStep{Config: gap.ProviderConfigWith(w.APIKey, inOrg) + block,
					ExpectError: acctest.InOrder("Unable to read", "Neon's answer has no "+field)},
				resource.TestStep{Config: w.ProviderConfigWith(w.APIKey, inOrg) + block,
					ConfigPlanChecks: acctest.ExpectAction(noun+".test", plancheck.ResourceActionNoop)},
			)
		})
	}
}

// What the answer to a creation lacks is as it was planned until the next refresh. The object isn't replaced for it.
func TestAccShapes_creationAnsweredWithGaps(t *testing.T) {
	t.Parallel()
	w := newChangeWorld(t, startQuick)
	for noun, fields := range map[string][]string{
		"neon_bucket": {"access_level"}, "neon_database": {"owner_name"}, "neon_jwks_url": {"branch_id", "role_names"},
		"neon_trigger": {"function_path", "schedule"},
	} {
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			gap := *w.World
			gap.BaseURL = reshapedNeon(t, w.BaseURL, func(r *http.Request, _ string, object map[string]any) {
				if r.Method == http.MethodPost {
					maps.DeleteFunc(object, func(field string, _ any) bool { return slices.Contains(fields, field) })
				}
			})
			runHere(t, changeWorld{&acctest.BranchWorld{World: &gap, API: w.API}, w.texts}, resource.TestStep{
				Config: gap.ProviderConfig() + fmt.Sprintf("resource %q \"test\" {\n%s\n}\n", noun,
					w.lines(t, noun, acctest.NounResource(t, noun).Whole)),
			})
		})
	}
}

// What was created along with an object is looked up where the answer lacks it, or has null for it: none is created a
// second time. Terraform runs the step with one of them.
func TestAccShapes_creationWithoutItsParts(t *testing.T) {
	t.Parallel()
	for name, gap := range map[string]func(object map[string]any, part string){
		"absent": func(object map[string]any, part string) { delete(object, part) },
		"null":   func(object map[string]any, part string) { object[part] = nil },
	} {
		for _, part := range []string{"endpoints", "roles", "databases"} {
			t.Run(part+" "+name, func(t *testing.T) {
				t.Parallel()
				if name != "absent" || part != "endpoints" {
					acctest.WithoutTerraform(t)
				}
				w := acctest.BranchWorldOf(t, emulator.Config{})
				direct := w.BaseURL
				w.BaseURL = reshapedNeon(t, direct, func(r *http.Request, _ string, object map[string]any) {
					if r.Method == http.MethodPost && object["branch"] != nil {
						gap(object, part)
					}
				})
				config := w.BranchConfig(` name = "b"
 endpoints = { app = { type = "read_write" }, replica = { type = "read_only" } }`) + fmt.Sprintf(
					"resource \"neon_project\" \"test\" {\n name = \"p\"\n org_id = %q\n}\n", w.OrgID)
				parts := acctest.After(func(s acctest.State) error {
					project := s.Texts("neon_project.test")
					for _, attribute := range []string{"role_name", "database_name", "endpoint.id"} {
						if project["default_branch."+attribute] == "" {
							return fmt.Errorf("the project's default branch has no %s", attribute)
						}
					}
					if endpoints := w.Endpoints(t, s.Texts("neon_branch.test")["id"]); len(endpoints) != 2 {
						return fmt.Errorf("the branch has %d endpoints", len(endpoints))
					}
					return nil
				})
				acctest.RunSteps(t, w.World, resource.TestStep{Config: config, ConfigStateChecks: []statecheck.StateCheck{parts}})
			})
		}
	}
}

// Nor is a gap in what an object may lack, but never changes: such as the one project of an organization's key.
func TestAccShapes_fixedFieldMissing(t *testing.T) {
	t.Parallel()
	w := newChangeWorld(t, startQuick)
	inOrg := fmt.Sprintf("org_id = %q", w.OrgID)
	for _, fixed := range []struct{ noun, field string }{
		{"neon_jwks_url", "branch_id"}, {"neon_jwks_url", "jwt_audience"}, {"neon_jwks_url", "role_names"},
		{"neon_org_api_key", "project_id"}, {"neon_service_credential", "name"}, {"neon_trigger", "schedule"},
	} {
		t.Run(fixed.noun+"."+fixed.field, func(t *testing.T) {
			t.Parallel()
			gap := *w.World
			gap.BaseURL = reshapedNeon(t, w.BaseURL, func(_ *http.Request, kind string, object map[string]any) {
				if _, isList := object[fixed.field].([]any); isList {
					object[fixed.field] = []any{}
				} else if !isBranch(kind) {
					delete(object, fixed.field)
				}
			})
			block := fmt.Sprintf("resource %q \"test\" {\n%s\n}\n", fixed.noun,
				w.lines(t, fixed.noun, acctest.NounResource(t, fixed.noun).Whole))
			runHere(t, w, resource.TestStep{Config: w.ProviderConfigWith(w.APIKey, inOrg) + block},
				resource.TestStep{Config: gap.ProviderConfigWith(w.APIKey, inOrg) + block, PlanOnly: true})
		})
	}
}

// A level that Neon adds one day may be lower than base, so that the plan doesn't refuse to go back to that.
func TestAccShapes_unknownAuditLevel(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	odd := *w
	odd.BaseURL = reshapedNeon(t, w.BaseURL, func(_ *http.Request, _ string, object map[string]any) {
		if object["audit_log_level"] != nil {
			object["audit_log_level"] = "minimal"
		}
	})
	block := fmt.Sprintf("resource \"neon_project\" \"test\" {\n name = \"audited\"\n org_id = %q\n hipaa = true\n "+
		"audit_log_level = \"base\"\n}\n", w.OrgID)
	acctest.RunSteps(t, w, resource.TestStep{Config: w.ProviderConfig() + block}, resource.TestStep{
		Config: odd.ProviderConfig() + block, ExpectNonEmptyPlan: true,
		ConfigPlanChecks: acctest.ExpectAction("neon_project.test", plancheck.ResourceActionUpdate),
	})
}

package branch_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A branch that Neon gives another parent stays as it is: parent_id is where the
// branch was created from. The data source has the present parent.
func TestAccBranch_reparented(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	parent := w.MakeBranch(t, "parent")
	present := w.MainBranch(t).ID
	config := w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q\n endpoints = { app = { type = \"read_write\" } }",
		parent.ID))
	data := fmt.Sprintf("\ndata \"neon_branch\" \"now\" {\n project_id = %q\n name = \"b\"\n}\n", w.ProjectID)
	id := newStaysTheSame("id")
	reparented := acctest.Planned(config+data, plancheck.ResourceActionNoop, id.check(),
		branchIs(knownvalue.StringExact(parent.ID), "parent_id"),
		statecheck.ExpectKnownValue("data.neon_branch.now", tfjsonpath.New("parent_id"), knownvalue.StringExact(present)))
	reparented.PreConfig = func() { reparent(t, w, w.BranchNamed(t, "b").ID, present) }
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config, plancheck.ResourceActionCreate, id.check()),
			reparented,
			acctest.Planned(w.BranchConfig(`name = "b2"`), plancheck.ResourceActionUpdate, id.check(),
				branchIs(knownvalue.StringExact(parent.ID), "parent_id")),
		},
	})
	w.CheckOnly(t, "main", "parent")
}

// An import knows the present parent alone.
func TestAccBranch_reparentedBeforeTheImport(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	parent, branch := w.MakeBranch(t, "parent"), w.MakeBranch(t, "b")
	reparent(t, w, branch.ID, parent.ID)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_id = %q", parent.ID))+
				acctest.ImportBlock(w.Ref(branch.ID)),
				plancheck.ResourceActionNoop, branchIs(knownvalue.StringExact(parent.ID), "parent_id")),
		},
	})
	w.CheckOnly(t, "main", "parent")
}

// A schema-only branch is a root: Neon doesn't say what it was created from. The state
// knows it, and an import takes it from the configuration.
func TestAccBranch_schemaOnly(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	parent := w.MakeBranch(t, "parent")
	moment := parent.CreatedAt.UTC().Format(time.RFC3339)
	for name, line := range map[string]string{
		"with a parent": fmt.Sprintf("parent_id = %q", parent.ID),
		"with a moment": fmt.Sprintf("parent_timestamp = %q", moment), "without": "",
	} {
		t.Run(name, func(t *testing.T) {
			config := w.BranchConfig("name = \"b " + name + "\"\n init_source = \"schema-only\"\n" + line)
			id := newStaysTheSame("id")
			forget := resource.TestStep{Config: w.ProviderConfig() +
				"removed {\n from = neon_branch.test\n lifecycle { destroy = false }\n}\n"}
			acctest.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					acctest.Planned(config, plancheck.ResourceActionCreate, id.check()),
					acctest.Planned(config, plancheck.ResourceActionNoop, id.check()),
					forget,
				},
			})
			branch := w.BranchNamed(t, "b "+name)
			acctest.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					{
						Config: config + acctest.ImportBlock(w.Ref(branch.ID)),
						ConfigStateChecks: []statecheck.StateCheck{
							branchIs(knownvalue.StringExact(branch.ID), "id"),
						},
					},
					acctest.Planned(config, plancheck.ResourceActionNoop),
				},
			})
		})
	}
	w.CheckOnly(t, "main", "parent")
}

// Where a branch began is said by a position or by a moment, not by both, since a
// configuration can't have both.
func TestAccBranch_beginsAtOneMoment(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	moment := w.MainBranch(t).CreatedAt.UTC().Format(time.RFC3339)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_timestamp = %q", moment)),
				plancheck.ResourceActionCreate,
				branchIs(knownvalue.StringExact(moment), "parent_timestamp"), branchIs(knownvalue.Null(), "parent_lsn")),
			importStep(resource.ImportCommandWithID),
			acctest.Planned(w.BranchConfig("name = \"b\"\n parent_lsn = \"0/1E88480\""), plancheck.ResourceActionReplace,
				branchIs(knownvalue.Null(), "parent_timestamp"), branchIs(knownvalue.StringExact("0/1E88480"), "parent_lsn")),
			importStep(resource.ImportCommandWithID),
		},
	})
}

// However Neon returns where a branch begins, an import takes what the configuration says, and
// replaces nothing.
func TestAccBranch_importedOrigin(t *testing.T) {
	t.Parallel()
	for _, played := range []map[string]string{
		{}, {"branch-origin": "asked", "asked-lsn": "asked", "schema-only-init-source": "schema-only"},
		{"branch-origin": "always", "parent-schema-parent": "none"},
	} {
		w := acctest.BranchWorldOf(t, emulator.Config{Readings: played})
		moment := w.MainBranch(t).CreatedAt.Add(time.Minute).UTC()
		for name, origin := range map[string]struct {
			created client.BranchCreate
			lines   string
		}{
			"plain":         {},
			"position":      {client.BranchCreate{ParentLSN: "0/1E88481"}, `parent_lsn = "0/1E88481"`},
			"moment":        {client.BranchCreate{ParentTimestamp: &moment}, fmt.Sprintf("parent_timestamp = %q", moment.Format(time.RFC3339))},
			"in the gap":    {client.BranchCreate{ParentTimestamp: &moment}, fmt.Sprintf("parent_timestamp = %q", moment.Add(time.Minute).Format(time.RFC3339))},
			"elsewhere":     {client.BranchCreate{ParentLSN: "0/1E88480"}, `parent_lsn = "0/AAAAAAA"`},
			"data":          {client.BranchCreate{}, `init_source = "parent-data"`},
			"schema-only":   {client.BranchCreate{InitSource: "schema-only"}, `init_source = "schema-only"`},
			"its parent":    {client.BranchCreate{InitSource: "schema-only"}, fmt.Sprintf("init_source = \"schema-only\"\n parent_id = %q", w.MainBranch(t).ID)},
			"parent-schema": {client.BranchCreate{InitSource: "parent-schema"}, `init_source = "parent-schema"`},
		} {
			t.Run(fmt.Sprintf("%s %v", name, played), func(t *testing.T) {
				t.Parallel()
				origin.created.Name = name
				made, err := w.API.CreateBranch(t.Context(), w.ProjectID, origin.created)
				if err != nil {
					t.Fatal(err)
				}
				w.Settle(t, made.Operations, nil)
				config := w.BranchConfig(fmt.Sprintf("name = %q\n%s", name, origin.lines))
				imported := resource.TestStep{
					Config:            config + acctest.ImportBlock(w.Ref(made.Object.ID)),
					ConfigStateChecks: []statecheck.StateCheck{branchIs(knownvalue.StringExact(made.Object.ID), "id")},
				}
				acctest.Test(t, resource.TestCase{
					ProtoV6ProviderFactories: w.Factories(),
					Steps: []resource.TestStep{imported, acctest.Planned(config, plancheck.ResourceActionNoop,
						branchIs(knownvalue.StringExact(made.Object.ID), "id"))},
				})
			})
		}
	}
}

// Where a branch was asked to begin isn't known of an imported one, nor of an anonymized one created without: a plan
// that records another place says that the branch stays where it is.
func TestBranch_recordedOriginIsTold(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	p := acctest.NewProtocol(t, w.World)
	made, err := w.API.CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{Name: "imported"})
	w.Settle(t, made.Operations, err)
	ordinary := acctest.Texts(map[string]string{"project_id": w.ProjectID, "name": "imported"})
	anonymized := maskedValues(w, "anonymized", "neondb")
	created := p.Created(t, "neon_anonymized_branch", anonymized)
	present, err := w.API.GetBranch(t.Context(), w.Ref(made.Object.ID))
	if err != nil {
		t.Fatal(err)
	}
	for kind, of := range map[string]struct {
		given map[string]tftypes.Value
		read  *tfprotov6.ReadResourceResponse
	}{
		"neon_branch": {ordinary, p.Imported(t, "neon_branch",
			map[string]string{"project_id": w.ProjectID, "id": made.Object.ID})},
		"neon_anonymized_branch": {anonymized, &tfprotov6.ReadResourceResponse{NewState: created.NewState,
			Private: created.Private, NewIdentity: created.NewIdentity}},
	} {
		for attribute, elsewhere := range map[string]string{
			"parent_lsn": "0/1E88480", "parent_timestamp": present.CreatedAt.Add(-time.Hour).Format(time.RFC3339),
		} {
			given := maps.Clone(of.given)
			given[attribute] = acctest.Text(elsewhere)
			said := p.PlanUpdate(t, kind, of.read, given)
			if !acctest.InOrder("may begin elsewhere", "what "+attribute+" says", "-replace").MatchString(said) {
				t.Errorf("%s with another %s: the plan says %q", kind, attribute, said)
			}
		}
		if said := p.PlanUpdate(t, kind, of.read, of.given); said != "" {
			t.Errorf("%s without either: the plan says %q", kind, said)
		}
	}
}

// Neon returns a moment for each branch once it exists, which changes nothing.
func TestAccBranch_originStays(t *testing.T) {
	t.Parallel()
	for _, reading := range emulator.Readings() {
		if reading.Name != "branch-origin" {
			continue
		}
		for _, alternative := range reading.Alternatives {
			w := acctest.BranchWorldOf(t, emulator.Config{Readings: map[string]string{reading.Name: alternative}})
			config := w.BranchConfig(`name = "b"`)
			acctest.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					acctest.Planned(config, plancheck.ResourceActionCreate, branchIs(knownvalue.NotNull(), "parent_lsn"),
						branchIs(knownvalue.Null(), "parent_timestamp")),
					acctest.Planned(config, plancheck.ResourceActionNoop),
					acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"b\"\n parent_timestamp = %q",
						w.MainBranch(t).CreatedAt.UTC().Format(time.RFC3339))),
						plancheck.ResourceActionReplace, branchIs(knownvalue.NotNull(), "parent_timestamp")),
				},
			})
		}
	}
}

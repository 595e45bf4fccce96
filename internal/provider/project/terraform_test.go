package project_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A project's life in terraform itself: created, planned again, imported both ways,
// changed, and created again when it has gone.
func TestAccTerraform_projectLife(t *testing.T) {
	w := newWorld(t)
	same := staysTheSame()
	gone := w.step(w.config(`name = "shop"`), plancheck.ResourceActionCreate)
	gone.PreConfig = w.deleteOutside(t)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			w.step(w.config(everything), plancheck.ResourceActionCreate, same()),
			w.imports("timeouts", "maintenance_window", "quota.logical_size_bytes", "quota.%"),
			w.step(w.config(`name = "shop"`, `enable_logical_replication = true`, `hipaa = true`, `default_branch = { protected = true }`), plancheck.ResourceActionUpdate, same()),
			{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
			w.step(w.config(`enable_logical_replication = true`, `hipaa = true`, `default_branch = { protected = false }`), plancheck.ResourceActionUpdate, same()),
			gone,
		},
	})
}

// A replacement warns of what is lost, and a destruction says until when it can be had back.
func TestAccTerraform_projectWarnings(t *testing.T) {
	w := newWorld(t)
	r := acctest.NewRun(t, w.World, w.config(`name = "shop"`))
	r.Terraform(t, "apply", "-auto-approve")
	r.Configure(t, w.config(`name = "shop"`, `pg_version = 16`))
	said := acctest.InOneLine(r.Terraform(t, "plan"))
	if want := acctest.InOrder("Data will be lost", "pg_version replaces the project", "all its branches", "deletion_protection = true"); !want.MatchString(said) {
		t.Errorf("the plan of a replacement should say %s, and says %s", want, said)
	}
	said = acctest.InOneLine(r.Terraform(t, "destroy", "-auto-approve"))
	if want := acctest.InOrder("Project deleted", "Until 20", `"shop"`, "recover"); !want.MatchString(said) {
		t.Errorf("the destruction should say %s, and says %s", want, said)
	}
}

package endpoint_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

func TestAccEndpointsData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main, branch := w.MainBranch(t).ID, w.MakeBranch(t, "b").ID
	writer, reader := w.Endpoints(t, main)[0], w.MakeEndpoint(t, branch, client.EndpointReadOnly)
	operations, err := client.OperationsOf(w.API.UpdateEndpoint(t.Context(),
		client.EndpointRef{ProjectID: w.ProjectID, ID: reader.ID},
		client.EndpointUpdate{EndpointSettings: client.EndpointSettings{
			Postgres: &client.PostgresSettings{PgSettings: map[string]string{"a": "b"},
				PreloadLibraries: &client.PreloadLibraries{EnabledLibraries: []string{"anon"}}},
		}}))
	w.Settle(t, operations, err)
	project := fmt.Sprintf("project_id = %q\n", w.ProjectID)
	data := func(label, kind, lines string) string {
		return fmt.Sprintf("data \"neon_%s\" %q {\n %s\n}\n", kind, label, project+lines)
	}
	units := knownvalue.Float64Exact(w.DefaultUnits(t))
	one := knownvalue.ObjectExact(map[string]knownvalue.Check{
		"id": knownvalue.StringExact(reader.ID), "branch_id": knownvalue.StringExact(branch),
		"type": knownvalue.StringExact("read_only"),
		"name": knownvalue.Null(), "host": knownvalue.StringExact(reader.Host),
		"pooler_host": knownvalue.StringExact(reader.PoolerHost()),
		"region_id":   knownvalue.StringExact("aws-us-east-2"), "disabled": knownvalue.Bool(false),
		"autoscaling_limit_min_cu": units, "autoscaling_limit_max_cu": units,
		"suspend_timeout_seconds": knownvalue.Int64Exact(0), "current_state": knownvalue.NotNull(),
		"created_at": knownvalue.NotNull(), "updated_at": knownvalue.NotNull(),
		"pg_settings": knownvalue.MapExact(map[string]knownvalue.Check{"a": knownvalue.StringExact("b")}),
		"preload_libraries": knownvalue.ObjectExact(map[string]knownvalue.Check{
			"use_defaults": knownvalue.Bool(false), "enabled_libraries": knownvalue.SetExact(
				[]knownvalue.Check{knownvalue.StringExact("anon")}),
		}),
	})
	acctest.RunSteps(t, w.World, resource.TestStep{
		Config: w.ProviderConfig() + data("test", "endpoint", fmt.Sprintf("branch_id = %q", main)) +
			data("id", "endpoint", fmt.Sprintf("id = %q", reader.ID)) +
			data("test", "endpoints", fmt.Sprintf("branch_id = %q", branch)) + data("all", "endpoints", "") +
			"output \"all\" {\n value = length(data.neon_endpoints.all.endpoints)\n}\noutput \"same\" {\n value = data.neon_endpoint.id.host\n}\n",
		ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("endpoint", knownvalue.StringExact(writer.ID), "id"),
			acctest.DataIs("endpoint", knownvalue.Null(), "preload_libraries"),
			acctest.DataIs("endpoints", knownvalue.ListSizeExact(1), "endpoints"),
			acctest.DataIs("endpoints", one, "endpoints", 0),
			statecheck.ExpectKnownOutputValue("all", knownvalue.Int64Exact(2)),
			statecheck.ExpectKnownOutputValue("same", knownvalue.StringExact(reader.Host)),
		},
	})
}

func TestAccEndpointsData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branch, project := w.MakeBranch(t, "b").ID, fmt.Sprintf("project_id = %q\n", w.ProjectID)
	acctest.RunErrors(t, w.World, map[string]acctest.Refusal{
		"no such endpoint": {
			Config: acctest.DataBlock("endpoint", project+`id = "ep-none"`),
			Want:   acctest.InOrder("No such endpoint", "has no endpoint ep-none", "404", "endpoint not found"),
		},
		"no writer": {
			Config: acctest.DataBlock("endpoint", project+fmt.Sprintf("branch_id = %q", branch)),
			Want:   acctest.InOrder("No such endpoint", "branch_id", "has no read_write endpoint", "neon_endpoints"),
		},
		"no such branch": {
			Config: acctest.DataBlock("endpoints", project+`branch_id = "br-none"`),
			Want:   acctest.InOrder("No such branch", "branch_id", "404", "branch not found"),
		},
		"no such branch, beside others": { // They share a list of the project's endpoints.
			Config: acctest.DataBlock("endpoints", project+`branch_id = "br-none"`) +
				acctest.DataBlock("endpoint", project+`branch_id = "br-none"`),
			Want: acctest.InOrder("No such branch", "branch not found", "No such branch", "branch not found"),
		},
		"neither": {Config: acctest.DataBlock("endpoint", project), Want: acctest.InWords("No attribute specified when one (and only one) of")},
	})
}

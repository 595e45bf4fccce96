package conformance

import (
	"slices"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestCommandLine_vpc(t *testing.T) {
	t.Parallel()
	eachCommandLine(t, func(t *testing.T, c *commandLine, world emulator.World) {
		t.Helper()
		const id = "vpce-1234567890abcdef0"
		ofOrg := func(arguments ...string) []string {
			return slices.Concat([]string{"vpc", "endpoint"}, arguments,
				[]string{"--org-id", world.OrgID, "--region-id", "aws-us-east-2"})
		}
		ofProject := func(arguments ...string) []string {
			return slices.Concat([]string{"vpc", "project"}, arguments, []string{"--project-id", world.ProjectID})
		}
		c.run(ofOrg("assign", id, "--label", "office")...)
		c.run(ofOrg("update", id)...)
		if listed := one(t, c.list(ofOrg("list")...), "vpc_endpoint_id", id); listed["label"] != "" {
			t.Errorf("listed is %v", listed)
		}
		c.run(ofProject("restrict", id, "--label", "payroll")...)
		if listed := one(t, c.list(ofProject("list")...), "vpc_endpoint_id", id); listed["label"] != "payroll" {
			t.Errorf("listed is %v", listed)
		}
		if status := c.object(ofOrg("status", id)...); status["num_restricted_projects"] != 1.0 || status["state"] == "" {
			t.Errorf("the status is %v", status)
		}
		c.run(ofProject("remove", id)...)
		none(t, c.list(ofProject("list")...), "vpc_endpoint_id", id)
		c.run(ofOrg("remove", id)...)
		none(t, c.list(ofOrg("list")...), "vpc_endpoint_id", id)
	})
}

func TestCommandLine_ipAllow(t *testing.T) {
	t.Parallel()
	eachCommandLine(t, func(t *testing.T, c *commandLine, world emulator.World) {
		t.Helper()
		for _, step := range []struct {
			command []string
			ips     []any
			// protected says that they count for protected branches alone.
			protected bool
		}{
			{[]string{"add", "10.0.0.1", "10.1.0.0/16", "--protected-only"}, []any{"10.0.0.1", "10.1.0.0/16"}, true},
			{[]string{"add", "10.0.0.2"}, []any{"10.0.0.2", "10.0.0.1", "10.1.0.0/16"}, true},
			{[]string{"remove", "10.0.0.1"}, []any{"10.0.0.2", "10.1.0.0/16"}, true},
			{[]string{"reset", "10.0.0.3"}, []any{"10.0.0.3"}, false},
			{[]string{"reset"}, nil, false},
		} {
			c.run(slices.Concat([]string{"ip-allow"}, step.command, []string{"--project-id", world.ProjectID})...)
			got := c.object("ip-allow", "list", "--project-id", world.ProjectID)
			if ips, _ := got["IP_addresses"].([]any); !slices.Equal(ips, step.ips) ||
				got["protected_branches_only"] != step.protected {
				t.Errorf("after %q: %v", step.command, got)
			}
		}
	})
}

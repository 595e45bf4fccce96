package chaos

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// placed are lines that say where a resource is, and needed all texts that stand for something.
var (
	placed = regexp.MustCompile(`^"\$(project|main|root|branch|authed|member|email|` +
		`org|other_org|other_project|other_branch|vpce)"$`)
	needed = regexp.MustCompile(`\$[a-z_]+`)
)

func isPlaced(line nouns.Line) bool { return placed.MatchString(line.Value) }

// isMore reports whether the resource is one of those that have more than others.
func (c *cycle) isMore() bool { return c.number%2 == 1 || c.place.branchID != "" }

// more is what it has besides then.
func (c *cycle) more() nouns.Lines {
	all := c.of().Chaos.Sometimes
	if !c.isMore() || len(all) == 0 {
		return nil
	}
	return all[c.number/2%len(all)]
}

// texts are what stands for something in the lines of the resource. Twins want one name.
func (c *cycle) texts() *strings.Replacer {
	name, again := c.name, "b"
	if c.of().Chaos.Once && len(c.deleted) > 0 { // A person makes another one.
		name += fmt.Sprintf("x%d", len(c.deleted))
	}
	if c.twin != nil {
		again = ""
	}
	own := func(ofPlace, shared string) string {
		if ofPlace != "" {
			return ofPlace
		}
		return shared
	}
	after := func(pause time.Duration) string { return c.began.Add(pause).UTC().Format(time.RFC3339) }
	main := own(c.place.branchID, c.project.home)
	return strings.NewReplacer(
		"$other_project", c.place.projectID, "$other_org", c.place.orgID, "$other_branch",
		own(c.place.branchID, c.project.origin),
		"$other_file", filepath.ToSlash(fileOf(c.project.files, 1)), "$other_code",
		filepath.ToSlash(codeOf(c.project.files, 1)),
		"$file", filepath.ToSlash(fileOf(c.project.files, 0)), "$code", filepath.ToSlash(codeOf(c.project.files, 0)),
		"$project", own(c.place.projectID, c.project.id), "$root", own(c.place.branchID, c.project.root), "$main", main,
		"$branch", main, "$authed", main,
		"$member", c.place.memberID, "$email", c.place.email, "$vpce", c.place.vpcEndpointID, "$org", c.project.orgID,
		"$tomorrow", after(48*time.Hour), "$overmorrow", after(72*time.Hour), "$again", again, "$n", name,
	)
}

// values are what the resource is to be, in one of its versions.
func (c *cycle) values(version int) (map[string]cty.Value, error) {
	return c.of().Versions(c.more())[version].Values(c.texts())
}

// configuration is that as Terraform has it.
func (c *cycle) configuration(schema *tfprotov6.Schema, version int) (cty.Value, error) {
	values, err := c.values(version)
	if err != nil {
		return cty.NilVal, err
	}
	return planning.Configured(schema, values)
}

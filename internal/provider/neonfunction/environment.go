package neonfunction

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	mostVariables    = 1000
	largestVariables = 64 << 10
)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func variables() []validator.Map {
	return []validator.Map{
		kit.NoNulls{},
		mapvalidator.KeysAre(stringvalidator.RegexMatches(variableName, "must be the name of a variable: letters, digits "+
			"and _, and no digit first, such as LOG_LEVEL")),
		mapvalidator.ValueStringsAre(stringvalidator.LengthAtLeast(1)),
		allVariables{},
	}
}

// allVariables validates secret and other variables together.
type allVariables struct{ kit.Unsaid }

// ValidateMap checks both maps together, once.
func (allVariables) ValidateMap(ctx context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	var plain, hidden types.Map
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("environment"), &plain)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(secrets), &hidden)...)
	own := req.ConfigValue.Elements()
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if strings.HasPrefix(name, "NEON_") {
			resp.Diagnostics.AddAttributeWarning(req.Path.AtMapKey(name), "A variable of Neon's own ("+name+")",
				"Names that begin with NEON_ are those that Neon sets in functions by itself. By its documentation this value "+
					"overrides Neon's; an earlier version said that it is refused. If you don't mean to override it, choose "+
					"another name.")
		}
	}
	isHidden := req.Path.Equal(path.Root(secrets))
	if !isHidden && !hidden.IsNull() {
		return // Once is enough.
	}
	count, size := 0, 0
	for _, variables := range []types.Map{plain, hidden} {
		for name, value := range variables.Elements() {
			count, size = count+1, size+len(name)+len(kit.Text(value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if isHidden && plain.Elements()[name] != nil {
			resp.Diagnostics.AddAttributeError(req.Path.AtMapKey(name), "A variable in both maps ("+name+")",
				name+" is in environment and in "+secrets+", and the function can have one value only. Remove it from one of "+
					"them: from environment, if it is a secret.")
		}
	}
	if count > mostVariables || size > largestVariables {
		resp.Diagnostics.AddAttributeError(req.Path, "Too many variables", fmt.Sprintf("Neon takes %d variables with names "+
			"and values of %d KiB together, and these are %d of %d bytes. Put large values into the code or a bucket.",
			mostVariables, largestVariables>>10, count, size))
	}
}

// hasVariables reports whether a configuration says which variables there are.
func (m model) hasVariables() bool { return !m.Environment.IsNull() || !m.Secrets.IsNull() }

// wantedNames are the names that a function of the configuration is to have: those that are there stay only where no
// variables are configured, nor were. Those of secrets that aren't known yet count as the same in a plan that changes
// nothing else. In one that does, Terraform plans again once they are known, and they may turn out to be others.
// A version without secrets is only there where ignore_changes has them, for a plan never sees those: theirs stay.
func (m model) wantedNames(state model, present types.Set, isSettled bool) types.Set {
	isUnknown := m.Environment.IsUnknown() || m.Secrets.IsUnknown()
	areOthers := !m.hasVariables() && state.Environment.IsNull() && state.Version.IsNull()
	areSame := isUnknown && isSettled && m.Environment.Equal(state.Environment) && m.Version.Equal(state.Version)
	switch {
	case (areOthers || areSame) && kit.IsSet(present):
		return present
	case isUnknown:
		return types.SetUnknown(types.StringType)
	}
	all := m.Environment.Elements()
	maps.Copy(all, m.Secrets.Elements())
	if m.Secrets.IsNull() && !m.Version.IsNull() {
		for _, name := range kit.Texts(present.Elements()) {
			if _, isPlain := state.Environment.Elements()[name]; !isPlain {
				all[name] = nil
			}
		}
	}
	return kit.SetOf(slices.Collect(maps.Keys(all)))
}

// environment are all variables that are configured.
func (m model) environment(ctx context.Context, run kit.Run) map[string]string {
	all := run.WriteOnlyMap(ctx, secrets)
	for name, value := range m.Environment.Elements() {
		all[name] = kit.Text(value)
	}
	return all
}

// changedVariables are those to deploy, without a value where they are to be removed. Secrets are sent where their
// version changes or Neon lacks them. Of those that ignore_changes has, the configuration may say others than planned.
func (m model) changedVariables(
	ctx context.Context, run kit.Run, state model, deployed *client.Deployment,
) map[string]string {
	all := m.environment(ctx, run)
	if m.Environment.IsNull() && m.Version.IsNull() && state.Environment.IsNull() && state.Version.IsNull() {
		return nil // They are somebody else's.
	}
	wanted := slices.Collect(maps.Keys(all))
	if !m.Names.IsUnknown() {
		wanted = kit.Texts(m.Names.Elements())
		maps.DeleteFunc(all, func(name, _ string) bool { return !slices.Contains(wanted, name) })
	}
	for _, name := range deployed.Others(wanted) {
		all[name] = ""
	}
	if deployed == nil || !m.Version.Equal(state.Version) {
		return all
	}
	// Where somebody else has deployed, or a deployment failed, values may be others than the state has.
	areSame := m.Environment.Equal(state.Environment) && kit.IsSet(state.SourceHash)
	maps.DeleteFunc(all, func(name, value string) bool {
		_, isPlain := m.Environment.Elements()[name]
		return value != "" && slices.Contains(deployed.Environment, name) && (!isPlain || areSame)
	})
	return all
}

package chaos

import (
	"context"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// doubt plans what is configured as it is in two ways that know less: with -refresh=false, and with a value that is
// known only after the apply, such as one of a data source in a module with depends_on. Neither may replace anything.
// It leaves all as it is: an apply ends such an update as nothing.
func (c *cycle) doubt(ctx context.Context, s *session, config cty.Value) error {
	if c.attempts > 0 || c.current.tainted ||
		c.deleted[c.current.id()] { // Whoever knows of a failure or a loss reads what there is.
		return nil
	}
	planned, words, err := s.plan(ctx, c.resource, c.current, config)
	if c.heard("plan -refresh=false", words, err); err != nil {
		return err
	}
	if planned.replace {
		c.surprise("it is replaced where nothing is read")
	}
	name, unknown := withUnknown(config, c.number)
	if name == "" {
		return nil
	}
	planned, words, err = s.plan(ctx, c.resource, c.current, unknown)
	if c.heard("plan, where "+name+" isn't known", words, err); err != nil {
		return err
	}
	if planned.replace {
		c.surprise("it is replaced because %s isn't known yet", name)
	}
	return nil
}

// withUnknown is a configuration in which the nth of its texts is unknown, and the name of that.
func withUnknown(config cty.Value, n int) (string, cty.Value) {
	attributes := elements(config)
	var names []string
	for name, value := range attributes {
		if isSet(value) && value.Type() == cty.String {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "", config
	}
	slices.Sort(names)
	name := names[n%len(names)]
	attributes[name] = cty.UnknownVal(cty.String)
	return name, cty.ObjectVal(attributes)
}

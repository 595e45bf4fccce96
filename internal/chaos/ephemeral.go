package chaos

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// ephemeralKey is a key or a service credential for the time of one run.
type ephemeralKey struct {
	story

	name, resource string
	// project is that of a service credential.
	project project
	// id and private are the open key's, private what closes it.
	id      string
	private []byte
	opened  bool
}

// open creates the key. A failure of that ends a run of Terraform before anything
// needs the key, so nothing is to be closed.
func (k *ephemeralKey) open(ctx context.Context, s *session) {
	lines := told()[k.resource].Versions(nil)[0]
	values, err := lines.Values((&cycle{resource: k.resource, name: k.name, project: k.project}).texts())
	if err != nil {
		k.surprise("%v", err)
		return
	}
	schema := s.ephemerals[k.resource]
	maps.DeleteFunc(values, func(name string, _ cty.Value) bool { // What only the resource has.
		return !slices.ContainsFunc(schema.Block.Attributes,
			func(attribute *tfprotov6.SchemaAttribute) bool { return attribute.Name == name })
	})
	config, err := encoded(schema, values)
	if err != nil {
		k.surprise("%v", err)
		return
	}
	ctx, cancel := s.stoppable(ctx)
	defer cancel()
	answer, err := s.server.OpenEphemeralResource(ctx,
		&tfprotov6.OpenEphemeralResourceRequest{TypeName: k.resource, Config: config})
	if err != nil {
		k.heard("open", "", err)
		return
	}
	words, err := said(answer.Diagnostics)
	k.heard("open", words, err)
	if k.private, k.opened = answer.Private, err == nil; !k.opened {
		return
	}
	result, err := planning.Decode(answer.Result, planning.TypeOf(schema))
	if err != nil {
		k.surprise("%v", err)
	}
	identity := told()[k.resource].Identity
	k.id = textIn(result, identity[len(identity)-1])
}

// close revokes the key, also where the run was interrupted: Terraform closes what
// is open before it ends.
func (k *ephemeralKey) close(ctx context.Context, s *session) {
	if !k.opened {
		return
	}
	answer, err := s.server.CloseEphemeralResource(ctx,
		&tfprotov6.CloseEphemeralResourceRequest{TypeName: k.resource, Private: k.private})
	if err != nil {
		k.heard("close", "", err)
		return
	}
	words, err := said(answer.Diagnostics)
	k.heard("close", words, err)
	if words != "" {
		return // It says that the key may be there still.
	}
	all, err := s.platform.objects(ctx)
	if err == nil && slices.ContainsFunc(all, func(o object) bool { return o.isKey() && path.Base(o.id()) == k.id }) {
		k.surprise("key %s outlives its run, and the run said nothing", k.id)
	}
}

// account finds the key that was left, unless it was named.
func (k *ephemeralKey) account(all []object) []object {
	var left []object
	for _, o := range all {
		if o.isKey() && strings.Contains(o.Name, k.name) { // Some go on with what their run chose.
			left = append(left, o)
		}
	}
	return left
}

func (o object) isKey() bool { return o.noun().Chaos.Ephemeral }

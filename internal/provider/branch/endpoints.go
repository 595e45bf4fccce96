package branch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// labelsAnnotation keeps the labels of the endpoints that are created with a branch, in
// the order of creation, for a later import.
const labelsAnnotation = "terraform-provider-neon/endpoints"

// fits reports whether an endpoint has the type and all that is set.
func fits(wanted, endpoint compute.Endpoint) bool {
	return wanted.Type.Equal(endpoint.Type) && wanted.Changes(endpoint) == (client.EndpointUpdate{})
}

// splitByCall returns the labels whose endpoints are created together with the branch, and
// those that need a call of their own, since only that takes a name or disabled. Both are
// sorted.
func splitByCall(planned map[string]compute.Endpoint) (inline, later []string) {
	for _, label := range sortedLabels(planned) {
		if kit.IsSet(planned[label].Name) || planned[label].Disabled.ValueBool() {
			later = append(later, label)
		} else {
			inline = append(inline, label)
		}
	}
	return inline, later
}

// matchCreated assigns the endpoints that were created with a branch to their labels, which
// Neon's answer doesn't have. Labels with the most settings choose first, among the
// endpoints that fit.
func matchCreated(
	ctx context.Context, planned map[string]compute.Endpoint, labels []string, created []client.Endpoint,
) map[string]compute.Endpoint {
	labels, created = slices.Clone(labels), slices.Clone(created)
	slices.SortStableFunc(labels, func(a, b string) int { return countSettings(planned[b]) - countSettings(planned[a]) })
	matched := map[string]compute.Endpoint{}
	for _, label := range labels {
		wanted := planned[label]
		i := slices.IndexFunc(created, func(e client.Endpoint) bool { return fits(wanted, compute.NewEndpoint(&e)) })
		if i < 0 {
			i = slices.IndexFunc(created, func(e client.Endpoint) bool { return e.Type == wanted.Type.ValueString() })
		}
		if i >= 0 {
			matched[label] = kit.Resolved(ctx, wanted, compute.NewEndpoint(&created[i]))
			created = slices.Delete(created, i, i+1)
		}
	}
	return matched
}

func countSettings(endpoint compute.Endpoint) int {
	count := 0
	for _, setting := range []attr.Value{
		endpoint.AutoscalingLimitMinCU, endpoint.AutoscalingLimitMaxCU, endpoint.SuspendTimeoutSeconds,
	} {
		if kit.IsSet(setting) {
			count++
		}
	}
	return count
}

// refreshEndpoints returns the managed endpoints with their present values, without those
// that are gone.
func refreshEndpoints(managed map[string]compute.Endpoint, present []client.Endpoint) map[string]compute.Endpoint {
	labels, refreshed := labelsByID(managed), map[string]compute.Endpoint{}
	for _, endpoint := range present {
		if label, isManaged := labels[endpoint.ID]; isManaged {
			refreshed[label] = compute.NewEndpoint(&endpoint)
		}
	}
	return refreshed
}

// encodeLabels returns the text of labelsAnnotation: the labels of each type.
func encodeLabels(planned map[string]compute.Endpoint, labels []string) string {
	byType := map[string][]string{}
	for _, label := range labels {
		kind := planned[label].Type.ValueString()
		byType[kind] = append(byType[kind], label)
	}
	text, _ := json.Marshal(byType) // It is made of strings.
	return string(text)
}

// labelImported gives each endpoint of an imported branch a label: the one that the
// annotation has if its type has as many endpoints as labels, else its name as an identifier,
// else one by its type.
func labelImported(endpoints []client.Endpoint, annotation string) map[string]compute.Endpoint {
	var annotated map[string][]string
	_ = json.Unmarshal([]byte(annotation), &annotated) // Without labels of ours the endpoints get others.
	byType := map[string][]client.Endpoint{}
	for _, endpoint := range endpoints {
		byType[endpoint.Type] = append(byType[endpoint.Type], endpoint)
	}
	labelled := map[string]compute.Endpoint{}
	for _, kind := range sortedLabels(byType) {
		slices.SortFunc(byType[kind], func(a, b client.Endpoint) int {
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		for i, endpoint := range byType[kind] {
			label := cmp.Or(noIdentifier().ReplaceAllString(endpoint.Name, "_"), defaultLabels[kind], kind)
			if len(annotated[kind]) == len(byType[kind]) {
				label = cmp.Or(annotated[kind][i], label)
			}
			labelled[freeLabel(labelled, label)] = compute.NewEndpoint(&endpoint)
		}
	}
	return labelled
}

// freeLabel returns a label that no endpoint has yet: the wanted one, or with a number.
func freeLabel(labelled map[string]compute.Endpoint, wanted string) string {
	label := wanted
	for i := 2; ; i++ {
		if _, taken := labelled[label]; !taken {
			return label
		}
		label = fmt.Sprintf("%s-%d", wanted, i)
	}
}

// noIdentifier is what can't stand in a label without quotes: OpenTofu up to 1.12 generates labels without them
// (https://github.com/opentofu/opentofu/issues/3978). All letters are many: few runs need them compiled.
var noIdentifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^\pL_]|[^\pL\pN_-]+`) })

var defaultLabels = map[string]string{client.EndpointReadWrite: "primary", client.EndpointReadOnly: "replica"}

package branch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// labelsAnnotation keeps the labels of the endpoints that are created with a branch, in
// the order of creation, for a later import.
const labelsAnnotation = "terraform-provider-neon/endpoints"

// create returns the request that creates the endpoint.
func (m endpointModel) create() client.EndpointCreate {
	create := client.EndpointCreate{Type: m.Type.ValueString(), EndpointSettings: m.settings().EndpointSettings, Name: m.Name.ValueString()}
	if m.Disabled.ValueBool() {
		create.Disabled = m.Disabled.ValueBoolPointer()
	}
	return create
}

// settings returns those that are set, as a request that changes an endpoint to them.
func (m endpointModel) settings() client.EndpointUpdate {
	var update client.EndpointUpdate
	update.AutoscalingLimitMinCU = kit.Known(m.AutoscalingLimitMinCU, types.Float64Null()).ValueFloat64Pointer()
	update.AutoscalingLimitMaxCU = kit.Known(m.AutoscalingLimitMaxCU, types.Float64Null()).ValueFloat64Pointer()
	update.SuspendTimeoutSeconds = kit.Known(m.SuspendTimeoutSeconds, types.Int64Null()).ValueInt64Pointer()
	update.Name = kit.Known(m.Name, types.StringNull()).ValueStringPointer()
	update.Disabled = kit.Known(m.Disabled, types.BoolNull()).ValueBoolPointer()
	return update
}

// changes returns the request that changes current to what is planned, with only what
// differs.
func (m endpointModel) changes(current endpointModel) client.EndpointUpdate {
	update, present := m.settings(), current.settings()
	update.AutoscalingLimitMinCU = ifChanged(update.AutoscalingLimitMinCU, present.AutoscalingLimitMinCU)
	update.AutoscalingLimitMaxCU = ifChanged(update.AutoscalingLimitMaxCU, present.AutoscalingLimitMaxCU)
	update.SuspendTimeoutSeconds = ifChanged(update.SuspendTimeoutSeconds, present.SuspendTimeoutSeconds)
	update.Name = ifChanged(update.Name, present.Name)
	update.Disabled = ifChanged(update.Disabled, present.Disabled)
	return update
}

// ifChanged returns a planned value that isn't the present one; nil otherwise.
func ifChanged[T comparable](planned, present *T) *T {
	if planned != nil && present != nil && *planned == *present {
		return nil
	}
	return planned
}

// fits reports whether an endpoint has the type and all that is set.
func (m endpointModel) fits(endpoint endpointModel) bool {
	return m.Type.Equal(endpoint.Type) && m.changes(endpoint) == (client.EndpointUpdate{})
}

// splitByCall returns the labels whose endpoints are created together with the branch, and
// those that need a call of their own, since only that takes a name or disabled. Both are
// sorted.
func splitByCall(planned map[string]endpointModel) (inline, later []string) {
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
func matchCreated(planned map[string]endpointModel, labels []string, created []client.Endpoint) map[string]endpointModel {
	labels, created = slices.Clone(labels), slices.Clone(created)
	slices.SortStableFunc(labels, func(a, b string) int { return planned[b].countSettings() - planned[a].countSettings() })
	matched := map[string]endpointModel{}
	for _, label := range labels {
		wanted := planned[label]
		i := slices.IndexFunc(created, func(e client.Endpoint) bool { return wanted.fits(newEndpointModel(&e)) })
		if i < 0 {
			i = slices.IndexFunc(created, func(e client.Endpoint) bool { return e.Type == wanted.Type.ValueString() })
		}
		if i >= 0 {
			matched[label] = wanted.resolved(newEndpointModel(&created[i]))
			created = slices.Delete(created, i, i+1)
		}
	}
	return matched
}

func (m endpointModel) countSettings() int {
	count := 0
	for _, setting := range []attr.Value{m.AutoscalingLimitMinCU, m.AutoscalingLimitMaxCU, m.SuspendTimeoutSeconds} {
		if kit.IsSet(setting) {
			count++
		}
	}
	return count
}

// refreshEndpoints returns the managed endpoints with their present values, without those
// that are gone.
func refreshEndpoints(managed map[string]endpointModel, present []client.Endpoint) map[string]endpointModel {
	labels, refreshed := labelsByID(managed), map[string]endpointModel{}
	for _, endpoint := range present {
		if label, isManaged := labels[endpoint.ID]; isManaged {
			refreshed[label] = newEndpointModel(&endpoint)
		}
	}
	return refreshed
}

// encodeLabels returns the text of labelsAnnotation: the labels of each type.
func encodeLabels(planned map[string]endpointModel, labels []string) string {
	byType := map[string][]string{}
	for _, label := range labels {
		kind := planned[label].Type.ValueString()
		byType[kind] = append(byType[kind], label)
	}
	text, _ := json.Marshal(byType) // It is made of strings.
	return string(text)
}

// labelImported gives each endpoint of an imported branch a label: the one that the
// annotation has if its type has as many endpoints as labels, else its name, else one by
// its type.
func labelImported(endpoints []client.Endpoint, annotation string) map[string]endpointModel {
	var annotated map[string][]string
	_ = json.Unmarshal([]byte(annotation), &annotated) // Without labels of ours the endpoints get others.
	byType := map[string][]client.Endpoint{}
	for _, endpoint := range endpoints {
		byType[endpoint.Type] = append(byType[endpoint.Type], endpoint)
	}
	labelled := map[string]endpointModel{}
	for _, kind := range sortedLabels(byType) {
		slices.SortFunc(byType[kind], func(a, b client.Endpoint) int {
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		for i, endpoint := range byType[kind] {
			label := cmp.Or(endpoint.Name, defaultLabels[kind], kind)
			if len(annotated[kind]) == len(byType[kind]) {
				label = cmp.Or(annotated[kind][i], label)
			}
			labelled[freeLabel(labelled, label)] = newEndpointModel(&endpoint)
		}
	}
	return labelled
}

// freeLabel returns a label that no endpoint has yet: the wanted one, or with a number.
func freeLabel(labelled map[string]endpointModel, wanted string) string {
	label := wanted
	for i := 2; ; i++ {
		if _, taken := labelled[label]; !taken {
			return label
		}
		label = fmt.Sprintf("%s-%d", wanted, i)
	}
}

var defaultLabels = map[string]string{client.EndpointReadWrite: "primary", client.EndpointReadOnly: "replica"}

package branch

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// labelsAnnotation holds the labels that a branch's endpoints were made with,
// in the order of creation, for an import to find them again.
const labelsAnnotation = "terraform-provider-neon/endpoints"

// Create is the request for the endpoint, with what is configured.
func (m endpointModel) create() client.EndpointCreate {
	create := client.EndpointCreate{Type: m.Type.ValueString(), EndpointSettings: m.settings(), Name: m.Name.ValueString()}
	if m.Disabled.ValueBool() {
		create.Disabled = m.Disabled.ValueBoolPointer()
	}
	return create
}

// settings are those that are set.
func (m endpointModel) settings() client.EndpointSettings {
	var settings client.EndpointSettings
	if kit.IsSet(m.AutoscalingLimitMinCU) {
		settings.AutoscalingLimitMinCU = m.AutoscalingLimitMinCU.ValueFloat64Pointer()
	}
	if kit.IsSet(m.AutoscalingLimitMaxCU) {
		settings.AutoscalingLimitMaxCU = m.AutoscalingLimitMaxCU.ValueFloat64Pointer()
	}
	if kit.IsSet(m.SuspendTimeoutSeconds) {
		settings.SuspendTimeoutSeconds = m.SuspendTimeoutSeconds.ValueInt64Pointer()
	}
	return settings
}

// changes is the request that makes current what is planned. It holds only what
// differs.
func (m endpointModel) changes(current endpointModel) client.EndpointUpdate {
	update := client.EndpointUpdate{EndpointSettings: m.settings()}
	if m.AutoscalingLimitMinCU.ValueFloat64() == current.AutoscalingLimitMinCU.ValueFloat64() {
		update.AutoscalingLimitMinCU = nil
	}
	if m.AutoscalingLimitMaxCU.ValueFloat64() == current.AutoscalingLimitMaxCU.ValueFloat64() {
		update.AutoscalingLimitMaxCU = nil
	}
	if m.SuspendTimeoutSeconds.Equal(current.SuspendTimeoutSeconds) {
		update.SuspendTimeoutSeconds = nil
	}
	if kit.IsSet(m.Name) && !m.Name.Equal(current.Name) {
		update.Name = m.Name.ValueStringPointer()
	}
	if kit.IsSet(m.Disabled) && !m.Disabled.Equal(current.Disabled) {
		update.Disabled = m.Disabled.ValueBoolPointer()
	}
	return update
}

// fits tells whether an endpoint has the type and all that is set.
func (m endpointModel) fits(endpoint endpointModel) bool {
	return m.Type.Equal(endpoint.Type) && m.changes(endpoint) == (client.EndpointUpdate{})
}

// splitByCall gives the labels whose endpoints can be made together with the
// branch, and those that need a request of their own, each sorted.
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

// matchCreated finds out which label each endpoint in the answer to a creation
// belongs to. The answer names no labels: the most particular ones choose first,
// among the endpoints that have what they asked for.
func matchCreated(planned map[string]endpointModel, labels []string, created []client.Endpoint) map[string]endpointModel {
	labels = slices.Clone(labels)
	sort.SliceStable(labels, func(i, j int) bool {
		return countSettings(planned[labels[i]]) > countSettings(planned[labels[j]])
	})
	matched := map[string]endpointModel{}
	taken := map[string]bool{}
	match := func(fits func(wanted, endpoint endpointModel) bool) {
		for _, label := range labels {
			if _, done := matched[label]; done {
				continue
			}
			for i := range created {
				endpoint := endpointModelFrom(&created[i])
				if !taken[created[i].ID] && fits(planned[label], endpoint) {
					matched[label], taken[created[i].ID] = planned[label].resolved(endpoint), true
					break
				}
			}
		}
	}
	match(endpointModel.fits)
	match(func(wanted, endpoint endpointModel) bool { return wanted.Type.Equal(endpoint.Type) })
	return matched
}

func countSettings(m endpointModel) int {
	count := 0
	for _, set := range []bool{kit.IsSet(m.AutoscalingLimitMinCU), kit.IsSet(m.AutoscalingLimitMaxCU), kit.IsSet(m.SuspendTimeoutSeconds)} {
		if set {
			count++
		}
	}
	return count
}

// refreshEndpoints gives the managed endpoints as they are now, without those
// that are gone. Endpoints that somebody else made are not taken in.
func refreshEndpoints(managed map[string]endpointModel, actual []client.Endpoint) map[string]endpointModel {
	byID := map[string]endpointModel{}
	for i := range actual {
		byID[actual[i].ID] = endpointModelFrom(&actual[i])
	}
	refreshed := map[string]endpointModel{}
	for label, endpoint := range managed {
		if found, ok := byID[endpoint.ID.ValueString()]; ok {
			refreshed[label] = found
		}
	}
	return refreshed
}

// labelHints is the text of labelsAnnotation.
func labelHints(planned map[string]endpointModel, labels []string) string {
	hints := make([]string, len(labels))
	for i, label := range labels {
		hints[i] = url.QueryEscape(label) + "=" + planned[label].Type.ValueString()
	}
	return strings.Join(hints, ",")
}

// hintedLabels reads labelsAnnotation: the labels of each type.
func hintedLabels(hints string) map[string][]string {
	labels := map[string][]string{}
	for hint := range strings.SplitSeq(hints, ",") {
		escaped, kind, ok := strings.Cut(hint, "=")
		if label, err := url.QueryUnescape(escaped); ok && err == nil && label != "" {
			labels[kind] = append(labels[kind], label)
		}
	}
	return labels
}

// labelImported gives every endpoint of an imported branch a label: the one it
// was made with where the hints tell, else its name, else one by its type.
func labelImported(endpoints []client.Endpoint, hints string) map[string]endpointModel {
	endpoints = slices.Clone(endpoints)
	slices.SortFunc(endpoints, func(a, b client.Endpoint) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	ofType := map[string][]client.Endpoint{}
	for _, endpoint := range endpoints {
		ofType[endpoint.Type] = append(ofType[endpoint.Type], endpoint)
	}
	hinted := hintedLabels(hints)
	labelled := map[string]endpointModel{}
	label := func(wanted string, endpoint client.Endpoint) {
		free := wanted
		for i := 2; ; i++ {
			if _, taken := labelled[free]; !taken {
				break
			}
			free = fmt.Sprintf("%s-%d", wanted, i)
		}
		labelled[free] = endpointModelFrom(&endpoint)
	}
	for _, kind := range sortedLabels(ofType) {
		if len(hinted[kind]) == len(ofType[kind]) {
			for i, endpoint := range ofType[kind] {
				label(hinted[kind][i], endpoint)
			}
			delete(ofType, kind)
		}
	}
	for _, kind := range sortedLabels(ofType) {
		slices.SortFunc(ofType[kind], func(a, b client.Endpoint) int { return cmp.Compare(a.ID, b.ID) })
		for _, endpoint := range ofType[kind] {
			label(cmp.Or(endpoint.Name, defaultLabel(kind)), endpoint)
		}
	}
	return labelled
}

func defaultLabel(kind string) string {
	switch kind {
	case client.EndpointReadWrite:
		return "primary"
	case client.EndpointReadOnly:
		return "replica"
	}
	return kind
}

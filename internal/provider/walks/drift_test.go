package walks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// What descriptions say of values that don't follow Neon: those that count for Terraform
// alone or at creation, and those that aren't managed unless they are configured.
var (
	saysKept = regexp.MustCompile(
		`(?i)stays what it was|null unless it is configured|only affects this resource|arbitrary values|at the creation only|isn't compared with|shows it only once|^how long to wait`)
	saysUnmanaged = regexp.MustCompile(
		`isn't shown here|[Nn]ull where it isn't configured|keeps the values that Neon chose|are not managed`)
)

func (d described) says(what *regexp.Regexp) bool {
	return slices.ContainsFunc(d.texts, what.MatchString)
}

// A refresh takes over whatever Neon says, but for what the description says is kept, and
// for what isn't configured and isn't managed then.
func TestAttributes_driftAsDescribed(t *testing.T) {
	t.Parallel()
	for noun := range acctest.NounResources(t) {
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			runHere(t, w, resource.TestStep{
				Config:            w.config(t, noun, acctest.NounResource(t, noun).Whole),
				ConfigStateChecks: []statecheck.StateCheck{refreshes{t, w, noun}},
			})
		})
	}
}

// refreshes is a check of how a refresh changes a state.
type refreshes struct {
	t    *testing.T
	w    changeWorld
	noun string
}

// CheckState reads what the state has once more, with everything that Neon says changed,
// and once as it is but without what needn't be configured.
func (r refreshes) CheckState(_ context.Context, req statecheck.CheckStateRequest, _ *statecheck.CheckStateResponse) {
	r.t.Helper()
	values := req.State.Values.RootModule.Resources[0].AttributeValues
	whole, outside := acctest.NounResource(r.t, r.noun), *r.w.World
	outside.BaseURL = alteredNeon(r.t, outside.BaseURL, whole.Fixed)
	outside.ClaimBaseURL = outside.BaseURL
	p := acctest.NewProtocol(r.t, &outside)
	attributes := attributesOf(p.Schema.ResourceSchemas[r.noun].Block.Attributes, "", nil)
	before, after := r.read(p, values)
	for name, attribute := range attributes {
		isKept := slices.Contains(whole.FoundBy, name) || attribute.says(saysKept) || slices.Contains(whole.Excluded, name)
		was, is := leafOf(before, strings.Split(name, ".")), leafOf(after, strings.Split(name, "."))
		if attribute.NestedType == nil && was.Equal(is) != isKept {
			r.t.Errorf("%s was %s and is %s: kept as described is %t: %s", name, was, is, isKept, attribute.Description)
		}
	}
	removed := withoutOptional(attributes, values, "")
	_, after = r.read(acctest.NewProtocol(r.t, r.w.World), values)
	for name, attribute := range attributes {
		isRemoved := slices.ContainsFunc(removed, func(from string) bool {
			return name == from || strings.HasPrefix(name, from+".")
		})
		isKept := attribute.says(saysKept) || attribute.says(saysUnmanaged) || slices.Contains(whole.Excluded, name)
		if is := leafOf(after, strings.Split(name, ".")); attribute.NestedType == nil && isRemoved && is.IsNull() != isKept {
			r.t.Errorf("%s, which isn't configured, is %s: unmanaged as described is %t: %s", name, is, isKept,
				attribute.Description)
		}
	}
}

// withoutOptional takes the values out that a configuration may do without and Neon doesn't
// choose, and returns their names.
func withoutOptional(attributes map[string]described, values map[string]any, within string) (removed []string) {
	for name, value := range values {
		attribute := attributes[within+name]
		inner, isObject := value.(map[string]any)
		switch {
		case attribute.Optional && !attribute.Computed:
			values[name] = nil
			removed = append(removed, within+name)
		case isObject && attribute.NestedType != nil:
			removed = append(removed, withoutOptional(attributes, inner, within+name+".")...)
		}
	}
	return removed
}

// read returns a state and what a refresh makes of it.
func (r refreshes) read(p acctest.Protocol, values map[string]any) (before, after tftypes.Value) {
	r.t.Helper()
	text, err := json.Marshal(values)
	if err != nil {
		r.t.Fatal(err)
	}
	state, err := p.UpgradeResourceState(r.t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: r.noun, Version: p.Schema.ResourceSchemas[r.noun].Version, RawState: &tfprotov6.RawState{JSON: text},
	})
	acctest.NoProblem(r.t, err, state.Diagnostics)
	read, err := p.ReadResource(r.t.Context(), &tfprotov6.ReadResourceRequest{TypeName: r.noun,
		CurrentState: state.UpgradedState})
	acctest.NoProblem(r.t, err, read.Diagnostics)
	decoded := func(state *tfprotov6.DynamicValue) tftypes.Value {
		value, err := state.Unmarshal(p.Schema.ResourceSchemas[r.noun].ValueType())
		if err != nil {
			r.t.Fatal(err)
		}
		return value
	}
	return decoded(state.UpgradedState), decoded(read.NewState)
}

// leafOf is the value of an attribute, in the element a where it is in those of a map.
func leafOf(value tftypes.Value, path []string) tftypes.Value {
	var inner map[string]tftypes.Value
	switch {
	case len(path) == 0 || value.IsNull() || value.As(&inner) != nil:
		return value
	case value.Type().Is(tftypes.Map{}):
		return leafOf(inner["a"], path)
	default:
		return leafOf(inner[path[0]], path[1:])
	}
}

// alteredNeon is a Neon whose answers all say something else, but in some fields.
func alteredNeon(t *testing.T, baseURL string, fields []string) string {
	t.Helper()
	target, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) { request.SetURL(target) },
		ModifyResponse: func(response *http.Response) error {
			var answer any
			decoder := json.NewDecoder(response.Body)
			decoder.UseNumber()
			if err := decoder.Decode(&answer); err != nil {
				return err
			}
			text, err := json.Marshal(altered(answer, fields))
			response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
			response.Header.Set("Content-Length", strconv.Itoa(len(text)))
			return err
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL
}

var timeOfDay = regexp.MustCompile(`^\d\d:\d\d$`)

// altered is another value of the same form.
func altered(value any, fields []string) any {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if name != "pagination" && !slices.Contains(fields, name) {
				value[name] = altered(inner, fields)
			}
		}
	case []any:
		for i, inner := range value {
			value[i] = altered(inner, fields)
		}
	case bool:
		return !value
	case json.Number:
		number, _ := value.Float64()
		return number + 1
	case string:
		if moment, err := time.Parse(time.RFC3339, value); err == nil {
			return moment.Add(time.Hour).Format(time.RFC3339)
		}
		if timeOfDay.MatchString(value) {
			return "23:59"
		}
		return value + "x"
	}
	return value
}

package walks_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// most is the limit in what is said of a value above it.
var most = regexp.MustCompile(`\b(?:at most|between [\d.-]+ and|[\d.-]+ to) (\d+)`)

// namesAnother matches attributes that name what is there already: its limits are on its own page.
var namesAnother = regexp.MustCompile(
	`(^|_)id$|^(owner_name|bucket_name|function_slug|database_name)$|^masking_rules\.`)

// A limit above which a value is refused is in the description of the attribute, where it is one of Neon's.
func TestAttributes_sayTheirLimits(t *testing.T) {
	t.Parallel()
	walked, resources, tried := 0, 0, 0
	for what, each := range configurables(t, provider.NewServer("test").New()) {
		if name, isResource := strings.CutPrefix(what, "resource "); isResource {
			resources++
			t.Run(name, func(t *testing.T) {
				walked++
				tried += limitsOf(t, each)
			})
		}
	}
	if walked == resources && tried < 20 { // Else some alone were asked for.
		t.Errorf("%d limits were met, want more", tried)
	}
}

// limitsOf checks the descriptions of a resource's attributes, and returns how many limits it met.
func limitsOf(t *testing.T, of configurable) (tried int) {
	t.Helper()
	kind := of.schema.ValueType()
	for name, attribute := range attributesOf(of.schema.Block.Attributes, "", nil) {
		if namesAnother.MatchString(name) || attribute.isComputed() {
			continue
		}
		var large any = strings.Repeat("a", 100_000)
		if attribute.ValueType().Is(tftypes.Number) {
			large = int64(1 << 50)
		} else if !attribute.ValueType().Is(tftypes.String) {
			continue
		}
		said, err := of.validate(acctest.Dynamic(t, kind, withValueIn(kind, strings.Split(name, "."), large)))
		if err != nil {
			t.Fatal(err)
		}
		for _, diagnostic := range said {
			limit := most.FindStringSubmatch(diagnostic.Detail)
			if diagnostic.Severity != tfprotov6.DiagnosticSeverityError || limit == nil ||
				limit[1] == strconv.Itoa(math.MaxInt32) { // It is what a number can be, and no limit of Neon's.
				continue
			}
			tried++
			if !strings.Contains(attribute.Description, limit[1]) {
				t.Errorf("the description of %s doesn't say %s, but the plan: %s", name, limit[1], diagnostic.Detail)
			}
		}
	}
	return tried
}

// withValueIn is an object that has a value at a path, in one element of each collection on the way, and nothing else.
func withValueIn(kind tftypes.Type, path []string, value any) tftypes.Value {
	if len(path) == 0 {
		return tftypes.NewValue(kind, value)
	}
	switch kind := kind.(type) {
	case tftypes.Object:
		return acctest.Object(kind, map[string]tftypes.Value{
			path[0]: withValueIn(kind.AttributeTypes[path[0]], path[1:], value)})
	case tftypes.Map:
		return tftypes.NewValue(kind, map[string]tftypes.Value{"a": withValueIn(kind.ElementType, path, value)})
	case tftypes.Set:
		return tftypes.NewValue(kind, []tftypes.Value{withValueIn(kind.ElementType, path, value)})
	case tftypes.List:
		return tftypes.NewValue(kind, []tftypes.Value{withValueIn(kind.ElementType, path, value)})
	}
	panic("nothing is in it: " + kind.String())
}

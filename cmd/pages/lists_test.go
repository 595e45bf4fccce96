package main

import (
	"strings"
	"testing"
)

// The objects of a list have the attributes of one of them, and what only they have.
func TestShortened(t *testing.T) {
	t.Parallel()
	const single = "\n## Schema\n\n- `id` (String) Id of the thing. Set either this or `name`.\n- `size` (Attributes) Its size. ([below](#nestedatt--size))\n" +
		"- `kind` (String) Its kind.\n\n<a id=\"nestedatt--size\"></a>\n### Nested Schema for `size`\n\n- `bytes` (Number) Its bytes.\n\n## See also\n\n- a"
	const begin = "\n## Schema\n\n- `things` (Attributes List) The things.\n\n<a id=\"nestedatt--things\"></a>\n### Nested Schema for `things`\n\n"
	const size = "\n\n<a id=\"nestedatt--things--size\"></a>\n### Nested Schema for `things.size`\n\nRead-Only:\n\n- `bytes` (Number) Its bytes.\n"
	const end = "\n\n## See also\n\n- b"
	for page, want := range map[string]string{
		begin + "Read-Only:\n\n- `id` (String) Id of the thing.\n- `size` (Attributes) Its size.\n" + size + end://
		begin + "As in the data source [`neon_thing`](thing.md): `id`, `size`." + end,
		// Of another type, or not there.
		begin + "Read-Only:\n\n- `id` (String) Id.\n- `kind` (Number) Its kind.\n- `size` (Attributes) Its size." + size + "- `unit` (String) Its unit.\n" + end://
		begin + "As in the data source [`neon_thing`](thing.md): `id`, `size`, and:\n\n- `kind` (Number) Its kind." + size + "- `unit` (String) Its unit." + end,
		// Another attribute has attributes of its own.
		begin + "- `id` (String) Id.\n\n<a id=\"nestedatt--others\"></a>\n### Nested Schema for `others`\n\n- `id` (String) Id." + end://
		begin + "- `id` (String) Id.\n\n<a id=\"nestedatt--others\"></a>\n### Nested Schema for `others`\n\n- `id` (String) Id." + end,
	} {
		if got := shortened(page, "things", "thing", single); got != want {
			t.Errorf("of\n%s\nremains\n%s\nwant\n%s", page, got, want)
		}
	}
}

// Nested attributes of a data source are its resource's, where that has them all.
func TestNestedShortened(t *testing.T) {
	t.Parallel()
	const heading = "\n## Schema\n\n- `name` (String) Its name.\n\n<a id=\"nestedatt--size\"></a>\n### Nested Schema for `size`\n\n"
	const four = "- `a` (Number) A.\n- `b` (Number) B.\n- `c` (Number) C.\n- `d` (Number) D."
	const end = "\n\n## See also\n\n- b"
	page := heading + "Read-Only:\n\n" + four + end
	for resource, want := range map[string]string{
		heading + "Optional:\n\n" + four + "\n- `e` (Number) E.\n\n## Import\n":          heading + "As in the [resource](../resources/thing.md#nestedatt--size): `a`, `b`, `c`, `d`." + end,
		heading + "Optional:\n\n- `a` (Number) A.\n":                                     page,
		heading + "Optional:\n\n" + strings.Replace(four, "(Number) D", "(String) D", 1): page,
		heading + "Optional:\n\n" + four + " Used at the creation only.\n":               page,
	} {
		if got := nestedShortened(page, resource, "thing.md"); got != want {
			t.Errorf("of\n%s\nbeside\n%s\nremains\n%s\nwant\n%s", page, resource, got, want)
		}
	}
}

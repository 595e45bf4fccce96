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
		begin + "Read-Only:\n\n- `id` (String) Id.\n- `kind` (Number) Its kind.\n- `size` (Attributes) Its size." + size +
			"- `unit` (String) Its unit.\n" + end: //
		begin + "As in the data source [`neon_thing`](thing.md): `id`, `size`, and:\n\n- `kind` (Number) Its kind." + size +
			"- `unit` (String) Its unit." + end,
		// Another attribute has attributes of its own.
		begin + "- `id` (String) Id.\n\n<a id=\"nestedatt--others\"></a>\n### Nested Schema for `others`\n\n- `id` (String) Id." + end://
		begin + "- `id` (String) Id.\n\n<a id=\"nestedatt--others\"></a>\n### Nested Schema for `others`\n\n- `id` (String) Id." + end,
	} {
		if got := shortened(page, "things", "thing", single, ""); got != want {
			t.Errorf("of\n%s\nremains\n%s\nwant\n%s", page, got, want)
		}
	}
}

// What a single object leaves to its resource, a list does, too; without a single one, all that the resource has.
func TestShortened_byTheResource(t *testing.T) {
	t.Parallel()
	const four = "- `a` (Number) A.\n- `b` (Number) B.\n- `c` (Number) C.\n- `d` (Number) D.\n"
	const resource = "\n## Schema\n\n### Optional\n\n" + four +
		"- `when` (Attributes) When. ([below](#nestedatt--when))\n\n" +
		"<a id=\"nestedatt--when\"></a>\n### Nested Schema for `when`\n\n- `hour` (Number) Hour.\n"
	const end = "\n\n## See also\n\n- b"
	const single = "\n## Schema\n\n### Read-Only\n\n" + four + "- `id` (String) Its id." + end
	const list = "\n## Schema\n\n- `things` (Attributes List) The things.\n\n<a id=\"nestedatt--things\"></a>\n### Nested Schema for `things`\n\n"
	const when = "\n\n<a id=\"nestedatt--things--when\"></a>\n### Nested Schema for `things.when`\n\n- `hour` (Number) Hour."
	for _, c := range []struct{ page, single, want string }{
		{list + four + "- `id` (String) Its id." + end, single, list + "As in the resource [`neon_thing`](../resources/thing.md#schema): `a`, `b`, `c`, `d`; as in the data source [`neon_thing`](thing.md): `id`." + end},
		{list + four + "- `id` (String) Its id." + end, "", list + "As in the resource [`neon_thing`](../resources/thing.md#schema): `a`, `b`, `c`, `d`, and:\n\n- `id` (String) Its id." + end},
		// What is null here alone stays, with what is in it.
		{list + four + "- `when` (Attributes) When; null for never." + when + end, "", list + "As in the resource [`neon_thing`](../resources/thing.md#schema): `a`, `b`, `c`, `d`, and:\n\n- `when` (Attributes) When; null for never." + when + end},
	} {
		if got := shortened(c.page, "things", "thing", c.single, resource); got != c.want {
			t.Errorf("of\n%s\nremains\n%s\nwant\n%s", c.page, got, c.want)
		}
	}
}

// What a data source reads is described by its resource, where it means the same.
func TestReadShortened(t *testing.T) {
	t.Parallel()
	const top = "\n## Schema\n\n### Required\n\n- `name` (String) Its name.\n\n### Read-Only\n\n"
	const four = "- `a` (Number) A.\n- `b` (Number) B.\n- `c` (Number) C.\n- `d` (Number) D."
	const size = "\n- `size` (Attributes) Its size."
	const heading = "\n\n<a id=\"nestedatt--size\"></a>\n### Nested Schema for `size`\n\n"
	const end = "\n\n## See also\n\n- b"
	const asIn = "As in the [resource](../resources/thing.md#schema): `a`, `b`, `c`, `d`"
	const own = "- `e` (Number) E."
	for _, c := range []struct{ page, resource, want string }{
		{top + four + end, top + four, top + asIn + "." + end},
		{top + four + "\n" + own + end, top + four, top + asIn + ", and:\n\n" + own + end},
		{top + four + end, strings.Replace(top+four, "(Number) D", "(String) D", 1), top + four + end},
		// What it means when it is read is something else, or it is null then.
		{top + four + end, top + four + " Used at the creation only.", top + four + end},
		{top + four + " Null for none." + end, top + four, top + four + " Null for none." + end},
		// What is in an attribute goes with it, and stays with what the resource doesn't have.
		{top + four + size + heading + own + end, top + four + size + heading + own, top + asIn + ", `size`." + end},
		{top + four + size + heading + own + end, top + four + size + heading + "- `f` (Number) F.", top + asIn + ", and:\n" + size + heading + own + end},
		{top + size + heading + four + end, top + heading + four, top + size + heading + "As in the [resource](../resources/thing.md#nestedatt--size): `a`, `b`, `c`, `d`." + end},
	} {
		if got := readShortened(c.page, c.resource, "thing.md"); got != c.want {
			t.Errorf("of\n%s\nbeside\n%s\nremains\n%s\nwant\n%s", c.page, c.resource, got, c.want)
		}
	}
}

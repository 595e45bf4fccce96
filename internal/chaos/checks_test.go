package chaos

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func objectValue(attributes map[string]tftypes.Value) tftypes.Value {
	kinds := map[string]tftypes.Type{}
	for name, value := range attributes {
		kinds[name] = value.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: kinds}, attributes)
}

// An apply that succeeded has to leave what is ready and as configured.
func TestAtFault(t *testing.T) {
	t.Parallel()
	endpoint := objectValue(map[string]tftypes.Value{
		"id": text("ep-1"), "type": text("read_write"), "suspend_timeout_seconds": tftypes.NewValue(tftypes.Number, 300),
	})
	config := objectValue(map[string]tftypes.Value{
		"id": text("br-1"), "name": text("b"), "protected": tftypes.NewValue(tftypes.Bool, true),
		"expires_at": text("2026-03-01T12:00:00Z"),
		"endpoints":  tftypes.NewValue(tftypes.Map{ElementType: endpoint.Type()}, map[string]tftypes.Value{"app": endpoint}),
	})
	c := &cycle{resource: branch, current: state{value: config}}
	whole := object{kind: branches, ID: "br-1", Name: "b", State: "ready", Protected: true, ExpiresAt: "2026-03-01T13:00:00+01:00"}
	compute := object{kind: endpoints, ID: "ep-1", BranchID: "br-1", Type: "read_write", State: "idle", Suspend: 300}
	for want, spoil := range map[string]func(b, e *object){
		"":                           func(*object, *object) {},
		"br-1 doesn't exist":         func(b, _ *object) { b.ID = "br-2" },
		`br-1 is named "c"`:          func(b, _ *object) { b.Name = "c" },
		"br-1 is init":               func(b, _ *object) { b.State = "init" },
		"operations go on there: tr": func(b, _ *object) { b.Working = true },
		"br-1 is protected: false":   func(b, _ *object) { b.Protected = false },
		`br-1 expires at ""`:         func(b, _ *object) { b.ExpiresAt = "" },
		"isn't on branch br-1":       func(_, e *object) { e.BranchID = "br-2" },
		"ep-1 (app) is init":         func(_, e *object) { e.State = "init" },
		"suspended after 600 s":      func(_, e *object) { e.Suspend = 600 },
	} {
		b, e := whole, compute
		spoil(&b, &e)
		got := c.atFault([]object{b, e}, config)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// daily is a schedule with these hours.
func daily(hours ...int64) tftypes.Value {
	var list []tftypes.Value
	for _, hour := range hours {
		list = append(list, objectValue(map[string]tftypes.Value{"hour": tftypes.NewValue(tftypes.Number, hour)}))
	}
	return tftypes.NewValue(tftypes.Set{ElementType: list[0].Type()}, list)
}

func servedRowsOf(rows int) map[string]tftypes.Value {
	return map[string]tftypes.Value{"settings": objectValue(map[string]tftypes.Value{"db_max_rows": tftypes.NewValue(tftypes.Number, rows)})}
}

// What belongs to a project or an organization has to be as configured, too.
func TestAtFault_inProject(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		resource string
		config   map[string]tftypes.Value
		found    object
		want     string
	}{
		{role, map[string]tftypes.Value{"no_login": tftypes.NewValue(tftypes.Bool, true)}, object{NoLogin: true}, ""},
		{role, map[string]tftypes.Value{"no_login": tftypes.NewValue(tftypes.Bool, true)}, object{}, "can't log in: false"},
		{database, map[string]tftypes.Value{"owner_name": text("a")}, object{Owner: "a"}, ""},
		{database, map[string]tftypes.Value{"owner_name": text("a")}, object{Owner: "b"}, `belongs to "b"`},
		{permission, map[string]tftypes.Value{"email": text("a@b")}, object{Email: "a@b"}, ""},
		{permission, map[string]tftypes.Value{"email": text("a@b")}, object{Email: "c@b"}, `is for "c@b"`},
		{jwksURL, map[string]tftypes.Value{"provider_name": text("a"), "jwks_url": text("https://a")}, object{Name: "a", URL: "https://a"}, ""},
		{jwksURL, map[string]tftypes.Value{"provider_name": text("a")}, object{Name: "b"}, `is named "b"`},
		{jwksURL, map[string]tftypes.Value{"jwks_url": text("https://a")}, object{URL: "https://b"}, "is at https://b"},
		{projectRole, map[string]tftypes.Value{"role": text("viewer")}, object{Role: "viewer"}, ""},
		{projectRole, map[string]tftypes.Value{"role": text("viewer")}, object{Role: "editor"}, `the role "editor", not "viewer"`},
		{organizationRole, map[string]tftypes.Value{"role": text("viewer"), "email": text("a@b")}, object{Role: "viewer", Email: "a@b"}, ""},
		{organizationRole, map[string]tftypes.Value{"role": text("viewer")}, object{Role: "editor"}, `the role "editor", not "viewer"`},
		{invitation, map[string]tftypes.Value{"role": text("viewer"), "email": text("a@b")}, object{Role: "viewer", Email: "c@b"}, "is for c@b"},
		{spendingLimit, map[string]tftypes.Value{"spending_limit_cents": tftypes.NewValue(tftypes.Number, 5)}, object{Cents: 5}, ""},
		{spendingLimit, map[string]tftypes.Value{"spending_limit_cents": tftypes.NewValue(tftypes.Number, 5)}, object{Cents: 7}, "is 7 cents, not 5"},
		{schedule, map[string]tftypes.Value{"schedule": daily(15, 3)}, object{Schedule: entries{{"daily", 3}, {"daily", 15}}}, ""},
		{schedule, map[string]tftypes.Value{"schedule": daily(3)}, object{Schedule: entries{{"daily", 3}, {"daily", 15}}}, "is at [3 15], not at [3]"},
		{dataAPI, servedRowsOf(5), object{Settings: struct {
			MaxRows int64 `json:"db_max_rows"`
		}{5}}, ""},
		{dataAPI, servedRowsOf(5), object{}, "returns 0 rows, not 5"},
		{snapshot, map[string]tftypes.Value{}, object{}, ""},
		{snapshot, map[string]tftypes.Value{}, object{ExpiresAt: "2026-01-01T00:00:00Z"}, "expires at"},
		{endpoint, map[string]tftypes.Value{"branch_id": text("br-1")}, object{BranchID: "br-1", State: "idle"}, ""},
		{endpoint, map[string]tftypes.Value{"branch_id": text("br-1")}, object{BranchID: "br-1", State: "init"}, "is init"},
		{endpoint, map[string]tftypes.Value{"branch_id": text("br-1")}, object{BranchID: "br-2"}, "isn't on branch br-1"},
	} {
		c := &cycle{resource: test.resource, current: state{value: objectValue(map[string]tftypes.Value{"id": text("it")})}}
		test.found.ID = "it"
		if got := c.atFault([]object{test.found}, objectValue(test.config)); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: got %q, want %q", test.resource, got, test.want)
		}
	}
}

// Twins take turns to create what nothing tells apart, and wait while the other deletes
// what is known by its name alone.
func TestTwins_takeTurns(t *testing.T) {
	t.Parallel()
	a, b := newCycle(0, "n", role, project{}), newCycle(0, "n", role, project{})
	pair(a, b)
	if !b.twin.begins(b) || a.twin.begins(a) {
		t.Error("one begins, and the other waits")
	}
	b.current = state{value: objectValue(map[string]tftypes.Value{"id": text("p/br/n")})}
	b.twin.ends(b)
	if !a.twin.begins(a) {
		t.Error("the other meets what is there")
	}
	a.twin.ends(a)
	b.deleted["p/br/n"] = true
	b.twin.begins(b)
	b.twin.ends(b)
	if a.twin.begins(a) {
		t.Error("the other waits for the end of the deletion")
	}
	b.current = state{}
	b.twin.begins(b)
	b.twin.ends(b)
	if a.twin.mayHold(a, "p/br/n") || !a.twin.begins(a) {
		t.Error("the name is free")
	}
}

// What is or was a twin's isn't taken in, and neither is what it may be creating.
func TestTwins(t *testing.T) {
	t.Parallel()
	var alone *twin
	if alone.mayHold(nil, "br-1") || alone.holds("br-1") || alone.names(object{}) {
		t.Error("a cycle without a twin has one")
	}
	a, b := newCycle(0, "n", branch, project{}), newCycle(0, "n", branch, project{})
	pair(a, b)
	b.twin.begins(b)
	if !a.twin.mayHold(a, "br-1") || a.twin.holds("br-1") {
		t.Error("a twin that is being applied may be creating anything, and holds nothing yet")
	}
	b.current = state{value: objectValue(map[string]tftypes.Value{"id": text("br-1")})}
	b.twin.ends(b)
	if !a.twin.mayHold(a, "br-1") || a.twin.mayHold(a, "br-2") || b.twin.mayHold(b, "br-1") {
		t.Error("br-1 is the other's, and nothing else is")
	}
	extra, _ := a.account([]object{{kind: branches, ID: "br-1", Name: "n"}, {kind: branches, ID: "br-2", Name: "n"}})
	if len(extra) != 1 || extra[0].id() != "br-2" {
		t.Errorf("extra: %v", extra)
	}
}

// A read that fails taints nothing, and what was tainted before it was for another reason.
func TestCheckOutage(t *testing.T) {
	t.Parallel()
	err := errors.New("GET /api/v2/projects/p/branches was answered with 503 Service Unavailable")
	for before, want := range map[string]int{"": 1, "br-0": 1, "br-1": 0} {
		c := newCycle(0, "n", branch, project{})
		c.current = state{value: objectValue(map[string]tftypes.Value{"id": text("br-1")}), tainted: true}
		if c.checkOutage(err, before); len(c.surprises) != want {
			t.Errorf("%q was tainted before, and there are %q", before, c.surprises)
		}
	}
}

// What can't be removed by anybody stays, also where it was told of.
func TestLeftover_stays(t *testing.T) {
	t.Parallel()
	c, r, left := &cycle{name: "n", resource: invitation}, NewReport(), object{kind: invitations, ID: "i-1", Email: "n@example.com"}
	c.heard("apply", "error: i-1 was invited", nil)
	if err := r.leftover(t.Context(), nil, left, c); err != nil || r.Staying != 1 || r.Named != 0 {
		t.Errorf("%v: %d stay, %d were named", err, r.Staying, r.Named)
	}
}

// Siblings go on at the same time; an object is one's, and what is beside both is one too many.
func TestSiblings(t *testing.T) {
	t.Parallel()
	a, b := newCycle(0, "n", snapshot, project{}), newCycle(0, "n", snapshot, project{})
	pair(a, b).areSiblings = true
	if !a.twin.begins(a) || !b.twin.begins(b) || !a.twin.mayHold(a, "s-1") {
		t.Error("both begin, and each may be creating anything")
	}
	a.twin.ends(a)
	b.twin.ends(b)
	if a.twin.mayHold(a, "s-1") || !b.twin.mayHold(b, "s-1") {
		t.Error("what one takes in the other leaves alone")
	}
	a.current = state{value: objectValue(map[string]tftypes.Value{"id": text("s-1")})}
	if b.twin.isSettled() != true || a.twin.shares("s-1") || !b.twin.shares("s-1") {
		t.Error("s-1 is in the state of the first alone")
	}
	if a.unsettled = true; b.twin.isSettled() {
		t.Error("the first has failed, and may have more than its state says")
	}
	var alone *twin
	if !alone.isSettled() || alone.shares("s-1") || alone.losses(object{}) > 0 || alone.speaksOf(object{}) {
		t.Error("a cycle without a sibling has one")
	}
}

// Of a creation that makes one object at most, one is left for each lost answer that was told of.
func TestIsLost(t *testing.T) {
	t.Parallel()
	c := &cycle{name: "n", resource: snapshot}
	c.heard("apply", `error: A snapshot named "n" of branch br may have taken effect`, nil)
	r, left := NewReport(), object{kind: snapshots, ID: "s-1", Name: "n", BranchID: "br"}
	if !r.isLost(left, c) || r.isLost(left, c) {
		t.Error("one snapshot is left of one lost answer")
	}
	c.resource = role
	if c.heard("apply", `error: Role "n" on branch br may have taken effect`, nil); !r.isLost(object{kind: roles, Name: "n", BranchID: "br"}, c) {
		t.Error("the role was told of")
	}
}

// A replaced branch and what stays on it are nobody's, but for its snapshots.
func TestIsLeft(t *testing.T) {
	t.Parallel()
	all := []object{
		{kind: branches, ID: "br-old", Name: "n (old 2)"}, {kind: branches, ID: "br-new", Name: "n"}, {kind: roles, ID: "r", Name: "n", BranchID: "br-old"},
		{kind: snapshots, ID: "s", Name: "n", BranchID: "br-old"}, {kind: roles, ID: "r-new", Name: "n", BranchID: "br-new"},
	}
	var ids []string
	for _, o := range named(all, "n") {
		ids = append(ids, o.id())
	}
	if got := strings.Join(ids, " "); got != "br-new s r-new" {
		t.Errorf("named: %s", got)
	}
}

// What was there before the attack has to be as it was, but for the roles of cycles' members.
func TestTouched(t *testing.T) {
	t.Parallel()
	before := []object{
		{kind: members, ID: "org/1", Email: "c-1@example.com", Role: "viewer"}, {kind: members, ID: "org/2", Email: "max@example.com", Role: "viewer"},
		{kind: limits, ID: "org", Cents: 5}, {kind: jwksURLs, ID: "k"},
	}
	after := slices.Clone(before)
	after[0].Role = "editor"
	after = append(after, object{kind: jwksURLs, ID: "new"})
	if found := touched(before, after, []*cycle{{name: "c-1"}}); len(found) != 0 {
		t.Errorf("found %q", found)
	}
	after[1].Role, after[2].Cents, after[3].ID = "editor", 6, "other"
	if found := touched(before, after, []*cycle{{name: "c-1"}}); len(found) != 3 {
		t.Errorf("found %q", found)
	}
}

// Destroying what can't be taken back leaves it as it is, and says so.
func TestForget(t *testing.T) {
	t.Parallel()
	before := []object{{kind: members, ID: "org/1", Role: "viewer"}, {kind: invitations, ID: "2", Email: "c-1@example.com"}}
	c := &cycle{name: "c-1", resource: invitation}
	c.forget("2", "warning: The invitation of c-1@example.com stays", slices.Clone(before), before)
	if extra, _ := c.account(before); len(extra) != 0 || len(c.surprises) != 0 {
		t.Errorf("extra: %v, surprises: %q", extra, c.surprises)
	}
	c.forget("2", "", slices.Clone(before), before)
	c.forget("2", "warning: 2 stays", slices.Clone(before), before[:1])
	if want := []string{"2 was forgotten, and no warning says", "destroying only forgets, and changed invitations 2"}; len(c.surprises) != 2 ||
		!strings.Contains(c.surprises[0], want[0]) || !strings.Contains(c.surprises[1], want[1]) {
		t.Errorf("surprises: %q", c.surprises)
	}
}

// What was named isn't an orphan, and each other live key of a run's is.
func TestEphemeralLeftovers(t *testing.T) {
	t.Parallel()
	named, forgotten := &ephemeralKey{name: "e-1"}, &ephemeralKey{name: "e-2"}
	named.heard("open", `error: An API key named "e-1" may have taken effect on the platform`, nil)
	all := []object{{kind: keys, ID: 1.0, Name: "e-1"}, {kind: keys, ID: 2.0, Name: "e-2"}}
	r := NewReport()
	for _, k := range []*ephemeralKey{named, forgotten} {
		r.closeKey(k, all, map[string]bool{})
	}
	if r.Named != 1 || len(r.Orphans) != 1 || !strings.HasPrefix(r.Orphans[0], "api_keys 2 e-2") {
		t.Errorf("%d named, orphans %q", r.Named, r.Orphans)
	}
}

package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// answers are those of calls, by their paths.
type answers map[string]string

func (a answers) read(_ context.Context, path string) (answer any, err error) {
	decoder := json.NewDecoder(strings.NewReader(a[path]))
	decoder.UseNumber()
	err = decoder.Decode(&answer)
	return answer, err
}

// An apply that succeeded has to leave what is ready and as configured.
func TestAtFault(t *testing.T) {
	t.Parallel()
	endpoint := cty.ObjectVal(map[string]cty.Value{
		"id": cty.StringVal("ep-1"), "type": cty.StringVal("read_write"), "suspend_timeout_seconds": cty.NumberIntVal(300),
	})
	config := cty.ObjectVal(map[string]cty.Value{
		"id": cty.StringVal("br-1"), "project_id": cty.StringVal("p"), "protected": cty.True,
		"expires_at": cty.StringVal("2026-03-01T12:00:00Z"),
		"endpoints":  cty.MapVal(map[string]cty.Value{"app": endpoint}),
	})
	c := newCycle(0, "n", branch, project{})
	c.current = state{resource: branch, value: config}
	neon := answers{"/api/v2/projects/p/branches/br-1": `{"branch":{"name":"appn"}}`}
	whole := object{kind: branches, ID: "br-1", Name: "b", State: "ready", Protected: true,
		ExpiresAt: "2026-03-01T13:00:00+01:00"}
	compute := object{kind: endpoints, ID: "ep-1", BranchID: "br-1", Type: "read_write", State: "idle", Suspend: 300}
	for want, spoil := range map[string]func(b, e *object){
		"":                           func(*object, *object) {},
		"br-1 doesn't exist":         func(b, _ *object) { b.ID = "br-2" },
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
		got := c.atFault(t.Context(), neon, []object{b, e}, config, 0)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	neon["/api/v2/projects/p/branches/br-1"] = `{"branch":{"name":"other"}}`
	if got := c.atFault(t.Context(), neon, []object{whole, compute}, config, 0); !strings.Contains(got,
		`name of /api/v2/projects/p/branches/br-1 is other`) {
		t.Errorf("another name is no fault: %q", got)
	}
}

// Whatever a noun's versions change has to be as configured in Neon's answers.
func TestAtFault_asConfigured(t *testing.T) {
	t.Parallel()
	inBranch := map[string]cty.Value{"project_id": cty.StringVal("p"), "branch_id": cty.StringVal("b"),
		"id": cty.StringVal("p/b/x"), "name": cty.StringVal("x"), "slug": cty.StringVal("x")}
	inBucket := maps.Clone(inBranch)
	inBucket["name"] = cty.StringVal("appn")
	for _, test := range []struct {
		resource      string
		version       int
		state         map[string]cty.Value
		path, good    string
		bad, badField string
	}{
		{"neon_role", 2, inBranch, "/projects/p/branches/b/roles/x", `{"role":{"name":"appn","authentication_method":"no_login"}}`, `"no_login"`, `"password"`},
		{"neon_role", 1, inBranch, "/projects/p/branches/b/roles/x", `{"role":{"name":"appn","authentication_method":"password"}}`, `"password"`, `"no_login"`},
		{"neon_database", 1, inBranch, "/projects/p/branches/b/databases/x", `{"database":{"name":"shopnb","owner_name":"somebody"}}`, "somebody", "neondb_owner"},
		{"neon_branch_backup_schedule", 1, inBranch, "/projects/p/branches/b/backup_schedule", `{"schedule":[{"frequency":"weekly","retention_seconds":1}]}`, "weekly", "daily"},
		{"neon_bucket", 2, inBucket, "/projects/p/branches/b/buckets", `{"buckets":[{"name":"y","access_level":"x"},{"name":"appn","access_level":"public_read"}]}`, "public_read", "private"},
		{"neon_trigger", 1, map[string]cty.Value{"project_id": cty.StringVal("p"), "branch_id": cty.StringVal("b"),
			"trigger_id": cty.StringVal("t")}, "/projects/p/branches/b/triggers",
			`{"triggers":[{"trigger_id":"t","name":"appnb","function_slug":"web","enabled":false,"schedule":{"cron":"0 4 * * 1"}}]}`, "false", "true"},
		{"neon_org_spending_limit", 1, map[string]cty.Value{"org_id": cty.StringVal("o")}, "/organizations/o/billing/spending_limit", `{"spending_limit_cents":200}`, "200", "100"},
		{"neon_project_member_role", 1, map[string]cty.Value{"project_id": cty.StringVal("p"), "member_id": cty.StringVal("m")},
			"/projects/p/members",
			`{"project_members":[{"member_id":"m","explicit_project_permission":"EDITOR"}]}`, "EDITOR", "VIEWER"},
	} {
		c := newCycle(0, "n", test.resource, project{})
		c.current = state{resource: test.resource, value: cty.ObjectVal(test.state)}
		o := object{kind: "any", ID: c.current.id()}
		null := cty.NullVal(c.current.value.Type())
		for answer, isGood := range map[string]bool{test.good: true,
			strings.Replace(test.good, test.bad, test.badField, 1): false} {
			got := c.atFault(t.Context(), answers{"/api/v2" + test.path: answer}, []object{o}, null, test.version)
			if (got == "") != isGood {
				t.Errorf("%s, version %d: %s is at fault: %q", test.resource, test.version, answer, got)
			}
		}
	}
}

// A field that another value makes another has to have become another, as long as it is the same object.
func TestDiffers(t *testing.T) {
	t.Parallel()
	c := newCycle(0, "n", "neon_service_credential", project{})
	fault := func(version, rotations int) string {
		values, err := c.values(version)
		if err != nil {
			t.Fatal(err)
		}
		return c.notDifferent(shown(t, "service_credentials", map[string]any{"id": "k", "rotations": rotations}), values)
	}
	if got := fault(0, 0) + fault(0, 0) + fault(1, 1) + fault(1, 1); got != "" {
		t.Errorf("got %q", got)
	}
	if got := fault(0, 1); !strings.Contains(got, "rotations 1 as before, though rotation_triggers is another one") {
		t.Errorf("got %q", got)
	}
	if c.taken++; fault(1, 1) != "" {
		t.Error("one that was taken in has its first secrets")
	}
}

// shown is an object as the emulator shows it.
func shown(t *testing.T, kind string, fields map[string]any) (o object) {
	t.Helper()
	encoded, err := json.Marshal(fields)
	if err == nil {
		err = json.Unmarshal(encoded, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	o.kind = kind
	return o
}

// Twins take turns to create what nothing tells apart, and wait while the other deletes
// what is known by its name alone.
func TestTwins_takeTurns(t *testing.T) {
	t.Parallel()
	a, b := newCycle(0, "n", "neon_role", project{}), newCycle(0, "n", "neon_role", project{})
	pair(a, b)
	if !b.twin.begins(b) || a.twin.begins(a) {
		t.Error("one begins, and the other waits")
	}
	b.current = state{value: cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("p/br/n")})}
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
	b.current = state{value: cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("br-1")})}
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
		c.current = state{value: cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("br-1")}), tainted: true}
		if c.checkOutage(err, before); len(c.surprises) != want {
			t.Errorf("%q was tainted before, and there are %q", before, c.surprises)
		}
	}
}

// What can't be removed by anybody stays, also where it was told of.
func TestLeftover_stays(t *testing.T) {
	t.Parallel()
	c, r, left := &cycle{name: "n", resource: "neon_org_invitation"}, NewReport(),
		object{kind: "invitations", ID: "i-1", Email: "n@example.com"}
	c.heard("apply", "error: i-1 was invited", nil)
	if err := r.leftover(t.Context(), nil, left, c); err != nil || r.Staying != 1 || r.Named != 0 {
		t.Errorf("%v: %d stay, %d were named", err, r.Staying, r.Named)
	}
}

// Siblings go on at the same time; an object is one's, and what is beside both is one too many.
func TestSiblings(t *testing.T) {
	t.Parallel()
	a, b := newCycle(0, "n", "neon_snapshot", project{}), newCycle(0, "n", "neon_snapshot", project{})
	pair(a, b).areSiblings = true
	if !a.twin.begins(a) || !b.twin.begins(b) || !a.twin.mayHold(a, "s-1") {
		t.Error("both begin, and each may be creating anything")
	}
	a.twin.ends(a)
	b.twin.ends(b)
	if a.twin.mayHold(a, "s-1") || !b.twin.mayHold(b, "s-1") {
		t.Error("what one takes in the other leaves alone")
	}
	a.current = state{value: cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("s-1")})}
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
	c := &cycle{name: "n", resource: "neon_snapshot"}
	c.heard("apply", `error: A snapshot named "n" of branch br may have taken effect`, nil)
	r, left := NewReport(), object{kind: snapshots, ID: "s-1", Name: "n", BranchID: "br"}
	if !r.isLost(left, c) || r.isLost(left, c) {
		t.Error("one snapshot is left of one lost answer")
	}
	c.resource = "neon_role"
	if c.heard("apply", `error: Role "n" on branch br may have taken effect`,
		nil); !r.isLost(object{kind: roles, Name: "n", BranchID: "br"}, c) {
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

// What was there before the attack has to be as it was, but for the roles of cycles' members, and where restores move a
// compute.
func TestTouched(t *testing.T) {
	t.Parallel()
	member := func(id, email, role string) object {
		return shown(t, "members", map[string]any{"id": id, "email": email, "role": role})
	}
	before := []object{
		member("org/1", "c-1@example.com", "viewer"), member("org/2", "max@example.com", "viewer"),
		shown(t, "spending_limits", map[string]any{"id": "org", "spending_limit_cents": 5}),
		shown(t, "jwks", map[string]any{"id": "k"}),
		shown(t, "endpoints", map[string]any{"id": "ep-1", "branch_id": "br-replaced"}),
	}
	after := slices.Clone(before)
	after[4] = shown(t, "endpoints", map[string]any{"id": "ep-1", "branch_id": "br-restored"})
	after[0] = member("org/1", "c-1@example.com", "editor")
	after = append(after, shown(t, "jwks", map[string]any{"id": "new"}))
	if found := touched(before, after, []*cycle{{name: "c-1"}}); len(found) != 0 {
		t.Errorf("found %q", found)
	}
	after[1], after[3].ID = member("org/2", "max@example.com", "editor"), "other"
	after[2] = shown(t, "spending_limits", map[string]any{"id": "org", "spending_limit_cents": 6})
	if found := touched(before, after, []*cycle{{name: "c-1"}}); len(found) != 3 {
		t.Errorf("found %q", found)
	}
}

// Destroying what can't be taken back leaves it as it is, and says so.
func TestForget(t *testing.T) {
	t.Parallel()
	before := []object{{kind: "members", ID: "org/1"}, {kind: "invitations", ID: "2", Email: "c-1@example.com"}}
	c := &cycle{name: "c-1", resource: "neon_org_invitation"}
	c.forget("2", "warning: The invitation of c-1@example.com stays", slices.Clone(before), before)
	if extra, _ := c.account(before); len(extra) != 0 || len(c.surprises) != 0 {
		t.Errorf("extra: %v, surprises: %q", extra, c.surprises)
	}
	c.forget("2", "", slices.Clone(before), before)
	c.forget("2", "warning: 2 stays", slices.Clone(before), before[:1])
	if want := []string{"2 was forgotten, and no warning says",
		"destroying only forgets, and changed invitations 2"}; len(c.surprises) != 2 ||
		!strings.Contains(c.surprises[0], want[0]) || !strings.Contains(c.surprises[1], want[1]) {
		t.Errorf("surprises: %q", c.surprises)
	}
}

// What was named isn't an orphan, and each other live key of a run's is.
func TestEphemeralLeftovers(t *testing.T) {
	t.Parallel()
	named, forgotten := &ephemeralKey{name: "e-1"}, &ephemeralKey{name: "e-2"}
	named.heard("open", `error: An API key named "e-1" may have taken effect on the platform`, nil)
	all := []object{{kind: "api_keys", ID: 1.0, Name: "e-1"}, {kind: "api_keys", ID: 2.0, Name: "e-2"}}
	r := NewReport()
	for _, k := range []*ephemeralKey{named, forgotten} {
		r.closeKey(k, all, map[string]bool{})
	}
	if r.Named != 1 || len(r.Orphans) != 1 || !strings.HasPrefix(r.Orphans[0], "api_keys 2 e-2") {
		t.Errorf("%d named, orphans %q", r.Named, r.Orphans)
	}
}

// Where an attack ends at its first finding, the report has that alone: what others come to meanwhile says nothing.
func TestReport_keep(t *testing.T) {
	t.Parallel()
	good, bad := newCycle(0, "good", branch, project{}), newCycle(0, "bad", branch, project{})
	bad.surprise("a plan after an apply isn't empty")
	r := NewReport()
	if r.keep(t.Context(), []*cycle{good}, nil) || !r.Good() || r.Cycles != 0 {
		t.Errorf("a good run is a finding: %d cycles", r.Cycles)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if r.keep(ended, []*cycle{bad}, nil) || !r.Good() {
		t.Error("what comes after the end is a finding")
	}
	if !r.keep(t.Context(), []*cycle{good, bad}, nil) || len(r.Surprises) != 1 || r.Cycles != 2 {
		t.Errorf("%d surprises of %d cycles", len(r.Surprises), r.Cycles)
	}
	key := &ephemeralKey{}
	key.surprise("it outlives its run")
	if r := NewReport(); !r.keep(t.Context(), nil, []*ephemeralKey{key}) || r.Good() {
		t.Error("what a key comes to is no finding")
	}
	r = NewReport()
	if r.double(object{}, good); !r.keep(t.Context(), []*cycle{good}, nil) {
		t.Error("a double is no finding")
	}
}

// A branch without a parent is one that is made without data, and, where it was imported, one without parent_id.
func TestIsRoot(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		parentID, initSource string
		want                 bool
	}{
		{"br-main", "", false}, {"br-main", "parent-data", false}, {"br-main", "schema-only", true}, {"", "", true},
	} {
		c := newCycle(0, "n", branch, project{})
		c.current.value = cty.ObjectVal(map[string]cty.Value{
			"parent_id": cty.StringVal(test.parentID), "init_source": cty.StringVal(test.initSource),
		})
		if got := c.isRoot(); got != test.want {
			t.Errorf("with %+v: %v", test, got)
		}
	}
}

package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fate is what becomes of one creation at an origin, and of its answer.
type fate struct {
	// effect is when it takes effect after it was sent, none whether it never does; answered is
	// when its answer comes.
	effect, answered time.Duration
	none             bool
	// status and body are the answer in place of the origin's own; -1 breaks the connection.
	status int
	body   string
}

// origin makes objects of one kind, whatever a gateway in front of it says meanwhile.
type origin struct {
	kind creationKind

	mu      sync.Mutex
	objects []string
	marks   map[string]string // of projects and branches, by id
	// fates are those of the first creations; the last one goes for all that follow.
	fates []fate
	posts int
	// operations are the project's, and others the branches that it lists beside the objects.
	operations, others string
}

// creationKind is a kind of object without a unique name.
type creationKind struct {
	name string
	// create creates one and returns its id.
	create func(context.Context, *Client) (string, error)
	// posts and lists are the ends of the paths that create and list them. An answer has an
	// object by the field of object, a list by that of field.
	posts, lists, field, object string
	// text is an object with an id.
	text string
	// isMarked is true of what bears a mark of ours.
	isMarked bool
}

var creationKinds = []creationKind{
	{"project", func(ctx context.Context, c *Client) (string, error) {
		name := "shop"
		created, err := c.CreateProject(ctx, ProjectCreate{ProjectUpdate: ProjectUpdate{Name: &name}})
		return idOf(created, err, func() string { return created.Object.ID })
	}, "/projects", "/projects", "projects", "project",
		`{"id":%q,"name":"shop","created_at":"2099-01-01T00:00:00Z"}`, true},
	{"branch", func(ctx context.Context, c *Client) (string, error) {
		created, err := c.CreateBranch(ctx, "p", BranchCreate{})
		return idOf(created, err, func() string { return created.Object.ID })
	}, "/p/branches", "/p/branches", "branches", "branch", `{"id":%q}`, true},
	{"endpoint", func(ctx context.Context, c *Client) (string, error) {
		created, err := c.CreateEndpoint(ctx, aBranch, EndpointCreate{Type: EndpointReadOnly})
		return idOf(created, err, func() string { return created.Object.ID })
	}, "/p/endpoints", "/branches/b/endpoints", "endpoints", "endpoint",
		`{"id":%q,"type":"read_only","branch_id":"b","current_state":"active"}`, false},
	{"snapshot", func(ctx context.Context, c *Client) (string, error) {
		created, err := c.CreateSnapshot(ctx, aBranch, SnapshotCreate{Name: "n"})
		return idOf(created, err, func() string { return created.Object.ID })
	}, "/snapshot", "/p/snapshots", "snapshots", "snapshot", `{"id":%q,"name":"n","manual":true,"source_branch_id":"b"}`,
		false},
	{"snapshot with a slug", func(ctx context.Context, c *Client) (string, error) {
		created, err := c.CreateSnapshot(ctx, aBranch, SnapshotCreate{Slug: "s"})
		return idOf(created, err, func() string { return created.Object.ID })
	}, "/snapshot", "/p/snapshots", "snapshots", "snapshot", `{"id":%q,"slug":"s","manual":true,"source_branch_id":"b"}`,
		false},
	{"snapshot whose source isn't said", func(ctx context.Context, c *Client) (string, error) {
		created, err := c.CreateSnapshot(ctx, aBranch, SnapshotCreate{LSN: "0/1"})
		return idOf(created, err, func() string { return created.Object.ID })
	}, "/snapshot", "/p/snapshots", "snapshots", "snapshot", `{"id":%q,"name":"its own","manual":true,"lsn":"0/1"}`,
		false},
	{"JWKS URL", func(ctx context.Context, c *Client) (string, error) {
		added, err := c.CreateJWKS(ctx, "p", JWKSAdd{URL: "https://k", ProviderName: "n"})
		return idOf(added, err, func() string { return added.Object.ID })
	}, "/p/jwks", "/p/jwks", "jwks", "jwks", `{"id":%q,"jwks_url":"https://k","provider_name":"n"}`, false},
	{"invitation", func(ctx context.Context, c *Client) (string, error) {
		invited, err := c.CreateInvitation(ctx, "o", "a@b", "editor")
		return idOf(invited, err, func() string { return invited.ID })
	}, "/o/invitations", "/o/invitations", "invitations", "", `{"id":%q,"email":"A@b"}`, false},
}

func idOf[T any](created *T, err error, id func() string) (string, error) {
	if err != nil || created == nil {
		return "", err
	}
	return id(), nil
}

func (o *origin) RoundTrip(request *http.Request) (*http.Response, error) {
	connected(request)
	path := request.URL.Path
	switch {
	case request.Method == http.MethodPost && strings.HasSuffix(path, o.kind.posts):
		return o.creates(request)
	case strings.HasSuffix(path, "/operations"):
		return respond(request, http.StatusOK, `{"operations":[`+o.operations+`]}`), nil
	case o.kind.name == "project" && strings.HasSuffix(path, "/branches"):
		id := strings.Split(path, "/")[4]
		o.mu.Lock()
		defer o.mu.Unlock()
		return respond(request, http.StatusOK, `{"branches":[{"id":"br","default":true}],"annotations":{"br":`+
			o.annotation(id)+`}}`), nil
	case strings.HasSuffix(path, o.kind.lists):
		return o.lists(request)
	}
	return respond(request, http.StatusOK, `{"endpoints":[],"roles":[],"databases":[],"branches":[`+o.others+`]}`), nil
}

func (o *origin) annotation(id string) string {
	return fmt.Sprintf(`{"value":{%q:%q}}`, creationAnnotation, o.marks[id])
}

func (o *origin) lists(request *http.Request) (*http.Response, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	annotations := []string{}
	for id := range o.marks {
		annotations = append(annotations, fmt.Sprintf("%q:%s", id, o.annotation(id)))
	}
	return respond(request, http.StatusOK, fmt.Sprintf(`{%q:[%s],"annotations":{%s}}`, o.kind.field,
		strings.Join(o.objects, ","), strings.Join(annotations, ","))), nil
}

func (o *origin) creates(request *http.Request) (*http.Response, error) {
	var sent struct {
		Project     struct{ Branch ProjectBranch }
		Annotations map[string]string `json:"annotation_value"`
	}
	if request.Body != nil {
		_ = json.NewDecoder(request.Body).Decode(&sent)
	}
	o.mu.Lock()
	fate := o.fates[min(o.posts, len(o.fates)-1)]
	o.posts++
	id := fmt.Sprint("id-", o.posts)
	o.mu.Unlock()
	mark := sent.Annotations[creationAnnotation] + sent.Project.Branch.Annotations[creationAnnotation]
	text := fmt.Sprintf(o.kind.text, id)
	take := func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.objects = append(o.objects, text)
		if o.marks == nil {
			o.marks = map[string]string{}
		}
		if o.kind.isMarked {
			o.marks[id] = mark
		}
	}
	switch {
	case fate.none:
	case fate.effect == 0:
		take()
	default:
		time.AfterFunc(fate.effect, take)
	}
	select {
	case <-time.After(fate.answered):
	case <-request.Context().Done():
		return nil, request.Context().Err()
	}
	switch {
	case fate.status == -1:
		return nil, errors.New("connection reset by peer")
	case fate.status != 0:
		return respond(request, fate.status, fate.body), nil
	case o.kind.object == "":
		return respond(request, http.StatusCreated, fmt.Sprintf(`{%q:[%s]}`, o.kind.field, text)), nil
	}
	return respond(request, http.StatusCreated, fmt.Sprintf(`{%q:%s,"branch":{"id":%q},"operations":[]}`, o.kind.object,
		text, id)), nil
}

// A creation is sent once, whatever a gateway says of it, and however late it takes effect. What
// is there soon is gone on with; of what isn't, the error says that it may come.
func TestOneCreationMakesOneObject(t *testing.T) {
	const page = "upstream connect error or disconnect/reset before headers"
	for name, test := range map[string]struct {
		fate  fate
		found bool
		made  int
	}{
		"no fault":                        {fate{}, true, 1},
		"504, at once":                    {fate{status: 504}, true, 1},
		"504, 1 s later":                  {fate{status: 504, effect: time.Second}, true, 1},
		"504, as long as is looked":       {fate{status: 504, effect: 3700 * time.Millisecond}, true, 1},
		"504, 5 s later":                  {fate{status: 504, effect: 5 * time.Second}, false, 1},
		"504, 20 s later":                 {fate{status: 504, effect: 20 * time.Second}, false, 1},
		"524, a minute later":             {fate{status: 524, effect: time.Minute}, false, 1},
		"504, five minutes later":         {fate{status: 504, effect: 5 * time.Minute}, false, 1},
		"504, never":                      {fate{status: 504, none: true}, false, 0},
		"the connection breaks":           {fate{status: -1, effect: time.Minute}, false, 1},
		"slower than an attempt":          {fate{answered: attemptTimeout + 10*time.Second, effect: attemptTimeout + 5*time.Second}, false, 1},
		"a proxy's 503":                   {fate{status: 503, body: page}, true, 1},
		"a proxy's 503, 10 s before":      {fate{status: 503, body: page, effect: 10 * time.Second}, false, 1},
		"a proxy's 423":                   {fate{status: 423, body: page}, true, 1},
		"a proxy's 409":                   {fate{status: 409, body: page}, true, 1},
		"a proxy's 408":                   {fate{status: 408, body: page}, true, 1},
		"a proxy's 302":                   {fate{status: 302, body: page}, true, 1},
		"a proxy's 307, 10 s before":      {fate{status: 307, body: page, effect: 10 * time.Second}, false, 1},
		"408 in Neon's words":             {fate{status: 408, body: `{"message":"timeout"}`}, true, 1},
		"a success that can't be decoded": {fate{status: 200, body: "<html>"}, true, 1},
	} {
		for _, kind := range creationKinds {
			t.Run(kind.name+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					origin := &origin{kind: kind, fates: []fate{test.fate}}
					id, err := kind.create(t.Context(), newClient(t, origin))
					var lost *AmbiguousError
					if test.found && (err != nil || id != "id-1") || !test.found && !errors.As(err, &lost) {
						t.Errorf("got %q, %v", id, err)
					}
					if !test.found && lost != nil {
						contains(t, err.Error(), "may have taken effect; it was not sent again, so that nothing is done twice",
							"may still have one")
					}
					time.Sleep(10 * time.Minute)
					synctest.Wait()
					equal(t, "requests", origin.posts, 1)
					equal(t, "objects", len(origin.objects), test.made)
				})
			})
		}
	}
}

// What Neon itself refuses, and what never left, has no effect, and is sent again.
func TestARefusedCreationIsSentAgain(t *testing.T) {
	for _, kind := range creationKinds {
		t.Run(kind.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				refused := fate{none: true, status: 503, body: `{"message":"restarting"}`}
				origin := &origin{kind: kind, fates: []fate{refused, {none: true, status: 429}, refused, {}}}
				dials := 0
				id, err := kind.create(t.Context(), newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					if dials++; dials%3 == 1 {
						return nil, errors.New("dial: connection refused")
					}
					return origin.RoundTrip(request)
				}), func(c *Config) { c.MaxRetries = 10 }))
				if err != nil || id != "id-4" {
					t.Errorf("got %q, %v", id, err)
				}
			})
		})
	}
}

// Siblings that are created side by side are each their own creation's, whatever is lost.
func TestOneObjectHasOneOwner(t *testing.T) {
	for name, test := range map[string]struct {
		fates        []fate
		owned, known int
	}{
		"all well":                  {[]fate{{}}, 4, 4},
		"a request is lost":         {[]fate{{}, {status: 504, none: true}, {}}, 3, 3},
		"an answer is lost":         {[]fate{{}, {status: 504}, {}}, 4, 4},
		"the first is lost":         {[]fate{{status: 504, none: true}, {}}, 3, 3},
		"two answers are lost":      {[]fate{{status: 504}, {status: 504, effect: time.Second}, {}}, 4, 4},
		"one comes into the next":   {[]fate{{status: 504, effect: 6 * time.Second}, {status: 504, effect: 10 * time.Minute}, {}}, 2, 4},
		"slow, and others are lost": {[]fate{{answered: 2 * time.Second, effect: 100 * time.Millisecond}, {status: 504, none: true}}, 1, 1},
		"slow, and one is lost":     {[]fate{{answered: 2 * time.Second}, {status: 504, none: true}, {answered: time.Second}}, 3, 3},
		"a proxy's 503 before one":  {[]fate{{status: 503, body: "busy", none: true}, {}}, 3, 3},
	} {
		for _, kind := range creationKinds {
			if kind.isMarked {
				continue
			}
			t.Run(kind.name+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					origin := &origin{kind: kind, fates: test.fates}
					api := newClient(t, origin)
					var mu sync.Mutex
					var ids []string
					var all sync.WaitGroup
					for range 4 {
						all.Go(func() {
							id, err := kind.create(t.Context(), api)
							var lost *AmbiguousError
							if err != nil && !errors.As(err, &lost) {
								t.Error(err)
							}
							mu.Lock()
							defer mu.Unlock()
							if err == nil {
								ids = append(ids, id)
							}
						})
					}
					all.Wait()
					time.Sleep(15 * time.Minute)
					synctest.Wait()
					slices.Sort(ids)
					equal(t, "owners of "+strings.Join(ids, " "), len(ids), test.owned)
					equal(t, "owned", len(slices.Compact(ids)), test.owned)
					equal(t, "objects", len(origin.objects), test.known)
				})
			})
		}
	}
}

// An object of another run that comes while a creation waits for other work isn't its own.
func TestWhatCameWhileACreationWaitedIsAnothers(t *testing.T) {
	for _, kind := range creationKinds {
		if kind.isMarked || kind.name == "invitation" { // An organization has no such locks.
			continue
		}
		t.Run(kind.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				held := fate{none: true, status: 423, body: `{"message":"project already has running conflicting operations"}`}
				origin := &origin{kind: kind, fates: []fate{held, held, held, {none: true, status: 504}}}
				time.AfterFunc(150*time.Millisecond, func() {
					origin.mu.Lock()
					defer origin.mu.Unlock()
					origin.objects = append(origin.objects, fmt.Sprintf(kind.text, "another's"))
				})
				id, err := kind.create(t.Context(), newClient(t, origin))
				var lost *AmbiguousError
				if !errors.As(err, &lost) || !slices.Contains(lost.Known, "another's") {
					t.Errorf("got %q, %v", id, err)
				}
				equal(t, "requests", origin.posts, 4)
			})
		})
	}
}

// What has a name is told from another run's by when Neon made it: that was before our request, which waited.
func TestANameThatCameWhileACreationWaitedIsAnothers(t *testing.T) {
	kinds := map[string]func(context.Context, *Client) error{
		"roles": func(ctx context.Context, c *Client) error {
			_, err := c.CreateRole(ctx, aBranch, RoleCreate{Name: "x"})
			return err
		},
		"databases": func(ctx context.Context, c *Client) error {
			_, err := c.CreateDatabase(ctx, aBranch, DatabaseCreate{Name: "x"})
			return err
		},
	}
	for kind, create := range kinds {
		for name, fates := range map[string][]int{"lost at last": {423, 504, 409}, "lost at first": {504, 423, 409}} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					objects, posts := "", 0
					err := create(t.Context(), newClient(t, roundTrip(func(r *http.Request) (*http.Response, error) {
						connected(r)
						answer := `{"operations":[],"` + kind + `":[` + objects + `]}`
						status := http.StatusOK
						if r.Method == http.MethodPost {
							status, answer = fates[posts], `{"message":"no"}`
							if posts++; status == 423 {
								objects = fmt.Sprintf(`{"name":"x","created_at":%q}`, time.Now().UTC().Format(time.RFC3339))
								time.Sleep(10 * time.Second)
							}
						}
						response := respond(r, status, answer)
						response.Header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
						return response, nil
					})))
					isOurs := fates[0] == 504
					if isOurs != (err == nil) || !isOurs && (!IsLost(err) || !HasStatus(err, 409)) {
						t.Errorf("got %v", err)
					}
				})
			})
		}
	}
}

// Of what is there before, is of another kind or has another name, nothing is ours.
func TestWhatIsNotAlikeIsAnothers(t *testing.T) {
	for _, test := range []struct{ kind, text string }{
		{"endpoint", `{"id":%q,"type":"read_write","branch_id":"b"}`},
		{"endpoint", `{"id":%q,"type":"read_only","branch_id":"b","name":"n"}`},
		{"snapshot", `{"id":%q,"name":"n","manual":false,"source_branch_id":"b"}`},
		{"snapshot", `{"id":%q,"name":"n","manual":true,"source_branch_id":"a"}`},
		{"snapshot", `{"id":%q,"name":"m","manual":true,"source_branch_id":"b"}`},
		{"snapshot with a slug", `{"id":%q,"slug":"t","manual":true,"source_branch_id":"b"}`},
		{"snapshot whose source isn't said", `{"id":%q,"manual":true,"lsn":"0/2"}`},
		{"JWKS URL", `{"id":%q,"jwks_url":"https://l","provider_name":"n"}`},
		{"JWKS URL", `{"id":%q,"jwks_url":"https://k","provider_name":"n","branch_id":"b"}`},
		{"JWKS URL", `{"id":%q,"jwks_url":"https://k","provider_name":"n","jwt_audience":"b"}`},
		{"invitation", `{"id":%q,"email":"c@b"}`},
		{"project", `{"id":%q,"name":"shop-2","created_at":"2099-01-01T00:00:00Z"}`},
		{"branch", `{"id":%q,"name":"n"}`},
	} {
		i := slices.IndexFunc(creationKinds, func(kind creationKind) bool { return kind.name == test.kind })
		for when, arrives := range map[string]bool{"before": false, "meanwhile": true} {
			t.Run(test.kind+"/"+when, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					origin := &origin{kind: creationKinds[i], fates: []fate{{none: true, status: 504}}}
					come := func() {
						origin.mu.Lock()
						defer origin.mu.Unlock()
						origin.objects = append(origin.objects, fmt.Sprintf(test.text, "another's"))
					}
					if arrives {
						time.AfterFunc(time.Millisecond, come)
					} else {
						origin.objects = append(origin.objects, fmt.Sprintf(creationKinds[i].text, "another's"))
						origin.marks = map[string]string{"another's": "theirs"}
					}
					if id, err := creationKinds[i].create(t.Context(), newClient(t, origin)); err == nil {
						t.Errorf("got %q", id)
					}
				})
			})
		}
	}
}

// Where two are new, none is taken, and both are named.
func TestTwoNewOnesAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		origin := &origin{kind: creationKinds[2], fates: []fate{{status: 504}}}
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPost {
				origin.objects = append(origin.objects, fmt.Sprintf(origin.kind.text, "another's"))
			}
			return origin.RoundTrip(request)
		}))
		_, err := origin.kind.create(t.Context(), api)
		var lost *AmbiguousError
		var doubtful *DoubtfulError
		if !errors.As(err, &lost) || !errors.As(lost.LookupErr, &doubtful) ||
			!slices.Equal(doubtful.IDs, []string{"another's", "id-1"}) || len(lost.Known) != 0 {
			t.Errorf("got %v", err)
		}
	})
}

// Ctrl-C leaves a creation its answer, and one look where that doesn't come. Nothing is sent
// after it but that look.
func TestAnInterruptedCreation(t *testing.T) {
	for name, test := range map[string]struct {
		fate  fate
		found bool
		took  time.Duration
	}{
		"answered within the grace": {fate{answered: 9 * time.Second}, true, 9 * time.Second},
		"answered after the grace":  {fate{effect: 8 * time.Second, answered: time.Minute}, true, creationGrace + time.Second},
		"lost, with its effect":     {fate{status: 504, answered: 2 * time.Second, effect: time.Second}, true, 2 * time.Second},
		"lost, without":             {fate{status: 504, answered: 2 * time.Second, none: true}, false, 2 * time.Second},
		"interrupted between looks": {fate{status: 504, effect: 900 * time.Millisecond}, true, time.Second},
	} {
		for _, kind := range creationKinds {
			t.Run(kind.name+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, interrupt := context.WithCancel(t.Context())
					time.AfterFunc(time.Second, interrupt)
					origin := &origin{kind: kind, fates: []fate{test.fate}}
					began := time.Now()
					id, err := kind.create(ctx, newClient(t, origin))
					equal(t, "took", time.Since(began), test.took)
					equal(t, "requests", origin.posts, 1)
					var lost *AmbiguousError
					if test.found && (err != nil || id != "id-1") || !test.found && (!errors.As(err, &lost) || lost.LookupErr == nil) {
						t.Errorf("got %q, %v", id, err)
					}
				})
			})
		}
	}
}

// A look after Ctrl-C that gets no answer ends within its time, and the error says so.
func TestALastLookIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		origin := &origin{kind: creationKinds[0], fates: []fate{{status: 504}}}
		time.AfterFunc(time.Second, interrupt)
		began := time.Now()
		_, err := origin.kind.create(ctx, newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodGet {
				connected(request)
				<-request.Context().Done()
				return nil, request.Context().Err()
			}
			return origin.RoundTrip(request)
		})))
		equal(t, "took", time.Since(began), time.Second+lastLook)
		contains(t, err.Error(), `A project named "shop" may have taken effect`, "Whether it did isn't known")
	})
}

// After a lost answer a snapshot is waited for as after any: its operations are about its source or
// about a branch that isn't listed, and no other's.
func TestALostSnapshotsOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kind := creationKinds[slices.IndexFunc(creationKinds,
			func(kind creationKind) bool { return kind.name == "snapshot" })]
		kind.text = `{"id":%q,"name":"n","manual":true,"source_branch_id":"b","created_at":"2026-01-01T10:00:00Z"}`
		operation := func(id, branch, at string) string {
			return fmt.Sprintf(`{"id":%q,"branch_id":%q,"status":"running","created_at":"2026-01-01T%sZ"}`, id, branch, at)
		}
		platform := &origin{
			kind: kind, fates: []fate{{status: 504}}, others: `{"id":"b"},{"id":"listed"}`,
			operations: strings.Join([]string{
				operation("copies", "hidden", "10:00:00"), operation("of the source", "b", "10:00:00"),
				operation("of a branch", "listed", "10:00:00"), operation("older", "hidden too", "09:00:00"),
			}, ","),
		}
		created, err := newClient(t, platform).CreateSnapshot(t.Context(), aBranch, SnapshotCreate{Name: "n"})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, operation := range created.Operations {
			ids = append(ids, operation.ID)
		}
		if want := []string{"copies", "of the source"}; !slices.Equal(ids, want) {
			t.Errorf("got %q, want %q", ids, want)
		}
	})
}

// A snapshot is taken for the one that is asked for again where it is the branch's, young, whole and stays as long.
func TestASnapshotIsAdopted(t *testing.T) {
	now := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	at := func(ago time.Duration) *time.Time { moment := now.Add(-ago); return &moment }
	kind := creationKinds[slices.IndexFunc(creationKinds, func(kind creationKind) bool { return kind.name == "snapshot" })]
	asked := SnapshotCreate{Name: "n", ExpiresAt: at(-time.Hour), Within: 10 * time.Minute, Since: *at(4 * time.Minute),
		Whole: "whole"}
	for name, test := range map[string]struct {
		change     func(*Snapshot)
		operations string
		want       []string // the operations; nil where another is taken
	}{
		"the same":            {func(*Snapshot) {}, `{"id":"o","branch_id":"hidden","status":"running","created_at":"2026-01-01T09:59:00Z"}`, []string{"o"}},
		"whole":               {func(*Snapshot) {}, `{"id":"o","branch_id":"hidden","status":"finished","created_at":"2026-01-01T09:59:00Z"}`, []string{}},
		"stays for good":      {func(s *Snapshot) { s.ExpiresAt = nil }, "", []string{}},
		"expires earlier":     {func(s *Snapshot) { s.ExpiresAt = at(-40 * time.Minute) }, "", nil},
		"of before":           {func(s *Snapshot) { s.CreatedAt = *at(5 * time.Minute) }, "", nil},
		"of that second":      {func(s *Snapshot) { s.CreatedAt = *at(4 * time.Minute) }, "", nil},
		"too old":             {func(s *Snapshot) { s.CreatedAt = *at(10 * time.Minute) }, "", nil},
		"of another name":     {func(s *Snapshot) { s.Name = "N" }, "", nil},
		"of another branch":   {func(s *Snapshot) { s.SourceBranchID = "c" }, "", nil},
		"of an unsaid branch": {func(s *Snapshot) { s.SourceBranchID = "" }, "", nil},
		"of the past":         {func(s *Snapshot) { s.Timestamp = at(time.Hour) }, "", nil},
		"of a schedule":       {func(s *Snapshot) { s.Manual = false }, "", nil},
		"failed":              {func(*Snapshot) {}, `{"id":"o","branch_id":"hidden","status":"failed","created_at":"2026-01-01T09:59:00Z"}`, nil},
		"seen whole":          {func(s *Snapshot) { s.ID = "whole" }, `{"id":"o","branch_id":"hidden","status":"failed","created_at":"2026-01-01T09:59:00Z"}`, []string{}},
		"cancelled":           {func(*Snapshot) {}, `{"id":"o","branch_id":"b","status":"cancelled","created_at":"2026-01-01T09:59:00Z"}`, nil},
		"a compute's failure": {func(*Snapshot) {}, `{"id":"o","branch_id":"b","endpoint_id":"e","status":"cancelled","created_at":"2026-01-01T09:59:00Z"}`, []string{}},
		"another's failure":   {func(*Snapshot) {}, `{"id":"o","branch_id":"listed","status":"failed","created_at":"2026-01-01T09:59:00Z"}`, []string{}},
		"a failure of a deleted branch": {func(*Snapshot) {}, `{"id":"o","branch_id":"gone","status":"failed","created_at":"2026-01-01T09:59:00Z"},
			{"id":"p","branch_id":"gone","status":"finished","created_at":"2026-01-01T09:50:00Z"}`, []string{}},
		"a failure of a deleted branch with a compute": {func(*Snapshot) {}, `{"id":"o","branch_id":"gone","status":"failed","created_at":"2026-01-01T09:59:00Z"},
			{"id":"p","branch_id":"gone","endpoint_id":"e","status":"cancelled","created_at":"2026-01-01T09:59:00Z"}`, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, &origin{kind: kind, others: `{"id":"b"},{"id":"listed"}`, operations: test.operations})
			snapshot := Snapshot{ID: "s", Name: "n", SourceBranchID: "b", CreatedAt: *at(time.Minute),
				ExpiresAt: at(-59 * time.Minute), Manual: true}
			test.change(&snapshot)
			alike := slices.DeleteFunc([]Snapshot{snapshot}, func(s Snapshot) bool { return !asked.mayBe(s, "b") })
			adopted, err := c.adoptSnapshot(t.Context(), aBranch, asked, now, alike)
			var got []string
			if adopted != nil {
				got = []string{}
				for _, operation := range adopted.Operations {
					got = append(got, operation.ID)
				}
			}
			if err != nil || (got == nil) != (test.want == nil) || !slices.Equal(got, test.want) {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
}

package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// listing is a platform with one list, whose answers are those of the moment at which a request came.
type listing struct {
	field, one string // of the list, and an object in it by its id and its name
	// lists and writes are how long an answer takes, and behind is how late the list has what was made.
	lists, writes, behind time.Duration
	// lose are the writes, from the first on, whose answer is lost, and whether they take effect.
	lose map[int]bool

	mu     sync.Mutex
	made   []string
	wrote  int
	listed int
}

func (l *listing) make(id, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made = append(l.made, fmt.Sprintf(l.one, id, name))
}

func (l *listing) RoundTrip(request *http.Request) (*http.Response, error) {
	connected(request)
	if request.Method == http.MethodGet && !strings.HasSuffix(request.URL.Path, l.field) {
		return respond(request, http.StatusOK, `{"operations":[],"branches":[]}`), nil
	}
	if request.Method == http.MethodGet {
		l.mu.Lock()
		l.listed++
		body := fmt.Sprintf(`{%q:[%s]}`, l.field, strings.Join(l.made, ","))
		l.mu.Unlock()
		time.Sleep(l.lists)
		return respond(request, http.StatusOK, body), nil
	}
	body, err := io.ReadAll(readerOf(request.Body))
	if err != nil {
		return nil, err
	}
	time.Sleep(l.writes)
	l.mu.Lock()
	l.wrote++
	id := fmt.Sprint("made-", l.wrote)
	takesEffect, isLost := l.lose[l.wrote]
	l.mu.Unlock()
	if request.Method == http.MethodDelete {
		l.mu.Lock()
		defer l.mu.Unlock()
		name := request.URL.Path[strings.LastIndex(request.URL.Path, "/")+1:]
		l.made = slices.DeleteFunc(l.made, func(one string) bool { return strings.Contains(one, fmt.Sprintf("%q", name)) })
		return respond(request, http.StatusOK, `{"role":{"name":"x"}}`), nil
	}
	_, name, _ := strings.Cut(string(body), `"name":"`)
	name, _, _ = strings.Cut(name, `"`)
	switch isMade := !isLost || takesEffect; {
	case isMade && l.behind > 0:
		time.AfterFunc(l.behind, func() { l.make(id, name) })
	case isMade:
		l.make(id, name)
	}
	if isLost {
		return respond(request, http.StatusGatewayTimeout, `{}`), nil
	}
	return respond(request, http.StatusCreated, fmt.Sprintf(
		`{"token_id":%[1]q,"bucket":{"name":%[2]q},"role":{"name":%[2]q},"snapshot":{"id":%[1]q},"operations":[]}`, id,
		name)), nil
}

// What this client has created is nobody else's effect, though the list lacked it just before.
func TestAnEarlierCreationIsNobodyElses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &listing{field: "credentials", one: `{"token_id":%q,"name":%q,"principal_type":"user"}`,
			behind: 3 * time.Second, lose: map[int]bool{2: false}}
		api := newClient(t, platform)
		if _, err := api.CreateCredential(t.Context(), aBranch, CredentialCreate{Name: "n"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if second, err := api.CreateCredential(t.Context(), aBranch, CredentialCreate{Name: "n"}); !IsLost(err) {
			t.Errorf("got %v, %v", second, err)
		}
	})
}

// Namesakes are what others have left. They are looked for in a list that creations share, and leave it as it is.
func TestNamesakesOfACreation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &listing{field: "credentials", one: `{"token_id":%q,"name":%q,"principal_type":"user"}`,
			lose: map[int]bool{4: false}}
		for _, name := range []string{"other", "n", "", "o"} {
			platform.make("id-"+name, name)
		}
		api := newClient(t, platform)
		for i, test := range []struct{ name, want string }{{"n", "id-n"}, {"n", "id-n"}, {"", ""}} {
			if i == 1 { // Neon's list says more of the first than the answer that created it.
				time.Sleep(2 * oldestBefore)
			}
			created, err := api.CreateCredential(t.Context(), aBranch, CredentialCreate{Name: test.name})
			var ids []string
			if err != nil {
				t.Fatal(err)
			}
			for _, namesake := range created.Namesakes {
				ids = append(ids, namesake.TokenID)
			}
			equal(t, "namesakes of "+test.name, strings.Join(ids, " "), test.want)
		}
		if created, err := api.CreateCredential(t.Context(), aBranch, CredentialCreate{Name: "other"}); !IsLost(err) {
			t.Errorf("what was there before is taken: got %v, %v", created, err)
		}
		equal(t, "lists, with the looks", platform.listed, 2+len(settlingLooks))
	})
}

// What is created while a list is under way, and may be too late for that, is added to it.
func TestAListUnderWayHasWhatIsCreated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &listing{field: "buckets", one: `{"id":%q,"name":%q}`, lists: 100 * time.Millisecond,
			writes: 50 * time.Millisecond}
		api := newClient(t, platform)
		var all sync.WaitGroup
		errs := map[string]error{}
		create := func(after time.Duration, called, name string) {
			all.Go(func() {
				time.Sleep(after)
				_, err := api.CreateBucket(t.Context(), aBranch, name, "private")
				platform.mu.Lock()
				defer platform.mu.Unlock()
				errs[called] = err
			})
		}
		create(0, "first", "x")
		create(110*time.Millisecond, "beside", "y") // Its list begins before the first is made, and ends after.
		create(120*time.Millisecond, "second", "x")
		all.Wait()
		if errs["first"] != nil || errs["beside"] != nil || platform.wrote != 2 {
			t.Errorf("got %v after %d", errs, platform.wrote)
		}
		if !errors.Is(errs["second"], ErrTaken) && errs["second"] == nil {
			t.Errorf("the second: got %v", errs["second"])
		}
	})
}

// What was listed while a removal was under way isn't what is there before a creation that follows.
func TestAListOfBeforeARemoval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &listing{field: "roles", one: `{"id":%q,"name":%q}`, writes: 300 * time.Millisecond,
			lose: map[int]bool{3: true}}
		platform.make("1", "x")
		api := newClient(t, platform)
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := api.DeleteRole(t.Context(), aBranch, "x"); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(100 * time.Millisecond)
		if _, err := api.CreateRole(t.Context(), aBranch, RoleCreate{Name: "y"}); err != nil {
			t.Error(err)
		}
		all.Wait()
		if _, err := api.CreateRole(t.Context(), aBranch, RoleCreate{Name: "x"}); err != nil || platform.wrote != 3 {
			t.Errorf("got %v after %d writes", err, platform.wrote)
		}
	})
}

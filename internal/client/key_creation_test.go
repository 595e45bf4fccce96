package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// keyring is a platform's personal keys, whose answers can be lost.
type keyring struct {
	// user is whose keys they are, and who creates them.
	user   string
	mu     sync.Mutex
	keys   []client.APIKey
	nextID int64
	// faults are what happens to the next creations: "before" loses the request,
	// "after" its answer, "late" takes effect two seconds after its answer was
	// lost, "later" five, "a minute later" sixty, "refused" is answered by a proxy, and
	// "another" with the id of the first key.
	faults  []string
	revoked []int64
	// refuses is the status that revocations are answered with.
	refuses int
	// ahead is how far the platform's clock is ahead, slow how long its lists take, after half of
	// which they are dated, and odd adds a key to them that can't be decoded.
	ahead, slow time.Duration
	odd         bool
}

func (k *keyring) now() time.Time { return time.Now().Add(k.ahead) }

func (k *keyring) list(request *http.Request) (*http.Response, error) {
	time.Sleep(k.slow / 2)
	date := k.now()
	time.Sleep(k.slow / 2)
	keys := []any{}
	for _, key := range k.keys {
		keys = append(keys, key)
	}
	if k.odd {
		keys = append(keys, map[string]any{"id": 99, "name": []string{"ci"}})
	}
	response, err := answer(request, 200, keys)
	response.Header.Set("Date", date.UTC().Format(http.TimeFormat))
	return response, err
}

func (k *keyring) add(name string) int64 {
	k.nextID++
	k.keys = append(k.keys, client.APIKey{ID: k.nextID, Name: name, CreatedAt: k.now(), CreatedBy: client.Creator(k.user)})
	return k.nextID
}

func (k *keyring) RoundTrip(request *http.Request) (*http.Response, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case strings.HasSuffix(request.URL.Path, "/users/me"):
		return answer(request, 200, map[string]string{"id": k.user})
	case request.Method == http.MethodGet:
		return k.list(request)
	case request.Method == http.MethodDelete:
		return k.revoke(request)
	}
	var body struct {
		KeyName string `json:"key_name"`
	}
	if err := json.NewDecoder(request.Body).Decode(&body); err != nil {
		return nil, err
	}
	fault := ""
	if len(k.faults) > 0 {
		fault, k.faults = k.faults[0], k.faults[1:]
	}
	lost, err := answer(request, 502, map[string]any{"message": "bad gateway"})
	lost.Header.Set("Date", k.now().UTC().Format(http.TimeFormat))
	switch fault {
	case "before":
		return lost, err
	case "after":
		k.add(body.KeyName)
		return lost, err
	case "late", "later", "a minute later":
		delay := map[string]time.Duration{"late": 1600 * time.Millisecond, "later": 5 * time.Second,
			"a minute later": time.Minute}[fault]
		time.AfterFunc(delay, func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.add(body.KeyName)
		})
		return lost, err
	case "refused":
		return answer(request, http.StatusNotFound, map[string]any{"message": "no longer allowed"})
	case "withheld":
		k.add(body.KeyName)
		return answer(request, http.StatusForbidden, "the answer has a secret")
	}
	id := k.add(body.KeyName)
	told := id
	if fault == "another" {
		told = k.keys[0].ID
	}
	return answer(request, 200, map[string]any{
		"id": told, "name": body.KeyName, "key": fmt.Sprintf("napi_%d", id), "created_at": time.Now(),
		"created_by": "someone",
	})
}

func (k *keyring) revoke(request *http.Request) (*http.Response, error) {
	if k.refuses != 0 {
		return answer(request, k.refuses, map[string]any{"message": "not now"})
	}
	var id int64
	_, _ = fmt.Sscan(request.URL.Path[strings.LastIndex(request.URL.Path, "/")+1:], &id)
	for i, key := range k.keys {
		if key.ID == id {
			k.keys = append(k.keys[:i:i], k.keys[i+1:]...)
			k.revoked = append(k.revoked, id)
			return answer(request, 200, map[string]any{"id": id, "revoked": true})
		}
	}
	return answer(request, 404, map[string]any{"message": "key not found"})
}

func TestAKeyWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	for _, clock := range []time.Duration{0, -time.Hour, 20 * time.Second} {
		for name, faults := range map[string][]string{
			"no fault":                      nil,
			"the answer is lost":            {"after"},
			"the answer is lost twice":      {"after", "after"},
			"it takes effect late":          {"late"},
			"late, and the next answer too": {"late", "after"},
		} {
			t.Run(fmt.Sprint(name, " ", clock), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					platform := &keyring{faults: faults, ahead: clock}
					created, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
					if err != nil {
						t.Fatal(err)
					}
					time.Sleep(time.Minute)
					if len(platform.keys) != 1 || platform.keys[0].ID != created.ID {
						t.Errorf("live keys: %v, want %d alone", platform.keys, created.ID)
					}
				})
			})
		}
	}
}

// An answer with the id of a key that was there before is about that one: the new key would stay, and nothing name it.
func TestAKeyAnsweredWithAnothersIDIsMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"another"}}
		old := platform.add("old")
		created, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
		if err != nil {
			t.Fatal(err)
		}
		if len(platform.keys) != 2 || platform.keys[0].ID != old || platform.keys[1].ID != created.ID {
			t.Errorf("live keys: %v, want %d and %d", platform.keys, old, created.ID)
		}
	})
}

// A key that isn't there after a lost answer may still come, so no second one is created. The
// error says how to find it, and how to revoke it.
func TestAKeyThatMayStillComeIsNotMadeAgain(t *testing.T) {
	for name, test := range map[string]struct {
		faults []string
		live   int
	}{
		"the request is lost":          {[]string{"before"}, 0},
		"it takes effect a minute on":  {[]string{"a minute later"}, 1},
		"lost in every way one by one": {[]string{"after", "late", "before"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &keyring{faults: test.faults}
				_, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
				var lost *client.AmbiguousError
				if !errors.As(err, &lost) {
					t.Fatalf("got %v", err)
				}
				for _, part := range []string{`no new key named "ci"`, "asked for at 2000-01-01T00:", "-X GET ", "-X DELETE ",
					"/api_keys/KEY_ID"} {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%v doesn't say %q", err, part)
					}
				}
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if len(platform.keys) != test.live {
					t.Errorf("live keys: %v, want %d", platform.keys, test.live)
				}
			})
		})
	}
}

// A proxy may refuse to pass an answer with a secret on: nobody knows the key that was created.
func TestAKeyThatAProxyWithholdsIsRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"withheld"}}
		_, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
		var answer *client.Error
		if !errors.As(err, &answer) || answer.StatusCode != http.StatusForbidden || client.IsLost(err) {
			t.Errorf("got %v", err)
		}
		if len(platform.keys) != 0 || len(platform.revoked) != 1 {
			t.Errorf("live keys: %v, revoked: %v", platform.keys, platform.revoked)
		}
	})
}

// An interrupted creation leaves its key, and names it: another run had no time to use its own.
func TestAnInterruptedCreationOfAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"after"}}
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, interrupt)
		began := time.Now()
		_, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(ctx, client.APIKeyScope{}, "ci"))
		if err == nil || !strings.Contains(err.Error(), "API key 1,") || len(platform.revoked) > 0 {
			t.Errorf("got %v, with %v revoked", err, platform.revoked)
		}
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// A key that can't be decoded keeps no other from being created.
func TestAnOddKeyIsInNobodysWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"after"}, odd: true}
		if created, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{},
			"ci")); err != nil || created.ID != 2 {
			t.Errorf("got %v, %v", created, err)
		}
	})
}

// A list that took long doesn't shift the time in which a key of ours is looked for.
func TestASlowListBeforeAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"after"}, slow: 6 * time.Second}
		created, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
		if err != nil || len(platform.revoked) != 1 {
			t.Errorf("got %v, %v with %v revoked", created, err, platform.revoked)
		}
	})
}

func TestAStrangersKeyIsNotRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"after"}}
		before := platform.add("ci")
		other := platform.add("other")
		used := platform.add("ci")
		lastUse := time.Now()
		platform.keys[2].LastUsedAt = &lastUse
		platform.add("ci")
		platform.keys[3].ProjectID = "another"
		created, err := clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci")
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range platform.revoked {
			if id == before || id == other || id == used {
				t.Errorf("the stranger's key %d was revoked", id)
			}
		}
		if len(created.Namesakes) != 2 || created.Namesakes[0].ID != before || created.Namesakes[1].ID != used {
			t.Errorf("namesakes: %v, want %d and %d", created.Namesakes, before, used)
		}
	})
}

// A key that another run created seconds before is not taken for ours, though a list
// that was shared meanwhile doesn't have it.
func TestAKeyOfSecondsBeforeIsNotRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"before"}}
		first := platform.add("first")
		api := clientOf(t, platform)
		read := func() {
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() { _, _ = api.GetSharedAPIKey(t.Context(), client.APIKeyScope{}, first) })
			}
			all.Wait()
			time.Sleep(500 * time.Millisecond)
		}
		read()
		platform.mu.Lock()
		strangers := platform.add("ci")
		platform.mu.Unlock()
		for range 6 {
			read()
		}
		var lost *client.AmbiguousError
		if _, err := client.ObjectOf(api.CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci")); !errors.As(err, &lost) {
			t.Fatal(err)
		}
		if len(platform.revoked) > 0 {
			t.Errorf("revoked %v, where %d is a stranger's", platform.revoked, strangers)
		}
	})
}

// strangerMeanwhile creates a key of the same name while ours is refused for a while,
// and then lost.
type strangerMeanwhile struct {
	*keyring

	refusals int
}

func (s *strangerMeanwhile) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodPost || s.refusals == 0 {
		return s.keyring.RoundTrip(request)
	}
	if s.refusals--; s.refusals == 3 {
		s.mu.Lock()
		s.add("ci")
		s.mu.Unlock()
	}
	response, err := answer(request, http.StatusTooManyRequests, map[string]any{"message": "slow down"})
	response.Header.Set("Retry-After", "2")
	return response, err
}

// A key that was created before our request was sent, or after its answer was lost, is
// not taken for ours.
func TestAKeyOfAnotherTimeIsNotRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"before"}}
		time.AfterFunc(13*time.Second, func() {
			platform.mu.Lock()
			defer platform.mu.Unlock()
			platform.add("ci")
		})
		_, err := client.ObjectOf(clientOf(t, &strangerMeanwhile{platform, 5}).CreateAPIKey(t.Context(),
			client.APIKeyScope{}, "ci"))
		if len(platform.revoked) > 0 || len(platform.keys) != 2 {
			t.Fatalf("got %v, with %v and %v revoked", err, platform.keys, platform.revoked)
		}
		if err == nil || strings.Contains(err.Error(), "key 1,") || !strings.Contains(err.Error(), "key 2,") {
			t.Errorf("got %v, want the later key named", err)
		}
	})
}

// otherUser creates a key of the same name at the very moment of ours, which is lost.
type otherUser struct {
	*keyring
}

func (o *otherUser) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodPost && len(o.faults) > 0 {
		o.mu.Lock()
		o.user = "somebody else"
		o.add("ci")
		o.user = "me"
		o.mu.Unlock()
	}
	return o.keyring.RoundTrip(request)
}

func TestAnotherUsersKeyIsNotRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{user: "me", faults: []string{"before"}}
		_, err := client.ObjectOf(clientOf(t, &otherUser{platform}).CreateAPIKey(t.Context(),
			client.APIKeyScope{OrgID: "o"}, "ci"))
		if err == nil || len(platform.revoked) > 0 || len(platform.keys) != 1 {
			t.Errorf("got %v, with %v and %v revoked", err, platform.keys, platform.revoked)
		}
	})
}

// Where two keys could be ours, none is touched, and the error names both.
func TestSeveralCandidatesAreNamedAndLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"after", "after"}, refuses: 0}
		stranger := &strangerBeside{keyring: platform}
		_, err := client.ObjectOf(clientOf(t, stranger).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
		var lost *client.AmbiguousError
		if !errors.As(err, &lost) || !strings.Contains(err.Error(), "before you revoke any there: API key 1, made at ") ||
			!strings.Contains(err.Error(), ", API key 2, made at ") || strings.Contains(err.Error(), "DELETE") {
			t.Errorf("got %v, want both keys named, and no command that revokes a stranger's", err)
		}
		if len(platform.revoked) != 0 {
			t.Errorf("revoked %v", platform.revoked)
		}
	})
}

// strangerBeside makes a key of the same name at the very moment of ours.
type strangerBeside struct {
	*keyring
}

func (s *strangerBeside) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodPost {
		s.mu.Lock()
		s.add("ci")
		s.mu.Unlock()
	}
	return s.keyring.RoundTrip(request)
}

func TestALostKeyThatCantBeRevokedIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"after"}, refuses: http.StatusForbidden}
		_, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
		if err == nil || !strings.Contains(err.Error(), "API key 1 was created") {
			t.Errorf("got %v, want key 1 named", err)
		}
	})
}

// A refusal after a lost answer doesn't hide what that answer was about.
func TestALostKeyIsNamedWhereTheNextAttemptIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"later", "refused"}}
		_, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
		if err == nil || len(platform.keys) != 1 || !strings.Contains(err.Error(), "key 1,") {
			t.Errorf("got %v with %v, want key 1 named", err, platform.keys)
		}
		platform = &keyring{faults: []string{"after", "refused"}}
		_, err = client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci"))
		if err == nil || len(platform.keys) != 0 || strings.Contains(err.Error(), "may still come") {
			t.Errorf("after a revocation: got %v with %v", err, platform.keys)
		}
	})
}

// Two keys of one name made side by side are two keys, whatever is lost.
func TestKeysOfOneNameMadeSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		platform := &keyring{faults: []string{"", "after", "", "before", "after"}}
		api := clientOf(t, platform)
		var all sync.WaitGroup
		var failed atomic.Int32
		for range 5 {
			all.Go(func() {
				created, err := api.CreateAPIKey(t.Context(), client.APIKeyScope{}, "ci")
				var lost *client.AmbiguousError
				if errors.As(err, &lost) {
					failed.Add(1)
				} else if err != nil || len(created.Namesakes) != 0 {
					t.Errorf("got %v, %v", created, err)
				}
			})
		}
		all.Wait()
		if len(platform.keys) != 4 || failed.Load() != 1 {
			t.Errorf("%d live keys and %d that aren't known, want 4 and 1", len(platform.keys), failed.Load())
		}
	})
}

// unusableKeys is a keyring on which new keys are no use yet.
type unusableKeys struct {
	*keyring
	use      func(*http.Request) (*http.Response, error)
	mu       sync.Mutex
	requests []string
}

func (u *unusableKeys) RoundTrip(request *http.Request) (*http.Response, error) {
	u.mu.Lock()
	u.requests = append(u.requests, request.Method+" "+request.URL.Path)
	u.mu.Unlock()
	if strings.HasPrefix(request.Header.Get("Authorization"), "Bearer napi_1") {
		return u.use(request)
	}
	return u.keyring.RoundTrip(request)
}

// The use of a new key can't fail its creation, takes at most ten seconds, and what
// it is answered leads to no other request.
func TestANewKeyNeedNotBeOfUse(t *testing.T) {
	for name, use := range map[string]func(*http.Request) (*http.Response, error){
		"not found": func(r *http.Request) (*http.Response, error) {
			return answer(r, 404, map[string]string{"message": "project not found"})
		},
		"refused": func(r *http.Request) (*http.Response, error) { return answer(r, 401, nil) },
		"broken":  func(r *http.Request) (*http.Response, error) { return answer(r, 500, nil) },
		"silent": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &unusableKeys{keyring: &keyring{}, use: use}
				began := time.Now()
				created, err := client.ObjectOf(clientOf(t, platform).CreateAPIKey(t.Context(),
					client.APIKeyScope{OrgID: "o", ProjectID: "p"}, "ci"))
				if err != nil || created.Key != "napi_1" {
					t.Fatalf("got %v, %v", created, err)
				}
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("took %s", took)
				}
				for _, request := range platform.requests {
					if !strings.HasSuffix(request, "/organizations/o/api_keys") && request != "GET /api/v2/projects/p" {
						t.Errorf("sent %s", request)
					}
				}
			})
		})
	}
}

// account notes which keys are used, and refuses all reads for a while after its first
// key was created.
type account struct {
	*keyring

	busy  time.Duration
	until time.Time
}

func (a *account) RoundTrip(request *http.Request) (*http.Response, error) {
	a.mu.Lock()
	isBusy := time.Now().Before(a.until)
	a.mu.Unlock()
	if request.Method == http.MethodGet && isBusy {
		response, err := answer(request, http.StatusTooManyRequests, map[string]any{"message": "slow down"})
		response.Header.Set("Retry-After", "5")
		return response, err
	}
	var id int64
	if _, err := fmt.Sscanf(request.Header.Get("Authorization"), "Bearer napi_%d", &id); err == nil {
		a.mu.Lock()
		for i := range a.keys {
			if a.keys[i].ID == id {
				now := time.Now()
				a.keys[i].LastUsedAt = &now
			}
		}
		a.mu.Unlock()
	}
	response, err := a.keyring.RoundTrip(request)
	a.mu.Lock()
	defer a.mu.Unlock()
	if request.Method == http.MethodPost && response.StatusCode == http.StatusOK && a.until.IsZero() {
		a.until = time.Now().Add(a.busy)
	}
	return response, err
}

// otherRun is what another run has of an account: its reads arrive late, and it is
// interrupted when its key was created.
type otherRun struct {
	*account

	late      time.Duration
	interrupt func()
}

func (o *otherRun) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodGet {
		time.Sleep(o.late)
	}
	response, err := o.account.RoundTrip(request)
	if request.Method == http.MethodPost && o.interrupt != nil {
		o.interrupt()
	}
	return response, err
}

// A key that another run has just created is not taken for ours, whatever keeps that run
// from using it at once: the account's rate limit, a slow connection, or Ctrl-C.
func TestAKeyThatAnotherRunUsesLaterIsNotRevoked(t *testing.T) {
	for name, test := range map[string]struct {
		busy, late  time.Duration
		interrupted bool
	}{
		"busy account":    {busy: 4500 * time.Millisecond},
		"slow connection": {late: 9 * time.Second},
		"interrupted":     {interrupted: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				platform := &account{keyring: &keyring{faults: []string{"before"}}, busy: test.busy}
				ctx, interrupt := context.WithCancel(t.Context())
				defer interrupt()
				other := &otherRun{account: platform, late: test.late}
				if test.interrupted {
					other.interrupt = interrupt
				}
				create := func(ctx context.Context, transport http.RoundTripper, after time.Duration) func() {
					return func() {
						time.Sleep(after)
						_, err := client.ObjectOf(clientOf(t, transport).CreateAPIKey(ctx, client.APIKeyScope{}, "ci"))
						var lost *client.AmbiguousError
						if isOurs := transport == http.RoundTripper(platform); errors.As(err, &lost) != isOurs || !isOurs && err != nil {
							t.Error(err)
						}
					}
				}
				var creations sync.WaitGroup
				creations.Go(create(t.Context(), platform, test.late))
				creations.Go(create(ctx, other, 100*time.Millisecond))
				creations.Wait()
				if len(platform.revoked) > 0 || len(platform.keys) != 1 {
					t.Errorf("of %v, %v were revoked", platform.keys, platform.revoked)
				}
			})
		})
	}
}

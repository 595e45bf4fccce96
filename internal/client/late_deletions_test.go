package client

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// namedThing is something that has only a name, on a platform where it is there or not. The
// answers to its first deletions are lost, and these take effect later.
type namedThing struct {
	// ends and makes are the methods of its deletion and creation, and path is how theirs end.
	ends, makes string
	late        []time.Duration

	mu      sync.Mutex
	exists  bool
	deleted int
}

// answersNothing are the calls whose answer has no field.
var answersNothing = regexp.MustCompile(
	"/(vpc_endpoints|backup_schedule|domains|objects)|^DELETE .*/(auth/|spending_limit)")

func (n *namedThing) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.exists = false
}

func (n *namedThing) RoundTrip(request *http.Request) (*http.Response, error) {
	connected(request)
	n.mu.Lock()
	defer n.mu.Unlock()
	isEnd := request.Method == n.ends
	if isEnd && n.ends == n.makes { // A schedule without entries.
		text := make([]byte, 100)
		length, _ := request.Body.Read(text)
		isEnd = strings.Contains(string(text[:length]), "[]")
	}
	switch {
	case isEnd:
		if n.deleted++; n.deleted <= len(n.late) {
			time.AfterFunc(n.late[n.deleted-1], n.end)
			return respond(request, http.StatusGatewayTimeout, `{}`), nil
		}
		n.exists = false
		if answersNothing.MatchString(request.Method + " " + request.URL.Path) {
			return respond(request, http.StatusOK, `{}`), nil
		}
		return respond(request, http.StatusOK,
			`{"role":{"name":"app"},"database":{"id":7,"name":"app"},"member_id":"m","operations":[]}`), nil
	case strings.HasSuffix(request.URL.Path, "/presign"):
		return respond(request, http.StatusOK, `{"url":"https://storage/x","method":"PUT"}`), nil
	case request.Method == n.makes:
		n.exists = true
		if answersNothing.MatchString(request.Method + " " + request.URL.Path) {
			return respond(request, http.StatusOK, `{}`), nil
		}
		return respond(request, http.StatusCreated,
			`{"role":{"name":"app"},"database":{"id":8,"name":"app"},"member_id":"m","id":"google","spending_limit_cents":100,"operations":[]}`), nil
	case strings.HasSuffix(request.URL.Path, "/operations"):
		return respond(request, http.StatusOK, `{"operations":[]}`), nil
	case n.exists:
		return respond(request, http.StatusOK,
			`{"role":{"name":"app"},"roles":[{"name":"app"}],"database":{"id":7,"name":"app"},"databases":[{"id":7,"name":"app"}],"spending_limit_cents":100,`+
				`"schedule":[{"frequency":"daily"}],"project_members":[{"member_id":"m","explicit_project_permission":"EDITOR"}],`+
				`"endpoints":[{"vpc_endpoint_id":"v"}],"providers":[{"id":"google"}],"domains":[{"domain":"https://a.example"}],"objects":[{"key":"o"}]}`), nil
	case strings.HasSuffix(request.URL.Path, "/app"):
		kind := map[bool]string{true: "role", false: "database"}[strings.Contains(request.URL.Path, "/roles/")]
		return respond(request, http.StatusNotFound, `{"message":"`+kind+` not found"}`), nil
	}
	return respond(request, http.StatusOK,
		`{"roles":[],"databases":[],"spending_limit_cents":null,"schedule":[],"project_members":[],"endpoints":[],"providers":[],"domains":[],"objects":[]}`), nil
}

var namedKinds = map[string]struct {
	ends, makes  string
	remove, make func(context.Context, *Client) error
}{
	"role": {http.MethodDelete, http.MethodPost,
		func(ctx context.Context, c *Client) error { _, err := c.DeleteRole(ctx, aBranch, "app"); return err },
		func(ctx context.Context, c *Client) error {
			_, err := c.CreateRole(ctx, aBranch, RoleCreate{Name: "app"})
			return err
		}},
	"database": {http.MethodDelete, http.MethodPost,
		func(ctx context.Context, c *Client) error {
			_, err := c.DeleteDatabase(ctx, aBranch, "app")
			return err
		},
		func(ctx context.Context, c *Client) error {
			_, err := c.CreateDatabase(ctx, aBranch, DatabaseCreate{Name: "app", OwnerName: "o"})
			return err
		}},
	"name of another database": {http.MethodDelete, http.MethodPatch,
		func(ctx context.Context, c *Client) error {
			_, err := c.DeleteDatabase(ctx, aBranch, "app")
			return err
		},
		func(ctx context.Context, c *Client) error {
			name := "app"
			_, err := c.UpdateDatabase(ctx, aBranch, "old", 8, DatabaseUpdate{Name: &name})
			return err
		}},
	"spending limit": {http.MethodDelete, http.MethodPut,
		func(ctx context.Context, c *Client) error { return c.DeleteSpendingLimit(ctx, "o") },
		func(ctx context.Context, c *Client) error { return c.SetSpendingLimit(ctx, "o", 100) }},
	"backup schedule": {http.MethodPut, http.MethodPut,
		func(ctx context.Context, c *Client) error { return c.DeleteBackupSchedule(ctx, aBranch) },
		func(ctx context.Context, c *Client) error {
			return c.SetBackupSchedule(ctx, aBranch, []BackupEntry{{Frequency: "daily"}})
		}},
	"role of a member": {http.MethodDelete, http.MethodPut,
		func(ctx context.Context, c *Client) error {
			_, err := c.DeleteProjectMemberRole(ctx, Ref[ProjectMember]{"p", "m"}, false)
			return err
		},
		func(ctx context.Context, c *Client) error {
			_, err := c.SetProjectMemberRole(ctx, Ref[ProjectMember]{"p", "m"}, "editor", false)
			return err
		}},
	"OAuth provider": {http.MethodDelete, http.MethodPost,
		func(ctx context.Context, c *Client) error { return c.DeleteAuthOAuthProvider(ctx, aBranch, "google") },
		func(ctx context.Context, c *Client) error {
			return c.CreateAuthOAuthProvider(ctx, aBranch, "google", AuthOAuthSettings{})
		}},
	"trusted domain": {http.MethodDelete, http.MethodPost,
		func(ctx context.Context, c *Client) error {
			return c.DeleteAuthDomain(ctx, aBranch, AuthDomain{Domain: "https://a.example"})
		},
		func(ctx context.Context, c *Client) error {
			return c.CreateAuthDomain(ctx, aBranch, AuthDomain{Domain: "https://A.example/"})
		}},
	"object of a bucket": {http.MethodDelete, http.MethodPut,
		func(ctx context.Context, c *Client) error {
			return c.DeleteBucketObject(ctx, BucketPlace{aBranch, "k", "o"})
		},
		func(ctx context.Context, c *Client) error {
			_, err := c.UploadBucketObject(ctx, BucketPlace{aBranch, "k", "o"}, "", 0,
				func() (io.ReadCloser, error) { return http.NoBody, nil })
			return err
		}},
	"restriction": {http.MethodDelete, http.MethodPost,
		func(ctx context.Context, c *Client) error {
			return c.DeleteVPCEndpointRestriction(ctx, Ref[VPCEndpoint]{"p", "v"})
		},
		func(ctx context.Context, c *Client) error {
			return c.CreateVPCEndpointRestriction(ctx, Ref[VPCEndpoint]{"p", "v"}, "l")
		}},
}

// A deletion that comes late doesn't take what was made under its name since.
func TestALateDeletionByName(t *testing.T) {
	for name, test := range map[string]struct {
		late    []time.Duration
		deleted int
		waits   bool
	}{
		"no fault":              {nil, 1, false},
		"at once":               {[]time.Duration{0}, 1, false},
		"a second later":        {[]time.Duration{time.Second}, 1, false},
		"ten seconds later":     {[]time.Duration{10 * time.Second}, 2, true},
		"fifty seconds later":   {[]time.Duration{50 * time.Second}, 2, true},
		"never, and then twice": {[]time.Duration{time.Hour, 20 * time.Second, 30 * time.Second}, 4, true},
	} {
		for kind, calls := range namedKinds {
			t.Run(kind+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					platform := &namedThing{ends: calls.ends, makes: calls.makes, late: test.late, exists: true}
					api := newClient(t, platform)
					if err := calls.remove(t.Context(), api); err != nil {
						t.Fatal(err)
					}
					equal(t, "deletions", platform.deleted, test.deleted)
					began := time.Now()
					if err := calls.make(t.Context(), api); err != nil {
						t.Fatal(err)
					}
					equal(t, "waits", time.Since(began) > 30*time.Second, test.waits)
					time.Sleep(10 * time.Minute)
					equal(t, "is there", platform.exists, true)
				})
			})
		}
	}
}

// sender is set in the context of a write that is refused at first.
type sender struct{}

// Nor does it take what was refused before, and is sent again after the deletion was lost.
func TestALateDeletionBesideARefusedWrite(t *testing.T) {
	for _, kind := range []string{"role", "database", "name of another database", "spending limit", "backup schedule",
		"role of a member", "object of a bucket"} {
		calls := namedKinds[kind]
		for _, status := range []int{http.StatusLocked, http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			t.Run(fmt.Sprintf("%s/%d", kind, status), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					platform := &namedThing{ends: calls.ends, makes: calls.makes, late: []time.Duration{50 * time.Second},
						exists: true}
					var refused atomic.Bool
					api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
						isFirst := request.Method != http.MethodGet && request.Context().Value(sender{}) != nil && !refused.Swap(true)
						if isFirst {
							time.Sleep(10 * time.Second)
							return respond(request, status, `{"message":"not now"}`), nil
						}
						return platform.RoundTrip(request)
					}))
					made := make(chan error)
					go func() { made <- calls.make(context.WithValue(t.Context(), sender{}, true), api) }()
					synctest.Wait()
					if err := calls.remove(t.Context(), api); err != nil {
						t.Fatal(err)
					}
					equal(t, "deletions", platform.deleted, 2)
					if err := <-made; err != nil {
						t.Fatal(err)
					}
					time.Sleep(10 * time.Minute)
					equal(t, "is there", platform.exists, true)
				})
			})
		}
	}
}

// A change that comes late doesn't undo one that was sent after it. The same change again is what it would do anyway.
func TestALateChange(t *testing.T) {
	kinds := map[string]func(context.Context, *Client, string) error{
		"branch": func(ctx context.Context, c *Client, to string) error {
			_, err := c.UpdateBranch(ctx, aBranch, BranchUpdate{Name: &to})
			return err
		},
		"endpoint": func(ctx context.Context, c *Client, to string) error {
			_, err := c.UpdateEndpoint(ctx, EndpointRef{"p", "e"}, EndpointUpdate{Name: &to})
			return err
		},
		"name of a function": func(ctx context.Context, c *Client, to string) error {
			return c.RenameFunction(ctx, aBranch, "f", to)
		},
		"trigger": func(ctx context.Context, c *Client, to string) error {
			return c.UpdateTrigger(ctx, aBranch, "t", TriggerSpec{Name: to})
		},
		"role of a member": func(ctx context.Context, c *Client, to string) error {
			_, err := c.SetProjectMemberRole(ctx, Ref[ProjectMember]{"p", "m"}, to, false)
			return err
		},
		"default branch": func(ctx context.Context, c *Client, to string) error {
			_, err := c.SetDefaultBranch(ctx, BranchRef{"p", to})
			return err
		},
		"compute": func(ctx context.Context, c *Client, to string) error {
			run := map[string]func(context.Context, EndpointRef) (*Answer[Endpoint], error){
				"first": c.StartEndpoint, "second": c.SuspendEndpoint,
			}[to]
			_, err := run(ctx, EndpointRef{"p", "e"})
			return err
		},
		"label of a VPC endpoint": func(ctx context.Context, c *Client, to string) error {
			return c.AssignVPCEndpoint(ctx, VPCEndpointRef{"o", "r", "v"}, to)
		},
		"label of a restriction": func(ctx context.Context, c *Client, to string) error {
			return c.UpdateVPCEndpointRestriction(ctx, Ref[VPCEndpoint]{"p", "v"}, to)
		},
		"backup schedule": func(ctx context.Context, c *Client, to string) error {
			return c.SetBackupSchedule(ctx, aBranch, []BackupEntry{{Frequency: to}})
		},
	}
	inWords := strings.NewReplacer("/start", "first", "/suspend", "second")
	for name, change := range kinds {
		for then, waits := range map[string]bool{"second": true, "first": false} {
			t.Run(name+"/"+then, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var sent atomic.Int32
					var present atomic.Value
					api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
						connected(request)
						if request.Method != http.MethodGet {
							body, _ := io.ReadAll(cmp.Or[io.ReadCloser](request.Body, http.NoBody))
							asked := regexp.MustCompile("first|second").FindString(inWords.Replace(request.URL.Path + string(body)))
							if sent.Add(1) == 1 {
								time.AfterFunc(50*time.Second, func() { present.Store(asked) })
								return respond(request, http.StatusGatewayTimeout, `{}`), nil
							}
							present.Store(asked)
						}
						if regexp.MustCompile("/backup_schedule$|/vpc_").MatchString(request.URL.Path) && request.Method != http.MethodGet {
							return respond(request, http.StatusOK, `{}`), nil
						}
						branch := strings.Split(request.URL.Path+"/////", "/")[6]
						return respond(request, http.StatusOK, `{"branch":{"id":"`+branch+`"},"endpoint":{"id":"e"},"function":{"slug":"f"},`+
							`"trigger":{"trigger_id":"t"},"member_id":"m","project_members":[],"schedule":[],"endpoints":[],"vpc_endpoints":[],"operations":[]}`), nil
					}))
					if err := change(t.Context(), api, "first"); err != nil {
						t.Fatal(err)
					}
					equal(t, "changes that were sent", sent.Load(), 2)
					began := time.Now()
					if err := change(t.Context(), api, then); err != nil {
						t.Fatal(err)
					}
					equal(t, "waits", time.Since(began) > 30*time.Second, waits)
					time.Sleep(10 * time.Minute)
					equal(t, "in the end", present.Load().(string), then)
				})
			})
		}
	}
}

// What can't be done twice, such as a restore, may still come late and undo what came after it, as may a password that
// is reset again. Even the same write waits then, where it comes to something else each time.
func TestALateReplacement(t *testing.T) {
	deploy := func(ctx context.Context, c *Client, to string) error {
		_, err := c.DeployFunction(ctx, aBranch, &Function{Slug: "f", Current: &Deployment{ID: 1}},
			FunctionDeploy{Runtime: to})
		return err
	}
	reset := func(ctx context.Context, c *Client, _ string) error {
		_, err := c.ResetRolePassword(ctx, aBranch, "r")
		return err
	}
	restore := func(ctx context.Context, c *Client, to string) error {
		_, err := c.RestoreBranch(ctx, aBranch, BranchRestore{SourceID: to})
		return err
	}
	snapshot := func(ctx context.Context, c *Client, to string) error {
		_, err := c.RestoreSnapshot(ctx, SnapshotRef{"p", to}, SnapshotRestore{TargetBranchID: "b", Finalize: true})
		return err
	}
	rotate := func(ctx context.Context, c *Client, _ string) error {
		return c.RotateCredential(ctx, aBranch, "t")
	}
	for name, test := range map[string]struct {
		first, then func(context.Context, *Client, string) error
		to          string
		isLost      bool
	}{
		"deployment":           {deploy, deploy, "second", true},
		"first deployment":     {firstDeployment, deploy, "second", true},
		"restore":              {restore, restore, "second", true},
		"restore of the same":  {restore, restore, "first", true},
		"snapshot":             {snapshot, snapshot, "second", true},
		"snapshot, a restore":  {snapshot, restore, "second", true},
		"restore, a snapshot":  {restore, snapshot, "second", true},
		"secrets":              {rotate, rotate, "", true},
		"password":             {reset, func(context.Context, *Client, string) error { return nil }, "", false},
		"restart, then a stop": {restart, suspend, "", true},
		"restart, and another": {restart, restart, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sent, present atomic.Int32
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					connected(request)
					switch {
					case strings.HasSuffix(request.URL.Path, "/functions/f"):
						return respond(request, http.StatusNotFound, `{"message":"function not found"}`), nil
					case strings.HasSuffix(request.URL.Path, "/reveal"):
						return respond(request, http.StatusOK, `{"api_token":"a"}`), nil
					case request.Method == http.MethodGet:
						return respond(request, http.StatusOK, `{"branch":{"id":"b"},"endpoint":{"id":"e","current_state":"active"},`+
							`"role":{"name":"r","updated_at":"1999-01-01T00:00:00Z"},"functions":[],"branches":[],`+
							`"operations":[]}`), nil
					}
					number := sent.Add(1)
					if number == 1 {
						time.AfterFunc(50*time.Second, func() { present.Store(number) })
						return respond(request, http.StatusGatewayTimeout, `{}`), nil
					}
					present.Store(number)
					return respond(request, http.StatusOK, `{"branch":{"id":"b"},"endpoint":{"id":"e"},"role":{"name":"r"},`+
						`"deployment":{"id":2},"api_token":"b","operations":[]}`), nil
				}))
				if err := test.first(t.Context(), api, "first"); IsLost(err) != test.isLost || (err != nil) != test.isLost {
					t.Fatal(err)
				}
				if err := test.then(t.Context(), api, test.to); err != nil {
					t.Fatal(err)
				}
				time.Sleep(10 * time.Minute)
				equal(t, "the write that took effect last", present.Load(), 2)
			})
		})
	}
}

func firstDeployment(ctx context.Context, c *Client, to string) error {
	_, err := c.CreateFunction(ctx, aBranch, "f", FunctionDeploy{Runtime: to})
	return err
}

func restart(ctx context.Context, c *Client, _ string) error {
	_, err := c.RestartEndpoint(ctx, EndpointRef{"p", "e"})
	return err
}

func suspend(ctx context.Context, c *Client, _ string) error {
	_, err := c.SuspendEndpoint(ctx, EndpointRef{"p", "e"})
	return err
}

// What a write creates late doesn't outlive the deletion after it.
func TestADeletionAfterALateWrite(t *testing.T) {
	deploy := func(ctx context.Context, c *Client) error {
		_, err := c.DeployFunction(ctx, aBranch, &Function{Slug: "app", Current: &Deployment{ID: 1}}, FunctionDeploy{})
		return err
	}
	setRole := func(ctx context.Context, c *Client) error {
		_, err := c.SetProjectMemberRole(ctx, Ref[ProjectMember]{"p", "m"}, "editor", false)
		return err
	}
	createRole := func(ctx context.Context, c *Client) error {
		_, err := c.CreateRole(ctx, aBranch, RoleCreate{Name: "app"})
		return err
	}
	rename := func(ctx context.Context, c *Client) error {
		name := "other"
		_, err := c.UpdateDatabase(ctx, aBranch, "app", 7, DatabaseUpdate{Name: &name})
		return err
	}
	for name, test := range map[string]struct {
		write, remove func(context.Context, *Client) error
		waits         bool
	}{
		"deployment": {deploy,
			func(ctx context.Context, c *Client) error { return c.DeleteFunction(ctx, aBranch, "app") }, true},
		"recovery": {
			func(ctx context.Context, c *Client) error { _, err := c.RecoverProject(ctx, "p"); return err },
			func(ctx context.Context, c *Client) error { return c.DeleteProject(ctx, "p") }, true},
		"role of a member": {setRole, namedKinds["role of a member"].remove, true},
		"spending limit":   {namedKinds["spending limit"].make, namedKinds["spending limit"].remove, true},
		"restriction":      {namedKinds["restriction"].make, namedKinds["restriction"].remove, true},
		"role":             {createRole, namedKinds["role"].remove, true},
		"branch": {
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateBranch(ctx, "p", BranchCreate{Name: "n"})
				return err
			},
			func(ctx context.Context, c *Client) error { _, err := c.DeleteBranch(ctx, aBranch); return err }, true},
		"permission": {
			func(ctx context.Context, c *Client) error {
				_, err := c.GrantProjectPermission(ctx, "p", "a@b")
				return err
			},
			func(ctx context.Context, c *Client) error {
				return c.RevokeProjectPermission(ctx, Ref[ProjectPermission]{"p", "x"})
			}, true},
		"name of another": {rename, namedKinds["database"].remove, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var exists atomic.Bool
				var sent atomic.Int32
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					connected(request)
					switch {
					case request.Method == http.MethodDelete && strings.Contains(request.URL.Path, "/functions/"):
						exists.Store(false)
						return respond(request, http.StatusOK, `{}`), nil
					case request.Method == http.MethodDelete:
						exists.Store(false)
					case request.Method != http.MethodGet:
						if sent.Add(1) == 1 {
							time.AfterFunc(50*time.Second, func() { exists.CompareAndSwap(false, request.Method != http.MethodPatch) })
							return respond(request, http.StatusGatewayTimeout, `{}`), nil
						}
						exists.Store(true)
					}
					if answersNothing.MatchString(request.Method+" "+request.URL.Path) && request.Method != http.MethodGet {
						return respond(request, http.StatusOK, `{}`), nil
					}
					limit := map[bool]string{true: "100", false: "null"}[exists.Load() || request.Method != http.MethodGet]
					if strings.HasSuffix(request.URL.Path, "/projects/p") && !exists.Load() && request.Method == http.MethodGet {
						return respond(request, http.StatusNotFound, `{"message":"project not found"}`), nil
					}
					return respond(request, http.StatusOK, `{"project":{"id":"p"},"role":{"name":"app"},"roles":[],`+
						`"database":{"id":7,"name":"app"},"databases":[],"project_members":[],"member_id":"m","endpoints":[],`+
						`"spending_limit_cents":`+limit+`,"deployment":{"id":2},"function":{"slug":"app"},"operations":[],`+
						`"organizations":[],"projects":[],"branch":{"id":"b"},"branches":[],"id":"x","project_permissions":[]}`), nil
				}))
				if err := test.write(t.Context(), api); err != nil && !IsLost(err) {
					t.Fatal(err)
				}
				began := time.Now()
				if err := test.remove(t.Context(), api); err != nil {
					t.Fatal(err)
				}
				equal(t, "waits", time.Since(began) > 30*time.Second, test.waits)
				time.Sleep(10 * time.Minute)
				equal(t, "is there", exists.Load(), false)
			})
		})
	}
}

// The wait for a late deletion ends with the context, and nothing is sent then.
func TestAnInterruptedWaitForALateDeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := namedKinds["role"]
		platform := &namedThing{ends: calls.ends, makes: calls.makes, late: []time.Duration{time.Minute}, exists: true}
		api := newClient(t, platform)
		if err := calls.remove(t.Context(), api); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		err := calls.make(ctx, api)
		contains(t, err.Error(), "POST /api/v2/projects/p/branches/b/roles timed out before Neon accepted it")
		equal(t, "is there", platform.exists, false)
	})
}

// Whether a deletion took effect is read anew, by the object's own request: what reads share meanwhile may be older.
func TestALookAfterALostDeletionReadsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c *Client
		var isGone atomic.Bool
		var deletions atomic.Int64
		c = newClient(t, &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			switch {
			case request.Method == http.MethodDelete:
				if deletions.Add(1) > 1 {
					return respond(request, http.StatusOK, ``), nil
				}
				time.AfterFunc(600*time.Millisecond, func() { isGone.Store(true) })
				time.AfterFunc(50*time.Millisecond, func() { // Others read the list, which has the object still.
					for _, key := range []string{"a", "b", "c", "d", "o"} {
						go func() { _, _ = c.GetSharedBucketObject(t.Context(), BucketPlace{aBranch, "k", key}) }()
					}
				})
				return respond(request, http.StatusGatewayTimeout, `{}`), nil
			case !isGone.Load():
				return respond(request, http.StatusOK,
					`{"objects":[{"key":"a"},{"key":"b"},{"key":"c"},{"key":"d"},{"key":"o"}]}`), nil
			}
			return respond(request, http.StatusOK, `{"objects":[]}`), nil
		}})
		if err := c.DeleteBucketObject(t.Context(), BucketPlace{aBranch, "k", "o"}); err != nil {
			t.Error(err)
		}
		equal(t, "deletions that were sent", deletions.Load(), 1)
	})
}

package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// createdThings are permissions of a project and buckets of its branch, whose lists are counted.
type createdThings struct {
	mu          sync.Mutex
	permissions []client.ProjectPermission
	buckets     []client.Bucket
	lists       int
}

func (c *createdThings) serve(request *http.Request, path string) (int, any) {
	time.Sleep(50 * time.Millisecond)
	c.mu.Lock()
	defer c.mu.Unlock()
	isBuckets := strings.Contains(path, "/buckets")
	var sent struct{ Name, Email string }
	switch request.Method {
	case http.MethodPost:
		_ = json.NewDecoder(request.Body).Decode(&sent)
		if sent.Email == "refused" {
			return http.StatusBadRequest, map[string]any{"message": "no"}
		}
		if isBuckets {
			c.buckets = append(c.buckets, client.Bucket{Name: sent.Name})
			return http.StatusCreated, map[string]any{"bucket": client.Bucket{Name: sent.Name}}
		}
		c.permissions = append(c.permissions, client.ProjectPermission{ID: sent.Email, Email: sent.Email})
		return http.StatusOK, client.ProjectPermission{ID: sent.Email, Email: sent.Email}
	case http.MethodDelete:
		return http.StatusOK, map[string]any{"id": "a"}
	}
	c.lists++
	return http.StatusOK, map[string]any{"buckets": slices.Clone(c.buckets),
		"project_permissions": slices.Clone(c.permissions)}
}

// Creations that come close together go by one list of what was there before. A deletion of ours, or a creation that
// failed, drops it.
func TestCreationsShareAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		things := &createdThings{}
		api := clientOf(t, serve(things.serve))
		create := func(email string) error {
			_, err := api.GrantProjectPermission(t.Context(), "p", email)
			return err
		}
		// lists creates, after a pause, and expects so many lists.
		lists := func(want int, after time.Duration, emails ...string) {
			t.Helper()
			time.Sleep(after)
			before := things.lists
			var all sync.WaitGroup
			for _, email := range emails {
				all.Go(func() {
					if err := create(email); (err != nil) != (email == "refused") {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if got := things.lists - before; got != want {
				t.Errorf("%d lists for %s, want %d", got, emails, want)
			}
		}
		lists(1, 0, "a", "b", "c", "d", "e", "f", "g")
		lists(0, 500*time.Millisecond, "h")
		lists(1, 2*time.Second, "i")
		if err := api.RevokeProjectPermission(t.Context(), client.Ref[client.ProjectPermission]{ProjectID: "p",
			ID: "a"}); err != nil {
			t.Fatal(err)
		}
		lists(1, 0, "j")
		lists(0, 0, "refused")
		lists(1, 0, "k")
	})
}

// Where Neon would change what is there already, creations share only what is being listed, with what the others of
// them have created meanwhile: what somebody has created since is seen.
func TestATakenNameIsSeenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		things := &createdThings{}
		api := clientOf(t, serve(things.serve))
		create := func(name string) error {
			_, err := api.CreateBucket(t.Context(), client.BranchRef{ProjectID: "p", ID: "b"}, name, "")
			return err
		}
		var all sync.WaitGroup
		var taken sync.Map
		for i := range 20 {
			all.Go(func() {
				if err := create(fmt.Sprint("bucket-", i/2)); err != nil {
					taken.Store(i, err)
				}
			})
		}
		all.Wait()
		twice := 0
		taken.Range(func(_, _ any) bool { twice++; return true })
		if twice != 10 || len(things.buckets) != 10 {
			t.Errorf("%d buckets were created of 10, and %d refused", len(things.buckets), twice)
		}
		if err := create("ours"); err != nil {
			t.Fatal(err)
		}
		things.buckets = append(things.buckets, client.Bucket{Name: "theirs"})
		if err := create("theirs"); err == nil || len(things.buckets) != 12 {
			t.Errorf("what somebody else has created just now is taken: %v", things.buckets)
		}
	})
}

// Where a branch or a database has one of them at most, what Neon itself doesn't find before it is created takes one
// request: where the key sees too little, Neon refuses the creation, too.
func TestACreationLooksOnceForWhatIsThere(t *testing.T) {
	branch := client.BranchRef{ProjectID: "p", ID: "b"}
	for what, create := range map[string]func(*client.Client) error{
		"GET /projects/p/branches/b/auth": func(api *client.Client) error {
			_, err := api.EnableAuth(t.Context(), branch, client.AuthEnable{Provider: "better_auth"})
			return err
		},
		"GET /projects/p/branches/b/data-api/db": func(api *client.Client) error {
			_, err := api.CreateDataAPI(t.Context(), branch, "db", client.DataAPICreate{})
			return err
		},
	} {
		reads := []string{}
		err := create(clientOf(t, serve(func(request *http.Request, path string) (int, any) {
			if request.Method == http.MethodPost {
				return http.StatusCreated, map[string]any{"auth_provider": "better_auth", "url": "https://u"}
			}
			reads = append(reads, request.Method+" "+path)
			return http.StatusNotFound, map[string]any{"message": "not found", "request_id": "r"}
		})))
		if err != nil || !slices.Equal(reads, []string{what}) {
			t.Errorf("%v, after %q; want %q alone", err, reads, what)
		}
	}
}

// Creations of different names that are sent at once share one list, and one look at what they are created in.
func TestCreationsOfDifferentNamesShareAList(t *testing.T) {
	branch := client.BranchRef{ProjectID: "p", ID: "b"}
	for name, create := range map[string]func(context.Context, *client.Client, string) error{
		"restrictions": func(ctx context.Context, api *client.Client, name string) error {
			return api.CreateVPCEndpointRestriction(ctx, client.Ref[client.VPCEndpoint]{ProjectID: "p", ID: name}, "")
		},
		"functions": func(ctx context.Context, api *client.Client, name string) error {
			_, err := api.CreateFunction(ctx, branch, name, client.FunctionDeploy{})
			return err
		},
		"trusted domains": func(ctx context.Context, api *client.Client, name string) error {
			auth, err := api.GetAuthBefore(ctx, branch)
			if err != nil {
				return err
			}
			return api.CreateAuthDomain(ctx, branch, client.AuthDomain{Domain: "https://" + name, Provider: auth.Provider})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				reads, writes := map[string]int{}, 0
				api := clientOf(t, serve(func(request *http.Request, path string) (int, any) {
					time.Sleep(50 * time.Millisecond)
					mu.Lock()
					defer mu.Unlock()
					if request.Method == http.MethodPost {
						if writes++; name == "functions" {
							return http.StatusCreated, map[string]any{"deployment": map[string]any{"id": 1}}
						}
						return http.StatusOK, map[string]any{}
					}
					reads[path]++
					return http.StatusOK, map[string]any{"endpoints": []any{}, "functions": []any{}, "domains": []any{},
						"auth_provider": "better_auth"}
				}))
				var all sync.WaitGroup
				for i := range 10 {
					all.Go(func() {
						if err := create(t.Context(), api, fmt.Sprint("x", i)); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				for path, times := range reads {
					if times != 1 {
						t.Errorf("GET %s was sent %d times", path, times)
					}
				}
				if writes != 10 {
					t.Errorf("%d writes", writes)
				}
			})
		})
	}
}

package client

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
)

// An object of a list that has no id may be the one that is sought, so that the list doesn't prove its absence.
func TestAnObjectWithoutIDProvesNoAbsence(t *testing.T) {
	elements := regexp.MustCompile(`\[\{[^\]]*\}\]`)
	for name, kind := range sharedKinds {
		for _, element := range []string{"{}", "null", `{"member":{}}`, `{"vpc_endpoint_id":"x"}`} {
			t.Run(name+" "+element, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
						list := "[" + element + "]"
						if strings.HasSuffix(request.URL.Path, "/api_keys") {
							return respond(request, http.StatusOK, list), nil
						}
						return respond(request, http.StatusOK, elements.ReplaceAllLiteralString(everyList, list)), nil
					}))
					if err := kind.read(t.Context(), api); IsAbsent(err) {
						t.Errorf("got %v", err)
					}
				})
			})
		}
	}
}

// Nor is an object of a bucket, which is looked for by a list of its own.
func TestAnObjectWithoutKeyProvesNoAbsence(t *testing.T) {
	t.Parallel()
	for _, element := range []string{"{}", "null"} {
		api := newClient(t, always(http.StatusOK, `{"objects":[`+element+`]}`))
		if _, err := api.GetSharedBucketObject(t.Context(), BucketPlace{aBranch, "b", "k"}); !isBadAnswer("")(err) {
			t.Errorf("%s: got %v", element, err)
		}
	}
}

// An answer about another object than was asked for is none: its id would take the place of the one in the state, and
// the next deletion would be that of the other.
func TestAnAnswerAboutAnotherObjectIsNone(t *testing.T) {
	x := new("x")
	answer := strings.NewReplacer(`"x"`, `"y"`).Replace(everyList[:len(everyList)-1]) + `,"id":"y","role":{"name":"y"},` +
		`"database":{"name":"y"}}`
	for name, ask := range map[string]func(context.Context, *Client) error{
		"branch": func(ctx context.Context, c *Client) error {
			_, err := c.GetBranch(ctx, BranchRef{ProjectID: "p", ID: "x"})
			return err
		},
		"endpoint": func(ctx context.Context, c *Client) error {
			_, err := c.GetEndpoint(ctx, EndpointRef{"p", "x"})
			return err
		},
		"claimable database": func(ctx context.Context, c *Client) error {
			_, err := c.GetClaimableDatabase(ctx, "x")
			return err
		},
		"project": func(ctx context.Context, c *Client) error { _, err := c.GetProject(ctx, "p"); return err },
		"role":    func(ctx context.Context, c *Client) error { _, err := c.GetSharedRole(ctx, aBranch, "x"); return err },
		"changed branch": func(ctx context.Context, c *Client) error {
			_, err := c.UpdateBranch(ctx, BranchRef{ProjectID: "p", ID: "x"}, BranchUpdate{Name: x})
			return err
		},
		"changed endpoint": func(ctx context.Context, c *Client) error {
			_, err := c.UpdateEndpoint(ctx, EndpointRef{"p", "x"}, EndpointUpdate{Name: x})
			return err
		},
		"changed database": func(ctx context.Context, c *Client) error {
			_, err := c.UpdateDatabase(ctx, aBranch, "x", 7, DatabaseUpdate{OwnerName: x})
			return err
		},
		"started endpoint": func(ctx context.Context, c *Client) error {
			_, err := c.StartEndpoint(ctx, EndpointRef{"p", "x"})
			return err
		},
		"default branch": func(ctx context.Context, c *Client) error {
			_, err := c.SetDefaultBranch(ctx, BranchRef{ProjectID: "p", ID: "x"})
			return err
		},
		"recovered project": func(ctx context.Context, c *Client) error {
			_, err := c.RecoverProject(ctx, "p")
			return err
		},
		"new role": func(ctx context.Context, c *Client) error {
			_, err := c.CreateRole(ctx, aBranch, RoleCreate{Name: "x"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if err := ask(t.Context(), newClient(t, always(http.StatusOK, answer))); !isBadAnswer("about another")(err) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// Nor is one about what was there before a creation, which that can't have made: it would be the next that is deleted.
func TestACreationAnsweredWithAnOlderObject(t *testing.T) {
	for name, test := range map[string]struct {
		old, answer string
		create      func(context.Context, *Client) error
	}{
		"JWKS URL": {`{"jwks":[{"id":"x","jwks_url":"other"}]}`, `{"jwks":{"id":"x"}}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateJWKS(ctx, "p", JWKSAdd{URL: "u"})
				return err
			}},
		"service credential": {`{"credentials":[{"token_id":"x","name":"other"}]}`, `{"token_id":"x","api_token":"t"}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateCredential(ctx, aBranch, CredentialCreate{Name: "n"})
				return err
			}},
		"snapshot": {`{"snapshots":[{"id":"x","name":"other"}]}`, `{"snapshot":{"id":"x"}}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateSnapshot(ctx, aBranch, SnapshotCreate{Name: "n"})
				return err
			}},
		"endpoint": {`{"endpoints":[{"id":"x","type":"read_write"}]}`, `{"endpoint":{"id":"x"}}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateEndpoint(ctx, aBranch, EndpointCreate{Type: EndpointReadOnly})
				return err
			}},
		"trigger": {`{"triggers":[{"trigger_id":"x","name":"other"}]}`, `{"trigger":{"trigger_id":"x"}}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.CreateTrigger(ctx, aBranch, TriggerSpec{Name: "n"})
				return err
			}},
		"permission": {`{"project_permissions":[{"id":"x","granted_to_email":"c@b"}]}`, `{"id":"x"}`,
			func(ctx context.Context, c *Client) error {
				_, err := c.GrantProjectPermission(ctx, "p", "a@b")
				return err
			}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					if request.Method == http.MethodPost {
						return respond(request, http.StatusOK, test.answer), nil
					}
					return respond(request, http.StatusOK, test.old), nil
				}))
				if err := test.create(t.Context(), api); !IsLost(err) || !isBadAnswer("about another")(err) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

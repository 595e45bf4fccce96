package client

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
)

// everyList answers any list with one object of each kind.
const everyList = `{"branches":[{"id":"x"}],"endpoints":[{"id":"x","branch_id":"x","vpc_endpoint_id":"x","region_id":"r"}],"roles":[{"name":"x"}],` +
	`"databases":[{"id":1,"name":"x"}],"project_permissions":[{"id":"x"}],"jwks":[{"id":"x"}],"snapshots":[{"id":"x"}],` +
	`"project_members":[{"member_id":"x"}],"members":[{"member":{"id":"x"}}],"invitations":[{"id":"x"}],` +
	`"branch":{"id":"x"},"endpoint":{"id":"x"},"project":{"id":"x"},"spending_limit_cents":1}`

// sharedKinds read an object of each kind that is listed, in project p or organization o.
var sharedKinds = map[string]struct {
	scope string
	read  func(context.Context, *Client) error
}{
	"branch": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedBranch(ctx, BranchRef{ProjectID: "p", ID: "x"})
		return err
	}},
	"endpoint": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedEndpoint(ctx, EndpointRef{"p", "x"})
		return err
	}},
	"role": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedRole(ctx, BranchRef{ProjectID: "p", ID: "x"}, "x")
		return err
	}},
	"database": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedDatabase(ctx, BranchRef{ProjectID: "p", ID: "x"}, "x", 0)
		return err
	}},
	"permission": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedProjectPermission(ctx, Ref[ProjectPermission]{"p", "x"})
		return err
	}},
	"JWKS URL": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedJWKS(ctx, Ref[JWKS]{"p", "x"})
		return err
	}},
	"snapshot": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedSnapshot(ctx, SnapshotRef{"p", "x"})
		return err
	}},
	"restriction": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedVPCEndpointRestriction(ctx, Ref[VPCEndpoint]{"p", "x"})
		return err
	}},
	"project member": {"p", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedProjectMember(ctx, Ref[ProjectMember]{"p", "x"})
		return err
	}},
	"VPC endpoint": {"o", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedVPCEndpoint(ctx, VPCEndpointRef{"o", "r", "x"})
		return err
	}},
	"member": {"o", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedMember(ctx, OrgRef[Member]{"o", "x"})
		return err
	}},
	"invitation": {"o", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedInvitation(ctx, OrgRef[Invitation]{"o", "x"})
		return err
	}},
	"organization key": {"o", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedAPIKey(ctx, APIKeyScope{OrgID: "o"}, 7)
		return err
	}},
	"personal key": {"", func(ctx context.Context, c *Client) error {
		_, err := c.GetSharedAPIKey(ctx, APIKeyScope{}, 7)
		return err
	}},
}

// After a write of ours, none of the lists of its project or organization is served any more,
// and those of others are.
func TestAWriteMakesAllListsStale(t *testing.T) {
	writes := map[string]func(context.Context, *Client) error{
		"p": func(ctx context.Context, c *Client) error {
			_, err := c.UpdateProject(ctx, "p", ProjectUpdate{})
			return err
		},
		"o": func(ctx context.Context, c *Client) error { return c.SetSpendingLimit(ctx, "o", 1) },
		"":  func(ctx context.Context, c *Client) error { return c.RevokeAPIKey(ctx, APIKeyScope{}, 9) },
	}
	for name, kind := range sharedKinds {
		for scope, write := range writes {
			t.Run(name+" after a write to "+scope, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
						switch request.Method {
						case http.MethodDelete:
							return respond(request, http.StatusOK, `{"id":9}`), nil
						case http.MethodPatch:
							return respond(request, http.StatusOK, `{"project":{"id":"p"}}`), nil
						}
						if request.URL.Path == "/api/v2/api_keys" || request.URL.Path == "/api/v2/organizations/o/api_keys" {
							return respond(request, http.StatusOK, `[{"id":7}]`), nil
						}
						return respond(request, http.StatusOK, everyList), nil
					}}
					api := newClient(t, platform)
					read := func() int {
						before := platform.count()
						if err := kind.read(t.Context(), api); err != nil {
							t.Fatal(err)
						}
						return platform.count() - before
					}
					for range fewReads + 1 {
						read()
					}
					equal(t, "requests of a read that shares", read(), 0)
					if err := write(t.Context(), api); err != nil {
						t.Fatal(err)
					}
					equal(t, "requests of a read after the write", read(), map[bool]int{true: 1, false: 0}[scope == kind.scope])
				})
			})
		}
	}
}

package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// AuthGroup is a group of settings of Neon Auth, as AuthSettings names it.
type AuthGroup string

// The groups of settings. A change replaces a webhook as a whole, and is merged with what there is of the others.
const (
	AuthEmailAndPassword AuthGroup = "email_and_password"
	AuthMagicLink        AuthGroup = "magic_link"
	AuthPhoneNumber      AuthGroup = "phone_number"
	AuthOrganization     AuthGroup = "organization"
	AuthEmailProvider    AuthGroup = "email_provider"
	AuthWebhook          AuthGroup = "webhook"
)

// call is the one that changes the group.
func (g AuthGroup) call(branch BranchRef) call {
	switch g {
	case AuthMagicLink, AuthPhoneNumber, AuthOrganization:
		return authCall(http.MethodPatch, "/plugins/"+strings.ReplaceAll(string(g), "_", "-"), branch)
	case AuthWebhook:
		return authCall(http.MethodPut, "/webhooks", branch)
	}
	return authCall(http.MethodPatch, "/"+string(g), branch)
}

// AuthSettings are the groups of settings that Neon says, each with what it has of them.
type AuthSettings struct {
	AllowLocalhost *bool
	Groups         map[AuthGroup]map[string]any
}

// GetAuthSettings reads the settings of Neon Auth. They may have the email provider's password.
// GET /projects/{project_id}/branches/{branch_id}/auth/plugins: https://api-docs.neon.tech/reference/getneonauthpluginconfigs
// GET /projects/{project_id}/branches/{branch_id}/auth/webhooks: https://api-docs.neon.tech/reference/getneonauthwebhookconfig
func (c *Client) GetAuthSettings(ctx context.Context, branch BranchRef) (*AuthSettings, error) {
	request, groups := authCall(http.MethodGet, "/plugins", branch), []string{
		string(AuthEmailAndPassword), string(AuthMagicLink), string(AuthPhoneNumber), string(AuthOrganization),
		string(AuthEmailProvider),
	}
	plugins, err := c.receiveAny(ctx, request, append(groups, "allow_localhost", "oauth_providers")...)
	var webhook *map[string]any
	if err == nil {
		webhook, err = receive[map[string]any](ctx, c, authCall(http.MethodGet, "/webhooks", branch), "enabled")
	}
	if err != nil {
		return nil, c.judgeAuth(ctx, request, err)
	}
	settings := &AuthSettings{Groups: map[AuthGroup]map[string]any{AuthWebhook: *webhook}}
	err = plugins.decode(request, "allow_localhost", &settings.AllowLocalhost)
	for _, name := range groups {
		var group map[string]any
		err = cmp.Or(err, plugins.decode(request, name, &group))
		settings.Groups[AuthGroup(name)] = group
	}
	return settings, err
}

// SetAuthGroup changes a group of settings.
// PATCH /projects/{project_id}/branches/{branch_id}/auth/email_and_password: https://api-docs.neon.tech/reference/updateneonauthemailandpasswordconfig
// PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/magic-link: https://api-docs.neon.tech/reference/updateneonauthmagiclinkplugin
// PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/phone-number: https://api-docs.neon.tech/reference/updateneonauthphonenumberplugin
// PATCH /projects/{project_id}/branches/{branch_id}/auth/plugins/organization: https://api-docs.neon.tech/reference/updateneonauthorganizationplugin
// PATCH /projects/{project_id}/branches/{branch_id}/auth/email_provider: https://api-docs.neon.tech/reference/updateneonauthemailprovider
// PUT /projects/{project_id}/branches/{branch_id}/auth/webhooks: https://api-docs.neon.tech/reference/updateneonauthwebhookconfig
func (c *Client) SetAuthGroup(ctx context.Context, branch BranchRef, group AuthGroup, settings map[string]any) error {
	request := group.call(branch)
	request.subject, request.body = "the change of "+string(group)+" of Neon Auth on branch "+branch.ID, settings
	if group == AuthEmailProvider {
		return c.setAuth(ctx, request, "type")
	}
	return c.setAuth(ctx, request, "enabled")
}

// AllowAuthLocalhost says whether pages of the developer's own machine may use Neon Auth.
// PATCH /projects/{project_id}/branches/{branch_id}/auth/allow_localhost: https://api-docs.neon.tech/reference/updateneonauthallowlocalhost
func (c *Client) AllowAuthLocalhost(ctx context.Context, branch BranchRef, allow bool) error {
	request := authCall(http.MethodPatch, "/allow_localhost", branch)
	request.subject, request.body = "the change of allow_localhost of Neon Auth on branch "+branch.ID,
		map[string]bool{"allow_localhost": allow}
	return c.setAuth(ctx, request, "allow_localhost")
}

func (c *Client) setAuth(ctx context.Context, request call, field string) error {
	return c.judgeAuth(ctx, request, c.settle(ctx, request, field, nil))
}

// ErrMailNotSent is a test mail that Neon could not send.
var ErrMailNotSent = errors.New("the mail wasn't sent")

// SendAuthTestMail sends a mail by the email provider of Neon Auth. Neon doesn't say which mails were sent.
// POST /projects/{project_id}/branches/{branch_id}/auth/email_provider/test: https://api-docs.neon.tech/reference/sendneonauthemailprovidertest
func (c *Client) SendAuthTestMail(ctx context.Context, branch BranchRef, recipient string) error {
	request := authCall(http.MethodPost, "/email_provider/test", branch)
	request.subject, request.body, request.by = "a test mail of Neon Auth on branch "+branch.ID,
		map[string]string{"recipient_email": recipient}, unrepeatable
	type sent struct {
		Success bool   `json:"success"`
		Problem string `json:"error_message"`
	}
	answer, err := receiveOnce[sent](ctx, c, request, "success")
	if err == nil && !answer.Success {
		err = fmt.Errorf("%w: %s", ErrMailNotSent, c.apiKey.maskText(answer.Problem))
	}
	return err
}

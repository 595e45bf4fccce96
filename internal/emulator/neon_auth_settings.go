package emulator

import (
	"encoding/json"
	"maps"
	"math"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var authSettingRoutes = []route{
	{"PATCH " + authPath + "/config", forProject, (*Emulator).setAuthName},
	{"GET " + authPath + "/allow_localhost", forProject, (*Emulator).getLocalhost},
	{"PATCH " + authPath + "/allow_localhost", forProject, (*Emulator).setLocalhost},
	{"GET " + authPath + "/email_and_password", forProject, (*Emulator).getEmailAndPassword},
	{"PATCH " + authPath + "/email_and_password", forProject, (*Emulator).setEmailAndPassword},
	{"GET " + authPath + "/email_provider", forProject, (*Emulator).getEmailProvider},
	{"PATCH " + authPath + "/email_provider", forProject, (*Emulator).setEmailProvider},
	{"POST " + authPath + "/email_provider/test", forProject, (*Emulator).testEmailProvider},
	{"POST " + authPath + "/send_test_email", forProject, (*Emulator).sendTestEmail},
	{"GET " + authPath + "/plugins", forProject, (*Emulator).getPlugins},
	{"PATCH " + authPath + "/plugins/magic-link", forProject, (*Emulator).setMagicLink},
	{"PATCH " + authPath + "/plugins/organization", forProject, (*Emulator).setAuthOrganization},
	{"GET " + authPath + "/plugins/phone-number", forProject, (*Emulator).getPhoneNumber},
	{"PATCH " + authPath + "/plugins/phone-number", forProject, (*Emulator).setPhoneNumber},
	{"GET " + authPath + "/webhooks", forProject, (*Emulator).getWebhooks},
	{"PUT " + authPath + "/webhooks", forProject, (*Emulator).setWebhooks},
}

// authGroups are the settings that a change merges with those that there are.
var authGroups = map[string]wire.Schema{
	"email_and_password": wire.Object(wire.Fields{
		"enabled": wire.Boolean(), "email_verification_method": wire.OneOf("link", "otp"), "require_email_verification": wire.Boolean(),
		"auto_sign_in_after_verification": wire.Boolean(), "send_verification_email_on_sign_up": wire.Boolean(),
		"send_verification_email_on_sign_in": wire.Boolean(), "disable_sign_up": wire.Boolean(),
	}),
	"magic_link":   wire.Object(wire.Fields{"enabled": wire.Boolean(), "expires_in": wire.Integer(5, 1440), "disable_sign_up": wire.Boolean()}),
	"phone_number": wire.Object(wire.Fields{"enabled": wire.Boolean(), "otp_expires_in": wire.Integer(60, 600)}),
	"organization": wire.Object(wire.Fields{
		"enabled": wire.Boolean(), "organization_limit": wire.Integer(1, math.MaxInt32), "membership_limit": wire.Integer(1, math.MaxInt32),
		"creator_role": wire.OneOf("admin", "owner"), "send_invitation_email": wire.Boolean(),
	}),
}

var (
	emailServerSchema = wire.Object(wire.Fields{
		"type": wire.OneOf("standard", "shared"), "host": wire.AnyText(), "port": wire.Integer(math.MinInt64, math.MaxInt64), "username": wire.AnyText(),
		"password": wire.AnyText(), "sender_email": wire.AnyText(), "sender_name": wire.AnyText(),
	}, "type")
	webhookSchema = wire.Object(wire.Fields{
		"enabled": wire.Boolean(), "webhook_url": wire.AnyText(), "timeout_seconds": wire.Integer(1, 10),
		"enabled_events": wire.List(wire.OneOf("user.before_create", "user.created", "send.otp", "send.magic_link", "organization.invitation.created",
			"organization.invitation.accepted", "phone_number.verified")),
	}, "enabled")
)

// sentSettings are kept as they were sent.
type sentSettings struct {
	fits wire.Schema
	sent map[string]any
}

// Fits is what the group says.
func (s *sentSettings) Fits() wire.Schema { return s.fits }

func (s *sentSettings) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &s.sent) }

// readGroup answers with one group of settings.
func (c *call) readGroup(name string) (reply, error) {
	_, a, err := c.auth()
	if err == nil && a.Groups[name] == nil {
		err = wire.NotFound("%s not found", name)
	}
	if err != nil {
		return reply{}, err
	}
	return ok(a.Groups[name])
}

// changeGroup merges what is sent with a group of settings.
func (e *Emulator) changeGroup(c *call, name string) (reply, error) {
	changed := sentSettings{fits: authGroups[name]}
	a, err := e.changingAuth(c, &changed)
	if err != nil {
		return reply{}, err
	}
	maps.Copy(a.Groups[name], changed.sent)
	return ok(a.Groups[name])
}

func (e *Emulator) getEmailAndPassword(c *call) (reply, error) {
	return c.readGroup("email_and_password")
}
func (e *Emulator) setEmailAndPassword(c *call) (reply, error) {
	return e.changeGroup(c, "email_and_password")
}
func (e *Emulator) getPhoneNumber(c *call) (reply, error) { return c.readGroup("phone_number") }
func (e *Emulator) setPhoneNumber(c *call) (reply, error) { return e.changeGroup(c, "phone_number") }
func (e *Emulator) setMagicLink(c *call) (reply, error)   { return e.changeGroup(c, "magic_link") }
func (e *Emulator) setAuthOrganization(c *call) (reply, error) {
	return e.changeGroup(c, "organization")
}
func (e *Emulator) getWebhooks(c *call) (reply, error)      { return c.readGroup("webhook") }
func (e *Emulator) getEmailProvider(c *call) (reply, error) { return c.readGroup("email_provider") }

// setWebhooks answers PUT .../auth/webhooks, which replaces them. Neon reports over HTTPS alone.
func (e *Emulator) setWebhooks(c *call) (reply, error) {
	sent := sentSettings{fits: webhookSchema}
	a, err := e.changingAuth(c, &sent)
	body := sent.sent
	url, _ := body["webhook_url"].(string)
	switch {
	case err != nil:
		return reply{}, err
	case url == "" && body["enabled"] == true:
		return reply{}, wire.BadRequest("webhook_url is required to enable webhooks")
	case url != "" && !strings.HasPrefix(url, "https://"):
		return reply{}, wire.BadRequest("webhook_url must use https")
	}
	a.Groups["webhook"] = body
	return ok(body)
}

// setEmailProvider answers PATCH .../auth/email_provider. Answers to a change have no password; the
// shared provider has nothing but its type and its sender.
func (e *Emulator) setEmailProvider(c *call) (reply, error) {
	sent := sentSettings{fits: emailServerSchema}
	a, err := e.changingAuth(c, &sent)
	if err != nil {
		return reply{}, err
	}
	body, before, server := sent.sent, a.Groups["email_provider"], map[string]any{"type": "shared"}
	if body["type"] == "standard" {
		server = map[string]any{"host": "", "port": 0, "username": "", "password": "", "sender_email": "", "sender_name": ""}
		if e.plays(doubts.SharedMailServerKept) {
			maps.Copy(server, a.OwnServer)
		}
		maps.Copy(server, before)
		maps.Copy(server, body)
	} else {
		for _, member := range []string{"sender_email", "sender_name"} {
			if body[member] != nil {
				server[member] = body[member]
			}
		}
		if before["type"] == "standard" {
			a.OwnServer = before
		}
	}
	a.Groups["email_provider"] = server
	shown := maps.Clone(server)
	if shown["password"] != nil {
		shown["password"] = ""
	}
	return ok(shown)
}

// testEmailProvider answers POST .../auth/email_provider/test. No mail is sent: below .invalid
// (RFC 6761) there is no host.
func (e *Emulator) testEmailProvider(c *call) (reply, error) {
	var body struct {
		Recipient string `json:"recipient_email" fits:"required,email"`
	}
	a, err := e.changingAuth(c, &body)
	switch {
	case err != nil:
		return reply{}, err
	case a.Groups["email_provider"]["type"] != "standard":
		return reply{}, wire.BadRequest("no standard email provider is configured")
	}
	a.Mails++
	host, _ := a.Groups["email_provider"]["host"].(string)
	return ok(mailed(host))
}

// sendTestEmail answers POST .../auth/send_test_email, which brings its server along.
func (e *Emulator) sendTestEmail(c *call) (reply, error) {
	var body struct {
		Host      string `json:"host" fits:"required"`
		Password  string `json:"password" fits:"required"`
		Port      int64  `json:"port" fits:"required"`
		Recipient string `json:"recipient_email" fits:"required,email"`
		Sender    string `json:"sender_email" fits:"required"`
		Name      string `json:"sender_name" fits:"required"`
		Username  string `json:"username" fits:"required"`
	}
	if _, err := e.changingAuth(c, &body); err != nil {
		return reply{}, err
	}
	return ok(mailed(body.Host))
}

func mailed(host string) map[string]any {
	if strings.HasSuffix(host, ".invalid") {
		return map[string]any{"success": false, "error_message": "lookup " + host + ": no such host"}
	}
	return map[string]any{"success": true}
}

// getPlugins answers GET .../auth/plugins, with all settings but the webhook's.
func (e *Emulator) getPlugins(c *call) (reply, error) {
	_, a, err := c.auth()
	if err != nil {
		return reply{}, err
	}
	all := map[string]any{"oauth_providers": a.oauthViews(), "allow_localhost": a.AllowLocalhost}
	for name, group := range a.Groups {
		if name != "webhook" {
			all[name] = group
		}
	}
	return ok(all)
}

// getLocalhost answers GET .../auth/allow_localhost.
func (e *Emulator) getLocalhost(c *call) (reply, error) {
	_, a, err := c.auth()
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]bool{"allow_localhost": a.AllowLocalhost})
}

// setLocalhost answers PATCH .../auth/allow_localhost.
func (e *Emulator) setLocalhost(c *call) (reply, error) {
	var body struct {
		Allow bool `json:"allow_localhost" fits:"required"`
	}
	a, err := e.changingAuth(c, &body)
	if err != nil {
		return reply{}, err
	}
	a.AllowLocalhost = body.Allow
	return ok(map[string]bool{"allow_localhost": a.AllowLocalhost})
}

// setAuthName answers PATCH .../auth/config.
func (e *Emulator) setAuthName(c *call) (reply, error) {
	var body struct {
		Name string `json:"name" fits:"required,1..256"`
	}
	a, err := e.changingAuth(c, &body)
	if err != nil {
		return reply{}, err
	}
	a.Name = body.Name
	return ok(map[string]string{"name": a.Name})
}

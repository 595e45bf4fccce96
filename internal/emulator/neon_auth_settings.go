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
	{"PATCH " + authPath + "/config", forProject, changesAuth((*Emulator).setAuthName)},
	{"GET " + authPath + "/allow_localhost", forProject, about((*Emulator).auth, (*Emulator).getLocalhost)},
	{"PATCH " + authPath + "/allow_localhost", forProject, changesAuth((*Emulator).setLocalhost)},
	{"GET " + authPath + "/email_and_password", forProject, readsGroup("email_and_password")},
	{"PATCH " + authPath + "/email_and_password", forProject, changesGroup("email_and_password")},
	{"GET " + authPath + "/email_provider", forProject, readsGroup("email_provider")},
	{"PATCH " + authPath + "/email_provider", forProject,
		changesSettings(emailServerSchema, (*Emulator).setEmailProvider)},
	{"POST " + authPath + "/email_provider/test", forProject, changesAuth((*Emulator).testEmailProvider)},
	{"POST " + authPath + "/send_test_email", forProject, changesAuth((*Emulator).sendTestEmail)},
	{"GET " + authPath + "/plugins", forProject, about((*Emulator).auth, (*Emulator).getPlugins)},
	{"PATCH " + authPath + "/plugins/magic-link", forProject, changesGroup("magic_link")},
	{"PATCH " + authPath + "/plugins/organization", forProject, changesGroup("organization")},
	{"GET " + authPath + "/plugins/phone-number", forProject, readsGroup("phone_number")},
	{"PATCH " + authPath + "/plugins/phone-number", forProject, changesGroup("phone_number")},
	{"GET " + authPath + "/webhooks", forProject, readsGroup("webhook")},
	{"PUT " + authPath + "/webhooks", forProject, changesSettings(webhookSchema, (*Emulator).setWebhooks)},
}

// authGroups are the settings that a change merges with those that there are.
var authGroups = map[string]wire.Schema{
	"email_and_password": wire.Object(wire.Fields{
		"enabled": wire.Boolean(), "email_verification_method": wire.OneOf("link", "otp"),
		"require_email_verification":      wire.Boolean(),
		"auto_sign_in_after_verification": wire.Boolean(), "send_verification_email_on_sign_up": wire.Boolean(),
		"send_verification_email_on_sign_in": wire.Boolean(), "disable_sign_up": wire.Boolean(),
	}),
	"magic_link": wire.Object(wire.Fields{"enabled": wire.Boolean(), "expires_in": wire.Integer(5, 1440),
		"disable_sign_up": wire.Boolean()}),
	"phone_number": wire.Object(wire.Fields{"enabled": wire.Boolean(), "otp_expires_in": wire.Integer(60, 600)}),
	"organization": wire.Object(wire.Fields{
		"enabled": wire.Boolean(), "organization_limit": wire.Integer(1, math.MaxInt32),
		"membership_limit": wire.Integer(1, math.MaxInt32),
		"creator_role":     wire.OneOf("admin", "owner"), "send_invitation_email": wire.Boolean(),
	}),
}

var (
	emailServerSchema = wire.Object(wire.Fields{
		"type": wire.OneOf("standard", "shared"), "host": wire.AnyText(), "port": wire.Integer(math.MinInt64, math.MaxInt64),
		"username": wire.AnyText(),
		"password": wire.AnyText(), "sender_email": wire.AnyText(), "sender_name": wire.AnyText(),
	}, "type")
	webhookSchema = wire.Object(wire.Fields{
		"enabled": wire.Boolean(), "webhook_url": wire.AnyText(), "timeout_seconds": wire.Integer(1, 10),
		"enabled_events": wire.List(wire.OneOf("user.before_create", "user.created", "send.otp", "send.magic_link",
			"organization.invitation.created",
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

// readsGroup answers with one group of settings.
func readsGroup(name string) handler {
	return about((*Emulator).auth, func(_ *Emulator, _ *call, a *neonAuth) (reply, error) {
		if a.Groups[name] == nil {
			return reply{}, wire.NotFound("%s not found", name)
		}
		return ok(a.Groups[name])
	})
}

// changesSettings is a handler of writes of settings that fit a schema.
func changesSettings(fits wire.Schema, change func(*Emulator, *neonAuth, map[string]any) (reply, error)) handler {
	return checked(func(e *Emulator, c *call) (reply, error) {
		body := sentSettings{fits: fits}
		err := c.decode(&body)
		if err == nil {
			err = e.isFree(c)
		}
		if err != nil {
			return reply{}, err
		}
		return change(e, c.branch.Auth, body.sent)
	}, (*Emulator).hasAuth)
}

// changesGroup merges what is sent with one group of settings.
func changesGroup(name string) handler {
	return changesSettings(authGroups[name], func(_ *Emulator, a *neonAuth, sent map[string]any) (reply, error) {
		maps.Copy(a.Groups[name], sent)
		return ok(a.Groups[name])
	})
}

// setWebhooks answers PUT .../auth/webhooks, which replaces them. Neon reports over HTTPS alone.
func (e *Emulator) setWebhooks(a *neonAuth, body map[string]any) (reply, error) {
	url, _ := body["webhook_url"].(string)
	switch {
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
func (e *Emulator) setEmailProvider(a *neonAuth, body map[string]any) (reply, error) {
	before, server := a.Groups["email_provider"], map[string]any{"type": "shared"}
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
func (e *Emulator) testEmailProvider(_ *call, a *neonAuth, _ struct {
	Recipient string `json:"recipient_email" fits:"required,email"`
}) (reply, error) {
	if a.Groups["email_provider"]["type"] != "standard" {
		return reply{}, wire.BadRequest("no standard email provider is configured")
	}
	a.Mails++
	host, _ := a.Groups["email_provider"]["host"].(string)
	return ok(mailed(host))
}

// sendTestEmail answers POST .../auth/send_test_email, which brings its server along.
func (e *Emulator) sendTestEmail(_ *call, _ *neonAuth, body struct {
	Host      string `json:"host" fits:"required"`
	Password  string `json:"password" fits:"required"`
	Port      int64  `json:"port" fits:"required"`
	Recipient string `json:"recipient_email" fits:"required,email"`
	Sender    string `json:"sender_email" fits:"required"`
	Name      string `json:"sender_name" fits:"required"`
	Username  string `json:"username" fits:"required"`
}) (reply, error) {
	return ok(mailed(body.Host))
}

func mailed(host string) map[string]any {
	if strings.HasSuffix(host, ".invalid") {
		return map[string]any{"success": false, "error_message": "lookup " + host + ": no such host"}
	}
	return map[string]any{"success": true}
}

// getPlugins answers GET .../auth/plugins, with all settings but the webhook's.
func (e *Emulator) getPlugins(_ *call, a *neonAuth) (reply, error) {
	all := map[string]any{"oauth_providers": a.oauthViews(), "allow_localhost": a.AllowLocalhost}
	for name, group := range a.Groups {
		if name != "webhook" {
			all[name] = group
		}
	}
	return ok(all)
}

func (e *Emulator) getLocalhost(_ *call, a *neonAuth) (reply, error) {
	return ok(map[string]bool{"allow_localhost": a.AllowLocalhost})
}

func (e *Emulator) setLocalhost(_ *call, a *neonAuth, body struct {
	Allow bool `json:"allow_localhost" fits:"required"`
}) (reply, error) {
	a.AllowLocalhost = body.Allow
	return ok(map[string]bool{"allow_localhost": a.AllowLocalhost})
}

func (e *Emulator) setAuthName(_ *call, a *neonAuth, body struct {
	Name string `json:"name" fits:"required,1..256"`
}) (reply, error) {
	a.Name = body.Name
	return ok(map[string]string{"name": a.Name})
}

package emulator

import (
	"maps"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var authSettingRoutes = []route{
	{"PATCH " + authPath + "/config", forProject, changesAuth((*Emulator).setAuthName)},
	{"GET " + authPath + "/allow_localhost", forProject, tellsOf((*Emulator).auth, "allow_localhost",
		func(_ *Emulator, _ *call, a *neonAuth) bool { return a.AllowLocalhost })},
	{"PATCH " + authPath + "/allow_localhost", forProject, changesAuth((*Emulator).setLocalhost)},
	{"GET " + authPath + "/email_and_password", forProject, readsGroup("email_and_password")},
	{"PATCH " + authPath + "/email_and_password", forProject, changesGroup[emailAndPassword]("email_and_password")},
	{"GET " + authPath + "/email_provider", forProject, readsGroup("email_provider")},
	{"PATCH " + authPath + "/email_provider", forProject,
		changesAuth((*Emulator).setEmailProvider)},
	{"POST " + authPath + "/email_provider/test", forProject, changesAuth((*Emulator).testEmailProvider)},
	{"POST " + authPath + "/send_test_email", forProject, changesAuth((*Emulator).sendTestEmail)},
	{"GET " + authPath + "/plugins", forProject, about((*Emulator).auth, (*Emulator).getPlugins)},
	{"PATCH " + authPath + "/plugins/magic-link", forProject, changesGroup[magicLink]("magic_link")},
	{"PATCH " + authPath + "/plugins/organization", forProject, changesGroup[authOrganization]("organization")},
	{"GET " + authPath + "/plugins/phone-number", forProject, readsGroup("phone_number")},
	{"PATCH " + authPath + "/plugins/phone-number", forProject, changesGroup[phoneNumber]("phone_number")},
	{"GET " + authPath + "/webhooks", forProject, readsGroup("webhook")},
	{"PUT " + authPath + "/webhooks", forProject, changesAuth((*Emulator).setWebhooks)},
}

// What settings may be. Each is kept as it was sent.
type (
	emailAndPassword struct {
		Enabled        bool   `json:"enabled"`
		Method         string `json:"email_verification_method" fits:"=link|otp"`
		IsRequired     bool   `json:"require_email_verification"`
		SignsIn        bool   `json:"auto_sign_in_after_verification"`
		SentAtSignUp   bool   `json:"send_verification_email_on_sign_up"`
		SentAtSignIn   bool   `json:"send_verification_email_on_sign_in"`
		DisablesSignUp bool   `json:"disable_sign_up"`
	}
	magicLink struct {
		Enabled        bool `json:"enabled"`
		ExpiresIn      int  `json:"expires_in" fits:"5..1440"`
		DisablesSignUp bool `json:"disable_sign_up"`
	}
	phoneNumber struct {
		Enabled   bool `json:"enabled"`
		ExpiresIn int  `json:"otp_expires_in" fits:"60..600"`
	}
	authOrganization struct {
		Enabled       bool   `json:"enabled"`
		Organizations int    `json:"organization_limit" fits:"1..2147483647"`
		Members       int    `json:"membership_limit" fits:"1..2147483647"`
		CreatorRole   string `json:"creator_role" fits:"=admin|owner"`
		SendsEmail    bool   `json:"send_invitation_email"`
	}
	emailServer struct {
		Type     string `json:"type" fits:"required,=standard|shared"`
		Host     string `json:"host"`
		Port     int    `json:"port"`
		Username string `json:"username"`
		Password string `json:"password"`
		Sender   string `json:"sender_email"`
		Name     string `json:"sender_name"`
	}
	webhooks struct {
		Enabled bool     `json:"enabled" fits:"required"`
		URL     string   `json:"webhook_url"`
		Seconds int      `json:"timeout_seconds" fits:"1..10"`
		Events  []string `json:"enabled_events" fits:"each,=user.before_create|user.created|send.otp|send.magic_link|organization.invitation.created|organization.invitation.accepted|phone_number.verified"`
	}
)

func readsGroup(name string) handler {
	return about((*Emulator).auth, func(_ *Emulator, _ *call, a *neonAuth) (reply, error) {
		if a.Groups[name] == nil {
			return reply{}, wire.NotFound("%s not found", name)
		}
		return ok(a.Groups[name])
	})
}

// changesGroup merges what is sent with one group of settings.
func changesGroup[T any](name string) handler {
	return changesAuth(func(_ *Emulator, _ *call, a *neonAuth, sent wire.Shaped[T]) (reply, error) {
		maps.Copy(a.Groups[name], sent)
		return ok(a.Groups[name])
	})
}

// setWebhooks answers PUT .../auth/webhooks, which replaces them. Neon reports over HTTPS alone.
func (e *Emulator) setWebhooks(_ *call, a *neonAuth, body wire.Shaped[webhooks]) (reply, error) {
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

// setEmailProvider answers without the password. The shared provider has nothing but its type and its sender.
func (e *Emulator) setEmailProvider(_ *call, a *neonAuth, body wire.Shaped[emailServer]) (reply, error) {
	before, server := a.Groups["email_provider"], map[string]any{"type": "shared"}
	if body["type"] == "standard" {
		server = map[string]any{"host": "", "port": 0, "username": "", "password": "", "sender_email": "", "sender_name": ""}
		if e.plays(doubts.SharedMailServer, "kept") {
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

// testEmailProvider sends no mail: below .invalid (RFC 6761) there is no host.
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

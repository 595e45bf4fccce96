package neonauth_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What Neon would refuse, or not do, is refused in the plan, with what to write.
func TestAccAuth_mistakes(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	var steps []resource.TestStep
	server, password, _ := strings.Cut(mail+"1", "\n")
	for lines, words := range map[string][]string{
		`webhook = { enabled = true }`:                                  {"A webhook without an address", "Set url"},
		`webhook = { enabled = true, url = "http://example.com" }`:      {"must be an address that begins with https://"},
		`webhook = { enabled = true, url = "not a url" }`:               {"must be an address that begins with https://"},
		`webhook = { events = ["user.deleted"] }`:                       {`"user.created"`, `"user.deleted"`},
		`magic_link = { expires = 10 }`:                                 {"Nothing is configured in magic_link", "expires_in"},
		`email_provider = { type = "standard" }`:                        {"The mail server isn't whole", "host, port, username, sender_email, sender_name, email_provider_password_wo"},
		strings.Replace(mail+"1", `host = "smtp.example.com", `, "", 1): {"The mail server isn't whole", "Set also host"},
		server: {"The mail server isn't whole", "a password inside of it is dropped"},
		strings.Replace(mail+"1", "a@example.com", "example.com", 1):      {"must be an email address"},
		`email_provider = { type = "shared", host = "smtp.example.com" }`: {"Not of Neon's own server", `type = "standard"`},
		password: {"A password without its server", "add email_provider"},
		"email_provider = { type = \"shared\" }\n" + password: {"A password without its server"},
	} {
		steps = append(steps, resource.TestStep{Config: w.ProviderConfig() + block(w, branchID, lines), PlanOnly: true,
			ExpectError: acctest.InOrder(words...)})
	}
	acctest.RunSteps(t, w.World, steps...)
	if _, err := w.API.GetAuth(t.Context(), w.Ref(branchID)); !client.IsAbsent(err) {
		t.Errorf("Neon Auth was enabled: %v", err)
	}
}

// Neon keeps the password of a mail server, and must not send it to another one.
func TestAccAuth_otherServer(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := func(lines string) string { return w.ProviderConfig() + block(w, w.MainBranch(t).ID, lines) }
	server, password, _ := strings.Cut(mail+"1", "\n")
	other := func(lines string) string { return strings.Replace(lines, "smtp.example.com", "smtp.example.net", 1) }
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(mail + "1")},
		resource.TestStep{Config: config(server)},
		resource.TestStep{Config: config(other(server)), PlanOnly: true,
			ExpectError: acctest.InOrder("Another mail server without its password", "email_provider_password_wo")},
		resource.TestStep{Config: config(other(mail + "1"))},
		resource.TestStep{Config: config(password), PlanOnly: true,
			ExpectError: acctest.InWords("A password without its server")},
	)
}

// A domain is a scheme and a host; what sends people anywhere is warned of.
func TestAccTrustedDomain_mistakes(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	enable(t, w, branchID)
	config := func(domain string) string {
		return w.ProviderConfig() + fmt.Sprintf(
			"resource \"neon_auth_trusted_domain\" \"test\" {\n project_id = %q\n branch_id = %q\n domain = %q\n}\n",
			w.ProjectID, branchID, domain)
	}
	var steps []resource.TestStep
	for _, domain := range []string{"https://", "https://a b.example.com", "https://a.example.com/path",
		"https://a.example.com?q=1", "javascript://x", "https://user@a.example.com", "https://a.example.com\t"} {
		steps = append(steps, resource.TestStep{Config: config(domain), PlanOnly: true,
			ExpectError: acctest.InWords("must be a scheme and a host without a path, such as https://shop.example.com")})
	}
	for _, domain := range []string{"https://a.example.com:65536", "http://[::1]:70000/", "https://*:99999"} {
		steps = append(steps, resource.TestStep{Config: config(domain), PlanOnly: true,
			ExpectError: acctest.InWords("domain must have a port of at most 65535, got: " + strconv.Quote(domain))})
	}
	for _, domain := range []string{"https://*.example.com", "http://localhost:3000", "https://a.example.com:65535",
		"myapp://", "MyApp://", "Other-App://", "https://[::1]:3000"} {
		steps = append(steps, resource.TestStep{Config: config(domain)})
	}
	acctest.RunSteps(t, w.World, append(steps, resource.TestStep{Config: config("https://*")})...)
}

// A replacement that the configuration doesn't ask for is refused: Terraform would show no warning of it.
func TestAccTerraform_authReplacedByForce(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	run := acctest.NewRun(t, w.World, w.ProviderConfig()+block(w, w.MainBranch(t).ID, "delete_data_on_destroy = true"))
	run.Terraform(t, "apply", "-auto-approve")
	said := run.Fails(t, "apply", "-auto-approve", "-replace="+address)
	if !acctest.InOrder("Users of the application would be lost", "all users would be deleted for good",
		"leave that out").MatchString(said) {
		t.Error(said)
	}
}

// A setting that Neon refuses, or an interruption, leaves a new Neon Auth as it is: Terraform would replace what an
// error
// has tainted, and Neon may refuse to enable it again.
func TestAccTerraform_authSettingRefused(t *testing.T) {
	acctest.NeedsTerraform(t, "1.11")
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	w.AddFault(t, acctest.Fault{Route: "PATCH " + route + "/email_provider", Kind: "status", Status: http.StatusBadRequest,
		Body: `{"code":"","message":"smtp.example.com refuses it"}`, Count: 1})
	run := acctest.NewRun(t, w.World, w.ProviderConfig()+block(w, branchID, "magic_link = { enabled = true }",
		mail+"1")+beside)
	said := acctest.InOneLine(run.Terraform(t, "apply", "-auto-approve"))
	if !acctest.InOrder("Not all settings of Neon Auth are set", "smtp.example.com refuses it",
		"next apply sets them").MatchString(said) {
		t.Errorf("what is left isn't said:\n%s", said)
	}
	if said := run.Terraform(t, "apply", "-auto-approve"); !strings.Contains(said, "0 added, 1 changed, 0 destroyed") {
		t.Errorf("the next apply doesn't do what is left alone:\n%s", said)
	}
	if now := settings(t, w, branchID); now[client.AuthEmailProvider]["password"] != secret ||
		now[client.AuthMagicLink]["enabled"] != true {
		t.Errorf("Neon has %v", now)
	}
	if said := run.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
		t.Errorf("the last plan isn't empty:\n%s", said)
	}
}

// Where Neon doesn't find one part of Neon Auth, that is no proof that the branch has none.
func TestAccAuth_partNotFound(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	config := w.ProviderConfig() + block(w, w.MainBranch(t).ID) + beside
	steps := []resource.TestStep{{Config: config}}
	for _, part := range []string{"/plugins", "/webhooks", "/oauth_providers", "/domains"} {
		steps = append(steps,
			resource.TestStep{
				PreConfig: func() {
					w.AddFault(t, acctest.Fault{Route: "GET " + route + part, Kind: "status", Status: http.StatusNotFound,
						Body: `{"code":"","message":"not found"}`, Count: 1})
				},
				Config: config, ExpectError: acctest.InOrder("Unable to read", "404"),
			},
			resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		)
	}
	acctest.RunSteps(t, w.World, steps...)
}

// What somebody has enabled anew since a plan looked shows in the next one.
func TestAccTerraform_authEnabledAnew(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	run := acctest.NewRun(t, w.World, w.ProviderConfig()+block(w, branchID))
	run.Terraform(t, "apply", "-auto-approve")
	run.Configure(t, w.ProviderConfig()+block(w, branchID, "allow_localhost = false"))
	run.Terraform(t, "plan", "-out=next.plan")
	w.Settle(t, nil, w.API.DisableAuth(t.Context(), w.Ref(branchID), true))
	enable(t, w, branchID)
	run.Terraform(t, "apply", "next.plan")
	if said := run.Terraform(t, "plan"); !strings.Contains(said, "No changes.") {
		t.Errorf("the last plan isn't empty:\n%s", said)
	}
}

// A webhook that somebody has removed elsewhere is there again, also where nothing says that it is enabled.
func TestAccAuth_webhookRemovedElsewhere(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	config := w.ProviderConfig() + block(w, branchID, `webhook = { url = "https://a.example", events = ["send.otp"] }`)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				w.Settle(t, nil, w.API.SetAuthGroup(t.Context(), w.Ref(branchID), client.AuthWebhook,
					map[string]any{"enabled": false}))
			},
			Config: config, ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(acctest.State) error {
				if now := settings(t, w, branchID)[client.AuthWebhook]; now["enabled"] != true ||
					now["webhook_url"] != "https://a.example" || fmt.Sprint(now["enabled_events"]) != "[send.otp]" {
					return fmt.Errorf("Neon has %v", now)
				}
				return nil
			})},
		},
	)
}

// Where Neon enables it again, the users are there; where it keeps what the shared mail server took the place of, all
// is sent.
func TestAccAuth_readings(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "shared-mail-server", func(t *testing.T, reading emulator.Config) {
		w := acctest.BranchWorldOf(t, reading)
		config := func(lines ...string) string {
			return w.ProviderConfig() + block(w, w.MainBranch(t).ID, append(lines, "delete_data_on_destroy = true")...)
		}
		const sender = `email_provider = { type = "shared", sender_email = "no-reply@example.com", sender_name = "Us" }`
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: config(mail + "1")},
			resource.TestStep{Config: config(sender), ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.StringExact("Us"),
				"email_provider", "sender_name"), is(knownvalue.Null(), "email_provider", "host")}},
			resource.TestStep{Config: config(sender), ConfigPlanChecks: acctest.ExpectAction(address,
				plancheck.ResourceActionNoop)},
			resource.TestStep{Config: config(mail + "1"), ConfigStateChecks: []statecheck.StateCheck{is(
				knownvalue.StringExact("smtp.example.com"), "email_provider", "host")}},
		)
	})
	acctest.EachReading(t, "auth-schema-left", func(t *testing.T, reading emulator.Config) {
		w := acctest.BranchWorldOf(t, reading)
		config := w.ProviderConfig() + block(w, w.MainBranch(t).ID)
		again := resource.TestStep{Config: config, ExpectError: acctest.InOrder("To keep the users")}
		if w.Plays(t, "auth-schema-left", "enabled") {
			again = resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(address,
				plancheck.ResourceActionCreate)}
		}
		acctest.RunSteps(t, w.World, resource.TestStep{Config: config},
			resource.TestStep{Config: config, Destroy: true}, again)
	})
}

// A webhook with a new address is used, one whose block is back as well, and one that was switched off stays so.
func TestAccAuth_webhookIsUsed(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	step := func(hook string, enabled bool) resource.TestStep {
		return resource.TestStep{
			Config: w.ProviderConfig() + block(w, w.MainBranch(t).ID, "delete_data_on_destroy = true", hook),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("webhook").AtMapKey("enabled"), knownvalue.Bool(enabled)),
				acctest.After(func(acctest.State) error {
					if is := settings(t, w, w.MainBranch(t).ID)[client.AuthWebhook]["enabled"]; is != enabled {
						return fmt.Errorf("whether Neon uses the webhook is %v, want %t", is, enabled)
					}
					return nil
				}),
			},
		}
	}
	const first, second = `webhook = { url = "https://a.example" }`, `webhook = { url = "https://b.example" }`
	acctest.RunSteps(t, w.World,
		step(first, true),
		step(`webhook = { url = "https://a.example", enabled = false }`, false),
		step(first, false),
		step(second, true),
		step("", false),
		step(second, true),
	)
}

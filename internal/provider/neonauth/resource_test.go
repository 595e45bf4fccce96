package neonauth_test

import (
	"context"
	"fmt"
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

func TestMain(m *testing.M) { acctest.Main(m) }

const (
	address = "neon_auth.test"
	route   = "/api/v2/projects/{project_id}/branches/{branch_id}/auth"
	secret  = "s3cret-of-the-mail-server"
	mail    = `email_provider = { type = "standard", host = "smtp.example.com", port = 465, username = "shop", sender_email = "a@example.com", sender_name = "Shop" }
 email_provider_password_wo = "` + secret + `"
 email_provider_password_wo_version = `
)

func block(w *acctest.BranchWorld, branchID string, lines ...string) string {
	return fmt.Sprintf("resource \"neon_auth\" \"test\" {\n project_id = %q\n branch_id = %q\n %s\n}\n", w.ProjectID,
		branchID, strings.Join(lines, "\n "))
}

func is(check knownvalue.Check, first string, more ...string) statecheck.StateCheck {
	at := tfjsonpath.New(first)
	for _, name := range more {
		at = at.AtMapKey(name)
	}
	return statecheck.ExpectKnownValue(address, at, check)
}

// settings are those that Neon has now.
func settings(t *testing.T, w *acctest.BranchWorld, branchID string) map[client.AuthGroup]map[string]any {
	t.Helper()
	all, err := w.API.GetAuthSettings(context.WithoutCancel(t.Context()), w.Ref(branchID))
	if err != nil {
		t.Fatal(err)
	}
	return all.Groups
}

// enable enables Neon Auth past Terraform.
func enable(t *testing.T, w *acctest.BranchWorld, branchID string) {
	t.Helper()
	_, err := w.API.EnableAuth(t.Context(), w.Ref(branchID), client.AuthEnable{Provider: "better_auth"})
	w.Settle(t, nil, err)
}

func life(t *testing.T, w *acctest.BranchWorld) []resource.TestStep {
	t.Helper()
	branchID := w.MainBranch(t).ID
	config := func(lines ...string) string {
		return w.ProviderConfig() + block(w, branchID, append(lines, "delete_data_on_destroy = true")...)
	}
	password := func(want string) statecheck.StateCheck {
		return acctest.After(func(state acctest.State) error {
			if got := settings(t, w, branchID)[client.AuthEmailProvider]["password"]; got != want {
				return fmt.Errorf("the password is %q, want %q", got, want)
			}
			if strings.Contains(state.String(), secret) {
				return fmt.Errorf("the state has the password")
			}
			return nil
		})
	}
	const hook = `webhook = { timeout_seconds = 7 }`
	return []resource.TestStep{
		{
			Config: config("allow_localhost = true", `email_and_password = { disable_sign_up = true }`, mail+"1",
				`webhook = { enabled = true, url = "https://example.com/hook", events = ["send.otp", "user.created"] }`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				is(knownvalue.StringExact("neondb"), "database_name"), is(knownvalue.NotNull(), "base_url"),
				is(knownvalue.Null(), "email_provider_password_wo"),
				is(knownvalue.Bool(true), "email_and_password", "disable_sign_up"),
				is(knownvalue.StringExact("otp"), "email_and_password", "email_verification_method"),
				is(knownvalue.Int64Exact(5), "magic_link", "expires_in"),
				password(secret),
			},
		},
		{
			ResourceName: address, ImportState: true, ImportStateVerify: true, ImportStateId: w.ProjectID + "/" + branchID,
			ImportStateVerifyIgnore: []string{"delete_data_on_destroy", "email_provider_password_wo_version"},
		},
		// What nobody configured is left as it is in the web console; what is configured is set back.
		{
			PreConfig: func() {
				for group, change := range map[client.AuthGroup]map[string]any{
					client.AuthEmailAndPassword: {"disable_sign_up": false, "require_email_verification": true}, client.AuthMagicLink: {"expires_in": 30},
				} {
					w.Settle(t, nil, w.API.SetAuthGroup(t.Context(), w.Ref(branchID), group, change))
				}
			},
			Config: config("allow_localhost = false", `email_and_password = { disable_sign_up = true }`, mail+"1",
				`webhook = { timeout_seconds = 7 }`, `organization = { creator_role = "admin" }`),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				is(knownvalue.Bool(true), "email_and_password", "require_email_verification"),
				is(knownvalue.Int64Exact(30), "magic_link", "expires_in"),
				is(knownvalue.StringExact("https://example.com/hook"), "webhook", "url"),
				is(knownvalue.StringExact("admin"), "organization", "creator_role"),
				password(secret),
			},
		},
		// Another password is sent by another version alone.
		{Config: config(strings.ReplaceAll(mail, secret, "another")+"1", hook, "allow_localhost = false"), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop), ConfigStateChecks: []statecheck.StateCheck{password(secret)}},
		{Config: config(strings.ReplaceAll(mail, secret, "another")+"2", hook, "allow_localhost = false"), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate), ConfigStateChecks: []statecheck.StateCheck{password("another")}},
		// Without their blocks, the webhook and the mail server are switched off.
		{
			Config: config(), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionUpdate),
			ConfigStateChecks: []statecheck.StateCheck{
				is(knownvalue.Bool(false), "webhook", "enabled"), is(knownvalue.StringExact("shared"), "email_provider", "type"),
				is(knownvalue.Null(), "email_provider", "host"),
				acctest.After(func(acctest.State) error {
					if now := settings(t, w, branchID); now[client.AuthWebhook]["enabled"] != false ||
						now[client.AuthEmailProvider]["type"] != "shared" {
						return fmt.Errorf("Neon has %v and %v", now[client.AuthWebhook], now[client.AuthEmailProvider])
					}
					return nil
				}),
			},
		},
		{Config: config(), ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionNoop)},
		// Disabled outside: enabled again.
		{
			PreConfig:        func() { w.Settle(t, nil, w.API.DisableAuth(t.Context(), w.Ref(branchID), true)) },
			Config:           config(),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionCreate),
		},
	}
}

func TestAccAuth_life(t *testing.T) {
	t.Parallel()
	acctest.WithoutTerraform(t)
	w := acctest.NewBranchWorld(t)
	acctest.RunSteps(t, w.World, life(t, w)...)
	enable(t, w, w.MainBranch(t).ID) // Its data is gone with it.
}

func TestAccTerraform_authLife(t *testing.T) {
	acctest.NeedsTerraform(t, "1.11")
	w := acctest.NewBranchWorld(t)
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: life(t, w)})
}

// A configuration may put Neon Auth on another branch, which -replace can't do.
func TestAccAuth_elsewhere(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	on := func(branchID string) string {
		return w.ProviderConfig() + block(w, branchID, "delete_data_on_destroy = true")
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: on(w.MainBranch(t).ID)},
		resource.TestStep{Config: on(w.MakeBranch(t, "other").ID),
			ConfigPlanChecks: acctest.ExpectAction(address, plancheck.ResourceActionReplace)},
	)
}

// A reset takes the data of the branch's parent, users included. Whatever becomes of Neon Auth then, the next apply has
// it as configured.
func TestAccAuth_reset(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "auth-after-restore", func(t *testing.T, played emulator.Config) {
		t.Helper()
		t.Parallel()
		w := acctest.BranchWorldOf(t, played)
		branchID := w.MakeBranch(t, "child").ID
		config := w.ProviderConfig() + block(w, branchID, "allow_localhost = true") + beside
		acctest.RunSteps(t, w.World,
			resource.TestStep{Config: config},
			resource.TestStep{
				PreConfig: func() { w.ResetBranch(t, branchID) },
				Config:    config, ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.Bool(true), "allow_localhost")},
			},
		)
	})
}

func TestAccAuth_errors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main, child, left := w.MainBranch(t).ID, w.MakeBranch(t, "child").ID, w.MakeBranch(t, "left").ID
	enable(t, w, child)
	config := func(branchID string, lines ...string) string {
		return w.ProviderConfig() + block(w, branchID, lines...)
	}
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: config(child), ExpectError: acctest.InOrder("409", "import {", w.ProjectID+"/"+child)},
		resource.TestStep{Config: config(main, `magic_link = { expires_in = 1 }`),
			ExpectError: acctest.InWords("between 5 and 1440")},
		resource.TestStep{Config: config(main, `email_provider_password_wo = "x"`),
			ExpectError: acctest.InWords("email_provider_password_wo_version")},
		resource.TestStep{Config: config(main, `database_name = "none"`), ExpectError: acctest.InOrder("database not found")},
		// Disabled without its data, it can't be enabled again, whatever Neon's status for that is.
		resource.TestStep{Config: config(left)},
		resource.TestStep{Config: config(left), Destroy: true},
		resource.TestStep{Config: config(left), ExpectError: acctest.InOrder("Neon refuses to enable it", "To keep the users",
			"RENAME TO", "drop the schema")},
		resource.TestStep{PreConfig: func() { w.Play(t, "auth-schema-left", "422") }, Config: config(left),
			ExpectError: acctest.InOrder("To keep the users")},
	)
}

// Whatever becomes of the answers, the state has what there is.
func TestAccAuth_lostAnswers(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"lost_before", "lost_after"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branchID := w.MainBranch(t).ID
			for _, line := range []string{
				"POST " + route, "DELETE " + route, "PATCH " + route + "/email_and_password", "PUT " + route + "/webhooks",
				"PATCH " + route + "/allow_localhost",
				"POST " + route + "/domains", "DELETE " + route + "/domains", "POST " + route + "/oauth_providers",
				"DELETE " + route + "/oauth_providers/{oauth_provider_id}",
			} {
				w.AddFault(t, acctest.Fault{Route: line, Kind: kind, Count: 1})
			}
			acctest.RunSteps(t, w.World, resource.TestStep{Config: w.ProviderConfig() +
				block(w, branchID, "allow_localhost = true",
					"email_and_password = { enabled = false }", `webhook = { enabled = true, url = "https://example.com/hook" }`) +
				beside})
			if left := w.FaultsLeft(t); left != 0 {
				t.Errorf("%d faults are left", left)
			}
		})
	}
}

const beside = `resource "neon_auth_oauth_provider" "test" {
 project_id = neon_auth.test.project_id
 branch_id = neon_auth.test.branch_id
 oauth_provider = "github"
 client_id = "client"
 client_secret_wo = "` + secret + `"
 client_secret_wo_version = 1
}
resource "neon_auth_trusted_domain" "test" {
 project_id = neon_auth.test.project_id
 branch_id = neon_auth.test.branch_id
 domain = "https://Shop.example.com/"
}
`

// Providers and domains are added, changed in place, imported, and found missing.
func TestAccAuth_providersAndDomains(t *testing.T) {
	t.Parallel()
	const provider, domain = "neon_auth_oauth_provider.test", "neon_auth_trusted_domain.test"
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	at := w.ProjectID + "/" + branchID + "/"
	config := w.ProviderConfig() + block(w, branchID) + beside
	shared := strings.NewReplacer("client_id", "# client_id", "client_secret", "# client_secret").Replace(config)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: strings.Replace(config, `= "github"`, `= "gitlab"`, 1),
			ExpectError: acctest.InWords(`"github"`)},
		resource.TestStep{Config: strings.ReplaceAll(config, "client_secret", "# "),
			ExpectError: acctest.InOrder("No client secret", `"client"`, "set client_secret_wo")},
		resource.TestStep{Config: strings.Replace(config, `"https://Shop`, `"Shop`, 1),
			ExpectError: acctest.InWords("must begin with a scheme")},
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, ConfigPlanChecks: acctest.ExpectAction(domain, plancheck.ResourceActionNoop)},
		resource.TestStep{Config: strings.Replace(config, "https://Shop.example.com/", "HTTPS://shop.example.com", 1),
			ConfigPlanChecks: acctest.ExpectAction(domain, plancheck.ResourceActionNoop)},
		resource.TestStep{ResourceName: provider, ImportState: true, ImportStateVerify: true, ImportStateId: at + "github",
			ImportStateVerifyIgnore: []string{"client_secret_wo_version"}},
		resource.TestStep{ResourceName: domain, ImportState: true, ImportStateVerify: true,
			ImportStateId: at + "https://Shop.example.com/"},
		resource.TestStep{
			Config:           strings.Replace(config, `"client"`, `"other"`, 1),
			ConfigPlanChecks: acctest.ExpectAction(provider, plancheck.ResourceActionUpdate),
		},
		// Neon has the secret of what it had before.
		resource.TestStep{Config: strings.ReplaceAll(strings.Replace(config, `"client"`, `"other"`, 1), "client_secret",
			"# "), ConfigPlanChecks: acctest.ExpectAction(provider, plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: shared, ConfigPlanChecks: acctest.ExpectAction(provider, plancheck.ResourceActionNoop)},
		resource.TestStep{
			PreConfig: func() {
				w.Settle(t, nil, w.API.DeleteAuthOAuthProvider(t.Context(), w.Ref(branchID), "github"))
				w.Settle(t, nil, w.API.DeleteAuthDomain(t.Context(), w.Ref(branchID),
					client.AuthDomain{Domain: "https://shop.example.com", Provider: "better_auth"}))
			},
			Config: shared, ConfigPlanChecks: acctest.ExpectAction(domain, plancheck.ResourceActionCreate),
		},
	)
}

// What is there isn't taken over without an import, and without Neon Auth there is nothing.
func TestAccAuth_besideErrors(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID, without := w.MainBranch(t).ID, w.MakeBranch(t, "without").ID
	enable(t, w, branchID)
	w.Settle(t, nil, w.API.CreateAuthOAuthProvider(t.Context(), w.Ref(branchID), "google", client.AuthOAuthSettings{}))
	w.Settle(t, nil, w.API.CreateAuthDomain(t.Context(), w.Ref(branchID),
		client.AuthDomain{Domain: "https://a.example.com", Provider: "better_auth"}))
	of := func(kind, branchID, line string) string {
		return w.ProviderConfig() + fmt.Sprintf("resource %q \"test\" {\n project_id = %q\n branch_id = %q\n %s\n}\n", kind,
			w.ProjectID, branchID, line)
	}
	const provider, domain = `oauth_provider = "google"`, `domain = "https://A.example.com"`
	w.Settle(t, nil, w.API.CreateAuthOAuthProvider(t.Context(), w.Ref(branchID), "vercel", client.AuthOAuthSettings{}))
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: of("neon_auth_oauth_provider", branchID, provider),
			ExpectError: acctest.InOrder("google is there already", "import {", branchID+"/google")},
		resource.TestStep{Config: of("neon_auth_trusted_domain", branchID, domain),
			ExpectError: acctest.InOrder("is there already", "import {", branchID+"/https://A.example.com")},
		resource.TestStep{Config: of("neon_auth_oauth_provider", without, provider),
			ExpectError: acctest.InOrder("doesn't have Neon Auth", "Enable it with neon_auth")},
		resource.TestStep{Config: of("neon_auth_trusted_domain", without, domain),
			ExpectError: acctest.InOrder("doesn't have Neon Auth", "Enable it with neon_auth")},
		resource.TestStep{Config: of("neon_auth_oauth_provider", branchID, `oauth_provider = "microsoft"`), PlanOnly: true,
			ExpectError: acctest.InWords("Microsoft needs an application of your own")},
		resource.TestStep{Config: of("neon_auth_oauth_provider", branchID,
			`oauth_provider = "github"`+"\n microsoft_tenant_id = \"a\""), PlanOnly: true,
			ExpectError: acctest.InWords("Only oauth_provider = \"microsoft\" has tenants")},
		// What is there isn't replaced either: the old one stays.
		resource.TestStep{Config: of("neon_auth_oauth_provider", branchID, `oauth_provider = "github"`)},
		resource.TestStep{Config: of("neon_auth_oauth_provider", branchID, `oauth_provider = "vercel"`), PlanOnly: true,
			ExpectError: acctest.InOrder("Unable to replace OAuth provider", "vercel is there already", "import {")},
		resource.TestStep{Config: of("neon_auth_trusted_domain", branchID, `domain = "https://b.example.com"`)},
		resource.TestStep{Config: of("neon_auth_trusted_domain", branchID, domain), PlanOnly: true,
			ExpectError: acctest.InOrder("Unable to replace trusted domain", "is there already", "terraform state mv", "import {")},
	)
}

func TestAccAuthData(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	branchID := w.MainBranch(t).ID
	read := w.ProviderConfig() + strings.Replace(block(w, branchID), "resource \"neon_auth\"", "data \"neon_auth\"", 1)
	acctest.RunSteps(t, w.World,
		resource.TestStep{Config: read, ExpectError: acctest.InOrder("No such Neon Auth")},
		resource.TestStep{
			PreConfig: func() { enable(t, w, branchID) },
			Config:    read,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("data."+address, tfjsonpath.New("database_name"), knownvalue.StringExact("neondb")),
				statecheck.ExpectKnownValue("data."+address, tfjsonpath.New("trusted_domains"), knownvalue.SetSizeExact(0)),
			},
		},
	)
}

// Neon Auth has other names at another provider.
func TestMovedAuth(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	p, branchID := acctest.NewProtocol(t, w.World), w.MainBranch(t).ID
	_, err := w.API.EnableAuth(t.Context(), w.Ref(branchID), client.AuthEnable{Provider: "better_auth"})
	w.Settle(t, nil, err)
	w.Settle(t, nil, w.API.CreateAuthOAuthProvider(t.Context(), w.Ref(branchID), "google", client.AuthOAuthSettings{}))
	w.Settle(t, nil, w.API.CreateAuthDomain(t.Context(), w.Ref(branchID),
		client.AuthDomain{Domain: "https://a.example.com", Provider: "better_auth"}))
	for target, test := range map[string]struct {
		from  string
		state map[string]any
		name  string
	}{
		"neon_auth":                {"neon_branch_neon_auth", map[string]any{"auth_provider": "better_auth"}, "base_url"},
		"neon_auth_oauth_provider": {"neon_branch_neon_auth_oauth_provider", map[string]any{"id": "google", "client_secret": "s"}, "oauth_provider"},
		"neon_auth_trusted_domain": {"neon_branch_neon_auth_trusted_domain", map[string]any{"domain": "https://a.example.com"}, "domain"},
	} {
		test.state["project_id"], test.state["branch_id"] = w.ProjectID, branchID
		attributes, identity, problem := p.Move(t, target, acctest.MovedSource{Provider: "kenchan0130/neon",
			TypeName: test.from}, test.state)
		if problem != "" || identity["branch_id"] != branchID || attributes[test.name] == "" {
			t.Errorf("%s: %v %v %s", target, attributes, identity, problem)
		}
	}
}

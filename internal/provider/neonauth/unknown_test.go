package neonauth_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

const mailServer = `host = "smtp.example.com", port = 465, username = "shop", sender_email = "a@example.com", sender_name = "Shop"`

// later is a value that Terraform knows only when it applies.
func later(value string) string {
	return fmt.Sprintf("resource \"terraform_data\" \"later\" {\n input = %s\n triggers_replace = \"later\"\n}\n", value)
}

// A mail server whose type, or all of it, comes later is sent as it turns out to be.
func TestAccAuth_mailServerIsKnownLater(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ value, server, typed string }{
		"own by its type":     {`"standard"`, "{ type = terraform_data.later.output, " + mailServer + " }", "standard"},
		"own by all of it":    {`{ type = "standard", ` + mailServer + " }", "terraform_data.later.output", "standard"},
		"Neon's by its type":  {`"shared"`, "{ type = terraform_data.later.output }", "shared"},
		"Neon's by all of it": {`{ type = "shared" }`, "terraform_data.later.output", "shared"},
	} {
		for kind, before := range map[string]string{"none": "", "Neon's": `email_provider = { type = "shared" }`,
			"own": mail + "1"} {
			t.Run(name+" after "+kind, func(t *testing.T) {
				t.Parallel()
				w := acctest.NewBranchWorld(t)
				branchID := w.MainBranch(t).ID
				config := func(lines ...string) string { return w.ProviderConfig() + block(w, branchID, lines...) }
				lines := []string{"email_provider = " + test.server}
				if test.typed == "standard" {
					lines = append(lines, `email_provider_password_wo = "x"`, `email_provider_password_wo_version = "1"`)
				}
				acctest.RunSteps(t, w.World,
					resource.TestStep{Config: config(before)},
					resource.TestStep{Config: config(lines...) + later(test.value), ConfigStateChecks: []statecheck.StateCheck{
						is(knownvalue.StringExact(test.typed), "email_provider", "type"),
					}},
				)
			})
		}
	}
}

// A webhook that is off, and whose address comes later, is switched on with it, and stays off without one.
func TestAccAuth_webhookIsKnownLater(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, value string
		enabled       bool
	}{
		"another":     {`webhook = { url = "https://example.com/a", enabled = false }`, `"https://example.com/b"`, true},
		"the present": {`webhook = { url = "https://example.com/a", enabled = false }`, `"https://example.com/a"`, false},
		"the first":   {"", `"https://example.com/a"`, true},
		"none":        {"", "null", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			branchID := w.MainBranch(t).ID
			config := func(lines ...string) string { return w.ProviderConfig() + block(w, branchID, lines...) }
			acctest.RunSteps(t, w.World,
				resource.TestStep{Config: config(test.before)},
				resource.TestStep{
					Config:            config("webhook = { timeout_seconds = 7, url = terraform_data.later.id == \"\" ? \"https://example.com/none\" : terraform_data.later.output }") + later(test.value),
					ConfigStateChecks: []statecheck.StateCheck{is(knownvalue.Bool(test.enabled), "webhook", "enabled")},
				},
			)
		})
	}
}

package stories_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// mistakenSettings are provider blocks. No message repeats an API key.
func mistakenSettings(w mistakeWorld) map[string]mistake {
	key := func(text string) string { return providerBlock("api_key = " + text) }
	at := func(address string) string {
		return providerBlock("api_key = \"napi_x\"\n base_url = \"" + address + "\"")
	}
	return map[string]mistake{
		"an address with a path": {
			config: at("https://console.neon.tech/app"), at: "base_url", value: `"https://console.neon.tech/app"`,
			remedy: "path must be empty or end with /api/v2",
		},
		"another API's address": {
			config: at("https://console.neon.tech/api/v1"), at: "base_url", value: `path ends in /api/v1`,
			remedy: "write /api/v2",
		},
		"an address without a scheme": {
			config: at("console.neon.tech"), at: "base_url", value: `"console.neon.tech"`,
			remedy: "write https:// before the host",
		},
		"an address with another scheme": {
			config: at("ftp://console.neon.tech"), at: "base_url", value: `"ftp://console.neon.tech"`,
			remedy: "scheme must be https, as in https://console.neon.tech",
		},
		"an address without encryption": {
			config: at("http://console.neon.tech"), at: "base_url", value: `"http://console.neon.tech"`, remedy: "use https",
		},
		"an address of nobody": {
			config: at("https://console.neon.invalid"), at: "base_url (NEON_BASE_URL",
			value: "There is no host console.neon.invalid", remedy: "check the spelling",
		},
		"an address where nothing listens": {
			config: at("http://127.0.0.1:1"), at: "base_url", value: "http://127.0.0.1:1",
			remedy: "Nothing listens at that address",
		},
		"an emulator's address with https": {
			config: at(strings.Replace(w.BaseURL, "http:", "https:", 1)), at: "base_url",
			value:  "first record does not look like a TLS handshake",
			remedy: "may need http:// instead of https://",
		},
		"requests of none": {
			config: providerBlock(`requests_per_minute = 0`), at: "requests_per_minute", value: "got: 0",
			remedy: "between 1 and 60000",
		},
		"a name for the organization": {
			config: providerBlock(`org_id = "acme"`), at: "org_id", value: `"acme"`,
			remedy: "id of an organization, such as org-",
		},
		"an empty API key":            {config: key(`""`), at: "api_key", value: "is empty", remedy: "NEON_API_KEY"},
		"an API key in quotes":        {config: key(`"'napi_x'"`), at: "api_key", value: "has quotes", remedy: "write the key without them"},
		"an API key with Bearer":      {config: key(`"Bearer napi_x"`), at: "api_key", value: `"Bearer"`, remedy: "write the key alone"},
		"an API key and a line break": {config: key(`"napi_x\n"`), at: "api_key", value: "line break", remedy: "trimspace(file("},
		"a connection string as API key": {
			config: key(`"postgres://ada:geheim@ep-calm-lake-12345678.neon.tech/neondb"`), at: "api_key",
			value: "connection string", remedy: "no API key",
		},
		"a revoked API key": {
			config: providerBlock("api_key = \"napi_revoked\"\n base_url = \"" + w.BaseURL + "\""),
			at:     "in api_key of the provider block",
			value:  "mistyped, expired or revoked", remedy: "NEON_API_KEY",
		},
		"no API key at all": {
			config: providerBlock("base_url = \"" + w.BaseURL + "\""), at: "api_key in the provider block",
			value:  "no API key is configured",
			remedy: "NEON_API_KEY",
		},
	}
}

// A setting that comes from the environment says so.
func TestAccMistakes_environment(t *testing.T) {
	w := newMistakeWorld(t, emulator.Config{})
	config := w.read("neon_branches", "")
	for variable, mistake := range map[string]mistake{
		"NEON_BASE_URL":            {at: "base_url", value: "https://console.neon.tech/app", remedy: "its path must be empty"},
		"NEON_API_HOST":            {at: "base_url", value: "console.neon.tech", remedy: "write https:// before the host"},
		"NEON_CLAIM_BASE_URL":      {at: "claim_base_url", value: "ftp://neon.new", remedy: "its scheme must be https"},
		"NEON_ORG_ID":              {at: "org_id", value: "acme", remedy: "must be the id of an organization, such as org-"},
		"NEON_MAX_RETRIES":         {at: "max_retries", value: "many", remedy: "must be a whole number from 0"},
		"NEON_REQUESTS_PER_MINUTE": {at: "requests_per_minute", value: "0", remedy: "must be a whole number from 1 to 60000"},
		"NEON_API_KEY":             {at: "api_key", value: "'napi_x'", remedy: "has quotes, which are no part of an API key"},
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, mistake.value)
			says := []string{variable, mistake.remedy}
			if variable != "NEON_API_KEY" {
				says = append(says, mistake.value)
			}
			w.Refuses(t, acctest.Refusal{Config: "provider \"neon\" {}\n" + config, Says: says, Command: acctest.Plan})
		})
	}
	t.Run("a revoked key", func(t *testing.T) {
		t.Setenv("NEON_API_KEY", "napi_revoked")
		w.Refuses(t, acctest.Refusal{
			Config: w.KeylessConfig() + config, Command: acctest.Plan,
			Says: []string{"The API key in the environment variable NEON_API_KEY is mistyped, expired or revoked"},
		})
	})
}

// A key of another kind than a call needs is named as the reason, and only then.
func TestAccMistakes_keys(t *testing.T) {
	t.Parallel()
	w := newMistakeWorld(t, emulator.Config{})
	key := func(scope client.APIKeyScope) string {
		created, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(), scope, "k"))
		if err != nil {
			t.Fatal(err)
		}
		return created.Key
	}
	ofProject, ofOrg := key(client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}),
		key(client.APIKeyScope{OrgID: w.OrgID})
	_, ofMember := w.AddMember(t, "eve@example.com", "member")
	with := func(apiKey, config string) string { return w.ProviderConfigWith(apiKey) + config }
	w.makes(t, map[string]mistake{
		"a project's key creates a project": {
			config: with(ofProject, w.inOrg("neon_project", "")), at: "api_key (NEON_API_KEY)", value: "scoped to one project",
			remedy: "a personal key", applying: true,
		},
		"an organization's key creates a personal one": {
			config: with(ofOrg, resourceBlock("neon_api_key", `name = "k"`)), at: "api_key (NEON_API_KEY)",
			value:  "is one of an organization",
			remedy: "set api_key (NEON_API_KEY) to a personal key", applying: true,
		},
		"an organization's key asks who it is": {
			config: with(ofOrg, "data \"neon_current_user\" \"x\" {}\n"), at: "neon_current_user",
			value:  "not allowed for organization API keys",
			remedy: "only a personal key may do this",
		},
		"a project's key in another project": {
			config: with(ofProject, w.branchOf(w.MakeProject(t))), at: "api_key (NEON_API_KEY)", value: "scoped to one project",
			remedy: "works in that alone", applying: true,
		},
		"a member invites": {
			config: with(ofMember, w.inOrg("neon_org_invitation", "email = \"max@example.com\"\nrole = \"member\"")),
			at:     "neon_org_invitation",
			value:  "administrator permissions are required", remedy: "Only an administrator of the organization invites",
			applying: true,
		},
	})
}

// What answers isn't Neon, or Neon isn't there.
func TestAccMistakes_answers(t *testing.T) {
	t.Parallel()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	for name, test := range map[string]struct {
		status int
		body   string
		says   []string
	}{
		"maintenance":         {503, `{"message":"down for maintenance"}`, []string{"503", "down for maintenance", "request id", "Apply again later"}},
		"a captive portal":    {200, "<html>Log in</html>", []string{"it isn't JSON", "base_url", "any proxy on the way"}},
		"a redirect":          {302, "<html>Log in</html>", []string{"302", "a redirect, which is not followed", "base URL"}},
		"a proxy's refusal":   {407, "<html>Log in</html>", []string{"407", "the answer isn't Neon's"}},
		"a page for members":  {401, "<html>Log in</html>", []string{"401", "the answer isn't Neon's", "base_url"}},
		"a blocked page":      {403, "<html>Blocked</html>", []string{"403", "the answer isn't Neon's", "base_url"}},
		"a page that is gone": {404, "<html>Not found</html>", []string{"404", "it proves nothing", "base_url"}},
		"the quota of a plan": {402, `{"message":"active time quota exceeded"}`, []string{"402", "active time quota exceeded", "raise the quota"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newMistakeWorld(t, emulator.Config{})
			w.AddFault(t, acctest.Fault{Route: "GET /api/v2/projects/{project_id}/branches", Kind: "status", Status: test.status,
				Body: test.body})
			w.Refuses(t, acctest.Refusal{
				Config: w.ProviderConfig() + w.read("neon_branches", `search = "x"`), Command: acctest.Plan,
				Want: acctest.InWords("GET /api/v2/projects/" + w.ProjectID + "/branches"), Says: test.says,
			})
		})
	}
	for name, test := range map[string]struct{ address, says string }{
		"a certificate of one's own": {secure.URL, "SSL_CERT_FILE"},
		"http to a server of https":  {strings.Replace(secure.URL, "https", "http", 1), "base_url"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newMistakeWorld(t, emulator.Config{})
			config := "provider \"neon\" {\n max_retries = 0\n api_key = \"napi_x\"\n base_url = \"" + test.address + "\"\n}\n" +
				w.read("neon_branches", "")
			w.Refuses(t, acctest.Refusal{Config: config, Says: []string{test.says}, Command: acctest.Plan})
		})
	}
}

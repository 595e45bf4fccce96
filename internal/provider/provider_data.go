package provider

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// providerModel is the provider's configuration block.
type providerModel struct {
	APIKey            types.String `tfsdk:"api_key"`
	BaseURL           types.String `tfsdk:"base_url"`
	ClaimBaseURL      types.String `tfsdk:"claim_base_url"`
	OrgID             types.String `tfsdk:"org_id"`
	RequestsPerMinute types.Int64  `tfsdk:"requests_per_minute"`
	MaxRetries        types.Int64  `tfsdk:"max_retries"`
}

// settings are what configuration and environment say together.
type settings struct {
	client client.Config
	orgID  string
	// unknown are the attributes whose value is known only after apply.
	unknown []string
}

// settings fills from the environment what the configuration leaves open.
func (m providerModel) settings(diags *diag.Diagnostics) settings {
	var s settings
	s.client.APIKey = s.text("api_key", m.APIKey, diags, checkAPIKey, "NEON_API_KEY")
	s.client.BaseURL = s.text("base_url", m.BaseURL, diags, checkBaseURL, "NEON_BASE_URL", "NEON_API_HOST")
	s.client.ClaimBaseURL = s.text("claim_base_url", m.ClaimBaseURL, diags, checkBaseURL, "NEON_CLAIM_BASE_URL")
	s.orgID = s.text("org_id", m.OrgID, diags, checkID, "NEON_ORG_ID")
	s.client.RequestsPerMinute = s.number("requests_per_minute", m.RequestsPerMinute, diags,
		numberFromEnvironment{"NEON_REQUESTS_PER_MINUTE", 1, client.DefaultRequestsPerMinute, client.DefaultRequestsPerMinute})
	s.client.MaxRetries = s.number("max_retries", m.MaxRetries, diags,
		numberFromEnvironment{"NEON_MAX_RETRIES", 0, 1_000_000, client.DefaultMaxRetries})
	return s
}

// text gives the configured value, else that of the first variable that is set.
// The schema has checked the former; the latter is checked here.
func (s *settings) text(
	attribute string, value types.String, diags *diag.Diagnostics,
	check func(value, source string, diags *diag.Diagnostics), variables ...string,
) string {
	if value.IsUnknown() {
		s.unknown = append(s.unknown, attribute)
		return ""
	}
	if !value.IsNull() {
		return value.ValueString()
	}
	for _, variable := range variables {
		text := strings.TrimSpace(os.Getenv(variable))
		if text == "" {
			continue
		}
		var problems diag.Diagnostics
		check(text, variable, &problems)
		for _, problem := range problems {
			diags.AddAttributeError(path.Root(attribute), problem.Summary(), problem.Detail())
		}
		return text
	}
	return ""
}

type numberFromEnvironment struct {
	variable                     string
	smallest, largest, otherwise int
}

func (s *settings) number(attribute string, value types.Int64, diags *diag.Diagnostics, from numberFromEnvironment) int {
	if value.IsUnknown() {
		s.unknown = append(s.unknown, attribute)
		return from.otherwise
	}
	if !value.IsNull() {
		return int(value.ValueInt64())
	}
	text := strings.TrimSpace(os.Getenv(from.variable))
	if text == "" {
		return from.otherwise
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < from.smallest || number > from.largest {
		diags.AddAttributeError(path.Root(attribute), "Invalid "+from.variable, fmt.Sprintf(
			"The environment variable %s must be a whole number from %d to %d, got: %s.", from.variable, from.smallest, from.largest, quoted(text)))
	}
	return number
}

func (s *settings) configured() (*configured, error) {
	api, err := client.New(s.client)
	if err != nil {
		return nil, err
	}
	return &configured{client: api, orgID: s.orgID, unknown: s.unknown}, nil
}

// checkAPIKey refuses what can't be a key, without repeating it.
func checkAPIKey(key, source string, diags *diag.Diagnostics) {
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		diags.AddAttributeError(path.Root("api_key"), "Invalid API key",
			"The value of "+source+" is empty, or has white space or other characters that no API key has. "+
				"Leave it out where no key is needed. (The value isn't shown, since it may be a secret.)")
	}
}

func checkBaseURL(address, source string, diags *diag.Diagnostics) {
	if err := client.ValidateBaseURL(address); err != nil {
		diags.AddError("Invalid "+source, "The environment variable "+source+" isn't the address of an API: "+err.Error()+".")
	}
}

func checkID(id, source string, diags *diag.Diagnostics) {
	if !idPattern.MatchString(id) {
		diags.AddError("Invalid "+source, fmt.Sprintf("The environment variable %s %s, got: %s.", source, idRule, quoted(id)))
	}
}

// controlSettings and claimSettings are the provider's attributes that each API needs.
var (
	controlSettings = []string{"api_key", "base_url", "requests_per_minute", "max_retries"}
	claimSettings   = []string{"claim_base_url", "max_retries"}
)

// configured is what resources and data sources get from the provider's
// configuration.
type configured struct {
	client *client.Client
	// orgID is the default organization; empty for none.
	orgID string
	// unknown are the attributes of the provider that aren't known yet.
	unknown []string
	// opened are the objects that are open for the run.
	opened *openedObjects
	// lookedUp holds the result of each look-up of this run, as a func() error.
	lookedUp sync.Map
}

// lookUp looks once in a run for what many resources name, such as their parent.
func (c *configured) lookUp(name string, look func() error) error {
	once, _ := c.lookedUp.LoadOrStore(name, sync.OnceValue(look))
	return once.(func() error)() //nolint:forcetypeassert // Nothing else is stored.
}

// configuredFrom takes what Configure has left. There is none yet while
// Terraform only validates.
func configuredFrom(data any, diags *diag.Diagnostics) *configured {
	if data == nil {
		return nil
	}
	shared, ok := data.(*configured)
	if !ok {
		diags.AddError("Unable to configure the provider", "The provider's data has an unexpected form. This is a bug in the provider.")
		return nil
	}
	return shared
}

// control gives the client for the control API, or says why it can't be used
// and gives nil.
func (c *configured) control(diags *diag.Diagnostics) *client.Client {
	if !c.knows(diags, controlSettings...) {
		return nil
	}
	if !c.client.HasAPIKey() {
		diags.AddError("No API key", "This needs the platform's control API, and no API key is configured. Set the environment "+
			"variable NEON_API_KEY, or api_key in the provider block. The first key is made in the web console, under the "+
			"account's or the organization's settings.")
		return nil
	}
	return c.client
}

// checkProject looks up a project that a plan names, and returns the client for other
// look-ups of the plan; nil where there is an error, or where the settings aren't known
// yet.
func (c *configured) checkProject(ctx context.Context, projectID string, diags *diag.Diagnostics) *client.Client {
	if c == nil || c.unknownOf(controlSettings...) != "" {
		return nil
	}
	api := c.control(diags)
	if api == nil {
		return nil
	}
	if err := c.lookUp("project "+projectID, func() error { _, err := api.Project(ctx, projectID); return err }); err != nil {
		addAttributeError(diags, path.Root("project_id"), "Unable to read project", err)
		return nil
	}
	return api
}

// claimable gives the client for the claimable database API, which needs no
// key, or says why it can't be used and gives nil.
func (c *configured) claimable(diags *diag.Diagnostics) *client.Client {
	if !c.knows(diags, claimSettings...) {
		return nil
	}
	return c.client
}

// keepsUnread reports whether the state is kept without a read, with a warning, because
// one of the provider's attributes isn't known yet: what is managed already is planned
// as it was last seen. An object that was never read, as after an import, needs its read.
func (c *configured) keepsUnread(diags *diag.Diagnostics, wasRead bool, settings []string) bool {
	attribute := c.unknownOf(settings...)
	if attribute == "" || !wasRead {
		return false
	}
	diags.AddWarning("Not refreshed", fmt.Sprintf(
		"%s of the provider is known only after apply, so this was planned as it is in the state. What changed outside Terraform since "+
			"shows up in the next plan.", attribute))
	return true
}

// knows tells whether the provider's attributes are known, with an error if not.
func (c *configured) knows(diags *diag.Diagnostics, attributes ...string) bool {
	attribute := c.unknownOf(attributes...)
	if attribute != "" {
		diags.AddError("Provider configuration not known yet", fmt.Sprintf(
			"%s of the provider depends on a resource that doesn't exist yet, and is needed before that. "+
				"Create that first with -target, or set it from elsewhere.", attribute))
	}
	return attribute == ""
}

// unknownOf returns the first of the provider's attributes that isn't known yet; empty
// where all are.
func (c *configured) unknownOf(attributes ...string) string {
	for _, attribute := range attributes {
		if slices.Contains(c.unknown, attribute) {
			return attribute
		}
	}
	return ""
}

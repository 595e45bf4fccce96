package provider

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// providerModel is the provider's configuration block.
type providerModel struct {
	APIKey            types.String `tfsdk:"api_key"`
	BaseURL           types.String `tfsdk:"base_url"`
	ClaimBaseURL      types.String `tfsdk:"claim_base_url"`
	ClaimableNeonURL  types.String `tfsdk:"claimable_neon_base_url"`
	OrgID             types.String `tfsdk:"org_id"`
	RequestsPerMinute types.Int64  `tfsdk:"requests_per_minute"`
	MaxRetries        types.Int64  `tfsdk:"max_retries"`
	ReadOnly          types.Bool   `tfsdk:"read_only"`
	Protect           types.Set    `tfsdk:"protect"`
}

// settings combine the configuration with the environment.
type settings struct {
	client client.Config
	orgID  string
	// protects maps each protected kind to the setting that protects it.
	protects map[string]string
	// unknown are the attributes whose value is known only after apply.
	unknown []string
}

// settings fills what the configuration leaves out from the environment.
func (m providerModel) settings(diags *diag.Diagnostics) settings {
	var s settings
	s.client.APIKey = s.text("api_key", m.APIKey, diags, checkAPIKey, "NEON_API_KEY")
	s.client.APIKeySource = "in the environment variable NEON_API_KEY"
	if !m.APIKey.IsNull() {
		s.client.APIKeySource = "in api_key of the provider block"
	}
	s.client.BaseURL = s.text("base_url", m.BaseURL, diags, checkBaseURL, "NEON_BASE_URL", "NEON_API_HOST")
	s.client.ClaimBaseURL = s.text("claim_base_url", m.ClaimBaseURL, diags, checkBaseURL, "NEON_CLAIM_BASE_URL")
	s.client.ClaimableNeonBaseURL = s.text("claimable_neon_base_url", m.ClaimableNeonURL, diags, checkBaseURL,
		"NEON_CLAIMABLE_NEON_BASE_URL", "CLAIMABLE_NEON_HOST")
	s.orgID = s.text("org_id", m.OrgID, diags, checkID, "NEON_ORG_ID")
	s.client.RequestsPerMinute = s.number("requests_per_minute", m.RequestsPerMinute, diags,
		numberFromEnvironment{"NEON_REQUESTS_PER_MINUTE", 1, client.MostRequestsPerMinute, client.DefaultRequestsPerMinute})
	s.client.MaxRetries = s.number("max_retries", m.MaxRetries, diags,
		numberFromEnvironment{"NEON_MAX_RETRIES", 0, 1_000_000, client.DefaultMaxRetries})
	s.client.ReadOnly = whoAsks("read_only", "NEON_READ_ONLY", m.ReadOnly.ValueBool(), m.ReadOnly.IsUnknown(),
		readOnlyHere(diags))
	s.protects = m.protected(diags)
	return s
}

// whoAsks names the source of a setting that only adds safety: the attribute, the variable, or both, since neither
// cancels the other. An unknown attribute counts as set. It returns "" if neither is set.
func whoAsks(attribute, variable string, isConfigured, isUnknown, isInEnvironment bool) string {
	block, environment := attribute+" of the provider block", "the environment variable "+variable
	switch {
	case isConfigured && isInEnvironment:
		return block + ", as well as " + environment + ","
	case isConfigured:
		return block
	case isInEnvironment:
		return environment
	case isUnknown:
		return block + ", which isn't known yet,"
	}
	return ""
}

// readOnlyHere reports whether NEON_READ_ONLY is true.
func readOnlyHere(diags *diag.Diagnostics) bool {
	text := strings.TrimSpace(os.Getenv("NEON_READ_ONLY"))
	if text == "" {
		return false
	}
	isReadOnly, err := strconv.ParseBool(text)
	if err != nil {
		diags.AddAttributeError(path.Root("read_only"), "Invalid NEON_READ_ONLY",
			fmt.Sprintf("The environment variable NEON_READ_ONLY must be 1 or true, or 0 or false, got: %s.", kit.Quoted(text)))
	}
	return isReadOnly
}

// protectableKinds are the kinds that protect can name.
var protectableKinds = []string{"project", "branch", "database"}

// protected maps each protected kind to the setting that protects it.
func (m providerModel) protected(diags *diag.Diagnostics) map[string]string {
	here := strings.FieldsFunc(os.Getenv("NEON_PROTECT"), func(r rune) bool { return r == ',' || r == ' ' })
	for _, kind := range here {
		if !slices.Contains(protectableKinds, kind) {
			diags.AddAttributeError(path.Root("protect"), "Invalid NEON_PROTECT", fmt.Sprintf("The environment variable "+
				"NEON_PROTECT has %s. It must have some of these, with commas in between: %s.", kit.Quoted(kind),
				strings.Join(protectableKinds, ", ")))
		}
	}
	protects := map[string]string{}
	for _, kind := range protectableKinds {
		isConfigured, isUnknown := false, m.Protect.IsUnknown()
		for _, element := range m.Protect.Elements() {
			isConfigured = isConfigured || kit.Text(element) == kind
			isUnknown = isUnknown || element.IsUnknown()
		}
		if by := whoAsks("protect", "NEON_PROTECT", isConfigured, isUnknown, slices.Contains(here, kind)); by != "" {
			protects[kind] = by
		}
	}
	return protects
}

// text returns the configured value, or else the value of the first variable that is set, which it checks. The schema
// has checked the configured one.
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

func (s *settings) number(
	attribute string, value types.Int64, diags *diag.Diagnostics, from numberFromEnvironment,
) int {
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
			"The environment variable %s must be a whole number from %d to %d, got: %s.", from.variable, from.smallest,
			from.largest, kit.Quoted(text)))
	}
	return number
}

func (s *settings) configured() (*kit.Platform, error) {
	api, err := client.New(s.client)
	if err != nil {
		return nil, err
	}
	return &kit.Platform{Client: api, OrgID: s.orgID, Protects: s.protects, Unknown: s.unknown}, nil
}

// checkAPIKey refuses an invalid key without showing it.
func checkAPIKey(key, source string, diags *diag.Diagnostics) {
	if problem := keyProblem(key); problem != "" {
		diags.AddAttributeError(path.Root("api_key"), "Invalid API key",
			"The value of "+source+" "+problem+" (The value isn't shown, since it may be a secret.)")
	}
}

// keyProblem returns what is wrong with a key, or "" if it is valid.
func keyProblem(key string) string {
	switch {
	case strings.TrimSpace(key) == "":
		return "is empty. Leave it out where no key is needed, or to take the key from the environment variable NEON_API_KEY."
	case strings.HasPrefix(strings.ToLower(key), "bearer "):
		return "begins with \"Bearer\", which is a part of the request and not of the key: write the key alone."
	case strings.TrimSpace(key) != key:
		return "begins or ends with white space, such as the line break at the end of a file: write the key alone, or " +
			"trimspace(file(\"...\"))."
	case strings.ContainsAny(key, "\"'`"):
		return "has quotes, which are no part of an API key: write the key without them."
	case strings.Contains(key, "://"):
		return "is an address, such as a connection string, and no API key."
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "has white space or other characters that no API key has: copy the key again from the web console."
	}
	return ""
}

func checkBaseURL(address, source string, diags *diag.Diagnostics) {
	if problem := kit.BaseURLProblem(address); problem != "" {
		diags.AddError("Invalid "+source, "The environment variable "+source+" "+problem)
	}
}

func checkID(id, source string, diags *diag.Diagnostics) {
	if problem := kit.IDProblem("org_id", id); problem != "" {
		diags.AddError("Invalid "+source, fmt.Sprintf("The environment variable %s %s", source, problem))
	}
}

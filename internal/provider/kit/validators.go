package kit

import (
	"context"
	"regexp"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// uuidPattern is a UUID.
var uuidPattern = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// IsUUID reports whether a text is a UUID.
func IsUUID(text string) bool { return uuidPattern.MatchString(text) }

// IDPattern is what Neon's ids of organizations, projects, branches and
// endpoints have in common.
var IDPattern = regexp.MustCompile(`^[a-z0-9-]{1,60}$`)

// IDRule says in words what IDPattern takes.
const IDRule = "must be an id as Neon assigns them: 1 to 60 lower-case letters, digits and hyphens"

// IDValidators refuses what can't be an id of Neon's.
func IDValidators() []validator.String {
	return []validator.String{stringvalidator.RegexMatches(IDPattern, IDRule)}
}

// UUIDValidators refuses what isn't a UUID.
func UUIDValidators() []validator.String {
	return []validator.String{stringvalidator.RegexMatches(uuidPattern, "must be a UUID")}
}

// lsnPattern is how PostgreSQL writes a position in its log.
var lsnPattern = regexp.MustCompile(`^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$`)

// LSNValidators refuses what isn't a position in PostgreSQL's log.
func LSNValidators() []validator.String {
	return []validator.String{stringvalidator.RegexMatches(lsnPattern, "must be a log position such as 0/1E88480")}
}

// BaseURLValidator refuses what can't be the address of an API. It doesn't
// repeat the value, which may hold a password.
type BaseURLValidator struct{}

// Description says what is allowed.
func (BaseURLValidator) Description(context.Context) string {
	return "must be an absolute https URL; http is allowed to loopback only"
}

// MarkdownDescription says the same.
func (v BaseURLValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a value that is known.
func (BaseURLValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !IsSet(req.ConfigValue) {
		return
	}
	if err := client.ValidateBaseURL(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+req.Path.String(),
			req.Path.String()+" isn't the address of an API: "+err.Error()+".")
	}
}

// TimeoutValidator refuses what isn't a time to wait, such as "0s".
type TimeoutValidator struct{}

// Description says what is allowed.
func (TimeoutValidator) Description(context.Context) string {
	return "must be a duration above zero, such as 30s, 10m or 1h30m"
}

// MarkdownDescription says the same.
func (v TimeoutValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a value that is known.
func (v TimeoutValidator) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !IsSet(req.ConfigValue) {
		return
	}
	text := req.ConfigValue.ValueString()
	if timeout, err := time.ParseDuration(text); err != nil || timeout <= 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid timeout",
			req.Path.String()+" "+v.Description(ctx)+", got: "+Quoted(text)+".")
	}
}

package kit

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// ControlSettings and claimSettings are the provider's attributes that each API needs.
var (
	ControlSettings = []string{"api_key", "base_url", "requests_per_minute", "max_retries"}
	ClaimSettings   = []string{"claim_base_url", "max_retries"}
)

// Platform is what resources and data sources get from the provider's
// configuration.
type Platform struct {
	Client *client.Client
	// orgID is the default organization; empty for none.
	OrgID string
	// unknown are the attributes of the provider that aren't known yet.
	Unknown []string
	// opened are the objects that are open for the run.
	Opened *Opened
	// lookedUp holds the result of each look-up of this run, as a func() error.
	lookedUp sync.Map
}

// LookUp looks once in a run for what many resources name, such as their parent.
func (c *Platform) LookUp(name string, look func() error) error {
	once, _ := c.lookedUp.LoadOrStore(name, sync.OnceValue(look))
	return once.(func() error)() //nolint:forcetypeassert // Nothing else is stored.
}

// PlatformFrom takes what Configure has left. There is none yet while
// Terraform only validates.
func PlatformFrom(data any, diags *diag.Diagnostics) *Platform {
	if data == nil {
		return nil
	}
	shared, ok := data.(*Platform)
	if !ok {
		diags.AddError("Unable to configure the provider", "The provider's data has an unexpected form. This is a bug in the provider.")
		return nil
	}
	return shared
}

// Control gives the client for the control API, or says why it can't be used
// and gives nil.
func (c *Platform) Control(diags *diag.Diagnostics) *client.Client {
	if !c.Knows(diags, ControlSettings...) {
		return nil
	}
	if !c.Client.HasAPIKey() {
		diags.AddError("No API key", "This needs the platform's control API, and no API key is configured. Set the environment "+
			"variable NEON_API_KEY, or api_key in the provider block. The first key is made in the web console, under the "+
			"account's or the organization's settings.")
		return nil
	}
	return c.Client
}

// CheckProject looks up a project that a plan names, and returns the client for other
// look-ups of the plan; nil where there is an error, or where the settings aren't known
// yet.
func (c *Platform) CheckProject(ctx context.Context, projectID string, diags *diag.Diagnostics) *client.Client {
	if c == nil || c.UnknownOf(ControlSettings...) != "" {
		return nil
	}
	api := c.Control(diags)
	if api == nil {
		return nil
	}
	if err := c.LookUp("project "+projectID, func() error { _, err := api.Project(ctx, projectID); return err }); err != nil {
		AddAttributeError(diags, path.Root("project_id"), "Unable to read project", err)
		return nil
	}
	return api
}

// Claimable gives the client for the claimable database API, which needs no
// key, or says why it can't be used and gives nil.
func (c *Platform) Claimable(diags *diag.Diagnostics) *client.Client {
	if !c.Knows(diags, ClaimSettings...) {
		return nil
	}
	return c.Client
}

// KeepsUnread reports whether the state is kept without a read, with a warning, because
// one of the provider's attributes isn't known yet: what is managed already is planned
// as it was last seen. An object that was never read, as after an import, needs its read.
func (c *Platform) KeepsUnread(diags *diag.Diagnostics, wasRead bool, settings []string) bool {
	attribute := c.UnknownOf(settings...)
	if attribute == "" || !wasRead {
		return false
	}
	diags.AddWarning("Not refreshed", fmt.Sprintf(
		"%s of the provider is known only after apply, so this was planned as it is in the state. What changed outside Terraform since "+
			"shows up in the next plan.", attribute))
	return true
}

// Knows tells whether the provider's attributes are known, with an error if not.
func (c *Platform) Knows(diags *diag.Diagnostics, attributes ...string) bool {
	attribute := c.UnknownOf(attributes...)
	if attribute != "" {
		diags.AddError("Provider configuration not known yet", fmt.Sprintf(
			"%s of the provider depends on a resource that doesn't exist yet, and is needed before that. "+
				"Create that first with -target, or set it from elsewhere.", attribute))
	}
	return attribute == ""
}

// UnknownOf returns the first of the provider's attributes that isn't known yet; empty
// where all are.
func (c *Platform) UnknownOf(attributes ...string) string {
	for _, attribute := range attributes {
		if slices.Contains(c.Unknown, attribute) {
			return attribute
		}
	}
	return ""
}

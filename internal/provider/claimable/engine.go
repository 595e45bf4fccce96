package claimable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// The values of engine.
const (
	instant       = string(client.ClaimableInstant)
	claimableNeon = string(client.ClaimableNeon)
)

func servicesAttribute(replaces string) schema.Attribute {
	return schema.SetAttribute{
		MarkdownDescription: "What the database is to have beside PostgreSQL: `data_api` and `auth` are there at once, " +
			"`functions`, `storage` and `ai_gateway` only after a claim. `capabilities` says what was granted. Needs the " +
			"engine `claimable_neon`." + replaces,
		Optional:      true,
		ElementType:   types.StringType,
		PlanModifiers: []planmodifier.Set{setplanmodifier.RequiresReplace()},
		Validators: []validator.Set{
			setvalidator.SizeAtLeast(1), kit.NoNulls{},
			setvalidator.ValueStringsAre(stringvalidator.OneOf("data_api", "auth", "functions", "storage", "ai_gateway")),
		},
	}
}

// made is a database that a service has just created.
type made struct {
	service  client.ClaimableService
	database *client.ClaimableDatabase
	project  *client.ClaimableProject
}

// wish is what a new database is asked for with.
type wish struct {
	options

	engine   types.String
	services types.Set
}

// wish returns that of a configuration.
func (m *resourceModel) wish() *wish { return &wish{m.options, m.Engine, m.Services} }

// among returns the services that can do what is wished, in the order in which they are tried.
func (w *wish) among(configured []client.ClaimableService) []client.ClaimableService {
	return slices.DeleteFunc(slices.Clone(configured), func(service client.ClaimableService) bool {
		switch {
		case kit.IsSet(w.engine) && w.engine.ValueString() != string(service):
			return true
		case service == client.ClaimableInstant:
			return !w.services.IsNull()
		}
		return w.EnableLogicalReplication.ValueBool()
	})
}

// check refuses what no service can do.
func (w *wish) check(configured []client.ClaimableService, diags *diag.Diagnostics) {
	if w.services.IsUnknown() || w.engine.IsUnknown() || w.EnableLogicalReplication.IsUnknown() {
		return
	}
	candidates := w.among(configured)
	isNeon := slices.Equal(candidates, []client.ClaimableService{client.ClaimableNeon})
	switch {
	case !w.services.IsNull() && w.engine.ValueString() == instant:
		diags.AddAttributeError(path.Root("services"), "No services with this engine", "Only Claimable Neon has services "+
			"beside PostgreSQL: write engine = \"claimable_neon\", or leave engine out.")
	case w.EnableLogicalReplication.ValueBool() && (w.engine.ValueString() == claimableNeon || !w.services.IsNull()):
		diags.AddAttributeError(path.Root("enable_logical_replication"), "No logical replication with this engine",
			"Claimable Neon can't turn logical replication on. Leave enable_logical_replication out, or write engine = "+
				"\"instant\" without services.")
	case len(candidates) == 0:
		diags.AddAttributeError(path.Root("engine"), "The service isn't configured", "The provider is configured for "+
			fmt.Sprint(configured[0])+" alone, whose address is set. Set claimable_neon_base_url "+
			"(NEON_CLAIMABLE_NEON_BASE_URL) or claim_base_url (NEON_CLAIM_BASE_URL) of the provider, too, or leave both out.")
	case isNeon && !w.Ref.IsUnknown() && w.sourceProblem() != "":
		diags.AddAttributeError(path.Root("ref"), "The reference doesn't fit", w.sourceProblem()+".")
	}
}

// source is the reference as Claimable Neon is told it.
func (w *wish) source() string { return strings.TrimSpace(w.Ref.ValueString()) }

// sourceProblem says why Claimable Neon doesn't take the reference; empty where it does.
func (w *wish) sourceProblem() string {
	length := utf8.RuneCountInString(w.source())
	if length >= 1 && length <= client.ClaimableNeonSourceLength {
		return ""
	}
	return fmt.Sprintf("Claimable Neon takes a ref of 1 to %d characters, without the blanks at both ends, and this one "+
		"has %d", client.ClaimableNeonSourceLength, length)
}

// create creates a database with the first service that exists. It returns nil if it adds an error or there is no
// client. It tries the next service only if Neon has removed one; after another failure the database may exist.
func (w *wish) create(ctx context.Context, api *client.Client, diags *diag.Diagnostics) *made {
	if api == nil || diags.HasError() {
		return nil
	}
	if w.check(api.ClaimableServices(), diags); diags.HasError() {
		return nil
	}
	var err error
	for _, service := range w.among(api.ClaimableServices()) {
		var result *made
		if result, err = w.createWith(ctx, api, service); err == nil {
			return result
		}
		if !client.IsServiceGone(err) {
			break
		}
	}
	switch {
	case client.IsServiceGone(err):
		diags.AddError("The service for claimable databases has ended", "Neon has removed it: "+kit.Describe(err, nil)+
			" Nothing was created. Its successor is Claimable Neon: leave engine, claim_base_url and "+
			"enable_logical_replication out of the configuration to use that.")
	case client.IsLost(err):
		err = kit.Advise(err, "If it exists, nothing of it is in the state and it can't be imported; it expires by itself. "+
			"Apply again, which creates another."+kit.BadAnswerAdvice(err))
		fallthrough
	default:
		kit.AddError(diags, "Unable to create claimable database", err)
	}
	return nil
}

func (w *wish) createWith(ctx context.Context, api *client.Client, service client.ClaimableService) (*made, error) {
	if service == client.ClaimableInstant {
		database, err := api.CreateClaimableDatabase(ctx, client.ClaimableDatabaseCreate{
			Ref: w.Ref.ValueString(), EnableLogicalReplication: w.EnableLogicalReplication.ValueBool(),
		})
		return &made{service: service, database: database}, err
	}
	if problem := w.sourceProblem(); problem != "" {
		return nil, errors.New(problem)
	}
	capabilities := append([]string{"postgres"}, kit.Texts(w.services.Elements())...)
	slices.Sort(capabilities[1:])
	project, err := api.CreateClaimableProject(ctx, client.ClaimableProjectCreate{
		Source: w.source(), Capabilities: capabilities,
	})
	return &made{service: service, project: project}, err
}

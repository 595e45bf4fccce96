package neonfunction

import (
	"context"
	"net/http"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const domainText = "Host name, such as `api.example.com`, in lower case."

var (
	hostName  = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)
	neonHost  = regexp.MustCompile(`(^|\.)neon\.(tech|com)$`)
	domainKey = kit.KeyInBranch("A custom domain", "api.example.com",
		kit.KeyPart{Name: "domain", Description: domainText, Valid: hostName.MatchString})
	recordType = types.ObjectType{AttrTypes: map[string]attr.Type{"type": types.StringType, "name": types.StringType,
		"value": types.StringType}}
)

// NewDomainResource returns the managed resource neon_custom_domain.
func NewDomainResource() resource.Resource {
	return kit.NewResource(kit.Resource[domainModel]{
		Name: "custom_domain",
		Key:  domainKey,
		Schema: schema.Schema{
			MarkdownDescription: "A host name of your own that leads to a function. Child branches don't have it.\n\n" +
				"Create `dns_records` with the provider of your zone; Terraform doesn't wait for them. On Cloudflare they must " +
				"be DNS only (`proxied = false`), or the domain never gets active. A CAA record of the zone, if any, must allow " +
				"Let's Encrypt. The top of a zone can have no CNAME record: choose a name below it.\n\nTo remove it, remove the " +
				"DNS record first. Destroy it before its function or project, or it stays reserved; if `function_slug` refers to " +
				"the function, Terraform does so.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
				"branch_id":  kit.FollowedBranch(branchText),
				"domain": kit.ImmutableString(domainText+" At most 253 characters, and 63 between two dots. No other branch at "+
					"Neon has it.",
					stringvalidator.RegexMatches(hostName, "must be a host name in lower case, such as api.example.com: parts of 1 "+
						"to 63 letters, digits and hyphens, no hyphen at their ends, and no IP address"),
					stringvalidator.LengthAtMost(253), kit.TextRule(checkHost)),
				"function_slug": kit.ImmutableString("Slug of the function that it leads to.", slugRule),
				"cname_target": schema.StringAttribute{MarkdownDescription: "Host name that its CNAME record points to. Null if " +
					"the region has none.", Computed: true},
				"dns_records": schema.ListAttribute{MarkdownDescription: recordsText, Computed: true, ElementType: recordType},
				"id":          kit.ComputedString("`project_id/branch_id/domain`."),
			},
		},
		MovedFrom:   map[string]string{"neondatabase/neon": "neon_custom_branch_domain"},
		IsSole:      true,
		IsExclusive: true,
		Plan:        planDomain,
		FindAgain:   kit.SameInBranch(readDomain),
		Create:      registerDomain,
		Read:        readDomain,
		Delete: func(ctx context.Context, run kit.Run, state domainModel) error {
			return run.API.DeleteCustomDomain(ctx, state.Branch(), state.Domain.ValueString())
		},
	})
}

func readDomain(ctx context.Context, run kit.Run, state domainModel) (domainModel, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedCustomDomain(ctx, state.Branch(), state.Domain.ValueString()))
}

// planDomain checks that the function of a new domain exists, before the domain replaces another.
func planDomain(ctx context.Context, p kit.Planning) {
	p.CheckNeeded(ctx, functionSlug, []string{"project_id", functionSlug}, findFunction(ctx))
}

// checkHost refuses Neon's own host names.
func checkHost(at path.Path, host string, diags *diag.Diagnostics) {
	if neonHost.MatchString(host) {
		diags.AddAttributeError(at, "A host name of Neon's", at.String()+" = "+kit.Quoted(host)+" must be a host name of "+
			"your own: Neon refuses those below neon.tech and neon.com, which are its own.")
	}
}

func registerDomain(ctx context.Context, run kit.Run, plan domainModel, save func(domainModel)) error {
	domain := plan.Domain.ValueString()
	made, err := run.API.CreateCustomDomain(ctx, plan.Branch(), domain, plan.Slug.ValueString())
	switch {
	case client.HasStatus(err, http.StatusConflict):
		return kit.Advise(err, "It leads to a function of another branch, or stayed reserved when its function or project "+
			"was deleted. Delete it there: the registration is another branch's, which Neon doesn't name. Where that is gone, "+
			"only Neon's support can free it.")
	case err != nil:
		return adviseNoFunction(err, plan.Slug)
	}
	save(plan.with(made))
	return nil
}

type domainModel struct {
	kit.InBranch

	Domain  types.String `tfsdk:"domain"`
	Slug    types.String `tfsdk:"function_slug"`
	Target  types.String `tfsdk:"cname_target"`
	Records types.List   `tfsdk:"dns_records"`
	ID      types.String `tfsdk:"id"`
}

func (m domainModel) with(d *client.CustomDomain) domainModel {
	m.ID, m.Slug, m.Target, m.Records = m.IDOf(d.Domain), types.StringValue(d.FunctionSlug),
		kit.OptionalString(d.CNAMETarget), recordsOf(d)
	return m
}

const recordsText = "DNS records that it needs: `type` is `CNAME`, `name` the domain, and `value` what it points to. " +
	"Empty if the region has no target."

func recordsOf(d *client.CustomDomain) types.List {
	records := []attr.Value{}
	if d.CNAMETarget != "" {
		records = append(records, types.ObjectValueMust(recordType.AttrTypes, map[string]attr.Value{
			"type": types.StringValue("CNAME"), "name": types.StringValue(d.Domain), "value": types.StringValue(d.CNAMETarget),
		}))
	}
	return types.ListValueMust(recordType, records)
}

// NewDomainList returns the list resource neon_custom_domain: those of a branch.
func NewDomainList() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "custom_domain", domainKey,
		"Lists the custom domains of a branch, in Neon's order.",
		(*client.Client).ListCustomDomains, domainModel.with,
		func(d client.CustomDomain) (id, name string) { return d.Domain, d.Domain })
}

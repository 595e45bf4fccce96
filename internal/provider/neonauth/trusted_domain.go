package neonauth

import (
	"context"
	"errors"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const domainText = "Address that people may be sent back to, such as `https://shop.example.com`, " +
	"`https://*.example.com` or `myapp://`."

// hasScheme matches addresses that begin with a scheme.
var hasScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

var domainKey = kit.KeyInBranch("A trusted domain", "https://shop.example.com",
	kit.KeyPart{Name: "domain", Description: domainText, Valid: hasScheme.MatchString})

// NewDomainResource returns the managed resource neon_auth_trusted_domain.
func NewDomainResource() resource.Resource {
	return kit.NewResource(kit.Resource[domainModel]{
		Name:   "auth_trusted_domain",
		Called: "trusted domain",
		Key:    domainKey,
		Schema: schema.Schema{
			MarkdownDescription: "A domain to which Neon Auth may send people back after they have signed in. The branch must " +
				"have Neon Auth, as by `neon_auth`. A child branch starts with its parent's domains: this resource on the child " +
				"takes one over, and destroying it leaves the parent's alone.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
				"branch_id":  kit.FollowedBranch(branchText),
				"domain": schema.StringAttribute{
					MarkdownDescription: domainText + " Neon keeps the host in lower case and no slash at the end, which makes no " +
						"difference here: another spelling of the same changes nothing. Changing it replaces the resource.",
					Required: true,
					Validators: []validator.String{stringvalidator.RegexMatches(hasScheme, "must begin with a scheme, such as "+
						"https://"), kit.TextRule(checkTrusted)},
					PlanModifiers: []planmodifier.String{kit.KeepsSpelling(isSameDomain),
						stringplanmodifier.RequiresReplace()},
				},
				"id": kit.ComputedString("`project_id/branch_id/domain`."),
			},
		},
		MovedFrom:   map[string]string{"kenchan0130/neon": "neon_branch_neon_auth_trusted_domain"},
		FindAgain:   kit.SameInBranch(readDomain),
		IsExclusive: true,
		IsInherited: func(ctx context.Context, api *client.Client, place domainModel) (bool, error) {
			return client.IsInherited(ctx, api, place.Branch(), domainOf(api, place.Domain.ValueString()))
		},
		Plan: func(ctx context.Context, p kit.Planning) {
			checkAuth(ctx, p, "trusted domain")
		},
		Create: createDomain,
		Read:   readDomain,
		Delete: func(ctx context.Context, run kit.Run, state domainModel) error {
			branch := state.Branch()
			auth, err := run.API.GetAuth(ctx, branch)
			if client.IsAbsent(err) {
				return nil
			}
			if err != nil {
				return err
			}
			return run.API.DeleteAuthDomain(ctx, branch, client.AuthDomain{Domain: state.Domain.ValueString(),
				Provider: auth.Provider})
		},
	})
}

// NewDomainList returns the list resource neon_auth_trusted_domain: those of a branch.
func NewDomainList() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "auth_trusted_domain", domainKey,
		"Lists the domains that Neon Auth of a branch trusts, in Neon's order.", (*client.Client).ListAuthDomains,
		func(imported domainModel, _ *client.AuthDomain) domainModel { return imported.named() },
		func(domain client.AuthDomain) (id, name string) { return domain.Domain, domain.Domain })
}

type domainModel struct {
	kit.InBranch

	Domain types.String `tfsdk:"domain"`
	ID     types.String `tfsdk:"id"`
}

func (m domainModel) named() domainModel {
	m.ID = m.IDOf(m.Domain.ValueString())
	return m
}

// domainOf reads a domain of any branch.
func domainOf(api *client.Client, domain string) func(context.Context, client.BranchRef) (*client.AuthDomain, error) {
	return func(ctx context.Context, branch client.BranchRef) (*client.AuthDomain, error) {
		return api.GetSharedAuthDomain(ctx, branch, domain)
	}
}

func createDomain(ctx context.Context, run kit.Run, plan domainModel, save func(domainModel)) error {
	branch := plan.Branch()
	domain := plan.Domain.ValueString()
	auth, err := run.API.GetAuthBefore(ctx, branch)
	if err != nil {
		return adviseEnable(err)
	}
	err = run.API.CreateAuthDomain(ctx, branch, client.AuthDomain{Domain: domain, Provider: auth.Provider})
	if errors.Is(err, client.ErrTaken) {
		err = client.TakeOver(ctx, run.API, branch, "domain "+domain, domainOf(run.API, domain))
	}
	if err == nil {
		save(plan.named())
	}
	return err
}

// checkAuth refuses to replace a part of Neon Auth by one on a branch that doesn't have it, unless this run enables it
// there.
func checkAuth(ctx context.Context, p kit.Planning, noun string) {
	p.CheckReplacement(ctx, noun, "branch_id", []string{"project_id"},
		func(api *client.Client) error {
			var in kit.InBranch
			in.ReadFrom(ctx, p.Answer.Plan, p.Diags)
			branch := in.Branch()
			_, err := api.GetAuthBefore(ctx, branch)
			if client.IsAbsent(err) && !p.IsNaming("Neon Auth", branch.ProjectID, branch.ID) {
				return adviseEnable(err)
			}
			return nil
		})
}

// adviseEnable advises to enable Neon Auth if the branch doesn't have it.
func adviseEnable(err error) error {
	if !client.IsAbsent(err) {
		return err
	}
	return kit.Advise(err, "Enable it with neon_auth. If this configuration does, refer to it, such as branch_id = "+
		"neon_auth.NAME.branch_id, so that it is enabled first.")
}

func readDomain(ctx context.Context, run kit.Run, state domainModel) (domainModel, error) {
	if _, err := run.API.GetSharedAuthDomain(ctx, state.Branch(), state.Domain.ValueString()); err != nil {
		return domainModel{}, err
	}
	return state.named(), nil
}

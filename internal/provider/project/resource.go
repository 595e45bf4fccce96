package project

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var noun = kit.Introduce(kit.Noun{
	Called: "project", ListedBy: "projects", Advise: adviseRecovery,
	IDs: kit.IDs{
		Example: "wispy-meadow-12345678", In: []string{"project_id"}, LookUp: "data \"neon_project\" \"NAME\" {\n  " +
			"name = %s\n}",
	},
})

// adviseRecovery says how a deleted project comes back.
func adviseRecovery(err error) string {
	if absent, is := errors.AsType[*client.AbsentError](err); is && absent.Project != "" {
		return "For seven days after its deletion, the action neon_recover_project brings a project back with all that it " +
			"had, and so does the web console."
	}
	return ""
}

var key = kit.Key{
	Rule:  "A project is imported by its id, such as wispy-meadow-12345678",
	Parts: []kit.KeyPart{{Name: "id", Description: kit.ProjectText, Valid: kit.IsID("project_id")}},
}

// NewResource returns the managed resource neon_project.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name: "project",
		First: "allowed_ips allowed_ips_protected_branches_only audit_log_level block_public_connections " +
			"block_vpc_connections compute_provisioner created_at default_branch default_endpoint_settings " +
			"deletion_protection enable_logical_replication hipaa history_retention_seconds id maintenance_window name org_id " +
			"pg_version platform_id preload_libraries proxy_host quota region_id store_passwords timeouts",
		ListedBy:  noun.ListedBy,
		Key:       key,
		Remembers: "id",
		Schema: schema.Schema{
			MarkdownDescription: "A project, with the branch, compute endpoint, role and database that Neon creates with it " +
				"(`default_branch`). No password is in the state: read it with the ephemeral resources `neon_role_password` or " +
				"`neon_connection_uri`. A project with a branch that somebody else has protected can't be destroyed.\n\nA " +
				"setting that you never configure stays as it is on Neon. If you remove the line of a setting, it keeps its " +
				"value unless its description says otherwise; the plan warns if that lifts a network restriction. `[]`, `false` " +
				"or `{}` always lifts a restriction or limit. A replaced project loses all its data.",
			Attributes: attributes(),
		},
		MovedFrom: kit.MovedAs("neon_project",
			"kislerdm/neon", "neondatabase/neon", "kenchan0130/neon", "terraform-community-providers/neon"),
		Holds:      "all its branches with their databases and roles",
		ReplacedBy: replacing,
		Recalls:    slices.AppendSeq(slices.Clone(leftAlone), maps.Keys(lasting)),
		Protects:   &branchPath,
		Plan:       plan,
		Create:     create,
		Read:       read,
		Update:     update,
		Delete:     remove,
	})
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	created, err := run.API.CreateProject(ctx, plan.creation())
	if err != nil {
		return adviseCreation(ctx, run.API, plan, err)
	}
	project, found := &created.Object.Project, createdBranch(created.Object)
	save(plan.applied(ctx, project, found))
	warnOfNamesakes(ctx, run, created)
	if err := run.API.WaitForOperations(ctx, project.ID, created.Operations); err != nil {
		return err
	}
	if err := found.apply(ctx, run.API, project.ID, kit.Decode[branchModel](plan.DefaultBranch),
		kit.Decode[branchModel](found.value(branchModel{}))); err != nil {
		return err
	}
	save(plan.applied(ctx, project, found))
	return nil
}

// adviseCreation says what to do about a refusal, and about a project that may be ours.
func adviseCreation(ctx context.Context, api *client.Client, plan model, err error) error {
	var lost *client.AmbiguousError
	var doubtful *client.DoubtfulError
	switch {
	case client.HasStatus(err, http.StatusBadRequest) && kit.IsSet(plan.RegionID) &&
		strings.Contains(err.Error(), plan.RegionID.ValueString()):
		return adviseRegion(ctx, api, plan, err)
	case client.HasStatus(err, http.StatusBadRequest) && strings.Contains(err.Error(), "org_id"):
		return kit.Advise(err, "With a personal API key a project needs an organization. "+kit.NoOrganization)
	case errors.As(err, &lost) && errors.As(lost.LookupErr, &doubtful):
		return kit.Advise(err, "Look in the web console whose they are. If one is this run's, import it with its block "+
			"in the root module, where neon_project.NAME stands for the address of this resource; if none is, apply again.\n\n"+
			kit.ImportBlocks("neon_project", doubtful.IDs)+"\n")
	}
	return err
}

// adviseRegion lists the regions if Neon doesn't know the configured one.
func adviseRegion(ctx context.Context, api *client.Client, plan model, refusal error) error {
	if advice := regionsThere(ctx, api, plan.OrgID.ValueString(), plan.RegionID.ValueString()); advice != "" {
		return kit.Advise(refusal, advice)
	}
	return refusal
}

// regionsThere returns a list of the regions if the configured one isn't among them, otherwise "".
func regionsThere(ctx context.Context, api *client.Client, orgID, configured string) string {
	regions, err := client.All(api.ListRegions(ctx, orgID))
	if err != nil {
		return ""
	}
	advice, ids := "", make([]string, len(regions))
	for i, region := range regions {
		ids[i] = region.ID
		if strings.HasSuffix(region.ID, "-"+configured) {
			advice = fmt.Sprintf("Neon calls that region %s. ", kit.Quoted(region.ID))
		}
	}
	if slices.Contains(ids, configured) {
		return ""
	}
	return fmt.Sprintf("There is no region_id = %s. %sThese are there: %s.", kit.Quoted(configured), advice,
		strings.Join(ids, ", "))
}

// warnOfNamesakes names the other projects of the same name: names aren't unique, so that
// nothing else shows what a run left that was killed before it had the id.
func warnOfNamesakes(ctx context.Context, run kit.Run, created *client.Answer[client.NewProject]) {
	project := created.Object.Project
	if project.Name == project.ID { // Neon named it.
		return
	}
	others, err := run.API.ListNamesakes(ctx, project)
	if err != nil {
		run.Warn("Perhaps not the only project of its name ("+project.ID+")", "Whether a run that was killed left "+
			"another one named "+kit.Quoted(project.Name)+" could not be found out. "+kit.Sentence(err.Error())+
			" Look with the data source neon_projects.")
		return
	}
	others = slices.DeleteFunc(others, func(id string) bool { return run.IsSaved("project", id) })
	if len(others) > 0 {
		run.Warn("Another project of the same name ("+project.ID+")", fmt.Sprintf("Project %s was created. The "+
			"organization has another one named %s, which may hold data. Nothing is wrong where this run replaces it, or "+
			"another resource manages it. Otherwise a run that was killed may have left it: look at it in the web console "+
			"first. This takes it into a resource of its own:\n\n%s",
			project.ID, kit.Quoted(project.Name), kit.ImportBlocks("neon_project", others)))
	}
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	project, err := run.API.GetSharedProject(ctx, state.ID.ValueString())
	if client.IsAbsent(err) {
		warnOfLoss(ctx, run, state)
	}
	if err != nil {
		return model{}, err
	}
	prior := kit.Decode[branchModel](state.DefaultBranch)
	var found *defaultBranch
	branch, err := standingFor(ctx, run, project.ID, prior)
	if err == nil {
		found, err = readBranch(ctx, run.API, project.ID, branch, prior)
	}
	if client.IsAbsent(err) { // The project is there.
		err = kit.Advise(fmt.Errorf("the default branch of project %s changed while it was read: %s", project.ID,
			err.Error()), "Plan again.")
	}
	if err != nil {
		return model{}, err
	}
	return state.with(project, found), nil
}

// update sends the changes in an order in which a failure leaves the least undone. After a failure, the next refresh
// reads the changes that succeeded.
func update(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
	id := state.ID.ValueString()
	if from, to := state.OrgID.ValueString(), plan.OrgID.ValueString(); kit.IsSet(plan.OrgID) && from != to {
		if err := run.API.TransferProjects(ctx, []string{id}, from, to); err != nil {
			return adviseTransfer(err, from)
		}
	}
	if change := plan.changes(state); change != (client.ProjectUpdate{}) {
		operations, err := client.OperationsOf(run.API.UpdateProject(ctx, id, change))
		if err := kit.Finish(ctx, run.API, id, operations, err); err != nil {
			return err
		}
	}
	before := kit.Decode[branchModel](state.DefaultBranch)
	branch, err := run.API.GetSharedBranch(ctx, client.BranchRef{ProjectID: id, ID: before.ID.ValueString()})
	if err != nil {
		return err
	}
	found, err := readBranch(ctx, run.API, id, branch, before)
	if err != nil {
		return err
	}
	wanted := kit.Decode[branchModel](plan.DefaultBranch)
	if err := found.apply(ctx, run.API, id, wanted, before); err != nil {
		return err
	}
	project, err := run.API.GetProject(ctx, id)
	if err != nil {
		return err
	}
	save(plan.applied(ctx, project, found))
	return plan.keptSettings(project)
}

// keptSettings is the error about settings of PostgreSQL that Neon kept though they were left out.
func (m model) keptSettings(project *client.Project) error {
	settings := pgSettings(m.DefaultEndpointSettings)
	if !kit.IsSet(settings) || project.DefaultEndpointSettings.PgSettings == nil {
		return nil
	}
	var kept []string
	for name := range *project.DefaultEndpointSettings.PgSettings {
		if _, is := settings.Elements()[name]; !is {
			kept = append(kept, name)
		}
	}
	if slices.Sort(kept); len(kept) == 0 {
		return nil
	}
	return kit.Advise(fmt.Errorf("project %s still has %s in default_endpoint_settings.pg_settings: Neon keeps those "+
		"that are left out", project.ID,
		strings.Join(kept, ", ")), "Everything else was changed. Configure them with the values that they are to have.")
}

// adviseTransfer explains why a project can't be transferred.
func adviseTransfer(err error, from string) error {
	switch {
	case from == "":
		return kit.Advise(err, "The project belongs to no organization that Neon names, so it can't be transferred from "+
			"here: do it in the web console, and then set org_id.")
	case client.HasStatus(err, http.StatusNotAcceptable):
		return kit.Advise(err, "The plan of the organization that gets the project doesn't fit. Nothing was changed.")
	case client.HasStatus(err, http.StatusUnprocessableEntity):
		return kit.Advise(err, "Disconnect the integration in the web console, and try again. Nothing was changed.")
	}
	return err
}

func remove(ctx context.Context, run kit.Run, state model) error {
	id, isUnprotected := state.ID.ValueString(), false
	ref := client.BranchRef{ProjectID: id, ID: kit.OwnProtected(ctx, run.Private)}
	var err error
	if ref.ID != "" {
		isUnprotected, err = unprotect(ctx, run.API, ref)
	}
	if err == nil {
		err = run.API.DeleteProject(ctx, id)
	}
	if client.IsRefused(err) {
		err = adviseProtected(ctx, run.API, id, err)
	}
	if err != nil && isUnprotected {
		err = kit.ProtectAgain(ctx, err, func(ctx context.Context) error { return setProtected(ctx, run.API, ref, true) })
	}
	if err != nil {
		return err
	}
	run.Warn("Project deleted ("+id+")", fmt.Sprintf("For seven days, until %s, project %s (%s) can be recovered with "+
		"its branches: invoke the action neon_recover_project (Terraform 1.14 or later) with this id, or recover it in the "+
		"web console. Then import it. After that it is gone for good.",
		run.API.Now(ctx).Add(recoverable).UTC().Format(time.RFC3339), id, kit.Quoted(state.Name.ValueString())))
	return nil
}

// recoverable is how long Neon keeps a deleted project.
const recoverable = 7 * 24 * time.Hour

// warnOfLoss warns that a project deleted outside of Terraform can be recovered, before an empty one replaces it. It
// skips an import, whose state has only the id.
func warnOfLoss(ctx context.Context, run kit.Run, state model) {
	id, orgID := state.ID.ValueString(), state.OrgID.ValueString()
	until, err := run.API.GetRecoverableUntil(ctx, client.OrgRef[client.Project]{OrgID: orgID, ID: id})
	if state.Name.IsNull() || until == nil || err != nil {
		return
	}
	run.Warn("A deleted project can be recovered ("+id+")", fmt.Sprintf("Project %s (%s) was deleted outside Terraform. "+
		"Until %s it can be had back with all its branches and data: by the action neon_recover_project or in the web "+
		"console, before this plan is applied; the next plan then finds it again. Applying this plan forgets it, and "+
		"creates an empty project where its block is still in the configuration.", id, kit.Quoted(state.Name.ValueString()),
		until.UTC().Format(time.RFC3339)))
}

// unprotect takes the protection that this resource put on off the default branch that goes with
// the project, unless another protected branch keeps the project anyway. It reports whether it was put on.
func unprotect(ctx context.Context, api *client.Client, ref client.BranchRef) (isUnprotected bool, err error) {
	protected, err := protectedBranches(client.All(api.ListBranches(ctx, ref.ProjectID, client.BranchQuery{})))
	others := slices.DeleteFunc(slices.Clone(protected), func(branch client.Branch) bool { return branch.ID == ref.ID })
	switch {
	case err != nil:
		return false, err
	case len(others) > 0:
		return false, kit.Advise(fmt.Errorf("project %s has protected branches, and Neon deletes no such project: %s",
			ref.ProjectID, names(others)), protectedAdvice)
	case len(protected) == 0:
		return false, nil
	}
	return true, setProtected(ctx, api, ref, false)
}

func setProtected(ctx context.Context, api *client.Client, ref client.BranchRef, protected bool) error {
	operations, err := client.OperationsOf(api.UpdateBranch(ctx, ref, client.BranchUpdate{Protected: &protected}))
	return kit.Finish(ctx, api, ref.ProjectID, operations, err)
}

const (
	takeOffText = "If they are meant to go, take their protection off first (protected = false, where Terraform manages " +
		"them)."
	protectedAdvice = "The project wasn't deleted. " + takeOffText
)

// adviseProtected names the branches that keep a project.
func adviseProtected(ctx context.Context, api *client.Client, projectID string, refusal error) error {
	protected, err := protectedBranches(client.All(api.ListBranches(ctx, projectID, client.BranchQuery{})))
	if err != nil || len(protected) == 0 {
		return refusal
	}
	return kit.Advise(refusal, "These branches of the project are protected: "+names(protected)+". "+protectedAdvice)
}

// checkProtected says before anything is deleted which branches keep a project that is to be destroyed or replaced. The
// default branch goes with the project alone, so its protection refuses the plan; any other may go before the project.
func checkProtected(ctx context.Context, p kit.Planning, state model) {
	var unsaid diag.Diagnostics
	if p.Platform == nil {
		return
	}
	api := p.Control(&unsaid)
	if api == nil {
		return
	}
	managed := kit.OwnProtected(ctx, p.Private)
	protected, _ := protectedBranches(api.ListSharedBranches(ctx, state.ID.ValueString()))
	protected = p.StayingBranches(slices.DeleteFunc(protected,
		func(branch client.Branch) bool { return branch.ID == managed }))
	i := slices.IndexFunc(protected, func(branch client.Branch) bool { return branch.Default })
	switch {
	case i >= 0:
		p.Diags.AddError("Somebody has protected the default branch ("+protected[i].ID+")", fmt.Sprintf("Neon deletes no "+
			"project that has protected branches, and project %s (%s) has these: %s. This resource hasn't put the protection "+
			"of the default branch on, so it doesn't take it off to delete the project. If the project is meant to go, "+
			"set\n\n  default_branch = { protected = false }\n\nand apply that first, or take the protection off in the web "+
			"console. To have Terraform forget the project without deleting it, replace its resource by this block, where "+
			"NAME is its name, and apply that first.\n\n%s",
			state.ID.ValueString(), kit.Quoted(state.Name.ValueString()), names(protected),
			kit.RemovedBlock("neon_project.NAME")))
	case len(protected) > 0:
		p.Diags.AddWarning("Protected branches keep the project ("+state.ID.ValueString()+")", fmt.Sprintf("Neon deletes no "+
			"project that has protected branches, and project %s (%s) has these: %s. Unless this run deletes them before, it "+
			"ends with an error when all that belongs to the project is deleted. "+takeOffText,
			state.ID.ValueString(), kit.Quoted(state.Name.ValueString()), names(protected)))
	}
}

func names(branches []client.Branch) string {
	return strings.Join(kit.TextsOf(branches,
		func(branch client.Branch) string { return branch.Name + " (" + branch.ID + ")" }), ", ")
}

// protectedBranches are those of a project's branches that are protected.
func protectedBranches(branches []client.Branch, err error) ([]client.Branch, error) {
	return slices.DeleteFunc(branches, func(branch client.Branch) bool { return !branch.Protected }), err
}

package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// ControlSettings and ClaimSettings are the provider's attributes that each API needs.
var (
	ControlSettings = []string{"api_key", "base_url", "requests_per_minute", "max_retries"}
	ClaimSettings   = []string{"claim_base_url", "claimable_neon_base_url", "max_retries"}
)

// Platform is Neon as the provider is configured for it. Every noun works on it.
type Platform struct {
	Client *client.Client
	// OrgID is the default organization; empty for none.
	OrgID string
	// Unknown are the attributes of the provider that aren't known yet.
	Unknown []string
	// Protects has who refuses that an object of a kind is deleted, such as "branch", in words such as "protect of the
	// provider block".
	Protects map[string]string
	// Opened are the objects that are open for the run.
	Opened *Opened
	// lookedUp holds the result of each look-up of this run, as a *lookUp[T].
	lookedUp sync.Map
	// noted has what this run has come across, or plans: see note.
	noted sync.Map
	// applies is true once this run has applied something.
	applies atomic.Bool
	// plansOnce is true where what is planned belongs to one plan, or to one apply.
	plansOnce atomic.Bool
	// planned has what the first resource plans of what can be planned in two places: see Other.
	planned sync.Map
	// latest has the marks of what was created last of that key: see Run.Creates.
	latest sync.Map
	// adding has the names of what this run plans to create, by the place where it counts.
	adding   map[string][]string
	addingMu sync.Mutex
}

// Forget clears the last run's look-ups, plans and creations when Terraform starts another run in the same process.
func (p *Platform) Forget() {
	if p == nil {
		return
	}
	p.lookedUp.Clear()
	p.noted.Clear()
	p.planned.Clear()
	p.applies.Store(false)
	p.addingMu.Lock()
	defer p.addingMu.Unlock()
	p.adding = nil
}

// Applies notes that this run applies something.
func (p *Platform) Applies() {
	if p != nil {
		p.applies.Store(true)
	}
}

// IsApplying reports whether this run has applied something.
func (p *Platform) IsApplying() bool { return p != nil && p.applies.Load() }

// Planned is a value that a resource of a kind, such as neon_project, plans for something.
type Planned struct {
	Kind  string
	Value attr.Value
}

// Other records a resource's planned value for something that two kinds of resources can plan, such as a branch's name.
// It returns the other kind's value if that differs: each apply would change it to and fro.
func (p *Platform) Other(something string, here Planned) (other Planned, differs bool) {
	if p == nil {
		return other, false
	}
	found, _ := p.planned.LoadOrStore(something, here)
	other, _ = found.(Planned)
	return other, other.Kind != here.Kind && !other.Value.Equal(here.Value)
}

// note notes something about the object of a kind with that key, such as that it is "managed", and reports whether that
// is new.
func (p *Platform) note(what, kind string, key ...string) (isNew bool) {
	if p == nil {
		return true
	}
	_, isNoted := p.noted.LoadOrStore(what+" "+kind+" "+strings.Join(key, "/"), true)
	return !isNoted
}

func (p *Platform) isNoted(what, kind string, key ...string) bool {
	_, isNoted := p.noted.Load(what + " " + kind + " " + strings.Join(key, "/"))
	return isNoted
}

// IsSaved reports whether this run has read or created the object with that key of a resource, such as "project".
func (p *Platform) IsSaved(resource, key string) bool { return p.isNoted("saved", resource, key) }

// Manages notes that the state has the object with that key of a resource, such as "branch".
func (p *Platform) Manages(resource string, key ...string) { p.note("managed", resource, key...) }

// IsManaged reports whether the state is known to have that object: see Manages. Terraform reads what a resource
// doesn't refer to in any order.
func (p *Platform) IsManaged(resource string, key ...string) bool {
	return p.isNoted("managed", resource, key...)
}

// PlansOnce notes whether Terraform has configured this for one plan or one apply, and not for all runs of a test.
func (p *Platform) PlansOnce(once bool) {
	if p != nil {
		p.plansOnce.Store(once)
	}
}

// twoForOne says that two resources are to be one object.
func twoForOne(noun string, key []string) (summary, detail string) {
	return fmt.Sprintf("Two resources for one %s (%s)", noun, strings.Join(key, "/")),
		fmt.Sprintf("Another resource of this configuration is for the same %[1]s. Two resources that manage one would "+
			"change it to and fro. Remove one of them, or have them name different ones.", noun)
}

// begins reports whether no other creation of this run is of the object with that key of a resource.
func (p *Platform) begins(resource, key string) bool { return p.note("created", resource, key) }

// RenamesBranch reports whether this run is known to give a branch another name than the one that it has.
func (p *Platform) RenamesBranch(id, name string) bool {
	found, _ := p.planned.Load("name of branch " + id)
	planned, isPlanned := found.(Planned)
	return isPlanned && Text(planned.Value) != name
}

// Goes notes that this run plans to destroy the branch with that id, or the endpoint by a change of its branch, or by
// -replace "database" and its id, before it creates that anew.
func (p *Platform) Goes(id string) { p.note("destroyed", "", id) }

// IsGoing reports whether this run is known to destroy that: see Goes. Terraform may plan it later.
func (p *Platform) IsGoing(id string) bool { return p.isNoted("destroyed", "", id) }

// MayStay notes why Neon may refuse to delete what this run plans to destroy.
func (p *Platform) MayStay(id, why string) { p.noted.Store("may stay "+id, why) }

// whyStays is what MayStay has noted of that; empty for nothing.
func (p *Platform) whyStays(id string) string {
	found, _ := p.noted.Load("may stay " + id)
	why, _ := found.(string)
	return why
}

// Names notes that this run plans to create something, such as a database, or to rename it, with its key, so that it
// isn't missed in the plans of what refers to it, which come later.
func (p *Platform) Names(noun string, key ...string) { p.note("named", noun, key...) }

// IsNaming reports whether this run plans that: see Names.
func (p *Platform) IsNaming(noun string, key ...string) bool { return p.isNoted("named", noun, key...) }

// Adding records that this run plans to create an object of that name in a place, and returns how many others it
// creates there that were planned before. Each object without a name counts: Terraform plans each creation once.
func (p *Platform) Adding(place, name string) (others int) {
	p.addingMu.Lock()
	defer p.addingMu.Unlock()
	if at := slices.Index(p.adding[place], name); name != "" && at >= 0 {
		return at
	}
	if p.adding == nil {
		p.adding = map[string][]string{}
	}
	p.adding[place] = append(p.adding[place], name)
	return len(p.adding[place]) - 1
}

// StayingBranches are those of the branches that this run isn't known to destroy.
func (p *Platform) StayingBranches(branches []client.Branch) []client.Branch {
	return slices.DeleteFunc(slices.Clone(branches), func(branch client.Branch) bool { return p.IsGoing(branch.ID) })
}

// LookUp reads, once in a run, what many resources name. Each judges for itself what was
// found.
func LookUp[T any](p *Platform, name string, read func() (T, error)) (T, error) {
	fresh := &lookUp[T]{done: make(chan struct{})}
	stored, isKnown := p.lookedUp.LoadOrStore(name, fresh)
	if !isKnown {
		defer close(fresh.done)
		fresh.found, fresh.err = read()
		return fresh.found, fresh.err
	}
	known := stored.(*lookUp[T]) //nolint:forcetypeassert // The name says what is stored.
	<-known.done
	return known.found, known.err
}

// lookUp is what was read, once done is closed. Who waits on a lock in place of that keeps the clock of
// testing/synctest from going on.
type lookUp[T any] struct {
	done  chan struct{}
	found T
	err   error
}

// LookUpProject reads a project that a plan names.
func (p *Platform) LookUpProject(ctx context.Context, id string) (*client.Project, error) {
	return LookUp(p, "project "+id, func() (*client.Project, error) { return p.Client.GetSharedProject(ctx, id) })
}

// LookUpBranch reads a branch that a plan names.
func (p *Platform) LookUpBranch(ctx context.Context, branch client.BranchRef) (*client.Branch, error) {
	return LookUp(p, "branch "+branch.ProjectID+"/"+branch.ID,
		func() (*client.Branch, error) { return p.Client.GetSharedBranch(ctx, branch) })
}

// LookUpDefaultBranch reads the default branch of a project that a plan names.
func (p *Platform) LookUpDefaultBranch(ctx context.Context, projectID string) (*client.Branch, error) {
	return LookUp(p, "default branch of "+projectID, func() (*client.Branch, error) {
		return p.Client.GetDefaultBranch(ctx, projectID)
	})
}

// CanLookUp reports whether a plan can look anything up: not while Terraform only validates, nor where the settings for
// it aren't known yet.
func (p *Platform) CanLookUp() bool { return p != nil && p.UnknownOf(ControlSettings...) == "" }

// MissingNamed says what to do about an object that isn't there, and is named in an attribute of that name.
func MissingNamed(err error, attribute string) error {
	noun, part := missingNoun(err), attribute[strings.LastIndex(attribute, "_")+1:]
	return Advise(err, fmt.Sprintf("Look for a misspelt name. Where this configuration creates the %[1]s, refer to it, "+
		"as in %[2]s = neon_%[1]s.NAME.%[3]s, so that it is created first.", noun, attribute, part))
}

// Control returns the client for the control API, or adds the reason why it can't be used
// and returns nil.
func (p *Platform) Control(diags *diag.Diagnostics) *client.Client {
	if !p.knows(diags, ControlSettings...) {
		return nil
	}
	if !p.Client.HasAPIKey() {
		diags.AddError("No API key", "This needs Neon's control API, and no API key is configured. Set the environment "+
			"variable NEON_API_KEY, or api_key in the provider block. The first key is created in the web console, under the "+
			"account's or the organization's settings.")
		return nil
	}
	return p.Client
}

// CheckProject looks up a project that a plan names, unless this run has seen it already, and returns the client for
// other look-ups of the plan; nil where there is an error, or where the settings aren't known yet.
func (p *Platform) CheckProject(ctx context.Context, projectID string, diags *diag.Diagnostics) *client.Client {
	if !p.CanLookUp() {
		return nil
	}
	api := p.Control(diags)
	if api == nil {
		return nil
	}
	if p.IsSaved("project", projectID) {
		return api
	}
	if _, err := p.LookUpProject(ctx, projectID); err != nil {
		AddAttributeError(diags, path.Root("project_id"), "Unable to read project", err)
		return nil
	}
	return api
}

// CheckInBranch is CheckBranch as the plan of an action whose model embeds [InBranch].
func CheckInBranch[M interface{ in() InBranch }](ctx context.Context, run Run, config M) {
	run.CheckBranch(ctx, config.in(), run.Diags)
}

// CheckBranch looks up the project and the branch that a plan names, as far as they are
// known. It returns no branch where there is an error, or where that can't be done yet.
func (p *Platform) CheckBranch(
	ctx context.Context, named InBranch, diags *diag.Diagnostics,
) (*client.Client, *client.Branch) {
	if named.ProjectID.IsUnknown() {
		return nil, nil
	}
	ref := named.Branch()
	api := p.CheckProject(ctx, ref.ProjectID, diags)
	if api == nil || !IsSet(named.BranchID) {
		return api, nil
	}
	branch, err := p.LookUpBranch(ctx, ref)
	if err != nil {
		addMissing(diags, "branch_id", err)
		return api, nil
	}
	return api, branch
}

// Organization returns the configured organization, else the provider's; null if there
// is neither.
func (p *Platform) Organization(configured types.String, diags *diag.Diagnostics) types.String {
	if !configured.IsNull() || !p.knows(diags, "org_id") {
		return configured
	}
	return OptionalString(p.OrgID)
}

// NeedOrganization is Organization, with an error where there is neither.
func (p *Platform) NeedOrganization(configured types.String, diags *diag.Diagnostics) types.String {
	orgID := p.Organization(configured, diags)
	if orgID.IsNull() && !diags.HasError() {
		addNoOrganization(diags)
	}
	return orgID
}

// addNoOrganization says where an organization can be set.
func addNoOrganization(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("org_id"), "No organization", NoOrganization)
}

// Claimable returns the client for the claimable database API, which needs no key, or adds
// the reason why it can't be used and returns nil.
func (p *Platform) Claimable(diags *diag.Diagnostics) *client.Client {
	if !p.knows(diags, ClaimSettings...) {
		return nil
	}
	return p.Client
}

// reach is Claimable for what needs no key, and else Control.
func (p *Platform) reach(keyless bool, diags *diag.Diagnostics) *client.Client {
	if keyless {
		return p.Claimable(diags)
	}
	return p.Control(diags)
}

// KeepsUnread reports whether the state is kept without a read, with a warning, because
// one of the provider's attributes isn't known yet: what is managed already is planned
// as it was last seen. An object that was never read, as after an import, needs its read.
func (p *Platform) KeepsUnread(diags *diag.Diagnostics, wasRead bool, settings []string) bool {
	attribute := p.UnknownOf(settings...)
	if attribute == "" || !wasRead {
		return false
	}
	diags.AddWarning("Not refreshed", fmt.Sprintf(
		"%s of the provider is known only after apply, so this was planned as it is in the state. What changed outside "+
			"Terraform since shows up in the next plan.", attribute))
	return true
}

// knows reports whether the provider's attributes are known, with an error if not.
func (p *Platform) knows(diags *diag.Diagnostics, attributes ...string) bool {
	attribute := p.UnknownOf(attributes...)
	if attribute != "" {
		diags.AddError("Provider configuration not known yet", fmt.Sprintf(
			"%[1]s of the provider depends on a resource that is yet to be created or replaced, and is needed before that. "+
				"It is the one that %[1]s refers to in the provider block which this uses: that of provider = neon.ALIAS, or "+
				"else the one without an alias. Create it first, with terraform apply -target=ADDRESS, or set %[1]s from "+
				"elsewhere: a variable, or the environment.", attribute))
	}
	return attribute == ""
}

// UnknownOf returns the first of the provider's attributes that isn't known yet; empty
// where all are.
func (p *Platform) UnknownOf(attributes ...string) string {
	for _, attribute := range attributes {
		if slices.Contains(p.Unknown, attribute) {
			return attribute
		}
	}
	return ""
}

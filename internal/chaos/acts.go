package chaos

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
)

// act is an action that somebody invokes until it has done what it is for, in a project of its own.
type act struct {
	story

	action string
	given  map[string]cty.Value
	// goes are the ids of what it is to delete, or to give to another organization. Nothing else may change.
	goes []string
	// begin, where it is set, comes before the invocation.
	begin func(ctx context.Context, s *session) error
	done  bool
}

// furnished is an action that is played, with what its project gets before there are faults.
type furnished struct {
	action  string
	furnish func(p *platform, ctx context.Context, a *act, at place) error
}

var furnishing = []furnished{
	{"neon_delete_stale_branches", (*platform).makeStale},
	{"neon_rehearse_restore", (*platform).makeRehearsed},
	{"neon_accept_project_transfer", (*platform).makeOffered},
}

// actTimeout is shorter than an operation that has failed is waited for: others of the same run wait for an action.
var actTimeout = cty.ObjectVal(map[string]cty.Value{"invoke": cty.StringVal("20s")})

var (
	// unserved is how a rehearsal ends that has restored: these platforms have no PostgreSQL.
	unserved = regexp.MustCompile(`its database "neondb" isn't served`)
	// gone says of a branch that nothing is left of it.
	gone          = regexp.MustCompile(`The branch of the rehearsal, "\S+" \(\S+\), was deleted`)
	transferOffer = regexp.MustCompile(`[?&]tr=([0-9a-f-]+)`)
)

// makeActs makes one for each configuration.
func (o Cycles) makeActs(ctx context.Context, p *platform) (acts []*act, err error) {
	played := slices.Clone(furnishing)
	if o.Only != nil {
		played = slices.DeleteFunc(played, func(of furnished) bool { return !o.Only.MatchString(of.action) })
	}
	for number := range o.Count / cyclesPerRun {
		if len(played) == 0 {
			break
		}
		of := played[number%len(played)]
		var made struct {
			ProjectIDs []string `json:"project_ids"`
		}
		if err := p.call(ctx, "POST", "/_emulator/projects", map[string]string{"name": "act"}, &made); err != nil {
			return nil, err
		}
		at := place{projectID: made.ProjectIDs[0]}
		if at.branchID, err = p.rootOf(ctx, at.projectID); err != nil {
			return nil, err
		}
		a := &act{action: of.action, given: map[string]cty.Value{"project_id": cty.StringVal(at.projectID),
			"timeouts": actTimeout}}
		if err := of.furnish(p, ctx, a, at); err != nil {
			return nil, err
		}
		acts = append(acts, a)
	}
	return acts, nil
}

// makeStale makes two branches that are to go, and one for each rule that keeps some: all have the name that is looked
// for.
func (p *platform) makeStale(ctx context.Context, a *act, at place) error {
	ids := map[string]string{"stale-main": at.branchID}
	for _, name := range []string{"stale-1", "stale-2", "stale-parent", "child", "stale-kept", "stale-protected"} {
		wanted := map[string]any{"name": name, "protected": name == "stale-protected", "parent_id": at.branchID}
		if name == "child" {
			wanted["parent_id"] = ids["stale-parent"]
		}
		var made struct{ Branch struct{ ID string } }
		if err := p.insist(ctx, "/api/v2/projects/"+at.projectID+"/branches", map[string]any{"branch": wanted},
			&made); err != nil {
			return err
		}
		ids[name] = made.Branch.ID
	}
	a.goes = []string{ids["stale-1"], ids["stale-2"]}
	a.given["name_prefix"], a.given["dry_run"] = cty.StringVal("stale-"), cty.False
	a.given["keep"] = cty.SetVal([]cty.Value{cty.StringVal("*-kept")})
	return p.call(ctx, "PATCH", "/api/v2/projects/"+at.projectID+"/branches/"+at.branchID,
		map[string]any{"branch": map[string]string{"name": "stale-main"}}, nil)
}

// makeRehearsed makes a snapshot whose restore is rehearsed.
func (p *platform) makeRehearsed(ctx context.Context, a *act, at place) error {
	for name, value := range map[string]string{"branch_id": at.branchID, "database_name": "neondb",
		"role_name": "neondb_owner", "check": "SELECT true"} {
		a.given[name] = cty.StringVal(value)
	}
	return p.insist(ctx, "/api/v2/projects/"+at.projectID+"/branches/"+at.branchID+"/snapshot?name=rehearsed", nil, nil)
}

// makeOffered makes an organization that takes the project over, as soon as there is an offer.
func (p *platform) makeOffered(ctx context.Context, a *act, at place) error {
	var made struct {
		OrgID string `json:"org_id"`
	}
	err := p.call(ctx, "POST", "/_emulator/organizations", map[string]string{"name": "customer"}, &made)
	a.goes, a.given["org_id"] = []string{at.projectID}, cty.StringVal(made.OrgID)
	a.begin = func(ctx context.Context, s *session) error {
		if _, isOffered := a.given["request_id"]; isOffered {
			return nil
		}
		said, err := s.invoke(ctx, "neon_create_project_transfer_request",
			map[string]cty.Value{"project_id": a.given["project_id"]})
		offer := transferOffer.FindStringSubmatch(said)
		switch {
		case offer != nil:
			a.given["request_id"] = cty.StringVal(offer[1])
		case err == nil:
			return &failure{"interrupted before there was an offer: " + said}
		}
		return err
	}
	return err
}

// play invokes the action once, if there is one that isn't done.
func (a *act) play(ctx context.Context, s *session) {
	if a == nil || a.done || s.blind || s.ended.Err() != nil {
		return
	}
	var said string
	var err error
	if a.begin != nil {
		err = a.begin(ctx, s)
	}
	if err == nil {
		said, err = s.invoke(ctx, a.action, a.given)
	}
	a.tell("%s: %s", a.action, said)
	if a.done = err == nil || unserved.MatchString(err.Error()); !a.done {
		a.failed(a.action, err)
	}
	if err != nil {
		a.heardOf(err)
	}
}

// heardOf keeps what an error said, but for what is gone.
func (a *act) heardOf(err error) { a.heard(a.action, gone.ReplaceAllString(err.Error(), ""), err) }

// isTold reports whether an error has spoken of an object that was left.
func (a *act) isTold(o object) bool {
	return a.names(o) || o.Name != "" && strings.Contains(a.words.String(), o.Name)
}

// concerns reports whether an object is what is to go, or goes along.
func (a *act) concerns(o object) bool {
	return slices.Contains(a.goes, o.id()) || slices.Contains(a.goes, o.BranchID)
}

// closeActs accounts for what actions have left, of which nothing was there before.
func (r *Report) closeActs(acts []*act, p *platform, all []object, known map[string]bool) {
	for _, a := range acts {
		r.closeAct(a, p, all, known)
	}
}

func (r *Report) closeAct(a *act, p *platform, all []object, known map[string]bool) {
	for _, o := range all {
		isThere := o.OrgID == "" || o.OrgID == p.OrgID
		switch {
		case a.done && slices.Contains(a.goes, o.id()) && isThere:
			a.surprise("%s has succeeded, and %s is still there", a.action, o)
		case known[o.id()] || o.isOnBranch() || cty.StringVal(o.ProjectID) != a.given["project_id"]:
		case a.isTold(o):
			r.Named++
			known[o.id()] = true
		default:
			known[o.id()] = true
			r.Orphans = append(r.Orphans, withStory(o.String()+" of "+a.action, a.String()))
		}
	}
	if a.done {
		r.Acts++
	}
	r.Failures += a.failures
	r.Helpless = append(r.Helpless, a.helpless...)
	for _, surprise := range a.surprises {
		r.Surprises = append(r.Surprises, withStory(surprise, a.String()))
	}
}

// invoke plans an action and invokes it, as Terraform does, and returns what it said meanwhile.
func (s *session) invoke(ctx context.Context, action string, values map[string]cty.Value) (progress string, err error) {
	actions, ok := s.server.(tfprotov6.ActionServer)
	if !ok || s.actions[action] == nil {
		return "", fmt.Errorf("the provider has no action %s", action)
	}
	schema := s.actions[action].Schema
	config, err := encoded(schema, values)
	if err != nil {
		return "", err
	}
	ctx, cancel := s.stoppable(ctx)
	defer cancel()
	planned, err := actions.PlanAction(ctx, &tfprotov6.PlanActionRequest{
		ActionType: action, Config: config, ClientCapabilities: &tfprotov6.PlanActionClientCapabilities{},
	})
	if err != nil {
		return "", err
	}
	if _, err := said(planned.Diagnostics); err != nil {
		return "", err
	}
	stream, err := actions.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType: action, Config: config, ClientCapabilities: &tfprotov6.InvokeActionClientCapabilities{},
	})
	if err != nil {
		return "", err
	}
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress += event.Message + "\n"
		case tfprotov6.CompletedInvokeActionEventType:
			_, err = said(event.Diagnostics)
		}
	}
	return progress, err
}

package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
)

// Trigger runs a function: by a schedule, or when an object comes into a bucket.
type Trigger struct {
	TriggerSpec

	ID        string `json:"trigger_id"`
	Inherited bool   `json:"inherited"` // The branch has it from its parent alone.
}

// TriggerSchedule is when a trigger runs its function, in UTC.
type TriggerSchedule struct {
	Cron string `json:"cron"`
}

// TriggerObject says which new objects have a trigger run its function. An empty prefix means all of the bucket.
type TriggerObject struct {
	Bucket string `json:"bucket_name"`
	Prefix string `json:"prefix,omitempty"`
}

// TriggerSpec is the configuration of a trigger, with either Schedule or Object.
type TriggerSpec struct {
	Type         string           `json:"type"`
	FunctionSlug string           `json:"function_slug"`
	Name         string           `json:"name"` // unique on the branch
	Path         string           `json:"function_path"`
	Enabled      bool             `json:"enabled"`
	Schedule     *TriggerSchedule `json:"schedule,omitempty"`
	Object       *TriggerObject   `json:"storage_object_created,omitempty"`
}

var triggerKind = kind[Trigger]{
	noun: "trigger", route: "/projects/{project_id}/branches/{branch_id}/triggers", one: "/{trigger_id}", isRead: true,
	field: "triggers", object: "trigger", few: fewReads,
	id: func(trigger Trigger) string { return trigger.ID },
}

// CreateTrigger creates a trigger. If the branch inherits one of that name, that becomes its own. The error is a
// TakenError if the branch has its own already.
// POST /projects/{project_id}/branches/{branch_id}/triggers: https://api-docs.neon.tech/reference/createprojectbranchtrigger
func (c *Client) CreateTrigger(ctx context.Context, branch BranchRef, spec TriggerSpec) (*Trigger, error) {
	request := triggerKind.call(http.MethodPost, "", branch.ProjectID, branch.ID)
	request.subject, request.body, request.by = fmt.Sprintf("trigger %q on branch %s", spec.Name, branch.ID), spec,
		harmless
	making := creation[Trigger]{
		kind: triggerKind, request: request, place: request.path() + " " + spec.Name,
		isAlike: func(trigger Trigger) bool { return trigger.Name == spec.Name },
	}
	anew := making
	anew.place, anew.meets = anew.place+" of another type", triggerKind.taken
	making.meets = func(ctx context.Context, alike []Trigger) (*Answer[Trigger], error) {
		known := alike[0]
		if !known.Inherited {
			return nil, &TakenError{known.ID}
		}
		Say(ctx, "The branch has trigger %q from its parent. This makes it the branch's own.", spec.Name)
		if known.Type == spec.Type {
			return &Answer[Trigger]{Object: Trigger{TriggerSpec: spec, ID: known.ID}},
				c.UpdateTrigger(ctx, branch, known.ID, spec)
		}
		if err := c.DeleteTrigger(ctx, branch, known.ID); err != nil { // Neon can't change the type.
			return nil, err
		}
		return anew.run(ctx, c)
	}
	return making.object(ctx, c)
}

// ListTriggers lists the triggers of a branch, inherited ones too.
// GET /projects/{project_id}/branches/{branch_id}/triggers: https://api-docs.neon.tech/reference/listprojectbranchtriggers
func (c *Client) ListTriggers(ctx context.Context, branch BranchRef) iter.Seq2[Trigger, error] {
	return triggerKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// GetSharedTrigger reads one trigger.
// GET /projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}: https://api-docs.neon.tech/reference/getprojectbranchtrigger
// GET /projects/{project_id}/branches/{branch_id}/triggers: https://api-docs.neon.tech/reference/listprojectbranchtriggers
func (c *Client) GetSharedTrigger(ctx context.Context, branch BranchRef, id string) (*Trigger, error) {
	return triggerKind.shared(ctx, c, branch.ProjectID, branch.ID, id)
}

// UpdateTrigger changes everything of a trigger except its type.
// PATCH /projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}: https://api-docs.neon.tech/reference/updateprojectbranchtrigger
func (c *Client) UpdateTrigger(ctx context.Context, branch BranchRef, id string, spec TriggerSpec) error {
	request := triggerKind.of(http.MethodPatch, "", branch.ProjectID, branch.ID, id)
	request.subject, request.body = fmt.Sprintf("the change of trigger %q on branch %s", spec.Name, branch.ID), spec
	return c.settle(ctx, request, triggerKind.object, nil)
}

// DeleteTrigger deletes a trigger.
// DELETE /projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}: https://api-docs.neon.tech/reference/deleteprojectbranchtrigger
func (c *Client) DeleteTrigger(ctx context.Context, branch BranchRef, id string) error {
	return triggerKind.end(ctx, c, branch.ProjectID, branch.ID, id)
}

// CustomDomain is a host name that leads to a function.
type CustomDomain struct {
	Domain       string `json:"domain"` // in lower case
	FunctionSlug string `json:"entity_id"`
	// CNAMETarget is what its DNS record points to; empty where the region has none.
	CNAMETarget string `json:"cname_target"`
	// Status, DNSStatus, BindingStatus and StatusReason are open sets.
	Status        string `json:"status"`
	DNSStatus     string `json:"dns_status"`
	BindingStatus string `json:"binding_status"`
	StatusReason  string `json:"status_reason"`
}

var customDomainKind = kind[CustomDomain]{
	noun: "custom domain", route: "/projects/{project_id}/branches/{branch_id}/custom-domains", one: "/{domain}",
	isNamed: true, field: "custom_domains", isPaged: true,
	id: func(domain CustomDomain) string { return domain.Domain },
}

// CreateCustomDomain registers a domain for a function. The error is ErrTaken if the branch has it already.
// POST /projects/{project_id}/branches/{branch_id}/custom-domains: https://api-docs.neon.tech/reference/registerprojectbranchcustomdomain
func (c *Client) CreateCustomDomain(ctx context.Context, branch BranchRef, domain, slug string) (*CustomDomain, error) {
	making := customDomainKind.creation(branch, domain,
		map[string]string{"domain": domain, "entity_type": "function", "entity_id": slug})
	making.meets = customDomainKind.taken
	return making.object(ctx, c)
}

// ListCustomDomains lists the custom domains of a branch.
// GET /projects/{project_id}/branches/{branch_id}/custom-domains: https://api-docs.neon.tech/reference/listprojectbranchcustomdomains
func (c *Client) ListCustomDomains(ctx context.Context, branch BranchRef) iter.Seq2[CustomDomain, error] {
	return customDomainKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// GetSharedCustomDomain reads one custom domain, by its name in lower case.
// GET /projects/{project_id}/branches/{branch_id}/custom-domains: https://api-docs.neon.tech/reference/listprojectbranchcustomdomains
func (c *Client) GetSharedCustomDomain(ctx context.Context, branch BranchRef, domain string) (*CustomDomain, error) {
	return customDomainKind.shared(ctx, c, branch.ProjectID, branch.ID, domain)
}

// DeleteCustomDomain deletes the registration of a domain.
// DELETE /projects/{project_id}/branches/{branch_id}/custom-domains/{domain}: https://api-docs.neon.tech/reference/deleteprojectbranchcustomdomain
func (c *Client) DeleteCustomDomain(ctx context.Context, branch BranchRef, domain string) error {
	return customDomainKind.end(ctx, c, branch.ProjectID, branch.ID, domain)
}

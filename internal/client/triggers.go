package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
)

// Trigger runs a function: by a schedule, or when an object comes into a bucket.
type Trigger struct {
	Type         string           `json:"type"`
	ID           string           `json:"trigger_id"`
	FunctionSlug string           `json:"function_slug"`
	Name         string           `json:"name"` // unique on the branch
	Path         string           `json:"function_path"`
	Enabled      bool             `json:"enabled"`
	Schedule     *TriggerSchedule `json:"schedule"`
	Object       *TriggerObject   `json:"storage_object_created"`
}

// TriggerSchedule is when, in UTC.
type TriggerSchedule struct {
	Cron string `json:"cron"`
}

// TriggerObject is where. An empty prefix is any.
type TriggerObject struct {
	Bucket string `json:"bucket_name"`
	Prefix string `json:"prefix,omitempty"`
}

// TriggerSpec is all that is configured of a trigger, of which one of the two last is set.
type TriggerSpec struct {
	Type         string           `json:"type"`
	FunctionSlug string           `json:"function_slug"`
	Name         string           `json:"name"`
	Path         string           `json:"function_path"`
	Enabled      bool             `json:"enabled"`
	Schedule     *TriggerSchedule `json:"schedule,omitempty"`
	Object       *TriggerObject   `json:"storage_object_created,omitempty"`
}

var triggerKind = kind[Trigger]{
	noun: "trigger", route: "/projects/{project_id}/branches/{branch_id}/triggers", one: "/{trigger_id}", field: "triggers", object: "trigger", few: fewReads,
	id: func(trigger Trigger) string { return trigger.ID },
}

// CreateTrigger makes a trigger. It is a TakenError where the branch has one of that name.
func (c *Client) CreateTrigger(ctx context.Context, projectID, branchID string, spec TriggerSpec) (*Trigger, error) {
	request := triggerKind.call(http.MethodPost, "", projectID, branchID)
	request.subject, request.body = fmt.Sprintf("trigger %q on branch %s", spec.Name, branchID), spec
	return creation[Trigger]{
		kind: triggerKind, request: request, place: projectID + "/" + branchID, refusesTaken: true,
		list:    func(ctx context.Context) ([]Trigger, error) { return All(c.Triggers(ctx, projectID, branchID)) },
		isAlike: func(trigger Trigger) bool { return trigger.Name == spec.Name },
	}.object(ctx, c)
}

// Triggers lists those of a branch, and those that it has from its parents.
func (c *Client) Triggers(ctx context.Context, projectID, branchID string) iter.Seq2[Trigger, error] {
	return triggerKind.list(ctx, c, projectID, branchID)
}

// SharedTrigger reads one. IsAbsent is true for the error about one that a branch doesn't have. Reads that come close together
// share one list.
func (c *Client) SharedTrigger(ctx context.Context, projectID, branchID, id string) (*Trigger, error) {
	return triggerKind.shared(ctx, c, id, projectID, branchID)
}

// UpdateTrigger changes all of a trigger but its type, which may be sent twice.
func (c *Client) UpdateTrigger(ctx context.Context, projectID, branchID, id string, spec TriggerSpec) error {
	request := triggerKind.call(http.MethodPatch, triggerKind.one, projectID, branchID, id)
	request.subject, request.body = fmt.Sprintf("the change of trigger %q on branch %s", spec.Name, branchID), spec
	return c.repeat(ctx, request)
}

// DeleteTrigger deletes a trigger. One that is gone already is no error.
func (c *Client) DeleteTrigger(ctx context.Context, projectID, branchID, id string) error {
	request := triggerKind.call(http.MethodDelete, triggerKind.one, projectID, branchID, id)
	request.subject = fmt.Sprintf("the deletion of trigger %s on branch %s", id, branchID)
	_, err := triggerKind.delete(ctx, c, request, nil)
	return err
}

// CustomDomain is a host name that leads to a function.
type CustomDomain struct {
	Domain       string `json:"domain"` // in lower case
	FunctionSlug string `json:"entity_id"`
	// CNAMETarget is what its DNS record points to; empty where the region has none.
	CNAMETarget string `json:"cname_target"`
	// Status, DNSStatus and StatusReason are open sets.
	Status       string `json:"status"`
	DNSStatus    string `json:"dns_status"`
	StatusReason string `json:"status_reason"`
}

var customDomainKind = kind[CustomDomain]{
	noun: "custom domain", route: "/projects/{project_id}/branches/{branch_id}/custom-domains", field: "custom_domains", isPaged: true,
	id: func(domain CustomDomain) string { return domain.Domain },
}

// RegisterDomain has a domain lead to a function. It is ErrTaken where it leads to one of the branch already.
func (c *Client) RegisterDomain(ctx context.Context, projectID, branchID, domain, slug string) (*CustomDomain, error) {
	request := customDomainKind.call(http.MethodPost, "", projectID, branchID)
	request.named, request.subject = customDomainCall(projectID, branchID, domain).path(), "custom domain "+domain
	request.body = map[string]string{"domain": domain, "entity_type": "function", "entity_id": slug}
	return creation[CustomDomain]{
		kind: customDomainKind, request: request, place: request.named, refusesTaken: true,
		list: func(ctx context.Context) ([]CustomDomain, error) {
			return All(c.CustomDomains(ctx, projectID, branchID))
		},
		isAlike: func(found CustomDomain) bool { return found.Domain == domain },
	}.object(ctx, c)
}

// CustomDomains lists those of a branch.
func (c *Client) CustomDomains(ctx context.Context, projectID, branchID string) iter.Seq2[CustomDomain, error] {
	return customDomainKind.list(ctx, c, projectID, branchID)
}

// SharedCustomDomain reads one, in lower case. IsAbsent is true for the error about one that a branch doesn't have. Reads
// that come close together share one list.
func (c *Client) SharedCustomDomain(ctx context.Context, projectID, branchID, domain string) (*CustomDomain, error) {
	return customDomainKind.shared(ctx, c, domain, projectID, branchID)
}

// DeleteCustomDomain ends a registration. One that is gone already is no error.
func (c *Client) DeleteCustomDomain(ctx context.Context, projectID, branchID, domain string) error {
	request := customDomainCall(projectID, branchID, domain)
	request.named, request.subject = request.path(), "the end of custom domain "+domain
	_, err := customDomainKind.delete(ctx, c, request, nil)
	return err
}

func customDomainCall(projectID, branchID, domain string) call {
	return customDomainKind.call(http.MethodDelete, "/{domain}", projectID, branchID, domain)
}

package emulator

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/adhocore/gronx"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	triggersPath = branchPath + "/triggers"
	triggerPath  = triggersPath + "/{trigger_id}"
	domainsPath  = branchPath + "/custom-domains"
)

var triggerRoutes = []route{
	{"GET " + triggersPath, forProject, (*Emulator).listTriggers},
	{"POST " + triggersPath, forProject,
		checked(withBody(whenFree((*Emulator).createTrigger), "function_slug", "name"), fitsTrigger)},
	{"GET " + triggerPath, forProject, tellsOf((*Emulator).trigger, "trigger",
		func(_ *Emulator, c *call, t *trigger) map[string]any { return t.view(c.now) })},
	{"PATCH " + triggerPath, forProject,
		checked(aboutWithBody((*Emulator).trigger, (*Emulator).updateTrigger), fitsTrigger, (*Emulator).isFree)},
	{"DELETE " + triggerPath, forProject, about((*Emulator).trigger, whenFree((*Emulator).deleteTrigger))},
	{"GET " + domainsPath, forProject, (*Emulator).listCustomDomains},
	{"POST " + domainsPath, forProject, withBody(whenFree((*Emulator).registerDomain))},
	{"DELETE " + domainsPath + "/{domain}", forProject, checked((*Emulator).deleteDomain, (*Emulator).isFree)},
}

const (
	bySchedule = "schedule"
	byObject   = "storage_object_created"
	// longestPrefix is in bytes.
	longestPrefix = 1024
)

// fitsTrigger refuses a trigger with members that it doesn't have, as Neon does.
func fitsTrigger(_ *Emulator, c *call) error { return wire.DecodeStrictly(c.body, new(triggerBody)) }

func (t *trigger) view(now time.Time) map[string]any {
	view := map[string]any{
		"type": t.Type, "trigger_id": t.ID, "function_slug": t.Slug, "name": t.Name, "function_path": t.Path,
		"enabled": t.Enabled, "version": t.Version,
		"inherited": t.IsInherited,
	}
	if t.Type == bySchedule {
		view["schedule"], view["next_run_at"] = map[string]string{"cron": t.Cron}, t.nextRun(now)
		return view
	}
	on := map[string]string{"bucket_name": t.Bucket}
	if t.Prefix != nil {
		on["prefix"] = *t.Prefix
	}
	view[byObject] = on
	return view
}

// nextRun is when the trigger would run next, though nothing ever does; nil where it is disabled, or names no day that
// there is.
func (t *trigger) nextRun(now time.Time) any {
	next, err := gronx.NextTickAfter(t.Cron, now, false)
	if err != nil || !t.Enabled {
		return nil
	}
	return next.Format("2006-01-02T15:04:05.000000Z")
}

// inherited is a branch's in a branch of it.
func (t *trigger) inherited() *trigger {
	copied := *t
	copied.IsInherited, copied.Enabled = true, false
	return &copied
}

// cronPattern has five fields of numbers: Neon takes neither names nor words such as @daily.
var cronPattern = regexp.MustCompile(`^[\d*,/-]+( +[\d*,/-]+){4}$`)

type triggerBody struct {
	Type     string  `json:"type" fits:"required,=schedule|storage_object_created"`
	Slug     *string `json:"function_slug" fits:"function"`
	Name     *string `json:"name" fits:"1..256"`
	Path     *string `json:"function_path" fits:"1..2048"`
	Enabled  *bool   `json:"enabled"`
	Schedule *struct {
		Cron string `json:"cron" fits:"required"`
	} `json:"schedule"`
	Object *struct {
		Bucket string  `json:"bucket_name" fits:"required,1..255"`
		Prefix *string `json:"prefix" fits:"1.."`
	} `json:"storage_object_created"`
}

// apply changes a trigger of a branch, or says why it can't be so.
func (body triggerBody) apply(t *trigger, b *branch) error {
	set(&t.Slug, body.Slug)
	set(&t.Name, body.Name)
	set(&t.Path, body.Path)
	set(&t.Enabled, body.Enabled)
	if body.Schedule != nil && t.Type == bySchedule {
		t.Cron = body.Schedule.Cron
	}
	if body.Object != nil && t.Type == byObject {
		t.Bucket, t.Prefix = body.Object.Bucket, body.Object.Prefix
	}
	switch {
	case body.Type != t.Type:
		return wire.BadRequest("the type of a trigger cannot be changed")
	case t.Type == bySchedule && t.Cron == "", t.Type == byObject && t.Bucket == "":
		return wire.BadRequest("invalid request: decode application/json: invalid: %s (field required)", t.Type)
	case !strings.HasPrefix(t.Path, "/"), strings.HasPrefix(t.Path, "//"), strings.ContainsAny(t.Path, "?#"):
		return wire.BadRequest("invalid function trigger path")
	case t.Prefix != nil && len(*t.Prefix) > longestPrefix:
		return wire.BadRequest("prefix must have at most %d bytes", longestPrefix)
	case t.Type == bySchedule && (!cronPattern.MatchString(t.Cron) || !gronx.IsValid(t.Cron)):
		return wire.BadRequest("cron: cron value is outside field bounds")
	case b.function(t.Slug) == nil:
		return wire.NotFound("target function not visible on branch")
	case slices.ContainsFunc(b.Triggers, func(other *trigger) bool { return other.ID != t.ID && other.Name == t.Name }):
		return wire.Conflict("function trigger name already exists on branch")
	}
	return nil
}

func (e *Emulator) trigger(c *call) (*trigger, error) {
	return named(c, c.branch.Triggers, "trigger_id", func(t *trigger) string { return t.ID }, "function trigger not "+
		"visible on branch")
}

func (e *Emulator) listTriggers(c *call) (reply, error) {
	byID := slices.SortedFunc(slices.Values(c.branch.Triggers),
		func(x, y *trigger) int { return strings.Compare(x.ID, y.ID) })
	return ok(map[string]any{"triggers": viewsOf(byID,
		func(t *trigger) map[string]any { return t.view(c.now) })})
}

func (e *Emulator) createTrigger(c *call, body triggerBody) (reply, error) {
	b := c.branch
	made := &trigger{ID: "trigger-" + wire.NewUUID(), Type: body.Type, Path: "/", Enabled: true, Version: 1}
	if err := body.apply(made, b); err != nil {
		return reply{}, err
	}
	b.Triggers = append(b.Triggers, made)
	return created(map[string]any{"trigger": made.view(c.now)})
}

// updateTrigger answers PATCH .../triggers/{trigger_id}. One of the parent becomes the branch's own.
func (e *Emulator) updateTrigger(c *call, t *trigger, body triggerBody) (reply, error) {
	if body == (triggerBody{Type: body.Type}) {
		return reply{}, wire.BadRequest("at least one member beside type is required")
	}
	changed := *t
	if err := body.apply(&changed, c.branch); err != nil {
		return reply{}, err
	}
	changed.IsInherited, changed.Version = false, changed.Version+1
	*t = changed
	return ok(map[string]any{"trigger": t.view(c.now)})
}

func (e *Emulator) deleteTrigger(c *call, gone *trigger) (reply, error) {
	c.branch.Triggers = remove(e, c, c.branch.Triggers, gone, gone.IsInherited, func(parent *branch) *trigger {
		return find(parent.Triggers, func(t *trigger) bool { return t.ID == gone.ID })
	})
	return alreadyGone()
}

func (d *customDomain) view(p *project) map[string]any {
	return map[string]any{
		"domain": d.Domain, "entity_type": "function", "entity_id": d.Slug,
		"cname_target": "fn-custom-domains." + p.proxyHost(), "status": "pending",
		"dns_status": "pending", "binding_status": "pending", "status_reason": "",
	}
}

func (e *Emulator) listCustomDomains(c *call) (reply, error) {
	domains, pagination := pageOf(c, c.branch.Domains, func(d *customDomain) string { return d.Domain })
	return ok(map[string]any{"custom_domains": viewsOf(domains,
		func(d *customDomain) map[string]any { return d.view(c.project) }), "pagination": pagination})
}

// plainDomain is the one way in which a domain is kept.
func plainDomain(name string) string { return strings.TrimSuffix(strings.ToLower(name), ".") }

// registerDomain succeeds also for one that leads there already. A deleted project keeps its own.
func (e *Emulator) registerDomain(c *call, body struct {
	Domain string `json:"domain" fits:"required,domain,..254"`
	Type   string `json:"entity_type" fits:"required"`
	Slug   string `json:"entity_id" fits:"required"`
}) (reply, error) {
	b := c.branch
	switch {
	case body.Type != "function":
		return reply{}, &wire.Error{Status: http.StatusBadRequest, Code: "invalid_entity_type",
			Message: "entity_type must be function"}
	case b.function(body.Slug) == nil:
		return reply{}, wire.NotFound("no such function")
	}
	domain := plainDomain(body.Domain)
	for p := range e.world.allProjects() {
		for _, other := range p.Branches {
			for _, known := range other.Domains {
				switch {
				case known.Domain != domain:
				case other == b && known.Slug == body.Slug:
					return created(known.view(c.project))
				default:
					return reply{}, wire.Conflict("the domain is already registered")
				}
			}
		}
	}
	made := &customDomain{domain, body.Slug}
	b.Domains = append(b.Domains, made)
	return created(made.view(c.project))
}

func (e *Emulator) deleteDomain(c *call) (reply, error) {
	b := c.branch
	before := len(b.Domains)
	b.Domains = slices.DeleteFunc(b.Domains, func(d *customDomain) bool {
		return d.Domain == plainDomain(c.PathValue("domain"))
	})
	if len(b.Domains) == before {
		return reply{}, wire.NotFound("custom domain not found")
	}
	return alreadyGone()
}

// shownTriggers are those that are the branch's own on the control path, and all on the page.
var (
	shownTriggers = shownOnBranches("triggers", "Triggers", func(b *branch) []*trigger { return b.Triggers },
		func(t *trigger) object {
			if t.IsInherited {
				return nil
			}
			return object{"id": t.ID, "name": t.Name, "function_slug": t.Slug, "enabled": t.Enabled}
		}, (*trigger).item)
	shownDomains = shownOnBranches("custom_domains", "Domains", func(b *branch) []*customDomain { return b.Domains },
		func(d *customDomain) object {
			return object{"id": d.Domain, "name": d.Domain, "domain": d.Domain, "entity_id": d.Slug}
		},
		func(d *customDomain) page.Item { return page.Item{Name: d.Domain, Detail: "→ " + d.Slug} })
)

func (t *trigger) item() page.Item {
	does := cmp.Or(t.Cron, "objects of "+t.Bucket) + " → " + t.Slug + t.Path
	return page.Item{Name: t.Name, Detail: details(does, when(!t.Enabled, "disabled"), inherited(t.IsInherited))}
}

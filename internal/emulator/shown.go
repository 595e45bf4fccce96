package emulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
)

// shown is a kind of objects: how the control path lists them, by what they belong to, and how the page shows those
// of a branch. Secrets aren't shown, and of variables the page has only the names.
type shown struct {
	// list is the name of theirs, empty for none.
	list           string
	ofWorld        func(e *Emulator, now time.Time) []object
	ofOrganization func(e *Emulator, org *organization) []object
	ofProject      func(e *Emulator, p *project, now time.Time) []object
	ofBranch       func(b *branch) []object
	// heading is above the items of a branch, empty for none.
	heading string
	items   func(p *project, b *branch, now time.Time) []page.Item
}

// listed are all objects by the names of their lists. Each has the ids of what it belongs to.
func (e *Emulator) listed(kinds []shown, now time.Time) map[string][]object {
	all := map[string][]object{}
	for _, kind := range kinds {
		if kind.list == "" {
			continue
		}
		found := []object{}
		add := func(objects []object, belongsTo ...string) {
			for _, one := range objects {
				for i := 0; i < len(belongsTo); i += 2 {
					if _, said := one[belongsTo[i]]; !said {
						one[belongsTo[i]] = belongsTo[i+1]
					}
				}
			}
			found = append(found, objects...)
		}
		if kind.ofWorld != nil {
			add(kind.ofWorld(e, now))
		}
		if kind.ofOrganization != nil {
			for _, org := range e.world.sortedOrgs() {
				add(kind.ofOrganization(e, org), "org_id", org.ID)
			}
		}
		if kind.ofProject != nil || kind.ofBranch != nil {
			for _, p := range e.world.sortedProjects() {
				if kind.ofProject != nil {
					add(kind.ofProject(e, p, now), "project_id", p.ID)
					continue
				}
				for _, b := range p.sortedBranches() {
					add(kind.ofBranch(b), "project_id", p.ID, "branch_id", b.ID)
				}
			}
		}
		all[kind.list] = found
	}
	return all
}

func (w *world) sortedOrgs() []*organization {
	return sorted(w.Orgs, func(o *organization) (time.Time, string) { return o.CreatedAt, o.ID })
}

func (w *world) sortedProjects() []*project {
	return sorted(w.Projects, func(p *project) (time.Time, string) { return p.CreatedAt, p.ID })
}

func (p *project) sortedBranches() []*branch {
	return sorted(p.Branches, func(b *branch) (time.Time, string) { return b.CreatedAt, b.ID })
}

// shownOnBranches is a kind of which a branch has several.
func shownOnBranches[T any](
	list, heading string, of func(*branch) []T, objectOf func(T) object, item func(T) page.Item,
) shown {
	return shown{
		list: list, heading: heading,
		ofBranch: func(b *branch) []object { return objectsOf(of(b), objectOf) },
		items:    func(_ *project, b *branch, _ time.Time) []page.Item { return viewsOf(of(b), item) },
	}
}

// objectsOf is the object of each of them, leaving out those that are nil.
func objectsOf[T any](all []T, objectOf func(T) object) (found []object) {
	for _, one := range all {
		if made := objectOf(one); made != nil {
			found = append(found, made)
		}
	}
	return found
}

// details joins what there is to say.
func details(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(text string) bool { return text == "" }), " · ")
}

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

func inherited(is bool) string { return when(is, "from the parent") }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

package emulator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
)

// showBelongings adds to what the page shows of a branch all that it has beside computes and databases. Secrets aren't
// shown, and of variables only the names.
func (e *Emulator) showBelongings(view *page.Branch, p *project, b *branch, now time.Time) {
	view.Belong("Roles", items(b.Roles, func(r *role) page.Item { return page.Item{Name: r.Name, Detail: when(r.NoLogin, "no login")} })...)
	if b.Masking != nil {
		view.Belong("Masking", page.Item{Name: b.Masking.state(p, b, now), Detail: count(len(b.Masking.Rules), "rule")})
	}
	b.showAuth(view)
	for _, d := range b.Databases {
		if b.DataAPIs[d.ID] != nil {
			view.Belong("Data API", page.Item{Name: "of " + d.Name})
		}
	}
	view.Belong("Buckets", items(b.Buckets, (*bucket).item)...)
	view.Belong("Functions", items(b.Functions, (*function).item)...)
	view.Belong("Triggers", items(b.Triggers, func(t *trigger) page.Item {
		return page.Item{Name: t.Name, Detail: details(cmp.Or(t.Cron, "objects of "+t.Bucket)+" → "+t.Slug+t.Path, when(!t.Enabled, "disabled"), inherited(t.IsInherited))}
	})...)
	view.Belong("Domains", items(b.Domains, func(d *customDomain) page.Item { return page.Item{Name: d.Domain, Detail: "→ " + d.Slug} })...)
	valid := slices.DeleteFunc(slices.Clone(b.Credentials), func(k *credential) bool { return !k.RevokedAt.IsZero() })
	view.Belong("Credentials", items(valid, func(k *credential) page.Item {
		return page.Item{Name: cmp.Or(k.Name, k.ID), Detail: strings.Join(k.Scopes, ", ")}
	})...)
	taken := slices.DeleteFunc(slices.Clone(p.Snapshots), func(s *snapshot) bool { return s.SourceID != b.ID })
	view.Belong("Snapshots", items(taken, func(s *snapshot) page.Item { return page.Item{Name: s.Name, Detail: s.Content.ID} })...)
	view.Belong("Backups", items(b.Schedule, func(s scheduleEntry) page.Item { return page.Item{Name: s.Frequency} })...)
}

// showAuth adds Neon Auth with its users, providers and domains.
func (b *branch) showAuth(view *page.Branch) {
	if b.Auth == nil {
		return
	}
	shown := []page.Item{{Name: cmp.Or(b.Auth.Name, b.Auth.Provider), Detail: "in " + b.Auth.Database}}
	for _, o := range b.Auth.OAuth {
		shown = append(shown, page.Item{Name: o.ID, Detail: "OAuth provider"})
	}
	for _, domain := range b.Auth.Domains {
		shown = append(shown, page.Item{Name: domain, Detail: "trusted domain"})
	}
	for _, user := range b.Auth.Users {
		shown = append(shown, page.Item{Name: fmt.Sprint(user["email"]), Detail: "user"})
	}
	view.Belong("Auth", shown...)
}

func (b *bucket) item() page.Item {
	objects := b.listed("")
	names := make([]string, 0, len(objects))
	for _, o := range objects[:min(len(objects), mostObjects)] {
		names = append(names, o.Key)
	}
	said := count(len(objects), "object")
	if len(names) > 0 {
		said += ": " + strings.Join(names, ", ")
	}
	if len(objects) > mostObjects {
		said += ", …"
	}
	return page.Item{Name: b.Name, Detail: details(b.Access, inherited(b.IsInherited), said)}
}

// mostObjects is how many objects of a bucket are named.
const mostObjects = 10

func (f *function) item() page.Item {
	variables := ""
	if len(f.Environment) > 0 {
		names := make([]string, 0, len(f.Environment))
		for name := range f.Environment {
			names = append(names, name)
		}
		slices.Sort(names)
		variables = "variables " + strings.Join(names, ", ")
	}
	return page.Item{Name: f.Slug, Detail: details(inherited(f.IsInherited), count(f.Deployed, "deployment"), variables)}
}

func items[T any](all []T, item func(T) page.Item) (found []page.Item) {
	for _, one := range all {
		found = append(found, item(one))
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

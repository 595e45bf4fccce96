package emulator

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The page shows all that a branch has, and no way to connect where no database is served.
func TestPage_belongings(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Conflicts: ConflictsNone})
	id := p.e.FirstWorld().BranchID
	branch := "{p}/branches/" + id
	p.must("POST", branch+"/roles", `{"role":{"name":"reader","no_login":true}}`)
	p.must("POST", branch+"/auth", `{"auth_provider":"better_auth"}`)
	p.must("POST", branch+"/auth/oauth_providers", `{"id":"github"}`)
	p.must("POST", branch+"/auth/domains", `{"auth_provider":"better_auth","domain":"https://shop.example.com"}`)
	p.must("POST", branch+"/auth/users", `{"email":"max@example.com"}`)
	p.must("POST", branch+"/data-api/neondb", "")
	p.must("POST", branch+"/buckets", `{"name":"uploads"}`)
	token := p.must("POST", branch+"/credentials",
		`{"name":"worker","principal_type":"user","scopes":["storage:read"]}`).str("api_token")
	p.clock.advance(time.Minute)
	p.must("POST", branch+"/snapshot?name=before", "")
	p.must("PUT", branch+"/backup_schedule", `{"schedule":[{"frequency":"daily"}]}`)
	p.e.mu.Lock()
	b := p.e.world.Projects[p.project].Branches[id]
	b.Functions = []*function{{ID: "f", Slug: "resize", Deployed: 2, Current: &deployment{ID: 2},
		Environment: map[string]string{"API_KEY": "s3cret", "SIZE": "9"}}}
	b.Triggers = []*trigger{
		{ID: "t", Type: bySchedule, Slug: "resize", Name: "nightly", Path: "/run", Cron: "0 3 * * *"},
		{ID: "o", Type: byObject, Slug: "resize", Name: "uploaded", Path: "/", Bucket: "uploads", Enabled: true},
	}
	b.Domains = []*customDomain{{"img.example.com", "resize"}}
	b.Buckets[0].Objects = map[string]*bucketObject{"a.png": {Key: "a.png"}}
	p.e.changedAnywhere()
	p.e.mu.Unlock()
	masked := p.must("POST", "{p}/branch_anonymized", `{"branch_create":{"branch":{"name":"masked"}},"masking_rules":[`+
		`{"database_name":"neondb","schema_name":"public","table_name":"t","column_name":"c","masking_function":"anon.fake_email()"}]}`)
	shown := html.UnescapeString(p.send("GET", "/", "").text)
	article := regexp.MustCompile(`(?s)<li id="` + id + `">.*`).FindString(shown)
	plain := regexp.MustCompile(`\s+`).ReplaceAllString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(article, " "), " ")
	for _, want := range []string{
		"created 2026-03-01 11:01:00", "reader no login", "github OAuth provider", "https://shop.example.com trusted domain",
		"max@example.com user",
		"Data API of neondb", "uploads private · 1 object: a.png", "resize 2 deployments · variables API_KEY, SIZE",
		"nightly 0 3 * * * → resize/run · disabled", "uploaded objects of uploads → resize/", "img.example.com → resize",
		"worker storage:read", "before snap-", "Backups daily",
	} {
		if !strings.Contains(plain, want) {
			t.Errorf("the branch's part hasn't got %q", want)
		}
	}
	if t.Failed() {
		t.Log(plain)
	}
	if !strings.Contains(shown, `<li id="`+masked.str("branch", "id")) || !strings.Contains(shown, "1 rule") {
		t.Error("the masking isn't shown")
	}
	for _, unwanted := range []string{"s3cret", token, "psql '", "data-connection", "born"} {
		if strings.Contains(shown, unwanted) {
			t.Errorf("the page has %q", unwanted)
		}
	}
}

package client

import (
	"net/url"
	"strings"
	"testing"
)

func TestDirectConnectionString(t *testing.T) {
	for pooled, want := range map[string]string{
		"postgresql://u:p@ep-cool-a1-pooler.c-2.aws.neon.tech/db?channel_binding=require&sslmode=require": "postgresql://u:p@ep-cool-a1.c-2.aws.neon.tech/db?channel_binding=require&sslmode=require",
		"postgres://ep-x-pooler.h:5433":                              "postgres://ep-x.h:5433",
		"postgresql://u@ep-x-pooler.h/db-pooler.x":                   "postgresql://u@ep-x.h/db-pooler.x",
		"postgresql://a-pooler.b:c-pooler.d@ep-x-pooler.h/":          "postgresql://a-pooler.b:c-pooler.d@ep-x.h/",
		"postgresql://u:p@ep-x.h-pooler.y/":                          "postgresql://u:p@ep-x.h-pooler.y/",
		"postgresql://u:p%40ss@ep-x-pooler.h/?options=a-pooler.b":    "postgresql://u:p%40ss@ep-x.h/?options=a-pooler.b",
		"postgresql://u:p@ss@ep-x-pooler.h/":                         "postgresql://u:p@ss@ep-x.h/",
		"postgresql://u:p@ep-x.h/db":                                 "postgresql://u:p@ep-x.h/db",
		"postgresql://u:p@ep-pooler-x.h/db":                          "postgresql://u:p@ep-pooler-x.h/db",
		"postgresql://u:p@localhost:5432/db":                         "postgresql://u:p@localhost:5432/db",
		"postgresql://u:p@127.0.0.1:5432/db":                         "postgresql://u:p@127.0.0.1:5432/db",
		"postgresql://u:p@[::1]:5432/db":                             "postgresql://u:p@[::1]:5432/db",
		"postgresql://u:p@ep-x-pooler.h?sslmode=require#frag-pooler": "postgresql://u:p@ep-x.h?sslmode=require#frag-pooler",
		"": "", "-pooler.": "-pooler.", "no url": "no url",
	} {
		equal(t, pooled, DirectConnectionString(pooled), want)
	}
}

func TestPoolerHost(t *testing.T) {
	for host, want := range map[string]string{
		"ep-x.aws.neon.tech": "ep-x-pooler.aws.neon.tech", "ep-x-pooler.aws.neon.tech": "ep-x-pooler.aws.neon.tech",
		"localhost": "localhost", "": "",
	} {
		equal(t, host, Endpoint{Host: host}.PoolerHost(), want)
	}
}

func FuzzDirectConnectionString(f *testing.F) {
	f.Add("owner", "npg_x", "ep-cool-a1-pooler.c-2.aws.neon.tech", "5432", "channel_binding=require")
	f.Add("a-pooler.b", "c/d?e@f", "x-pooler-pooler.y", "", "")
	f.Fuzz(func(t *testing.T, user, password, host, port, query string) {
		pooled := (&url.URL{
			Scheme: "postgresql", User: url.UserPassword(user, password), Host: host + ":" + port, Path: "/db-pooler.x",
			RawQuery: query,
		}).String()
		before, err := url.Parse(pooled)
		if err != nil || strings.ContainsAny(host, ":[]@") {
			t.Skip()
		}
		direct := DirectConnectionString(pooled)
		after, err := url.Parse(direct)
		if err != nil {
			t.Fatalf("%q is no URL any more: %v", direct, err)
		}
		equal(t, "twice", DirectConnectionString(direct), direct)
		equal(t, "user", after.User.String(), before.User.String())
		equal(t, "port", after.Port(), before.Port())
		equal(t, "path", after.Path, before.Path)
		equal(t, "query", after.RawQuery, before.RawQuery)
		equal(t, "fragment", after.Fragment, before.Fragment)
		label, domain, found := strings.Cut(before.Hostname(), ".")
		directLabel, directDomain, _ := strings.Cut(after.Hostname(), ".")
		equal(t, "domain", directDomain, domain)
		if !strings.HasPrefix(label, directLabel) || found && strings.HasSuffix(directLabel, "-pooler") {
			t.Errorf("the first label %q became %q", label, directLabel)
		}
		if strings.ReplaceAll(label, "-pooler", "") != strings.ReplaceAll(directLabel, "-pooler", "") {
			t.Errorf("the first label %q lost more than its suffix: %q", label, directLabel)
		}
	})
}

package client

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
)

func TestConnectionString(t *testing.T) {
	for name, test := range map[string]struct{ given, direct, pooled string }{
		"as the claimable API writes it": {
			"postgresql://u:p@ep-cool-a1-pooler.c-2.aws.neon.tech/db?channel_binding=require&sslmode=require",
			"postgresql://u:p@ep-cool-a1.c-2.aws.neon.tech/db?channel_binding=require&sslmode=require",
			"postgresql://u:p@ep-cool-a1-pooler.c-2.aws.neon.tech/db?channel_binding=require&sslmode=require",
		},
		"as the control API writes it": {
			"postgresql://u:p@ep-x.c-2.aws.neon.tech/db?sslmode=require&channel_binding=require",
			"postgresql://u:p@ep-x.c-2.aws.neon.tech/db?sslmode=require&channel_binding=require",
			"postgresql://u:p@ep-x-pooler.c-2.aws.neon.tech/db?sslmode=require&channel_binding=require",
		},
		"nothing but a host and a port":     {"postgres://ep-x.h:5433", "postgres://ep-x.h:5433", "postgres://ep-x-pooler.h:5433"},
		"an empty port":                     {"postgres://ep-x.h:/", "postgres://ep-x.h:/", "postgres://ep-x-pooler.h:/"},
		"a host name with a dot at its end": {"postgres://ep-x.h./", "postgres://ep-x.h./", "postgres://ep-x-pooler.h./"},
		"a path like a host": {
			"postgresql://u@ep-x.h/db-pooler.x", "postgresql://u@ep-x.h/db-pooler.x", "postgresql://u@ep-x-pooler.h/db-pooler.x",
		},
		"a user and a password like hosts": {
			"postgresql://a-pooler.b:c-pooler.d@ep-x-pooler.h/", "postgresql://a-pooler.b:c-pooler.d@ep-x.h/",
			"postgresql://a-pooler.b:c-pooler.d@ep-x-pooler.h/",
		},
		"a domain with the suffix": {
			"postgresql://u:p@ep-x.h-pooler.y/", "postgresql://u:p@ep-x.h-pooler.y/", "postgresql://u:p@ep-x-pooler.h-pooler.y/",
		},
		"the suffix in the middle": {
			"postgresql://u:p@ep-pooler-x.h/db", "postgresql://u:p@ep-pooler-x.h/db", "postgresql://u:p@ep-pooler-x-pooler.h/db",
		},
		"the suffix twice": {
			"postgresql://u:p@ep-x-pooler-pooler.h/db", "postgresql://u:p@ep-x.h/db", "postgresql://u:p@ep-x-pooler.h/db",
		},
		"in capitals": {
			"postgresql://u:p@EP-X-POOLER.H/db", "postgresql://u:p@EP-X.H/db", "postgresql://u:p@EP-X-POOLER.H/db",
		},
		"escapes that needn't be": {
			"postgresql://%75:p%40%2f@ep-x.h/%64b?a=%41&&b", "postgresql://%75:p%40%2f@ep-x.h/%64b?a=%41&&b",
			"postgresql://%75:p%40%2f@ep-x-pooler.h/%64b?a=%41&&b",
		},
		"a query and a fragment like hosts": {
			"postgresql://u:p@ep-x-pooler.h?options=a-pooler.b#c-pooler.d",
			"postgresql://u:p@ep-x.h?options=a-pooler.b#c-pooler.d",
			"postgresql://u:p@ep-x-pooler.h?options=a-pooler.b#c-pooler.d",
		},
		"an @ that should be escaped": {
			"postgresql://u:p@ss@ep-x-pooler.h/", "postgresql://u:p@ss@ep-x.h/", "postgresql://u:p@ss@ep-x-pooler.h/",
		},
	} {
		t.Run(name, func(t *testing.T) {
			parsed, err := ParseConnectionString(test.given)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "direct", parsed.Direct(), test.direct)
			equal(t, "pooled", parsed.Pooled(), test.pooled)
			equal(t, "direct, leniently", DirectConnectionString(test.given), test.direct)
		})
	}
}

func TestConnectionString_invalid(t *testing.T) {
	for given, want := range map[string]string{
		"":                                     "postgresql:// or postgres://",
		"no url":                               "postgresql:// or postgres://",
		"ep-x.h":                               "postgresql:// or postgres://",
		"-pooler.":                             "postgresql:// or postgres://",
		"https://s3cret@ep-x.h/":               "postgresql:// or postgres://",
		"POSTGRESQL://s3cret@ep-x.h/":          "postgresql:// or postgres://",
		" postgresql://s3cret@ep-x.h/":         "postgresql:// or postgres://",
		"jdbc:postgresql://s3cret@ep-x.h/":     "postgresql:// or postgres://",
		"host=ep-x.h password=s3cret":          "postgresql:// or postgres://",
		"postgresql://u:s3cret%@ep-x.h/":       "percent-encoded",
		"postgresql://u:s3/cret@ep-x.h/":       "percent-encoded",
		"postgresql://u:s3#cret@ep-x.h/":       "percent-encoded",
		"postgresql://u:s3 cret@ep-x.h/":       "percent-encoded",
		"postgresql://u:s3cret@ep-x.h/\n":      "percent-encoded",
		"postgresql://u:s3cret@ep-x.h:x/":      "percent-encoded",
		"postgresql":                           "host name",
		"postgresql://":                        "host name",
		"postgresql:///db?host=ep-x.h":         "host name",
		"postgresql://u:s3cret@/db":            "host name",
		"postgresql://u:1/s3cret@ep-x.h/":      "host name",
		"postgresql://u:s3cret@localhost/db":   "host name",
		"postgresql://u:s3cret@127.0.0.1/db":   "host name",
		"postgresql://u:s3cret@[::1]:5432/db":  "host name",
		"postgresql://u:s3cret@ep-x.h,ep-y.h/": "host name",
		"postgresql://u:s3cret@-pooler.h/":     "host name",
		"postgresql://u:s3cret@.h/":            "host name",
		"postgresql://u:s3cret@ep-x..h/":       "host name",
		"postgresql://u:s3cret@ep-x.é/":        "host name",
	} {
		t.Run(given, func(t *testing.T) {
			_, err := ParseConnectionString(given)
			if err == nil {
				t.Fatal("it was taken")
			}
			contains(t, err.Error(), want)
			if strings.Contains(err.Error(), "s3") || strings.Contains(err.Error(), "cret") {
				t.Errorf("%q shows the password", err)
			}
			equal(t, "leniently", DirectConnectionString(given), given)
		})
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

// FuzzConnectionString holds any text against what must be true of both forms:
// only the first label of the host differs, and they lead to each other.
func FuzzConnectionString(f *testing.F) {
	for _, seed := range []string{
		"postgresql://neondb_owner:npg_x@ep-cool-a1-pooler.c-2.us-east-2.aws.neon.tech/neondb?channel_binding=require&sslmode=require",
		"postgres://a-pooler.b:c%2Fd@x-pooler-pooler.y:5432/db-pooler.x?options=a-pooler.b#c-pooler.d",
		"postgresql://u:p@ss@EP-X-Pooler.h:/", "postgresql://u:p/ss@ep-x.h", "postgresql://[::1].h/",
		"postgresql://ep-x.h?@ep-y.h",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseConnectionString(text)
		if err != nil {
			equal(t, "text", DirectConnectionString(text), text)
			return
		}
		direct, pooled := parsed.Direct(), parsed.Pooled()
		for _, form := range []string{text, direct, pooled} {
			again, err := ParseConnectionString(form)
			if err != nil {
				t.Fatalf("%q is refused: %v", form, err)
			}
			equal(t, "direct", again.Direct(), direct)
			if form != direct {
				equal(t, "pooled", again.Pooled(), pooled)
			} else if !strings.EqualFold(again.Pooled(), pooled) {
				t.Errorf("pooled of direct: got %q, want %q", again.Pooled(), pooled)
			}
		}
		onlyTheLabelDiffers(t, text, direct)
		onlyTheLabelDiffers(t, text, pooled)
	})
}

var anyPooler = regexp.MustCompile(`(?i)-pooler`)

func onlyTheLabelDiffers(t *testing.T, before, after string) {
	t.Helper()
	was, err := url.Parse(before)
	if err != nil {
		t.Fatal(err)
	}
	is, err := url.Parse(after)
	if err != nil {
		t.Fatalf("%q is no URL any more: %v", after, err)
	}
	wasLabel, wasDomain, _ := strings.Cut(was.Host, ".")
	isLabel, isDomain, _ := strings.Cut(is.Host, ".")
	equal(t, "domain and port", isDomain, wasDomain)
	equal(t, "endpoint", withoutPooler(isLabel), withoutPooler(wasLabel))
	equal(t, "every other byte", anyPooler.ReplaceAllString(after, ""), anyPooler.ReplaceAllString(before, ""))
	was.Host = is.Host
	equal(t, "all else", is.String(), was.String())
}

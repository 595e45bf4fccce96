package connectionuri_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/joho/godotenv"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

var envDatabaseType = tftypes.Object{AttributeTypes: map[string]tftypes.Type{
	"connection_string": tftypes.String, "claim_url": tftypes.String, "expires_at": tftypes.String,
}}

// envDatabase is a database, with some attributes of the caller's.
func envDatabase(changed map[string]tftypes.Value) tftypes.Value {
	values := map[string]tftypes.Value{
		"connection_string": acctest.Text(acctest.PooledURL), "claim_url": acctest.Text("https://neon.new/claim/0198"),
		"expires_at": acctest.Text("2026-11-23T21:12:08Z"),
	}
	maps.Copy(values, changed)
	return tftypes.NewValue(envDatabaseType, values)
}

func envOptions(values map[string]tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

var (
	noText    = tftypes.NewValue(tftypes.String, nil)
	noOptions = tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, nil)
)

// The text is what the command-line tool neon-new 0.14.0 writes for such a
// database, to the letter.
func TestEnvFile(t *testing.T) {
	t.Parallel()
	const plain = "DATABASE_URL=" + acctest.PooledURL + "\n" +
		"DATABASE_URL_DIRECT=" + acctest.DirectURL + "\n" +
		"# Claimable DB expires at: Mon, 23 Nov 2026 21:12:08 GMT\n" +
		"# Claim it now to your account using the link below:\n" +
		"PUBLIC_POSTGRES_CLAIM_URL=https://neon.new/claim/0198\n"
	renamed := strings.NewReplacer("DATABASE_URL", "MY_URL", "PUBLIC_", "VITE_").Replace(plain)
	changed := func(name, value string) tftypes.Value {
		return envDatabase(map[string]tftypes.Value{name: acctest.Text(value)})
	}
	for name, test := range map[string]struct {
		arguments []tftypes.Value
		want      answer
	}{
		"defaults":              {[]tftypes.Value{envDatabase(nil)}, answer{text: plain}},
		"of a direct one":       {[]tftypes.Value{changed("connection_string", acctest.DirectURL)}, answer{text: plain}},
		"another time zone":     {[]tftypes.Value{changed("expires_at", "2026-11-23T22:12:08.999+01:00")}, answer{text: plain}},
		"null options":          {[]tftypes.Value{envDatabase(nil), noOptions}, answer{text: plain}},
		"no options":            {[]tftypes.Value{envDatabase(nil), envOptions(nil)}, answer{text: plain}},
		"null in options":       {[]tftypes.Value{envDatabase(nil), envOptions(map[string]tftypes.Value{"key": noText, "prefix": noText})}, answer{text: plain}},
		"other names":           {[]tftypes.Value{envDatabase(nil), envOptions(map[string]tftypes.Value{"key": acctest.Text("MY_URL"), "prefix": acctest.Text("VITE_")})}, answer{text: renamed}},
		"no prefix":             {[]tftypes.Value{envDatabase(nil), envOptions(map[string]tftypes.Value{"prefix": acctest.Text("")})}, answer{text: strings.ReplaceAll(plain, "PUBLIC_", "")}},
		"a day of one figure":   {[]tftypes.Value{changed("expires_at", "2026-02-01T01:02:03Z")}, answer{text: strings.ReplaceAll(plain, "Mon, 23 Nov 2026 21:12:08", "Sun, 01 Feb 2026 01:02:03")}},
		"an unknown database":   {[]tftypes.Value{tftypes.NewValue(envDatabaseType, tftypes.UnknownValue)}, answer{unknown: true}},
		"an unknown attribute":  {[]tftypes.Value{envDatabase(map[string]tftypes.Value{"expires_at": acctest.AnyText})}, answer{unknown: true}},
		"an unknown connection": {[]tftypes.Value{envDatabase(map[string]tftypes.Value{"connection_string": acctest.AnyText})}, answer{unknown: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, call(t, "env_file", test.arguments...), cmp.AllowUnexported(answer{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEnvFile_badDatabase(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		attribute string
		value     tftypes.Value
		want      []string
	}{
		"claimed":             {"connection_string", noText, []string{"database.connection_string is null", "was claimed"}},
		"an empty connection": {"connection_string", acctest.Text(""), []string{"database.connection_string must be a connection URL"}},
		"no connection URL":   {"connection_string", acctest.Text("npg_s3cret"), []string{"database.connection_string must be a connection URL"}},
		"a dollar":            {"connection_string", acctest.Text(strings.Replace(acctest.PooledURL, "s3cret", "s3cret$x", 1)), []string{"database.connection_string", "percent-encode"}},
		"a comment":           {"connection_string", acctest.Text(acctest.PooledURL + "#s3cret"), []string{"database.connection_string", "percent-encode"}},
		"no claim URL":        {"claim_url", noText, []string{"database.claim_url must be an absolute http or https URL"}},
		"a relative URL":      {"claim_url", acctest.Text("/claim/s3cret"), []string{"database.claim_url must be an absolute http or https URL"}},
		"another scheme":      {"claim_url", acctest.Text("javascript://s3cret"), []string{"database.claim_url must be an absolute http or https URL"}},
		"another line":        {"claim_url", acctest.Text("https://neon.new/s3cret\nA=b"), []string{"database.claim_url must be an absolute http or https URL"}},
		"a space":             {"claim_url", acctest.Text("https://neon.new/s3 cret"), []string{"database.claim_url", "percent-encode"}},
		"another alphabet":    {"claim_url", acctest.Text("https://neon.new/é"), []string{"database.claim_url", "percent-encode"}},
		"no expiry":           {"expires_at", noText, []string{"database.expires_at must be a time in RFC 3339"}},
		"no time":             {"expires_at", acctest.Text("soon"), []string{"database.expires_at must be a time in RFC 3339"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := envDatabase(map[string]tftypes.Value{test.attribute: test.value})
			wantProblem(t, call(t, "env_file", database), 0, test.want...)
		})
	}
	partly := envDatabase(map[string]tftypes.Value{"connection_string": acctest.AnyText,
		"expires_at": acctest.Text("soon")})
	wantProblem(t, call(t, "env_file", partly), 0, "database.expires_at")
}

func TestEnvFile_badOptions(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options map[string]tftypes.Value
		want    []string
	}{
		"an empty key":       {map[string]tftypes.Value{"key": acctest.Text("")}, []string{"options.key", "letters, digits and underscores"}},
		"a key with a sign":  {map[string]tftypes.Value{"key": acctest.Text("MY-URL")}, []string{"options.key"}},
		"a key with a digit": {map[string]tftypes.Value{"key": acctest.Text("1URL")}, []string{"options.key"}},
		"a key of two lines": {map[string]tftypes.Value{"key": acctest.Text("A=b\nC")}, []string{"options.key"}},
		"a key with a line":  {map[string]tftypes.Value{"key": acctest.Text("A\n")}, []string{"options.key"}},
		"a prefix":           {map[string]tftypes.Value{"prefix": acctest.Text("NEXT-PUBLIC-")}, []string{"options.prefix"}},
		"another option":     {map[string]tftypes.Value{"ref": acctest.Text("x")}, []string{`unknown element "ref"`, "key and prefix"}},
		"one name twice":     {map[string]tftypes.Value{"key": acctest.Text("A_POSTGRES_CLAIM_URL"), "prefix": acctest.Text("A_")}, []string{"A_POSTGRES_CLAIM_URL twice"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, database := range []tftypes.Value{envDatabase(nil), tftypes.NewValue(envDatabaseType, tftypes.UnknownValue)} {
				wantProblem(t, call(t, "env_file", database, envOptions(test.options)), 1, test.want...)
			}
		})
	}
	wantProblem(t, call(t, "env_file", envDatabase(nil), noOptions, noOptions), 2, "once")
}

// FuzzEnvFile reads back what the function writes, with a parser of other
// people's.
func FuzzEnvFile(f *testing.F) {
	f.Add("DATABASE_URL", "PUBLIC_", acctest.PooledURL, "https://neon.new/claim/0198", int64(1795468328))
	f.Add("_", "", "postgres://its:p!a*s(s)@ep-x.h:5432/a;b?c=[d]&e=%20,~", "http://127.0.0.1:8473/claim/x?y=z&&=",
		int64(-1))
	f.Add("MY_URL", "A", acctest.DirectURL+"#x", "https://x/${HOME}`\\", int64(0))
	f.Fuzz(func(t *testing.T, key, prefix, connection, claim string, seconds int64) {
		moment := time.Unix(seconds%(1<<37), 0).UTC()
		database := envDatabase(map[string]tftypes.Value{
			"connection_string": acctest.Text(connection), "claim_url": acctest.Text(claim),
			"expires_at": acctest.Text(moment.Format(time.RFC3339)),
		})
		options := envOptions(map[string]tftypes.Value{"key": acctest.Text(key), "prefix": acctest.Text(prefix)})
		got := call(t, "env_file", database, options)
		if got.problem != "" {
			t.Skip("refused")
		}
		want := map[string]string{
			key:                           call(t, "pooled_connection_string", acctest.Text(connection)).text,
			key + "_DIRECT":               call(t, "direct_connection_string", acctest.Text(connection)).text,
			prefix + "POSTGRES_CLAIM_URL": claim,
		}
		read, err := godotenv.Unmarshal(got.text)
		if err != nil {
			t.Fatalf("%q can't be read: %v", got.text, err)
		}
		if diff := cmp.Diff(want, read); diff != "" {
			t.Errorf("%q is read as something else: %s", got.text, diff)
		}
		_, date, _ := strings.Cut(got.text, "expires at: ")
		date, _, _ = strings.Cut(date, "\n")
		if expiry, err := time.Parse(time.RFC1123, date); err != nil || !expiry.Equal(moment) {
			t.Errorf("it expires at %q, want %s: %v", date, moment, err)
		}
	})
}

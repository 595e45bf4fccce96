package connectionuri

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// envFile is an env file with a claimable database, as Neon's command-line tool writes it.
type envFile struct {
	// key is the variable of the pooled connection string; prefix begins the variable of the claim URL.
	key, prefix string

	connectionString client.ConnectionString
	claimURL         string
	expiresAt        time.Time
}

const (
	defaultEnvKey    = "DATABASE_URL"
	defaultEnvPrefix = "PUBLIC_"
	directEnvSuffix  = "_DIRECT"
	claimEnvName     = "POSTGRES_CLAIM_URL"
)

// envName matches names of variables that all shells and parsers accept.
var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// envValue matches values that need no quotes in any parser of env files. Other characters begin comments or variables,
// end the value, or are quotes; in a URL, all of them can be percent-encoded.
var envValue = regexp.MustCompile(`^[A-Za-z0-9._~:/?@!&()*+,;=%\[\]-]+$`)

const envValueRule = "holds a character that means something else in an env file, such as #, $, a quote, a backslash " +
	"or a space: percent-encode it"

// text returns the same lines as the tool, including the format of the date.
func (f *envFile) text() string {
	return fmt.Sprintf("%s=%s\n%s=%s\n# Claimable DB expires at: %s\n# Claim it now to your account using the link "+
		"below:\n%s=%s\n",
		f.key, f.connectionString.Pooled(), f.key+directEnvSuffix, f.connectionString.Direct(),
		f.expiresAt.UTC().Format(http.TimeFormat), f.prefix+claimEnvName, f.claimURL)
}

// setOptions sets key and prefix. A null option counts as absent.
func (f *envFile) setOptions(options map[string]*string) error {
	f.key, f.prefix = defaultEnvKey, defaultEnvPrefix
	variables := map[string]*string{"key": &f.key, "prefix": &f.prefix}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		variable, known := variables[name]
		if !known {
			return fmt.Errorf("options has an unknown element %q: there are key and prefix", name)
		}
		if value := options[name]; value != nil {
			*variable = *value
		}
	}
	return f.checkNames()
}

func (f *envFile) checkNames() error {
	const rule = "must begin with a letter or an underscore, with nothing but letters, digits and underscores after it"
	claimName := f.prefix + claimEnvName
	switch {
	case !envName.MatchString(f.key):
		return errors.New("options.key names a variable and " + rule)
	case !envName.MatchString(claimName):
		return errors.New("options.prefix begins the name of a variable: unless it is empty, it " + rule)
	case claimName == f.key || claimName == f.key+directEnvSuffix:
		return fmt.Errorf("options.key and options.prefix together name the variable %s twice: one of them must change",
			claimName)
	}
	return nil
}

// setConnectionString accepts the pooled or the direct form.
func (f *envFile) setConnectionString(text string) error {
	parsed, err := client.ParseConnectionString(text)
	if err != nil {
		return fmt.Errorf("database.connection_string %w", err)
	}
	if !envValue.MatchString(text) {
		return errors.New("database.connection_string " + envValueRule)
	}
	f.connectionString = parsed
	return nil
}

func (f *envFile) setClaimURL(text string) error {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.Host == "" {
		return errors.New("database.claim_url must be an absolute http or https URL")
	}
	if !envValue.MatchString(text) {
		return errors.New("database.claim_url " + envValueRule)
	}
	f.claimURL = text
	return nil
}

func (f *envFile) setExpiresAt(text string) error {
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return errors.New("database.expires_at must be a time in RFC 3339, such as 2026-01-26T14:19:14Z")
	}
	f.expiresAt = moment
	return nil
}

package kit

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// secretShapes are what an input looks like that may be a secret: a key or password of
// Neon's, an address with credentials, and a run of letters and digits that is longer
// than any in an id, a usual name or a path.
var secretShapes = regexp.MustCompile(client.SecretPrefixes +
	`|://[^/\s]*@|:[^\s@]+@|(?i:password=)|[A-Za-z0-9+=]{32,}`)

// longID is as long as a secret: the id of a commit, which stands in the names of many a preview branch, and that of
// a service credential.
var longID = regexp.MustCompile(`\b[0-9a-f]{40}\b|\bnak_live_[0-9a-f]{32}\b`)

// MayBeSecret decides what an error may repeat of what a person has given, be it an
// attribute, an id to import, or a variable of the environment.
func MayBeSecret(input string) bool {
	return secretShapes.MatchString(longID.ReplaceAllString(input, ""))
}

// Quoted is an input as an error may repeat it.
func Quoted(input string) string {
	if MayBeSecret(input) {
		return undisclosed(input)
	}
	return strconv.Quote(input)
}

// Shown is a value as an error repeats it; empty where there is none to show.
func Shown(value tftypes.Value) string {
	var text string
	var number big.Float
	var isOn bool
	switch {
	case value.IsNull() || !value.IsKnown():
		return ""
	case value.Type().Is(tftypes.String) && value.As(&text) == nil:
		return Quoted(text)
	case value.Type().Is(tftypes.Bool) && value.As(&isOn) == nil:
		return strconv.FormatBool(isOn)
	case value.Type().Is(tftypes.Number) && value.As(&number) == nil:
		return number.Text('f', -1)
	}
	return ""
}

func undisclosed(input string) string {
	return fmt.Sprintf("(%d characters, not shown since they may be a secret)", utf8.RuneCountInString(input))
}

// shortSecret is a length that ids and addresses contain by chance: a variable's "1" or "true" is looked for as a word
// of its own.
const shortSecret = 8

// Where a word goes on.
var (
	endsInWord   = regexp.MustCompile(`[\w/-]$|\w\.$`)
	beginsInWord = regexp.MustCompile(`^[\w/-]|^\.\w`)
)

// WithoutSecrets removes inputs that may be secrets from a text, the longest first, since one may contain another. It
// also looks for their words, since a message may break lines differently, and for their forms in a path and in quotes.
func WithoutSecrets(text string, secrets []string) string {
	replacements := map[string]string{}
	for _, secret := range secrets {
		for word := range strings.FieldsSeq(secret) {
			if MayBeSecret(word) {
				replacements[word] = undisclosed(secret)
			}
		}
		quoted := strconv.Quote(secret)
		for _, form := range []string{secret, url.PathEscape(secret), quoted[1 : len(quoted)-1]} {
			replacements[form] = undisclosed(secret)
		}
	}
	forms := slices.SortedFunc(maps.Keys(replacements), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var replaced strings.Builder
	for done := 0; ; {
		start, found := len(text), ""
		for _, form := range forms {
			if at := strings.Index(text[done:], form); at >= 0 && done+at < start {
				start, found = done+at, form
			}
		}
		if found == "" {
			return replaced.String() + text[done:]
		}
		end := start + len(found)
		if len(found) < shortSecret &&
			(endsInWord.MatchString(text[max(0, start-2):start]) || beginsInWord.MatchString(text[end:])) {
			replaced.WriteString(text[done : start+1])
			done = start + 1
			continue
		}
		replaced.WriteString(text[done:start] + replacements[found])
		done = end
	}
}

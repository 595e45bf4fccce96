package kit_test

import (
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

func TestWithoutSecrets(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1<<16)
	hidden := func(length string) string { return "(" + length + " characters, not shown since they may be a secret)" }
	for name, test := range map[string]struct {
		secrets    []string
		text, want string
	}{
		"none":                         {nil, "it is", "it is"},
		"none of these":                {[]string{"Pa55w0rd"}, "it is", "it is"},
		"in quotes":                    {[]string{"Pa55w0rd"}, `"Pa55w0rd" is short`, `"` + hidden("8") + `" is short`},
		"inside a word":                {[]string{"Pa55w0rd"}, "xPa55w0rdx", "x" + hidden("8") + "x"},
		"one in another":               {[]string{"w0rd1234", "Pa55w0rd1234"}, "Pa55w0rd1234", hidden("12")},
		"short, a word":                {[]string{"abc"}, "abc, or: abc.", hidden("3") + ", or: " + hidden("3") + "."},
		"short, quoted and at the end": {[]string{"1"}, `secret "1" = 1`, `secret "` + hidden("1") + `" = ` + hidden("1")},
		"short, in an id":              {[]string{"1", "google", "br"}, "wispy-meadow-81/br-calm-1/google", "wispy-meadow-81/br-calm-1/google"},
		"short, in a host":             {[]string{"neon"}, "ep-x.neon.tech", "ep-x.neon.tech"},
		"short, in the notice":         {[]string{"a", "8", "Pa55w0rd"}, "a Pa55w0rd", hidden("1") + " " + hidden("8")},
		"short, before a longer one":   {[]string{"xab", "abPa55w0rd"}, "xabPa55w0rd", "x" + hidden("10")},
		"no UTF-8":                     {[]string{"Pa55\xffw0rd"}, "got Pa55\xffw0rd.", "got " + hidden("9") + "."},
		"in a path":                    {[]string{"Pa55/w0rd"}, "GET /roles/Pa55%2Fw0rd", "GET /roles/" + hidden("9")},
		"with quotes, in quotes":       {[]string{`Pa55"w0rd`}, `got: "Pa55\"w0rd"`, `got: "` + hidden("9") + `"`},
		"long":                         {[]string{long}, long + " and a" + long, hidden("65536") + " and " + hidden("65536") + "a"},
		"short, in a long text":        {[]string{"a"}, long, long},
		"words of one with breaks":     {[]string{"napi_7hq2mz\nabc"}, "got napi_7hq2mz and abc", "got " + hidden("15") + " and abc"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := kit.WithoutSecrets(test.text, test.secrets); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

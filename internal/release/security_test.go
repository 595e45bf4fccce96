package release

import (
	"regexp"
	"strings"
	"testing"
)

var (
	namedPackage = regexp.MustCompile("`((?:internal|cmd)/[\\w/-]+)`:([^;|]+)")
	namedTest    = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
)

// A promise that names a test which isn't there is one that nobody keeps.
func TestSecurity_namesTestsThatExist(t *testing.T) {
	t.Parallel()
	text := read(t, root+"/SECURITY.md")
	named := 0
	for _, match := range namedPackage.FindAllStringSubmatch(text, -1) {
		var code strings.Builder
		for _, path := range glob(t, root+"/"+match[1]+"/*_test.go") {
			code.WriteString(read(t, path))
		}
		for _, test := range namedTest.FindAllStringSubmatch(match[2], -1) {
			named++
			if !strings.Contains(code.String(), "func "+test[1]+"(") {
				t.Errorf("SECURITY.md names %s, which isn't in %s", test[1], match[1])
			}
		}
	}
	if all := namedTest.FindAllString(text, -1); len(all) != named || named == 0 {
		t.Errorf("%d tests are named, %d of them with their package", len(all), named)
	}
}

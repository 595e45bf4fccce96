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
func TestPages_nameTestsThatExist(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"SECURITY.md"} {
		text := read(t, root+"/"+page)
		named := 0
		for _, match := range namedPackage.FindAllStringSubmatch(text, -1) {
			var code strings.Builder
			below := glob(t, root+"/"+match[1]+"/*/*_test.go")
			for _, path := range append(below, glob(t, root+"/"+match[1]+"/*_test.go")...) {
				code.WriteString(read(t, path))
			}
			for _, test := range namedTest.FindAllStringSubmatch(match[2], -1) {
				named++
				if !strings.Contains(code.String(), "func "+test[1]+"(") {
					t.Errorf("%s names %s, which isn't in %s", page, test[1], match[1])
				}
			}
		}
		if all := namedTest.FindAllString(text, -1); len(all) != named || named == 0 && page == "SECURITY.md" {
			t.Errorf("%s names %d tests, %d of them with their package", page, len(all), named)
		}
	}
}

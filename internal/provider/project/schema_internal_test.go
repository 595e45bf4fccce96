package project

import (
	"slices"
	"strings"
	"testing"
)

// The page says that a setting keeps its value when its line is removed, unless its description says what it goes back
// to.
func TestSchema_saysWhatGoesBack(t *testing.T) {
	t.Parallel()
	for name, attribute := range attributes() {
		says := strings.Contains(attribute.GetMarkdownDescription(), leftText)
		if goes := slices.Contains(leftAlone, name); goes != says {
			t.Errorf("%s goes back to Neon's default: %t; its description says so: %t", name, goes, says)
		}
	}
}

package conformance

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	linkedCall  = regexp.MustCompile(`(?m)^// ([A-Z]+) (/\S+): https://api-docs\.neon\.tech/reference/(\S+)$`)
	placeholder = regexp.MustCompile(`\{[^}]*\}`)
)

// Each page of the published reference that a method of the client links is that of the call which it says: the
// reference has it by the call's id in small letters.
func TestClient_links(t *testing.T) {
	t.Parallel()
	needClients(t)
	document, err := description()
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			ids[method+" "+placeholder.ReplaceAllString(path, "{}")] = strings.ToLower(operation.OperationID)
		}
	}
	files, err := filepath.Glob("../client/*.go")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range linkedCall.FindAllStringSubmatch(string(text), -1) {
			links++
			if id := ids[found[1]+" "+placeholder.ReplaceAllString(found[2], "{}")]; id != found[3] {
				t.Errorf("%s: the page of %s %s is %q, not %q", name, found[1], found[2], id, found[3])
			}
		}
	}
	if links < 100 {
		t.Errorf("there are %d links", links)
	}
}

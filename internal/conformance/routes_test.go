package conformance

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// unservedFile lists the calls that the emulator doesn't serve.
const unservedFile = "../emulator/UNSERVED.md"

const unservedHead = `# Calls that the emulator doesn't serve

Of the platform's published description and its newer copy, these calls are answered with status 404 and
"this route does not exist". [DOUBTS.md](DOUBTS.md) says what was decided about the others
without a source. This list is written by
` + "`go test ./internal/conformance -run Unserved -update`" + `.

`

var (
	update        = flag.Bool("update", false, "write the list of calls that the emulator doesn't serve")
	pathParameter = regexp.MustCompile(`\{[^}]+\}`)
)

func TestUnserved(t *testing.T) {
	t.Parallel()
	needClients(t)
	document, err := description()
	if err != nil {
		t.Fatal(err)
	}
	e, err := emulator.New(emulator.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var unserved []string
	served := 0
	for path, item := range document.Paths.Map() {
		for method := range item.Operations() {
			if serves(t, e, method, path) {
				served++
			} else {
				unserved = append(unserved, "- `"+method+" "+path+"`: "+whyUnserved(t, path)+"\n")
			}
		}
	}
	slices.Sort(unserved)
	text := unservedHead + strings.Join(unserved, "") + untakenList()
	if served < 40 {
		t.Errorf("the emulator serves %d calls only", served)
	}
	if *update {
		if err := os.WriteFile(unservedFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(unservedFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != text {
		t.Errorf("%s isn't up to date: run go test ./internal/conformance -run Unserved -update", unservedFile)
	}
}

// unservedReasons are by a part of the path, of which the first counts.
var unservedReasons = [][2]string{
	{"/logs/", "logs are no infrastructure"},
	{"/auth/users/", "single users of Neon Auth are its application's"},
	{"/recover", "a deleted branch is gone here: recovering one isn't released"},
	{"/consumption_history/projects", "legacy: version 2 is served"},
	{"/projects/auth/", "legacy: Neon Auth is enabled on a branch"},
	{"/projects/{project_id}/auth/", "legacy: Neon Auth is a branch's"},
	{"/auth", "it says only how the caller is known"},
}

func whyUnserved(t *testing.T, path string) string {
	t.Helper()
	for _, reason := range unservedReasons {
		if strings.Contains(path, reason[0]) {
			return reason[1]
		}
	}
	t.Errorf("unservedReasons doesn't say why %s isn't served", path)
	return ""
}

func serves(t *testing.T, e http.Handler, method, path string) bool {
	t.Helper()
	answer := httptest.NewRecorder()
	e.ServeHTTP(answer, httptest.NewRequest(method, "http://localhost/api/v2"+
		pathParameter.ReplaceAllString(path, "x"), nil))
	return !strings.Contains(answer.Body.String(), "this route does not exist")
}

package emulator

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
)

// keptWorld is a world in a folder, which can be ended and opened again.
type keptWorld struct {
	t      *testing.T
	folder string
	e      *Emulator
}

func openKept(t *testing.T) *keptWorld {
	t.Helper()
	w := &keptWorld{t: t, folder: t.TempDir()}
	w.open()
	t.Cleanup(func() { _ = w.e.Close() })
	return w
}

func (w *keptWorld) open() {
	w.t.Helper()
	e, err := New(Config{DataFolder: w.folder, Conflicts: ConflictsNone})
	if err != nil {
		w.t.Fatal(err)
	}
	w.e = e
}

func (w *keptWorld) openAgain() {
	w.t.Helper()
	if err := w.e.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.open()
}

// must makes a request with a token of its type, and returns the answer's fields.
func (w *keptWorld) must(method, path, kind, body string) map[string]any {
	w.t.Helper()
	answer := w.ask(method, path, kind, body)
	var fields map[string]any
	if answer.Code >= 300 || answer.Body.Len() > 0 && json.Unmarshal(answer.Body.Bytes(), &fields) != nil {
		w.t.Fatalf("%s %s: %d %s", method, path, answer.Code, answer.Body)
	}
	return fields
}

// ask makes a request with a token of its type.
func (w *keptWorld) ask(method, path, kind, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+w.e.FirstWorld().APIKey)
	r.Header.Set("Content-Type", kind)
	answer := httptest.NewRecorder()
	w.e.ServeHTTP(answer, r)
	return answer
}

func (w *keptWorld) branchPath() string {
	first := w.e.FirstWorld()
	return apiRoot + "/projects/" + first.ProjectID + "/branches/" + first.BranchID
}

const asJSON = "application/json"

// A bucket that had no objects when the emulator ended takes them afterwards, at an address that was signed before.
func TestOpenedAgain_uploads(t *testing.T) {
	t.Parallel()
	w := openKept(t)
	buckets := w.branchPath() + "/buckets"
	w.must(http.MethodPost, buckets, asJSON, `{"name":"media"}`)
	signed, _ := w.must(http.MethodPost, buckets+"/media/objects/a.txt/presign", asJSON,
		`{"operation":"upload"}`)["url"].(string)
	w.openAgain()
	address, err := url.Parse(signed)
	if err != nil {
		t.Fatal(err)
	}
	w.must(http.MethodPut, address.RequestURI(), "text/plain", "hello")
	if objects, _ := w.must(http.MethodGet, buckets+"/media/objects", asJSON, "")["objects"].([]any); len(objects) != 1 {
		t.Errorf("the bucket has %v", objects)
	}
}

// A number that no float can hold is answered as it was sent, at once and after the emulator has ended.
func TestOpenedAgain_largeNumbers(t *testing.T) {
	t.Parallel()
	w := openKept(t)
	const largest = "9223372036854775807"
	path := apiRoot + "/projects/" + w.e.FirstWorld().ProjectID
	changed := w.ask(http.MethodPatch, path, asJSON,
		`{"project":{"settings":{"quota":{"written_data_bytes":`+largest+`}}}}`)
	w.openAgain()
	for _, answer := range []*httptest.ResponseRecorder{changed, w.ask(http.MethodGet, path, asJSON, "")} {
		if !strings.Contains(answer.Body.String(), `"written_data_bytes":`+largest+`}`) {
			t.Errorf("%d %s", answer.Code, answer.Body)
		}
	}
}

// An assertion that nobody has exchanged when the emulator ended can be exchanged afterwards.
func TestOpenedAgain_assertions(t *testing.T) {
	t.Parallel()
	w := openKept(t)
	assertion, _ := w.must(http.MethodPost, "/v1/agent/identity", asJSON,
		`{"type":"anonymous"}`)["identity_assertion"].(string)
	w.openAgain()
	form := url.Values{"grant_type": {assertionGrant}, "assertion": {assertion}}.Encode()
	if w.must(http.MethodPost, "/v1/oauth2/token", "application/x-www-form-urlencoded", form)["access_token"] == "" {
		t.Error("there is no token")
	}
}

// Content that is kept isn't written again, as a program that ends meanwhile would lose it.
func TestContents_areWrittenOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	contents := data.Contents{Folder: folder}
	put := func(kept map[string]int64) time.Time {
		t.Helper()
		if err := contents.Put("hash", []byte("content"), kept); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(folder, "hash"))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	put(nil)
	long := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(folder, "hash"), long, long); err != nil {
		t.Fatal(err)
	}
	if at := put(map[string]int64{"hash": 7}); !at.Equal(long) {
		t.Errorf("it was written again at %s", at)
	}
}

// The lines of the environment are the same to a shell, whatever password a statement has set.
func TestEnvironment_passwords(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	address := p.e.address("localhost", &role{Name: "r", passwords: passwords{Password: "a&b;c$d'e"}}, &database{Name: "d"}, "")
	if strings.ContainsAny(address, "&;$'`\"\\ ()<>|*") {
		t.Errorf("the address is %s", address)
	}
	if u, err := url.Parse(address); err != nil || u.User.String() == "" {
		t.Errorf("%v", err)
	} else if password, _ := u.User.Password(); password != "a&b;c$d'e" {
		t.Errorf("its password is %s", password)
	}
}

package emulator

import (
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/journal"
)

// The log has a line for each request, with what became of it, and no secret.
func TestLog(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	p := start(t, Config{Log: &log})
	p.must("GET", "{p}", "")
	p.as("napi_wrong").api("GET", "{p}", "")
	p.control("POST", "/faults", `{"route":"GET /api/v2/projects/{project_id}","kind":"lost_after","count":1}`)
	p.api("GET", "{p}", "")
	p.control("POST", "/faults", `{"route":"GET /api/v2/projects/{project_id}","kind":"cut_body","count":1}`)
	p.api("GET", "{p}", "")
	id := p.send("POST", "/api/v1/database", `{"ref":"log"}`).str("id")
	p.as("").send("GET", "/api/v1/database/"+id, "")
	for i, want := range []string{
		`12:00:00.000 GET /api/v2/projects/` + p.project + ` 200 \S+ key: first \(personal\)`,
		`12:00:00.000 GET /api/v2/projects/` + p.project +
			` 401 \S+ key: unknown refused: "supplied credentials do not pass authentication"`,
		`.* no answer \S+ key: first \(personal\)`,
		`.* 200, cut off \S+ key: first \(personal\)`,
		`12:00:00.000 POST /api/v1/database 200 \S+ key: first \(personal\)`,
		`12:00:00.000 GET /api/v1/database/\{id\} 200 \S+`,
	} {
		lines := strings.Split(log.String(), "\n")
		if !regexp.MustCompile("^" + want + "$").MatchString(lines[i]) {
			t.Errorf("%q isn't %s", lines[i], want)
		}
	}
	for _, secret := range append(p.e.Secrets(), p.key, id) {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s is in the log", secret)
		}
	}
}

// A day of the world's time with requests of all kinds leaves memory as it was.
func TestMemory_isFlat(t *testing.T) {
	p := start(t, Config{Conflicts: ConflictsNone})
	day := func(times int) uint64 {
		for i := range times {
			request(p.e, p.key, "GET", "/api/v2/projects/"+p.project+"/branches/br-none-1?"+strings.Repeat("x", i%1000))
			request(p.e, p.key, "GET", "/api/v2/projects/"+p.project)
			if i%100 == 0 {
				p.control("POST", "/clock", `{"advance":"15m"}`)
			}
		}
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		return memory.HeapAlloc
	}
	before := day(1000)
	if after := day(10_000); after > before+1<<20 {
		t.Errorf("%d bytes were in use, and are %d", before, after)
	}
	if seen := len(p.e.journal.Newest()); seen != journal.Length {
		t.Errorf("%d requests are remembered", seen)
	}
}

func request(e *Emulator, key, method, path string) {
	r, err := http.NewRequest(method, "http://localhost"+path, http.NoBody)
	if err != nil {
		panic(err)
	}
	r.RemoteAddr = "127.0.0.1:50000"
	r.Header.Set("Authorization", "Bearer "+key)
	e.ServeHTTP(&nobody{header: http.Header{}}, r)
}

// nobody takes an answer and forgets it.
type nobody struct{ header http.Header }

func (n *nobody) Header() http.Header          { return n.header }
func (*nobody) Write(text []byte) (int, error) { return len(text), nil }
func (*nobody) WriteHeader(int)                {}

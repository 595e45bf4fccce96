package client

import (
	"net/http"
	"testing"
)

// JSON knows one kind of number: what writes 17 as 17.0 means the same.
func TestWholeNumbersWithAFraction(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":1.0,"b":[-2.00,3.0],"c":0.25}`:        `{"a":1,"b":[-2,3],"c":0.25}`,
		`{"a":"1.0","b":"\"2.0,","c":10.05,"d":1.}`: `{"a":"1.0","b":"\"2.0,","c":10.05,"d":1.}`,
		`7.0`:                                 `7`,
		`{"a":"127.0.0.1","b":"x\\","c":5.0}`: `{"a":"127.0.0.1","b":"x\\","c":5}`,
		`{"a":1.0e3,"b":20.0 }`:               `{"a":1.0e3,"b":20 }`,
	} {
		equal(t, body, string(wholeNumbers([]byte(body))), want)
	}
	platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
		return respond(request, http.StatusOK, `{"project":{"id":"p","pg_version":17.0,"history_retention_seconds":86400.0}}`), nil
	}}
	project, err := newClient(t, platform).GetProject(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "version", project.PgVersion, 17)
}

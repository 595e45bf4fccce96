package client

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

// The proxy of the environment is read once, so it is set for all tests: it
// isn't there, and loopback addresses must get past it.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy"} {
		_ = os.Setenv(name, "http://127.0.0.1:1")
	}
	m.Run()
}

func TestValidateBaseURL(t *testing.T) {
	for _, good := range []string{
		"https://console.neon.tech", "https://console.neon.tech/", "https://console.neon.tech/api/v2", "HTTPS://neon.new",
		"https://proxy.example:8443/neon/api/v2/", " https://neon.new ", "https://10.0.0.1", "https://[2001:db8::1]:8443",
		"http://127.0.0.1:8080", "http://127.0.0.2", "http://[::1]:8080/api/v2", "http://localhost", "http://LOCALHOST:1",
		"http://x.localhost:80", "http://a.b.localhost.", "http://[::ffff:127.0.0.1]",
	} {
		if err := ValidateBaseURL(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for bad, says := range map[string]string{
		"":                                     "no scheme",
		"console.neon.tech":                    "no scheme",
		"/api/v2":                              "no scheme",
		"//console.neon.tech":                  "no scheme",
		"https://":                             "no host",
		"https:console.neon.tech":              "no host",
		"https://:443":                         "no host",
		"ftp://console.neon.tech":              "scheme must be https",
		"file:///etc/passwd":                   "no host",
		"https://console.neon.tech/app":        "path must be empty",
		"https://us er@host":                   "not a URL",
		"https://host:port":                    "not a URL",
		"%":                                    "not a URL",
		"https://u:hidden@host":                "user name or password",
		"https://" + strings.Repeat("a", 2041): "2049 characters",
		"https://@host":                        "user name or password",
		"https://host?x=1":                     "query or fragment",
		"https://host#x":                       "query or fragment",
		"http://console.neon.tech":             "use https",
		"http://127.0.0.1.nip.io":              "loopback",
		"http://localhost.example":             "loopback",
		"http://notlocalhost":                  "loopback",
		"http://10.0.0.1":                      "loopback",
		"http://0.0.0.0":                       "loopback",
		"http://127.1":                         "loopback",
		"http://127.0.0.1@evil.example/":       "user name or password",
	} {
		err := ValidateBaseURL(bad)
		if err == nil {
			t.Errorf("%q is taken", bad)
			continue
		}
		contains(t, err.Error(), says)
		if strings.Contains(err.Error(), "hidden") {
			t.Errorf("the password is in %q", err)
		}
	}
	for _, field := range []func(*Config){
		func(c *Config) { c.BaseURL = "http://evil.example" }, func(c *Config) { c.ClaimBaseURL = "http://evil.example" },
	} {
		config := Config{}
		field(&config)
		if _, err := New(config); err == nil {
			t.Error("New takes http to elsewhere")
		}
	}
}

func TestTheAddressWithAndWithoutPrefix(t *testing.T) {
	for _, test := range []struct{ base, host, control, claim string }{
		{"", "", "/api/v2/projects/p/operations/o", "/api/v1/database/d"},
		{"https://h.example", "h.example", "/api/v2/projects/p/operations/o", "/api/v1/database/d"},
		{"https://h.example/", "h.example", "/api/v2/projects/p/operations/o", "/api/v1/database/d"},
		{"https://h.example:8443/proxy//", "h.example:8443", "/proxy/api/v2/projects/p/operations/o", "/proxy/api/v1/database/d"},
	} {
		for _, suffixes := range [][2]string{{"", ""}, {"/api/v2", "/api/v1"}, {"/api/v2/", "/api/v1/"}} {
			isProxy := strings.Contains(test.base, "proxy")
			if test.base == "" && suffixes[0] != "" || isProxy && suffixes[0] == "" {
				continue
			}
			platform := always(200, `{"id":"d","operation":{"id":"o"}}`)
			api := newClient(t, platform, func(c *Config) {
				c.MaxRetries = 0
				if test.base != "" {
					base := strings.TrimRight(test.base, "/")
					c.BaseURL, c.ClaimBaseURL = base+suffixes[0], base+suffixes[1]
				}
				if suffixes[0] == "" {
					c.BaseURL, c.ClaimBaseURL = test.base, test.base
				}
			})
			_, _ = api.GetOperation(t.Context(), Ref[Operation]{"p", "o"})
			_, _ = api.GetClaimableDatabase(t.Context(), "d")
			requests := platform.all()
			equal(t, "control", requests[0].uri, test.control)
			equal(t, "claim", requests[1].uri, test.claim)
			if test.host == "" {
				equal(t, "control host", requests[0].host, "console.neon.tech")
				equal(t, "claim host", requests[1].host, "neon.new")
			} else {
				equal(t, "host", requests[0].host, test.host)
			}
		}
	}
}

// The key stays with the configured host.
func TestARedirectIsNotFollowed(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		var requests atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			http.Redirect(w, r, other.URL+r.URL.Path, code)
		}))
		api := newClient(t, nil, func(c *Config) { c.BaseURL, c.ClaimBaseURL = server.URL, server.URL })
		_, err := All(api.ListAPIKeys(t.Context(), APIKeyScope{}))
		if !HasStatus(err, code) {
			t.Errorf("got %v", err)
		}
		contains(t, err.Error(), "redirect", "check the base URL")
		_, err = api.CreateClaimableDatabase(t.Context(), ClaimableDatabaseCreate{Ref: "r"})
		if !HasStatus(err, code) {
			t.Errorf("got %v", err)
		}
		contains(t, err.Error(), "redirect", "check the base URL")
		equal(t, "requests", requests.Load(), 2)
		server.Close()
	}
	equal(t, "requests elsewhere", elsewhere.Load(), 0)
}

// Names below .localhost are loopback without a resolver, and never a proxy's
// business.
func TestNamesBelowLocalhost(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`[{"id":1,"name":"` + r.Host + `"}]`))
	})
	for _, loopback := range []string{"127.0.0.1:0", "[::1]:0"} {
		listener, err := net.Listen("tcp", loopback)
		if err != nil {
			t.Logf("no server at %s: %v", loopback, err) // A machine may have one kind of addresses alone.
			continue
		}
		server := httptest.NewUnstartedServer(answer)
		_ = server.Listener.Close()
		server.Listener = listener
		server.Start()
		t.Cleanup(server.Close)
		address, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range []string{"no-such-name.localhost", "a.b.localhost", "localhost"} {
			api := newClient(t, nil, func(c *Config) { c.BaseURL, c.MaxRetries = "http://"+host+":"+address.Port(), 0 })
			keys, err := All(api.ListAPIKeys(t.Context(), APIKeyScope{}))
			if err != nil {
				t.Errorf("%s at %s: %v", host, loopback, err)
				continue
			}
			equal(t, "host", keys[0].Name, host+":"+address.Port())
		}
	}
}

func TestTLS(t *testing.T) {
	transport := newTransport(defaultPings)
	if transport.TLSClientConfig.MinVersion != tls.VersionTLS12 || transport.TLSClientConfig.InsecureSkipVerify {
		t.Error("TLS below 1.2, or without verification")
	}
	var requests atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	api := newClient(t, nil, func(c *Config) { c.BaseURL = server.URL })
	_, err := All(api.ListAPIKeys(t.Context(), APIKeyScope{}))
	var notSent *NotSentError
	var certificate *tls.CertificateVerificationError
	if !errors.As(err, &notSent) || !errors.As(err, &certificate) {
		t.Errorf("got %v", err)
	}
	equal(t, "requests", requests.Load(), 0)
}

// endless is a body without end.
type endless struct{ read *atomic.Int64 }

func (e endless) Read(p []byte) (int, error) { e.read.Add(int64(len(p))); return len(p), nil }
func (endless) Close() error                 { return nil }

func TestTheBodyIsBounded(t *testing.T) {
	var read atomic.Int64
	platform := &fakePlatform{answer: func(_ int, r *http.Request) (*http.Response, error) {
		response := respond(r, 200, "")
		response.Body = endless{&read}
		return response, nil
	}}
	_, err := All(newClient(t, platform).ListAPIKeys(t.Context(), APIKeyScope{}))
	if !isBadAnswer("larger than")(err) || platform.count() != 1 { // It isn't smaller the next time.
		t.Errorf("got %v after %d requests", err, platform.count())
	}
	if read.Load() > 2*largestBody {
		t.Errorf("%d bytes were read", read.Load())
	}
}

func TestWithoutAKey(t *testing.T) {
	platform := always(200, `{"id":"d"}`)
	api := newClient(t, platform, func(c *Config) { c.APIKey = "" })
	equal(t, "has a key", api.HasAPIKey(), false)
	for name, send := range map[string]func(context.Context) error{
		"list":   func(ctx context.Context) error { _, err := All(api.ListAPIKeys(ctx, APIKeyScope{})); return err },
		"create": func(ctx context.Context) error { _, err := api.CreateBranch(ctx, "p", BranchCreate{}); return err },
		"key": func(ctx context.Context) error {
			_, err := ObjectOf(api.CreateAPIKey(ctx, APIKeyScope{}, "n"))
			return err
		},
		"delete": func(ctx context.Context) error {
			_, err := api.DeleteEndpoint(ctx, EndpointRef{"p", "e"})
			return err
		},
	} {
		if err := send(t.Context()); err == nil {
			t.Errorf("%s succeeded", name)
		} else {
			contains(t, err.Error(), "no API key is configured")
		}
	}
	equal(t, "requests", platform.count(), 0)
	if _, err := api.GetClaimableDatabase(t.Context(), "d"); err != nil {
		t.Error(err)
	}
}

func TestWhoGetsTheKey(t *testing.T) {
	platform := always(200, `{"id":"d","endpoint":{"id":"e"}}`)
	api := newClient(t, platform, func(c *Config) { c.UserAgent = "tests/1" })
	_, _ = api.GetClaimableDatabase(t.Context(), "d")
	_, _ = api.CreateClaimableDatabase(t.Context(), ClaimableDatabaseCreate{Ref: "r"})
	_, _ = api.GetSharedEndpoint(t.Context(), EndpointRef{"p", "e"})
	for i, request := range platform.all() {
		want := ""
		if i == 2 {
			want = "Bearer " + testKey
		}
		equal(t, "Authorization to "+request.uri, request.header.Get("Authorization"), want)
		equal(t, "User-Agent", request.header.Get("User-Agent"), "tests/1")
		equal(t, "Accept", request.header.Get("Accept"), "application/json")
		equal(t, "has a request id", request.header.Get("X-Request-Id") != "", true)
		equal(t, "Content-Type of "+request.method, request.header.Get("Content-Type") != "",
			request.method == http.MethodPost)
	}
}

package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Of two creations of one function, one is refused, however long a deployment takes.
func TestAFunctionHasOneOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		exists := false
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPost {
				time.Sleep(time.Second)
			}
			mu.Lock()
			defer mu.Unlock()
			const function = `{"slug":"api","current_deployment":{"id":1}}`
			switch {
			case request.Method == http.MethodPost:
				exists = true
				return respond(request, 201, `{"deployment":{"id":1,"status":"building"}}`), nil
			case strings.HasSuffix(request.URL.Path, "/api") && exists:
				return respond(request, 200, `{"function":`+function+`}`), nil
			case strings.HasSuffix(request.URL.Path, "/functions") && exists:
				return respond(request, 200, `{"functions":[`+function+`]}`), nil
			case strings.HasSuffix(request.URL.Path, "/api"):
				return respond(request, 404, `{"message":"no such function"}`), nil
			}
			return respond(request, 200, `{"functions":[],"branch":{"id":"b"},"branches":[{"id":"b"}]}`), nil
		}))
		hasOneOwner(t, func() error {
			_, err := api.CreateFunction(t.Context(), aBranch, "api", FunctionDeploy{})
			return err
		})
	})
}

// Of two creations of one trigger that the branch has from its parent, one takes it over, also where both look before.
func TestATriggerIsTakenOverOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		inherited := true
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPatch {
				time.Sleep(time.Second)
			}
			mu.Lock()
			defer mu.Unlock()
			inherited = inherited && request.Method == http.MethodGet
			trigger := fmt.Sprintf(`{"trigger_id":"x","name":"n","type":"schedule","inherited":%t}`, inherited)
			return respond(request, 200, `{"trigger":`+trigger+`,"triggers":[`+trigger+`]}`), nil
		}))
		hasOneOwner(t, func() error {
			_, err := api.CreateTrigger(t.Context(), aBranch, TriggerSpec{Type: "schedule", Name: "n"})
			return err
		})
	})
}

// The same of a bucket, also where the first answer is lost and the other's takeover is what it is refused for.
func TestABucketIsTakenOverOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		posts := 0
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			connected(request)
			mu.Lock()
			defer mu.Unlock()
			if request.Method == http.MethodGet {
				return respond(request, 200,
					`{"branch":{"id":"b","parent_id":"a","created_at":"2026-01-02T00:00:00Z"},"branches":[],`+
						`"buckets":[{"name":"x","access_level":"private","created_at":"2026-01-01T00:00:00Z"}]}`), nil
			}
			switch posts++; posts {
			case 1:
				return respond(request, 504, `{}`), nil
			case 2:
				return respond(request, 201, `{"bucket":{"name":"x"}}`), nil
			}
			return respond(request, 409, `{"message":"it is the branch's own"}`), nil
		}))
		hasOneOwner(t, func() error {
			_, err := api.CreateBucket(t.Context(), aBranch, "x", "private")
			return err
		})
	})
}

// Of two creations of one OAuth provider, one is refused, also where the answer to the first is lost and the other's
// effect is what it finds.
func TestAnOAuthProviderHasOneOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		posts, providers := 0, ""
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			connected(request)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case request.Method == http.MethodGet:
				return respond(request, 200, `{"providers":[`+providers+`]}`), nil
			case posts == 0:
				posts++
				return respond(request, 504, `{}`), nil
			case providers != "":
				return respond(request, 409, `{"message":"it is there already"}`), nil
			}
			providers = `{"id":"google"}`
			return respond(request, 201, providers), nil
		}))
		hasOneOwner(t, func() error {
			return api.CreateAuthOAuthProvider(t.Context(), aBranch, "google", AuthOAuthSettings{})
		})
	})
}

// hasOneOwner runs a creation twice side by side: one succeeds, and the other one is told that its object is taken.
func hasOneOwner(t *testing.T, create func() error) {
	t.Helper()
	var errs [2]error
	var both sync.WaitGroup
	for i := range errs {
		both.Go(func() { errs[i] = create() })
	}
	both.Wait()
	if errs[0] != nil {
		errs[0], errs[1] = errs[1], errs[0]
	}
	if errs[0] != nil || !errors.Is(errs[1], ErrTaken) {
		t.Errorf("got %v", errs)
	}
}

// What appears first after a lost answer may be another run's: with ours, both are named.
func TestTheFirstThatAppearsMayBeAnothers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var posted time.Time
		one := `{"token_id":"%s","name":"n","scopes":["s"],"principal_type":"user"}`
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			connected(request)
			var there []string
			switch since := time.Since(posted); {
			case request.Method == http.MethodPost:
				posted = time.Now()
				return respond(request, 504, `{}`), nil
			case !posted.IsZero() && since > time.Second:
				there = append(there, fmt.Sprintf(one, "ours"))
				fallthrough
			case !posted.IsZero():
				there = append(there, fmt.Sprintf(one, "theirs"))
			}
			return respond(request, 200, `{"credentials":[`+strings.Join(there, ",")+`]}`), nil
		}))
		_, err := ObjectOf(api.CreateCredential(t.Context(), aBranch, CredentialCreate{Name: "n", Scopes: []string{"s"}}))
		var doubtful *DoubtfulError
		var lost *AmbiguousError
		if !errors.As(err, &lost) || !errors.As(lost.LookupErr, &doubtful) || len(doubtful.IDs) != 2 {
			t.Errorf("got %v", err)
		}
	})
}

// Another run's endpoint of another size isn't ours.
func TestEndpointCreate_made(t *testing.T) {
	size, off := 0.25, true
	create := EndpointCreate{Type: EndpointReadOnly, Name: "n",
		EndpointSettings: EndpointSettings{AutoscalingLimitMaxCU: &size}, Disabled: &off}
	for _, test := range []struct {
		endpoint Endpoint
		want     bool
	}{
		{Endpoint{Type: EndpointReadOnly, Name: "n", AutoscalingLimitMaxCU: 0.25, AutoscalingLimitMinCU: 0.25, Disabled: true}, true},
		{Endpoint{Type: EndpointReadOnly, Name: "n", AutoscalingLimitMaxCU: 8, Disabled: true}, false},
		{Endpoint{Type: EndpointReadOnly, Name: "n", AutoscalingLimitMaxCU: 0.25}, false},
	} {
		equal(t, fmt.Sprint(test.endpoint), create.made(test.endpoint), test.want)
	}
}

// A success that isn't Neon's deletes nothing.
func TestAForeignSuccessDeletesNothing(t *testing.T) {
	for name, remove := range map[string]func(context.Context, *Client) error{
		"credential": func(ctx context.Context, c *Client) error { return c.RevokeCredential(ctx, aBranch, "x") },
		"bucket":     func(ctx context.Context, c *Client) error { return c.DeleteBucket(ctx, aBranch, "x") },
		"function":   func(ctx context.Context, c *Client) error { return c.DeleteFunction(ctx, aBranch, "x") },
		"trigger":    func(ctx context.Context, c *Client) error { return c.DeleteTrigger(ctx, aBranch, "x") },
		"domain":     func(ctx context.Context, c *Client) error { return c.DeleteCustomDomain(ctx, aBranch, "x") },
		"Data API":   func(ctx context.Context, c *Client) error { return c.DeleteDataAPI(ctx, aBranch, "x") },
		"Auth":       func(ctx context.Context, c *Client) error { return c.DisableAuth(ctx, aBranch, false) },
		"object": func(ctx context.Context, c *Client) error {
			return c.DeleteBucketObject(ctx, BucketPlace{aBranch, "k", "x"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const all = `{"credentials":[{"token_id":"x"}],"buckets":[{"name":"x"}],"function":{"slug":"x"},"trigger":{"trigger_id":"x"},` +
					`"custom_domains":[{"domain":"x"}],"url":"u","auth_provider":"x","objects":[{"key":"x"}]}`
				answer := ""
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					if request.Method == http.MethodGet {
						return respond(request, 200, all), nil
					}
					return respond(request, 200, answer), nil
				}))
				for _, answer = range []string{`{"error":"rate limit of the gateway"}`, "null"} {
					if err := remove(t.Context(), api); !IsLost(err) {
						t.Errorf("%s: got %v", answer, err)
					}
				}
				if answer = "{}"; remove(t.Context(), api) != nil {
					t.Error("Neon's own answer is none")
				}
			})
		})
	}
}

// A conflict after a lost answer is looked for until lists have it, and else names the loss.
func TestAConflictBeforeTheListHasIt(t *testing.T) {
	for _, appears := range []time.Duration{300 * time.Millisecond, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			posts, mark := 0, ""
			var conflicted time.Time
			api := newClient(t, remembering(roundTrip(func(request *http.Request) (*http.Response, error) {
				connected(request)
				switch {
				case request.Method == http.MethodPost:
					if posts++; posts == 1 {
						return respond(request, 504, `{}`), nil
					}
					conflicted = time.Now()
					return respond(request, 409, `{"message":"branch already exists"}`), nil
				case posts > 1 && time.Since(conflicted) >= appears && strings.HasSuffix(request.URL.Path, "/branches"):
					return respond(request, 200, `{"branches":[{"id":"br","name":"n"}],"annotations":{"br":{"value":{"`+
						creationAnnotation+`":"`+mark+`"}}}}`), nil
				}
				return respond(request, 200, `{"branches":[],"endpoints":[],"operations":[]}`), nil
			}), &mark))
			created, err := api.CreateBranch(t.Context(), "p", BranchCreate{Name: "n"})
			switch {
			case appears < time.Minute && (err != nil || created.Object.ID != "br"):
				t.Errorf("got %v", err)
			case appears > time.Minute && (!HasStatus(err, 409) || !IsLost(err)):
				t.Errorf("got %v", err)
			}
		})
	}
}

// An order to anonymize whose answer is lost isn't given again.
func TestAnonymizeIsOrderedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		posts := 0
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPost {
				posts++
				return respond(request, 504, `{}`), nil
			}
			return respond(request, 200, `{"state":"anonymized"}`), nil
		}))
		if err := api.Anonymize(t.Context(), aBranch, nil); !IsLost(err) || posts != 1 {
			t.Errorf("%d orders, %v", posts, err)
		}
	})
}

// A bucket whose list never ends, or goes on with a cursor, ends all the same.
func TestEmptyBucket_ends(t *testing.T) {
	for _, isStuck := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			there := true
			api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				switch {
				case request.Method == http.MethodDelete:
					there = isStuck
					return respond(request, 204, ``), nil
				case there:
					return respond(request, 200, `{"objects":[{"key":"a"}],"folders":["f/"],"next_cursor":"c"}`), nil
				}
				return respond(request, 200, `{"objects":[],"next_cursor":"c"}`), nil
			}))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := api.EmptyBucket(ctx, aBranch, "k"); (err != nil) != isStuck || ctx.Err() != nil {
				t.Errorf("stuck: %v, got %v", isStuck, err)
			}
		})
	}
}

// A bucket is emptied page by page, until one is empty.
func TestEmptyBucket_pages(t *testing.T) {
	t.Parallel()
	there := []string{"a", "b", "c"}
	api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
		switch {
		case request.Method == http.MethodDelete:
			there = there[1:]
			return respond(request, 204, ``), nil
		case len(there) > 0:
			return respond(request, 200, `{"objects":[{"key":"`+there[0]+`"}],"folders":[],"next_cursor":"c"}`), nil
		}
		return respond(request, 200, `{"objects":[]}`), nil
	}))
	if err := api.EmptyBucket(t.Context(), aBranch, "k"); err != nil || len(there) > 0 {
		t.Errorf("got %v; left are %v", err, there)
	}
}

// Cursors that go round prove nothing.
func TestCursorsThatGoRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pages := map[string]string{
			"":  `{"branches":[{"id":"br-1"}],"pagination":{"next":"b"}}`,
			"b": `{"branches":[{"id":"br-2"}],"pagination":{"next":"c"}}`,
			"c": `{"branches":[{"id":"br-3"}],"pagination":{"next":"b"}}`,
		}
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			return respond(request, 200, pages[request.URL.Query().Get("cursor")]), nil
		}))
		if _, err := All(api.ListBranches(t.Context(), "p", BranchQuery{})); !isBadAnswer("go round")(err) {
			t.Errorf("got %v", err)
		}
	})
}

// What reveals a secret changes nothing, so that it leaves lists as they are.
func TestRevealLeavesLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lists := 0
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodGet {
				lists++
				return respond(request, 200, `{"credentials":[{"token_id":"x"}]}`), nil
			}
			return respond(request, 200, `{"api_token":"secret"}`), nil
		}))
		for range 10 {
			if _, err := api.GetSharedCredential(t.Context(), aBranch, "x"); err != nil {
				t.Fatal(err)
			}
			if _, err := api.RevealCredential(t.Context(), aBranch, "x"); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, "lists", lists, 1)
	})
}

// A storage that says nothing ends an attempt, and an interruption leaves an upload under way the time to end.
func TestAnUploadEnds(t *testing.T) {
	for _, isInterrupted := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			began := time.Now()
			api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				if request.Method == http.MethodPost {
					return respond(request, 200, `{"url":"https://storage/x","method":"PUT"}`), nil
				}
				if isInterrupted {
					cancel()
					return respond(request, 200, ``), sleep(request.Context(), 3*time.Second)
				}
				<-request.Context().Done()
				return nil, request.Context().Err()
			}), func(c *Config) { c.MaxRetries = 1 })
			_, err := api.UploadBucketObject(ctx, BucketPlace{aBranch, "k", "o"}, "", 0,
				func() (io.ReadCloser, error) { return http.NoBody, nil })
			var failed *UploadError
			if isInterrupted && err != nil || !isInterrupted && !errors.As(err, &failed) {
				t.Errorf("got %v", err)
			}
			if took := time.Since(began); took > 5*time.Minute {
				t.Errorf("took %s", took)
			}
		})
	}
}

// An interruption after the address was signed is told as one of the upload.
func TestAnUploadThatHasNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPut {
				t.Error("it was sent")
			}
			cancel()
			return respond(request, 200, `{"url":"https://storage/x","method":"PUT"}`), nil
		}))
		_, err := api.UploadBucketObject(ctx, BucketPlace{aBranch, "k", "o"}, "", 0,
			func() (io.ReadCloser, error) { return http.NoBody, nil })
		if want := "PUT /api/v2/projects/p/branches/b/buckets/k/objects/o was interrupted before Neon accepted it"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

// A claimable project is deleted where Neon says so, or no longer knows its assertion after a lost answer.
func TestALostDeletionOfAClaimableProject(t *testing.T) {
	for name, test := range map[string]struct {
		takes  bool
		writes int
	}{"it took effect": {true, 1}, "it had none": {false, 2}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deletions := 0
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					connected(request)
					switch {
					case request.Method == http.MethodDelete && deletions == 0:
						deletions++
						return respond(request, 504, `{}`), nil
					case request.Method == http.MethodDelete && test.takes:
						return respond(request, 400, `{"code":"invalid_grant","message":"it is dead"}`), nil
					case request.Method == http.MethodDelete:
						deletions++
						return respond(request, 204, ``), nil
					}
					return respond(request, 200, `{"access_token":"t","expires_in":3600}`), nil
				}))
				err := api.DeleteClaimableProject(t.Context(), ClaimableIdentity{ProjectID: "x", Assertion: "a"})
				if err != nil || deletions != test.writes {
					t.Errorf("got %v after %d", err, deletions)
				}
			})
		})
	}
}

// A key whose token is lost with the answer is revoked before another is made (see also key_creation_test.go).
func TestALostKeyIsRevokedAndMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var requests []string
		keys := ""
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			connected(request)
			if request.Method != http.MethodGet {
				requests = append(requests, request.Method)
			}
			switch {
			case request.Method == http.MethodPost && len(requests) == 1:
				keys = fmt.Sprintf(`{"id":7,"name":"n","created_at":%q}`, time.Now().UTC().Format(time.RFC3339))
				return respond(request, 504, `{}`), nil
			case request.Method == http.MethodDelete:
				keys = ""
				return respond(request, 200, `{"id":7,"revoked":true}`), nil
			case request.Method == http.MethodPost:
				return respond(request, 200, `{"id":8,"key":"napi_8"}`), nil
			}
			return respond(request, 200, `[`+keys+`]`), nil
		}))
		key, err := ObjectOf(api.CreateAPIKey(t.Context(), APIKeyScope{}, "n"))
		if err != nil || key.ID != 8 || strings.Join(requests, " ") != "POST DELETE POST" {
			t.Errorf("got %v, %v after %q", key, err, requests)
		}
	})
}

// What a storage refuses for now is uploaded again, with the pause that it asks for; any other refusal is final, and so
// is a content that changed meanwhile.
func TestUploadsThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		status   int
		header   string
		address  string
		size     int64
		attempts int
		took     time.Duration
		fails    string
	}{
		"busy":              {status: 503, header: "7", size: 1, attempts: 2, took: 7 * time.Second},
		"too many":          {status: 429, header: "3", size: 1, attempts: 2, took: 3 * time.Second},
		"a young bucket":    {status: 307, size: 1, attempts: 2, address: "https://elsewhere/"},
		"young, and odd":    {status: 307, size: 1, attempts: 2, address: "https://%zz/signature"},
		"timed out":         {status: 408, size: 1, attempts: 2},
		"cut off":           {status: -1, size: 1, attempts: 2},
		"moved":             {status: 301, size: 1, attempts: 1, address: "https://elsewhere/", fails: "301"},
		"moved, and odd":    {status: 301, size: 1, attempts: 1, address: "https://%zz/signature", fails: "301"},
		"forbidden":         {status: 403, size: 1, attempts: 1, fails: "403"},
		"another protocol":  {status: 101, size: 1, attempts: 1, fails: "101"},
		"full":              {status: 507, size: 1, attempts: 1, fails: "507"},
		"beyond the limit":  {status: 503, header: "7200", size: 1, attempts: 1, fails: "longer than what is left"},
		"shorter than said": {size: 2, attempts: 1, fails: "has 1 bytes, and had 2"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				puts, began := 0, time.Now()
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					if request.Method == http.MethodPost {
						return respond(request, 200, `{"url":"https://storage/x","method":"PUT"}`), nil
					}
					text, err := io.ReadAll(readerOf(request.Body))
					if puts++; err == nil && int64(len(text)) != request.ContentLength {
						return nil, errors.New("http: ContentLength is wrong")
					}
					if puts == 1 && test.status < 0 {
						return nil, errors.New("connection reset by peer")
					}
					if puts == 1 && test.status != 0 {
						return respond(request, test.status, ``, "Retry-After", test.header, "Location", test.address), nil
					}
					return respond(request, 200, ``, "ETag", `"e"`), nil
				}))
				etag, err := api.UploadBucketObject(ctx, BucketPlace{aBranch, "k", "o"}, "", test.size,
					func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil })
				equal(t, "attempts", puts, test.attempts)
				if test.fails == "" && (err != nil || etag != "e" || time.Since(began) < test.took) {
					t.Errorf("got %q, %v after %s", etag, err, time.Since(began))
				} else if test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// Without a deadline of the caller's, the pause that a storage asks for has an end, as that of Neon's API has.
func TestAnUploadWithoutADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.Method == http.MethodPost {
				return respond(request, 200, `{"url":"https://storage/x","method":"PUT"}`), nil
			}
			return respond(request, 503, ``, "Retry-After", "99999999"), nil
		}))
		_, err := api.UploadBucketObject(t.Context(), BucketPlace{aBranch, "k", "o"}, "", 0,
			func() (io.ReadCloser, error) { return http.NoBody, nil })
		var failed *UploadError
		if took := time.Since(began); !errors.As(err, &failed) || took > longestRequest {
			t.Errorf("got %v after %s", err, took)
		}
	})
}

// An upload goes on for as long as the storage takes some of it, and goes as its signature says.
func TestAnUploadThatMoves(t *testing.T) {
	for size, pieces := range map[int64]int{0: 0, 10: 10} {
		synctest.Test(t, func(t *testing.T) {
			api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				if request.Method == http.MethodPost {
					return respond(request, 200, `{"url":"https://storage/x","method":"PUT","headers":{"X-Amz-Acl":"private"}}`), nil
				}
				equal(t, "the header", request.Header.Get("X-Amz-Acl"), "private")
				equal(t, "the key is with Neon alone", request.Header.Get("Authorization"), "")
				if equal(t, "length", request.ContentLength,
					size); size == 0 { // Of any other body, net/http doesn't know that it is empty.
					equal(t, "the body", request.Body, io.ReadCloser(http.NoBody))
				}
				for range pieces {
					if _, err := io.ReadFull(request.Body, make([]byte, 1)); err != nil {
						return nil, err
					}
					if err := sleep(request.Context(), attemptTimeout-time.Second); err != nil {
						return nil, err
					}
				}
				return respond(request, 200, ``, "ETag", `"e"`), nil
			}), func(c *Config) { c.MaxRetries = 0 })
			_, err := api.UploadBucketObject(t.Context(), BucketPlace{aBranch, "k", "o"}, "", size,
				func() (io.ReadCloser, error) {
					return io.NopCloser(strings.NewReader(strings.Repeat("x", int(size)))), nil
				})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// A storage that never takes an upload ends it after as many attempts as any request has, with words that say whether
// the upload may have taken effect, and never where it went.
func TestAnUploadThatFails(t *testing.T) {
	const inDoubt = "may have taken effect"
	for name, test := range map[string]struct {
		statuses []int
		attempts int
		says     []string
		isSure   bool
	}{
		"busy for ever":           {[]int{503}, 4, []string{inDoubt, "503"}, false},
		"too many for ever":       {[]int{429}, 4, []string{"429"}, true},
		"timed out for ever":      {[]int{408}, 4, []string{inDoubt, "408"}, false},
		"moving for ever":         {[]int{307}, 4, []string{"307"}, true},
		"cut off for ever":        {[]int{-1}, 4, []string{inDoubt, "reset by peer"}, false},
		"forbidden":               {[]int{403}, 1, []string{"403"}, true},
		"forbidden after a loss":  {[]int{-1, 403}, 2, []string{"403", "an earlier attempt had no answer", inDoubt}, false},
		"forbidden after another": {[]int{-1, 307, 403}, 3, []string{"403", "an earlier attempt had no answer", inDoubt}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				puts := 0
				api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
					if request.Method == http.MethodPost {
						return respond(request, 200, `{"url":"https://storage/hush","method":"PUT"}`), nil
					}
					puts++
					status := test.statuses[min(puts, len(test.statuses))-1]
					if status < 0 {
						return nil, errors.New("connection reset by peer")
					}
					return respond(request, status, ``), nil
				}))
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				_, err := api.UploadBucketObject(ctx, BucketPlace{aBranch, "k", "o"}, "", 0,
					func() (io.ReadCloser, error) { return http.NoBody, nil })
				if equal(t, "attempts", puts, test.attempts); err == nil {
					t.Fatal("it failed all the same")
				}
				contains(t, err.Error(), test.says...)
				if strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), inDoubt) == test.isSure {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// What was listed while an upload was under way doesn't outlive it.
func TestAnUploadMakesListsStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		etag := "old"
		var api *Client
		read := func() string {
			object, err := api.GetSharedBucketObject(t.Context(), BucketPlace{aBranch, "k", "o"})
			if err != nil {
				t.Fatal(err)
			}
			return object.ETag
		}
		many := func() { // are read from one list
			var reads sync.WaitGroup
			for range 10 {
				reads.Go(func() { read() })
			}
			reads.Wait()
		}
		api = newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
			switch request.Method {
			case http.MethodPost:
				return respond(request, 200, `{"url":"https://storage/x","method":"PUT"}`), nil
			case http.MethodPut:
				many()
				etag = "new"
				return respond(request, 200, ``, "ETag", `"new"`), nil
			}
			return respond(request, 200, `{"objects":[{"key":"o","etag":"`+etag+`"}]}`), nil
		}))
		if _, err := api.UploadBucketObject(t.Context(), BucketPlace{aBranch, "k", "o"}, "", 0,
			func() (io.ReadCloser, error) { return http.NoBody, nil }); err != nil {
			t.Fatal(err)
		}
		equal(t, "the object", read(), "new")
	})
}

// Whether a credential has expired goes by Neon's clock.
func TestACredentialExpiresByNeonsClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		expires := time.Now().Add(-time.Hour).UTC() // An hour ago by ours.
		for ahead, isLive := range map[time.Duration]bool{-24 * time.Hour: true, 0: false} {
			date := time.Now().Add(ahead).UTC().Format(http.TimeFormat)
			api := newClient(t, roundTrip(func(request *http.Request) (*http.Response, error) {
				return respond(request, 200, `{"credentials":[{"token_id":"x","expires_at":"`+expires.Format(time.RFC3339)+`"}]}`,
					"Date", date), nil
			}))
			if _, err := api.GetSharedCredential(t.Context(), aBranch, "x"); (err == nil) != isLive ||
				err != nil && !IsAbsent(err) {
				t.Errorf("%s ahead: got %v", ahead, err)
			}
		}
	})
}

package walks_test

import (
	"context"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// forEachAction runs a part of the tests for each action, in a world of its own.
func forEachAction(t *testing.T, config emulator.Config, run func(*testing.T, *acctest.World, actionTest)) {
	t.Helper()
	t.Parallel()
	for name, prepare := range actionTests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := actionWorld(t, name, config)
			run(t, w, prepare(t, w))
		})
	}
}

// actionWorld is a Neon for an action, with a database where it connects to one.
func actionWorld(t *testing.T, name string, config emulator.Config) *acctest.World {
	t.Helper()
	if name == "neon_rehearse_restore" {
		return acctest.StartDatabasesWith(t, config)
	}
	return acctest.StartEmulator(t, config)
}

func (a actionTest) wantEffects(t *testing.T, want int, invoked acctest.Invoked) {
	t.Helper()
	if got := a.effects(t); got != want {
		t.Errorf("%s took effect %d times, want %d; it said %q, and the error %q", a.Type, got, want, invoked.Progress,
			invoked.Problem)
	}
}

func (a actionTest) wantSuccess(t *testing.T, invoked acctest.Invoked, words ...string) {
	t.Helper()
	if invoked.Problem != "" || !invoked.Says(words...) {
		t.Errorf("%s said %q, want all of %q; error: %s", a.Type, invoked.Progress, words, invoked.Problem)
	}
	a.wantEffects(t, 1, invoked)
}

func TestActions_allAreTested(t *testing.T) {
	schema := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})).Schema
	for name := range schema.ActionSchemas {
		if actionTests[name] == nil {
			t.Errorf("%s isn't in actionTests", name)
		}
	}
}

// An action says how far each of its operations is, with the time it has taken, and in the
// end what the next plan shows.
func TestAccActions_work(t *testing.T) {
	forEachAction(t, emulator.Config{OperationDuration: 200 * time.Millisecond},
		func(t *testing.T, w *acctest.World, a actionTest) {
			invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
			a.wantSuccess(t, invoked)
			if a.operation != "" && !invoked.Says(a.operation+" of ", ": running", ": finished after ") {
				t.Errorf("%q doesn't say how far %s was", invoked.Progress, a.operation)
			}
			last := invoked.Progress[len(invoked.Progress)-1]
			if !strings.HasPrefix(last, "Done after ") || !(acctest.Invoked{Progress: []string{last}}).Says(a.says...) {
				t.Errorf("the last message is %q, want %q in it", last, a.says)
			}
		})
}

// Whoever starts or suspends an endpoint reads how it is, and whether it was so before.
func TestActions_endpointIsAsAsked(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	branch, p := w.ActionBranch(t, "b"), acctest.NewProtocol(t, w)
	for _, step := range [][2]string{
		{"start_endpoint", " runs, for which Neon named no operation"}, {"suspend_endpoint", " is suspended. "},
		{"suspend_endpoint", " is suspended, for which Neon named no operation"}, {"start_endpoint", " runs. "},
		{"restart_endpoint", " was restarted. "},
	} {
		invoked := p.Invoke(t, branch.Action(step[0], "endpoint_id", branch.EndpointID), nil)
		if invoked.Problem != "" || !invoked.Says("Endpoint "+branch.EndpointID+step[1]) {
			t.Errorf("%s says %q, want %q; error: %s", step[0], invoked.Progress, step[1], invoked.Problem)
		}
	}
}

// A lost answer is looked into, and nothing is done twice.
func TestAccActions_lostAnswer(t *testing.T) {
	t.Parallel()
	for _, fault := range []acctest.Fault{{Kind: "lost_after"}, {Kind: "status_after", Status: 502}, {Kind: "cut_body"}} {
		t.Run(fault.Kind, func(t *testing.T) {
			forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
				met := fault // Its own: the actions are tried side by side.
				met.Route, met.Count = a.route, 1
				w.AddFault(t, met)
				invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
				a.wantLooked(t, invoked)
				if sent := w.Requests(t).ByRoute[a.route]; sent != a.sends() {
					t.Errorf("it was sent %d times", sent)
				}
			})
		})
	}
}

// inDoubt is the advice where it isn't known whether the action took effect.
func (a actionTest) inDoubt() string {
	if a.harmless || a.sends() > 1 {
		return "Invoke the action again, which does no harm"
	}
	return "Invoke the action again only if it did not"
}

// sends counts the requests of an action after whose first one the answer was lost.
func (a actionTest) sends() int {
	if a.unseen && !a.neverAgain {
		return 2
	}
	return 1
}

// wantLooked wants what an action says that took effect, and whose answer was lost.
func (a actionTest) wantLooked(t *testing.T, invoked acctest.Invoked) {
	t.Helper()
	lost := "The answer to " + strings.SplitAfter(a.route, " ")[0]
	switch {
	case !a.unseen:
		a.wantSuccess(t, invoked, lost, "was lost", "Now looking whether it took effect",
			"It took effect, and isn't sent again", "Done after")
	case a.neverAgain:
		a.wantEffects(t, 1, invoked)
		a.wantUnknown(t, invoked)
	default:
		a.wantSuccess(t, invoked, lost, "was lost", "It does no harm twice, so it is sent again", "Done after")
	}
}

// wantUnknown wants the error of an action that isn't sent again, and whose effect nothing shows.
func (a actionTest) wantUnknown(t *testing.T, invoked acctest.Invoked) {
	t.Helper()
	a.wantProblem(t, invoked, "its answer was lost", "it was not sent again", a.inDoubt())
	if strings.Contains(invoked.Problem, "no effect") || strings.Contains(invoked.Problem, "Check ") ||
		invoked.Says("Now looking") {
		t.Errorf("%s says more than is known: %q and %s", a.Type, invoked.Progress, invoked.Problem)
	}
}

// An effect that comes after its answer was lost is found, and nothing is done twice.
func TestAccActions_lateEffect(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "late", Status: 502, Delay: "600ms", Count: 1})
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		time.Sleep(time.Second) // The late effect is there in any case.
		if a.unseen {
			a.wantLooked(t, invoked)
			return
		}
		a.wantSuccess(t, invoked, "was lost", "Done after")
	})
}

// What never reached Neon is sent again where that can do no harm, and said to.
func TestAccActions_lostRequest(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "lost_before", Count: 1})
		if a.waits {
			a.Action = withTimeout(a.Action, "8s")
		}
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		if a.waits {
			a.wantEffects(t, 0, invoked)
			a.wantProblem(t, invoked, "timed out before Neon accepted it", "its answer was lost")
			if !invoked.Says("was lost", "is sent again", "may still take effect. This waits for ") {
				t.Errorf("it said %q", invoked.Progress)
			}
			return
		}
		if !a.neverAgain {
			a.wantSuccess(t, invoked, "The answer to "+strings.SplitAfter(a.route, " ")[0], "was lost", "is sent again")
			return
		}
		a.wantEffects(t, 0, invoked)
		if a.unseen {
			a.wantUnknown(t, invoked)
			return
		}
		a.wantProblem(t, invoked, "its answer was lost", "it has had no effect so far", a.inDoubt())
	})
}

func (a actionTest) wantProblem(t *testing.T, invoked acctest.Invoked, words ...string) {
	t.Helper()
	for _, word := range append(words, "Unable to "+strings.ReplaceAll(strings.TrimPrefix(a.Type, "neon_"), "_", " ")) {
		if !strings.Contains(invoked.Problem, word) {
			t.Errorf("%s: the error doesn't have %q: %s", a.Type, word, invoked.Problem)
		}
	}
}

// Other work on the project is waited for, and said to be.
func TestAccActions_otherWork(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "status", Status: 423, Count: 2})
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		a.wantSuccess(t, invoked)
		// Claimable Neon has no such refusals, and the transfer is of several projects.
		if a.Type != "neon_transfer_projects" && a.Type != "neon_create_claim_link" &&
			!invoked.Says("Other work on project", "is in the way") {
			t.Errorf("%q doesn't say what it waited for", invoked.Progress)
		}
	})
}

// What Neon refuses is repeated by another invocation, not by an apply.
func TestAccActions_refusedByNeon(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "status", Status: 422})
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		a.wantProblem(t, invoked, "422")
		a.wantNoApply(t, invoked)
	})
}

// wantNoApply wants an error that doesn't say that an apply goes on with the action.
func (a actionTest) wantNoApply(t *testing.T, invoked acctest.Invoked) {
	t.Helper()
	if strings.Contains(strings.ToLower(invoked.Problem), "apply again") {
		t.Errorf("%s: an apply doesn't go on with an action: %s", a.Type, invoked.Problem)
	}
}

// An operation that doesn't finish is an error that names it.
func TestAccActions_failedOperation(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"failed", "cancelled"} {
		t.Run(status, func(t *testing.T) {
			forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
				if a.operation == "" {
					t.Skip("it starts no operations")
				}
				w.EndOperations(t, a.operation, status, "no room left")
				invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, func(text string) {
					if strings.Contains(text, ": failed") {
						w.Advance(t, 3*time.Minute) // Neon might recover it.
					}
				})
				a.wantProblem(t, invoked, "peration ", w.ProjectID, "Invoke the action again")
				ended := []string{a.operation + " of ", ": " + status + " after"}
				if status == "failed" {
					ended = append(ended, "no room left", "Neon may repeat it, which this waits for, 2m0s at most")
				}
				if !invoked.Says(ended...) {
					t.Errorf("%q doesn't say that %s was %s", invoked.Progress, a.operation, status)
				}
				a.wantEffects(t, 1, invoked)
			})
		})
	}
}

// hold keeps the action from its end.
func (a actionTest) hold(t *testing.T, w *acctest.World) {
	t.Helper()
	if a.operation == "" {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "hang", Count: 1})
	} else {
		w.EndOperations(t, a.operation, "running", "")
	}
}

// What is held for good is cleaned up for a minute, in which nothing is computed: at the end of all tests that would be
// a minute of waiting, so it comes before those that run side by side.
func TestAccActions_held(t *testing.T) { //nolint:paralleltest // as said
	t.Run("interrupted", areInterrupted)
	t.Run("timeout", endAtTheirTimeout)
}

// Ctrl-C ends an action, and the error says what goes on.
func areInterrupted(t *testing.T) {
	t.Helper()
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		a.hold(t, w)
		protocol := acctest.NewProtocol(t, w)
		stopped := make(chan time.Time, 1)
		stop := func() {
			stopped <- time.Now()
			_, _ = protocol.StopProvider(context.WithoutCancel(t.Context()), &tfprotov6.StopProviderRequest{})
		}
		heard := func(text string) {
			if a.operation != "" && strings.Contains(text, a.operation+" of ") {
				go stop()
			}
		}
		if a.operation == "" {
			go func() {
				for w.Requests(t).ByRoute[a.route] == 0 {
					time.Sleep(10 * time.Millisecond)
				}
				stop()
			}()
		}
		invoked := protocol.Invoke(t, a.Action, heard)
		// The client gives a request under way ten seconds for its answer, this machine may be busy, and the action's own
		// timeout is much later.
		if took := time.Since(<-stopped); took > time.Minute+a.cleansUp {
			t.Errorf("it ended %s after the interruption", took)
		}
		a.wantProblem(t, invoked, a.inDoubt())
		if a.operation != "" {
			a.wantProblem(t, invoked, "Interrupted after waiting", "("+a.operation+", ", "goes on by itself", a.named)
			a.wantEffects(t, 1, invoked)
		}
		a.wantNoApply(t, invoked)
	})
}

// What Neon answers after Ctrl-C has taken effect, and the end of the action says so: Terraform hears no more of its
// progress.
func TestAccActions_answeredAfterInterruption(t *testing.T) {
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "slow", Delay: "500ms", Count: 1})
		stop := make(chan func(), 1) // It is called once, as the request comes.
		behind := w.Behind(t, func(neon *httputil.ReverseProxy) http.Handler {
			routes := http.NewServeMux()
			routes.Handle("/", neon)
			routes.HandleFunc(a.route, func(answer http.ResponseWriter, request *http.Request) {
				select {
				case interrupt := <-stop:
					go interrupt()
				default:
				}
				neon.ServeHTTP(answer, request)
			})
			return routes
		})
		behind.ClaimBaseURL, behind.ClaimableNeonBaseURL = behind.BaseURL, behind.BaseURL
		protocol := acctest.NewProtocol(t, behind)
		stop <- func() {
			_, _ = protocol.StopProvider(context.WithoutCancel(t.Context()), &tfprotov6.StopProviderRequest{})
		}
		invoked := protocol.Invoke(t, a.Action, nil)
		if strings.Contains(invoked.Problem, "Unable to") {
			a.wantProblem(t, invoked, a.inDoubt())
			return
		}
		for _, word := range a.says {
			if !strings.Contains(invoked.Problem, word) {
				t.Errorf("%s ended with %q, without %q", a.Type, invoked.Problem, word)
			}
		}
	})
}

// Ctrl-C also ends the wait for other work, in which nothing was done.
func TestAccActions_interruptedQueue(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	a := actionTests["neon_set_default_branch"](t, w)
	w.AddFault(t, acctest.Fault{Route: a.route, Kind: "status", Status: 423})
	protocol := acctest.NewProtocol(t, w)
	invoked := protocol.Invoke(t, a.Action, func(text string) {
		if strings.Contains(text, "is in the way") {
			go func() {
				_, _ = protocol.StopProvider(context.WithoutCancel(t.Context()), &tfprotov6.StopProviderRequest{})
			}()
		}
	})
	a.wantProblem(t, invoked, "was interrupted before Neon accepted it", "Invoke the action again.")
	a.wantNoApply(t, invoked)
	a.wantEffects(t, 0, invoked)
}

// An invocation ends at its timeout, and the error says what goes on.
func endAtTheirTimeout(t *testing.T) {
	t.Helper()
	forEachAction(t, emulator.Config{}, func(t *testing.T, w *acctest.World, a actionTest) {
		a.hold(t, w)
		invoked := acctest.NewProtocol(t, w).Invoke(t, withTimeout(a.Action, "3s"), nil)
		a.wantProblem(t, invoked, a.inDoubt())
		if a.operation != "" {
			a.wantProblem(t, invoked, "Timed out after waiting", "("+a.operation+", ", "raise the timeouts")
		}
	})
}

// A reset that was asked to changes the expiry, too, and says so where that fails.
func TestAccActions_resetExpiry(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	branch, expiry := w.ActionBranch(t, "b"), acctest.InDays(3)
	action := branch.Action("reset_branch", "branch_id", branch.ID, "expires_at", expiry)
	if invoked := acctest.NewProtocol(t, w).Invoke(t, action, nil); invoked.Problem != "" {
		t.Fatal(invoked.Problem)
	}
	now, err := w.Client(t).GetSharedBranch(t.Context(), w.Ref(branch.ID))
	if err != nil || now.ExpiresAt == nil || now.ExpiresAt.Format(time.RFC3339) != expiry {
		t.Errorf("it expires at %v, want %s; %v", now.ExpiresAt, expiry, err)
	}
	w.AddFault(t, acctest.Fault{Route: "PATCH /api/v2/projects/{project_id}/branches/{branch_id}", Kind: "status",
		Status: 422, Count: 1})
	invoked := acctest.NewProtocol(t, w).Invoke(t, action, nil)
	for _, words := range []string{"The branch was reset, but its expiry could not be set", "422",
		"Don't reset it again"} {
		if !strings.Contains(invoked.Problem, words) {
			t.Errorf("%q isn't in %q", words, invoked.Problem)
		}
	}
}

// Only what Neon says of the mail itself is advised on by the settings of the email provider.
func TestAccActions_refusedTestMail(t *testing.T) {
	t.Parallel()
	for status, isAboutMail := range map[int]bool{400: true, 403: false} {
		w := acctest.StartEmulator(t, emulator.Config{})
		a := actionTests["neon_send_auth_test_email"](t, w)
		w.AddFault(t, acctest.Fault{Route: a.route, Kind: "status", Status: status, Body: `{"code":"","message":"no"}`,
			Count: 1})
		invoked := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil)
		a.wantProblem(t, invoked, strconv.Itoa(status))
		if strings.Contains(invoked.Problem, "Check email_provider") != isAboutMail {
			t.Errorf("%d: %s", status, invoked.Problem)
		}
	}
}

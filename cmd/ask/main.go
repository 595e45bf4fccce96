// Ask asks Neon what the emulator had to decide without a source. It makes projects of its own, and
// deletes them. It ends with 1 where Neon answered something else than was decided, and with 2
// where it could not ask or clean up.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/questions"
)

// answers is what Neon answered before, by the keys of the doubts.
const answers = "internal/emulator/doubts/answers.json"

// asking is what the flags and the surroundings ask for.
type asking struct {
	out                 io.Writer
	config              questions.Config
	lock                string
	only                *regexp.Regexp
	list, write, remove bool
}

func main() {
	a := asking{out: os.Stdout, only: regexp.MustCompile(""), config: questions.Config{
		BaseURL: cmp.Or(baseURL(), "https://console.neon.tech"),
		APIKey:  os.Getenv("NEON_API_KEY"), OrgID: os.Getenv("NEON_ORG_ID"),
	}}
	flag.BoolVar(&a.list, "list", false, "list the questions, with what they cost, and ask nothing")
	flag.BoolVar(&a.write, "write", false, "write the answers into "+answers+", of which make generate writes DOUBTS.md")
	flag.BoolVar(&a.remove, "clean", false, "delete what an earlier run had to leave, and ask nothing")
	flag.BoolVar(&a.config.Paid, "paid", false, "ask also what costs money on a paid plan")
	flag.StringVar(&a.lock, "lock", ".cache/ask.lock", "`file` that keeps a second run away, and what is to be deleted")
	flag.TextVar(a.only, "only", a.only, "ask only the rows whose key matches this `regexp`")
	flag.Parse()

	// The first interrupt ends the asking, a second one the cleaning up.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	differ, err := a.run(ctx)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "Ask:", err)
		os.Exit(2)
	case differ:
		os.Exit(1)
	}
}

// baseURL is where NEON_BASE_URL says that the API is, without its path.
func baseURL() string {
	return strings.TrimSuffix(strings.TrimSuffix(os.Getenv("NEON_BASE_URL"), "/"), "/api/v2")
}

// run does what is asked for, and says whether an answer differs from what was decided.
func (a *asking) run(ctx context.Context) (differ bool, err error) {
	all := slices.DeleteFunc(questions.All(), func(q questions.Question) bool { return !a.only.MatchString(q.Doubt.Key) })
	switch {
	case a.list:
		questions.WriteList(a.out, all)
		return false, nil
	case a.config.APIKey == "":
		return false, fmt.Errorf("NEON_API_KEY is empty: set it to a key of an organization's administrator")
	case a.remove:
		return false, a.clean(ctx)
	}
	lock, err := questions.TakeLock(a.lock)
	if err != nil {
		return false, err
	}
	a.config.Kept = lock.Keep
	outcome, err := questions.Run(ctx, a.config, all, func(r questions.Result) { _, _ = fmt.Fprintln(a.out, r.Line()) })
	if outcome == nil {
		_ = lock.Release(nil) // Nothing was made.
		return false, err
	}
	if released := lock.Release(outcome.Left); released != nil {
		return false, released
	}
	if len(outcome.Left) > 0 {
		return false, fmt.Errorf("these are left on Neon; -clean deletes them: %v", outcome.Left)
	}
	day := time.Now().UTC().Format(time.DateOnly)
	_, _ = fmt.Fprintln(a.out)
	outcome.WriteSummary(a.out, day)
	if err == nil && a.write {
		err = rewrite(outcome, day)
	}
	return outcome.Differs(), err
}

// clean deletes what an earlier run had to leave.
func (a *asking) clean(ctx context.Context) error {
	paths, err := questions.ReadLock(a.lock)
	if err != nil {
		return fmt.Errorf("no run has left anything: %w", err)
	}
	left, err := questions.Remove(ctx, a.config, paths)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("these could not be deleted: %v", left)
	}
	return os.Remove(a.lock)
}

// rewrite puts the answers in the place of those of an earlier day.
func rewrite(outcome *questions.Outcome, day string) error {
	known := map[string]string{}
	text, err := os.ReadFile(answers)
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	if err != nil {
		return err
	}
	maps.Copy(known, outcome.Answers(day))
	if text, err = json.MarshalIndent(known, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(answers, append(text, '\n'), 0o600)
}

// Readings runs the provider's tests of lives, and those that once hung on what the emulator
// decided, under each other alternative of each reading: in a few rounds that play one of each reading
// at a time or, with -each, one alternative at a time, which says which one a test fails under. It runs
// in the repository's root folder, with the tests linked by make, and fails where a test does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// tests are the lives and imports of nouns, and what depended on a decision when there were no
// other readings.
const tests = `_life|_import|TestAccAPIKey_(revokedOutside|severalOfOneName)|` +
	`TestAccBranch_(beginsAtOneMoment|deletedOutside|destroyOfWhatIsGone|endpoints|errorsAtApply|everyAttribute|operationCancelled|` +
	`parentLSN|protectedIsReplaced|protectionAroundEndpoints|schemaOnly)|TestAccClaimableDatabase_(claimed|expires)|TestAccConsumptionData|` +
	`TestAccDatabase_(errors|refusedChanges)|TestAccJWKSURL_(errors|lostAnswers)|TestAccNouns_(waitsForOperations|importsWithAProjectsKey|savesBeforeWaiting)|TestAccOrgSpendingLimit_plan|` +
	`TestAccPreloadLibrariesData|TestAccProjectMemberRole_(errors|ownRole)|TestAccProjectPermission|` +
	`TestAccProject_(changesInPlace|protectedBranches|protectedElsewhere)|TestAccRegionsData|TestAccRole_(errors|ownerStays)|` +
	`TestAccSnapshot_(branchIsGone|branchIsReplacedByARestore|errors)|TestAccSnapshotsData|` +
	`TestAccVPCEndpoint(Assignment_(errors|needsAnAdministrator|plan)|Data|Restriction_errors)`

// Tests with terraform's own program, or with PostgreSQL, cost more than they would tell.
const skipped = `TestAccTerraform_|TestAccBranchSchema`

// failed is a test in a package's output.
var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// trial is one package's tests under the alternatives that are played.
type trial struct{ played, program, folder string }

func main() {
	only := regexp.MustCompile("")
	flag.Func("only", "play only alternatives such as name=alternative that match this `regexp`", func(text string) (err error) {
		only, err = regexp.Compile(text)
		return err
	})
	each := flag.Bool("each", false, "play one alternative at a time")
	verbose := flag.Bool("v", false, "show the output of tests that fail")
	programs := flag.String("programs", ".cache/tests", "the `folder` with the tests' programs, by the names of their packages")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *programs, only, *each, *verbose)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "Readings:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, programs string, only *regexp.Regexp, each, verbose bool) error {
	started := time.Now()
	folder, err := filepath.Abs(programs)
	if err != nil {
		return err
	}
	packages, err := packagesWithTests()
	if err != nil {
		return err
	}
	rounds := inRounds(only)
	if each {
		rounds = oneByOne(only)
	}
	var trials []trial
	for _, played := range rounds {
		for _, in := range packages {
			trials = append(trials, trial{played, filepath.Join(folder, filepath.Base(in)+".test"), in})
		}
	}
	failures := runAll(ctx, trials, verbose)
	fmt.Printf("%d rounds in %d packages, %s\n", len(rounds), len(packages), time.Since(started).Round(time.Second))
	if failures > 0 {
		return fmt.Errorf("%d failed", failures)
	}
	return ctx.Err()
}

// refused is the alternative under which the nouns of storage and credentials have no life. Their tests
// of refusals play it.
const refused = "backend-offered=nobody"

// oneByOne are the alternatives that aren't played by default.
func oneByOne(only *regexp.Regexp) (played []string) {
	for _, reading := range emulator.Readings() {
		for _, alternative := range reading.Alternatives[1:] {
			if one := reading.Name + "=" + alternative; one != refused && only.MatchString(one) {
				played = append(played, one)
			}
		}
	}
	return played
}

// inRounds are the same, with one of each reading in a round.
func inRounds(only *regexp.Regexp) (played []string) {
	met := map[string]int{}
	for _, one := range oneByOne(only) {
		name, _, _ := strings.Cut(one, "=")
		round := met[name]
		met[name]++
		if round == len(played) {
			played = append(played, one)
		} else {
			played[round] += "," + one
		}
	}
	return played
}

// packagesWithTests are the folders of those that have any of the tests.
func packagesWithTests() ([]string, error) {
	files, err := filepath.Glob("internal/provider/*/*_test.go")
	more, failure := filepath.Glob("internal/provider/*_test.go")
	if err := errors.Join(err, failure); err != nil {
		return nil, err
	}
	test := regexp.MustCompile(`(?m)^func (TestAcc\w+)`)
	wanted, unwanted := regexp.MustCompile(tests), regexp.MustCompile(skipped)
	var folders []string
	found := map[string]bool{}
	for _, file := range append(files, more...) {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, match := range test.FindAllSubmatch(source, -1) {
			folder := "./" + filepath.ToSlash(filepath.Dir(file))
			if name := string(match[1]); !found[folder] && wanted.MatchString(name) && !unwanted.MatchString(name) {
				found[folder], folders = true, append(folders, folder)
			}
		}
	}
	if len(folders) == 0 {
		return nil, errors.New("no tests here: run this in the repository's root folder")
	}
	return folders, nil
}

// runAll runs trials side by side, as most of their time is waiting, and counts those that fail.
func runAll(ctx context.Context, trials []trial, verbose bool) (failures int) {
	places := make(chan struct{}, 3*runtime.NumCPU())
	var running sync.WaitGroup
	var mu sync.Mutex
	for _, t := range trials {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			output, err := t.run(ctx)
			if err == nil || ctx.Err() != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			failures++
			var names []string
			for _, match := range failed.FindAllStringSubmatch(string(output), -1) {
				names = append(names, match[1])
			}
			fmt.Printf("%s %s: %v %s\n", t.played, t.folder, err, strings.Join(names, " "))
			if verbose || len(names) == 0 {
				fmt.Printf("%s\n", output)
			}
		})
	}
	running.Wait()
	return failures
}

func (t trial) run(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.program, "-test.run", tests, "-test.skip", skipped, "-test.parallel", "8", "-test.timeout", "3m")
	cmd.Dir = t.folder
	cmd.Env = append(os.Environ(), "NEON_ACC_READINGS="+t.played)
	return cmd.CombinedOutput()
}

package chaos

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

const (
	// mostAttempts is how often a person applies again before giving up.
	mostAttempts = 24
	// mostDestroys is how often at the end, when nothing else is left to do.
	mostDestroys = 40
)

// importID is what an error says in its import block.
var importID = regexp.MustCompile(`import \{\s+to = neon_\w+\.\S+\s+id = "([^"]+)"`)

// cycle is the life of one resource: made, read, changed and destroyed.
type cycle struct {
	number   int
	name     string
	resource string
	project  project
	// place is where it has a setting of its own, if it is one.
	place place
	began time.Time
	// twin is nil for most.
	twin *twin

	current state
	stages  []stage
	// attempts counts the failures of the present stage; unsettled is true where the
	// last one, of any stage, was a failure.
	attempts  int
	unsettled bool
	// restored is true once a restore has replaced the branch that the resource is on, or is.
	restored bool
	// moved is true from when a restore has replaced the branch that the resource is on, until it
	// has moved along, where only that is to change.
	moved bool
	// broken is why the cycle ended early; nil while it goes on as it should.
	broken error
	gaveUp bool

	story
	// shown are the fields that are to become others with the version.
	shown map[string]distinct
	// strangers are what this cycle had, didn't delete, and is gone.
	strangers []string
	// left are the branches of which a destruction had to leave a snapshot.
	left map[string]bool
	// lives are the objects of its name that it began to destroy, by their branches: each may leave a snapshot.
	lives map[string]map[string]bool
	// deleted are the ids of what it was told to delete.
	deleted map[string]bool
	// forgotten is what can't be deleted and stays, as a destroy has said; lost is how many
	// claimable databases errors spoke of without an id.
	forgotten []string
	lost      int
}

// stage is what is to be reached next.
type stage struct {
	name string
	// version is the configuration; -1 is none.
	version int
	// unchanged is true where there must be nothing to do.
	unchanged bool
	// unread is true where the first run plans with -refresh=false.
	unread bool
}

func newCycle(number int, name, resource string, project project) *cycle {
	c := &cycle{number: number, name: name, resource: resource, project: project, began: time.Now(),
		deleted: map[string]bool{}, left: map[string]bool{},
		lives: map[string]map[string]bool{}}
	for version := range c.of().Versions(nil) {
		c.stages = append(c.stages,
			stage{name: fmt.Sprintf("version %d", version), version: version, unread: version > 0 && number%4 == 1 &&
				resource != ownProject},
			stage{name: fmt.Sprintf("version %d again", version), version: version, unchanged: true})
	}
	c.stages = append(c.stages, stage{name: "destroy", version: -1})
	return c
}

// create creates the resource where nothing is in the way.
func (c *cycle) create(ctx context.Context, s *session) error {
	c.current = s.none(c.resource)
	config, err := c.configuration(s.schemas[c.resource], 0)
	if err != nil {
		return err
	}
	return c.reach(ctx, s, config, false)
}

func (c *cycle) done() bool { return c.broken != nil || len(c.stages) == 0 }

// createsBranch reports whether the next apply is to create a branch that no twin is
// in the way of.
func (c *cycle) createsBranch() bool {
	return c.resource == branch && !c.current.exists() && !c.twin.occupies()
}

// apply tries once to reach the stage, as one run of Terraform does. Interrupted
// says afterwards whether somebody pressed Ctrl-C meanwhile: what the run reached
// doesn't count then.
func (c *cycle) apply(ctx context.Context, s *session, interrupted func() bool) {
	if !c.current.exists() {
		c.current = s.none(c.resource)
	}
	next := c.stages[0]
	config := cty.NullVal(c.current.value.Type())
	if next.version >= 0 {
		var err error
		if config, err = c.configuration(s.schemas[c.resource], next.version); err != nil {
			c.broken = err
			return
		}
	}
	if !c.twin.begins(c) {
		time.Sleep(5 * operationDuration)
		return
	}
	before, tainted := c.unkept(ctx, s), c.taintedID()
	err := c.reach(ctx, s, config, next.unchanged)
	c.unsettled = err != nil
	if err != nil {
		c.checkKept(ctx, s, before)
		c.checkOutage(err, tainted)
		c.fail(ctx, s, err)
		c.twin.ends(c)
		return
	}
	c.twin.ends(c)
	if interrupted() {
		c.tell("%s: interrupted", next.name)
		return
	}
	c.checkResult(ctx, s, config, next.version)
	c.tell("%s: reached", next.name)
	c.recovered(c.attempts)
	if c.isKnownByName() {
		c.words.Reset() // What was said of that name is settled.
	}
	c.stages, c.attempts, c.moved = c.stages[1:], 0, false
}

// fail does what a person does: takes in what the error names, tries again, and
// in the end destroys.
func (c *cycle) fail(ctx context.Context, s *session, err error) {
	c.failed(c.stages[0].name, err)
	c.attempts++
	c.lost += strings.Count(err.Error(), "expires by itself")
	id := importID.FindStringSubmatch(err.Error())
	switch {
	case s.blind:
		c.attempts-- // Nobody goes on with a key that sees nothing.
	case c.hasUniqueName() && !c.current.exists() && c.twin.occupies():
		c.attempts-- // A person knows of the other run, and waits until it has gone.
		time.Sleep(5 * operationDuration)
	case id != nil && !c.current.exists() && !c.twin.mayHold(c, c.stateID(id[1])):
		taken, words, err := s.take(ctx, c.resource, id[1])
		c.tell("import %s: %s%v", id[1], words, err)
		if err == nil {
			c.current, c.taken = taken, c.taken+1
			c.stages[0].unchanged = false // What only the configuration knows isn't imported.
		}
	}
	if strings.Contains(err.Error(), "-replace") && c.current.exists() {
		c.tell("terraform apply -replace")
		c.current.tainted = true
	}
	destroying := c.stages[0].version < 0
	switch {
	case ctx.Err() != nil:
		c.broken = ctx.Err()
	case destroying && c.attempts >= mostDestroys:
		c.broken = fmt.Errorf("could not be destroyed: %w", err)
	case !destroying && c.attempts >= mostAttempts:
		c.tell("gave up")
		c.gaveUp, c.attempts, c.stages = true, 0, c.stages[len(c.stages)-1:]
	}
}

// leftToNextApply is in the warning of an apply that leaves a part of the configuration to the next one.
var leftToNextApply = regexp.MustCompile("the next apply (changes it|does what is left)")

// reach makes of the resource what the configuration wants.
func (c *cycle) reach(ctx context.Context, s *session, config cty.Value, unchanged bool) error {
	if err := c.read(ctx, s, config, unchanged); err != nil {
		return err
	}
	if config.IsNull() {
		return c.destroy(ctx, s)
	}
	if c.current.tainted {
		if err := c.destroy(ctx, s); err != nil {
			return err
		}
	}
	planned, words, err := s.plan(ctx, c.resource, c.current, config)
	if c.heard("plan", words, err); err != nil || planned.nothing() {
		return err
	}
	if unchanged && c.current.exists() {
		c.surprise("a plan after an apply isn't empty: %v", planning.Agrees(c.resource, planned.prior, planned.planned))
	}
	if planned.replace && c.current.exists() {
		if c.moved {
			c.surprise("a restored branch has it replaced")
		}
		if err := c.destroy(ctx, s); err != nil {
			return err
		}
		planned, words, err = s.plan(ctx, c.resource, c.current, config)
		if c.heard("plan", words, err); err != nil {
			return err
		}
	}
	created := !c.current.exists()
	c.current, words, err = s.apply(ctx, c.resource, planned)
	c.heard("apply", words, err)
	if created {
		delete(c.deleted, c.current.id()) // One of the same name was.
	}
	if err == nil && leftToNextApply.MatchString(words) {
		err = &failure{words}
		c.stages[0].unchanged = false // What is left shows in the next plan.
	}
	return err
}

// skipsRefresh reports whether the next run plans with -refresh=false. After a failure, nobody does.
func (c *cycle) skipsRefresh() bool {
	return !c.done() && c.stages[0].unread && c.attempts == 0
}

// read reads what there is, as a plan begins; where nothing is to change, after what must change nothing either.
func (c *cycle) read(ctx context.Context, s *session, config cty.Value, unchanged bool) error {
	if unchanged && c.current.exists() {
		if err := c.upgrade(ctx, s); err != nil {
			return err
		}
		if err := c.doubt(ctx, s, config); err != nil {
			return err
		}
	}
	if !c.current.exists() || c.skipsRefresh() {
		return nil
	}
	id := c.current.id()
	read, words, err := s.refresh(ctx, c.resource, c.current)
	if c.heard("read", words, err); err != nil {
		return err
	}
	if c.current = read; !read.exists() {
		c.checkForgotten(ctx, s, id)
	}
	return nil
}

// replaced has the configuration, which would have left all as it is, name the branch that has replaced the
// one that the resource is on: the resource moves along then, and nothing else.
func (c *cycle) replaced(standing string) {
	if c.place.branchID != "" {
		c.place.branchID = standing
	}
	if c.isKnownByName() {
		c.deleted[c.current.id()] = true // The restore may have given it to the new branch.
	}
	c.restored, c.moved = true, true
	c.stages[0].unchanged = false
}

// stateID is the id in a state of what has an import id.
func (c *cycle) stateID(importID string) string {
	if slices.Contains(c.of().Identity, "id") {
		return path.Base(importID)
	}
	return importID
}

func (c *cycle) destroy(ctx context.Context, s *session) error {
	if !c.current.exists() {
		return nil
	}
	planned, words, err := s.plan(ctx, c.resource, c.current, cty.NullVal(c.current.value.Type()))
	if c.heard("plan", words, err); err != nil {
		return err
	}
	id, tainted, forgets := c.current.id(), c.current.tainted, c.isOnlyForgotten()
	before, _ := s.platform.objects(ctx)
	leaving := c.leaving(before)
	c.countLife()
	c.deleted[id] = true
	c.current, words, err = s.apply(ctx, c.resource, planned)
	c.heard("destroy "+id, words, err)
	c.current.tainted = tainted && c.current.exists()
	if err == nil && leaving != "" {
		c.left[leaving] = true
	}
	if err == nil && forgets {
		after, _ := s.platform.objects(ctx)
		c.forget(id, words, before, after)
	}
	return err
}

// forget notes what a destroy left as it was, which it must have said.
func (c *cycle) forget(id, words string, before, after []object) {
	isOther := func(o object) bool { return o.id() != id }
	for _, changed := range touched(slices.DeleteFunc(before, isOther), after, nil) {
		c.surprise("destroying only forgets, and changed %s", changed)
	}
	if !strings.Contains(words, "warning: ") {
		c.surprise("%s was forgotten, and no warning says that it stays", id)
	}
	if !slices.Contains(c.forgotten, id) {
		c.forgotten = append(c.forgotten, id)
	}
}

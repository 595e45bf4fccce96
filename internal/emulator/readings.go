package emulator

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Reading is something that Neon may do in more than one way, as far as is known. The emulator
// plays any of them, so that nobody's test passes only because of what was decided.
//
// To add one: a row in the table below, `e.plays(name, alternative)` where the behaviours part,
// and "Reading: `first`, `second`" in the row of DOUBTS.md whose key is its name. NEON_ACC_READINGS=name=second
// then runs the provider's tests under the other alternative.
type Reading struct {
	Name string `json:"name"`
	// Alternatives begin with the decision, which is played where nothing else is asked for.
	Alternatives []string `json:"alternatives"`
	Description  string   `json:"description"`
}

var readings = slices.Concat(branchReadings, workReadings, accessReadings)

var branchReadings = []Reading{
	{
		"schema-only-init-source", []string{"parent-schema", "schema-only"},
		"The init_source of a branch that was created as schema-only, in answers.",
	},
	{
		"parent-schema-parent", []string{"named", "none"},
		"Whether a branch that was created as parent-schema has its parent in answers, or is a root as a schema-only one.",
	},
	{
		"root-parent", []string{"absent", "lsn"},
		"Whether a schema-only branch, which has no parent_id, has a parent_lsn.",
	},
	{
		"delete-first-branch", []string{"deleted", "refused"},
		"What the deletion of a project's first branch comes to once another is the default.",
	},
	{
		"protecting", []string{"alone", "operation"},
		"Whether protecting a branch, and ending that, starts timeline_update_protected_config.",
	},
	{
		"expired-branch", []string{"at-once", "late"},
		"Whether a branch is deleted in the second that it expires in, or by a job a minute later.",
	},
	{
		"schema-only-with-data-api", []string{"created", "refused"},
		"Whether a schema-only branch of one that has the Data API's role anonymous is created, or refused with 412.",
	},
	{
		"creation-operations", []string{"protected-config", "plain"},
		"Whether the creation of a branch has the operation timeline_update_protected_config too.",
	},
	{
		"branch-origin", []string{"late", "asked", "always"},
		"How answers say where a branch begins: by parent_lsn at the creation, and later by the parent's last change too; by parent_lsn," +
			" and by the parent_timestamp that was asked for; or by both at once.",
	},
	{
		"restore-operations", []string{"suspend", "restart"},
		"Whether a restore suspends the branch's running computes first, or restarts them after it.",
	},
	{
		"restore-child-to-past", []string{"restored", "refused"},
		"What the restore of a branch that has a parent to its own past comes to.",
	},
	{
		"restored-parent", []string{"separate-root", "backup"},
		"Whether a root that was restored with a backup stays a root, or gets the backup as its parent.",
	},
	{
		"backup-appears", []string{"at-once", "late"},
		"Whether the backup of a restored branch can be read by its id at once, or is 404 until the restore is over.",
	},
	{
		"snapshot-operations", []string{"hidden-branch", "own-branch"},
		"Whether the operations of a snapshot are those of a hidden branch that is archived, or of the branch that it is taken of.",
	},
	{
		"snapshot-without-branch", []string{"kept", "gone"},
		"Whether the snapshots of a branch that is deleted are kept.",
	},
	{
		"unfinished-restore", []string{"compute", "no-compute"},
		"Whether a branch that is restored from a snapshot has a compute before it replaces its target.",
	},
	{
		"patch-idle-compute", []string{"alone", "apply-config"},
		"Whether a change of an idle compute starts apply_config.",
	},
	{
		"new-replica", []string{"started", "idle"},
		"Whether a new read-only compute is started, or stays idle without an operation.",
	},
	{
		"suspend-after-write", []string{"goes-on", "suspended"},
		"Whether a compute goes on running after roles or databases were written, or is suspended.",
	},
	{
		"patch-database", []string{"apply-config", "untold"},
		"Whether the answer to a change of a database has its operation.",
	},
	{
		"asked-lsn", []string{"rounded", "asked"},
		"The parent_lsn of a branch that was asked for, in answers: rounded up to eight bytes, or as it was asked for.",
	},
}

// Readings are those that there are, in the order of DOUBTS.md.
func Readings() []Reading {
	all := slices.Clone(readings)
	for i := range all {
		all[i].Alternatives = slices.Clone(all[i].Alternatives)
	}
	return all
}

// ParseReadings reads a text such as "name=alternative,other=alternative". An empty one has none.
func ParseReadings(text string) (map[string]string, error) {
	chosen := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, alternative, _ := strings.Cut(part, "=")
		if other, twice := chosen[name]; twice {
			return nil, fmt.Errorf("reading %s is %q and %q; give it once", name, other, alternative)
		}
		chosen[name] = alternative
	}
	return chosen, checkReadings(chosen)
}

func checkReadings(chosen map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		reading := readingNamed(name)
		if reading == nil {
			return fmt.Errorf("there is no reading %q; there are %s", name, knownReadings())
		}
		if !slices.Contains(reading.Alternatives, chosen[name]) {
			return fmt.Errorf("reading %s is %q; it must be one of %s", name, chosen[name], strings.Join(reading.Alternatives, ", "))
		}
	}
	return nil
}

func readingNamed(name string) *Reading {
	for i := range readings {
		if readings[i].Name == name {
			return &readings[i]
		}
	}
	return nil
}

func knownReadings() string {
	known := make([]string, 0, len(readings))
	for _, reading := range readings {
		known = append(known, reading.Name+"="+strings.Join(reading.Alternatives, "|"))
	}
	return strings.Join(known, ", ")
}

// playedReading is the alternative of a reading that is played.
func (e *Emulator) playedReading(name string) string {
	if chosen := e.config.Readings[name]; chosen != "" {
		return chosen
	}
	return readingNamed(name).Alternatives[0]
}

// plays reports whether an alternative of a reading is the one that is played.
func (e *Emulator) plays(name, alternative string) bool { return e.playedReading(name) == alternative }

type readingsSpec struct {
	Readings map[string]string `json:"readings" says:"an alternative for each reading that is to change, by its name"`
}

type playedReading struct {
	Reading
	Played string `json:"played"`
}

func (e *Emulator) showReadings(*call) (reply, error) {
	shown := make([]playedReading, 0, len(readings))
	for _, reading := range Readings() {
		shown = append(shown, playedReading{reading, e.playedReading(reading.Name)})
	}
	return ok(map[string]any{"readings": shown})
}

// setReadings changes what is played from the next request on.
func (e *Emulator) setReadings(c *call) (reply, error) {
	var body readingsSpec
	if err := control.Decode(c.body, &body); err != nil {
		return reply{}, err
	}
	if err := checkReadings(body.Readings); err != nil {
		return reply{}, wire.BadRequest("%v", err)
	}
	maps.Copy(e.config.Readings, body.Readings)
	return e.showReadings(c)
}

package emulator

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var anonymizedRoutes = []route{
	{"POST " + projectPath + "/branch_anonymized", forProject, withBody((*Emulator).createAnonymizedBranch)},
	{"GET " + branchPath + "/masking_rules", forProject, checked(
		answers(func(_ *Emulator, c *call) object { return c.branch.Masking.rules() }), (*Emulator).isAnonymized)},
	{"PATCH " + branchPath + "/masking_rules", forProject,
		checked(withBody((*Emulator).setMaskingRules), (*Emulator).isAnonymized)},
	{"GET " + branchPath + "/anonymized_status", forProject,
		checked(answers((*Emulator).maskingView), (*Emulator).isAnonymized)},
	{"POST " + branchPath + "/anonymize", forProject, checked((*Emulator).anonymize, (*Emulator).isAnonymized)},
}

func (r maskingRule) at() string {
	return strings.Join([]string{r.Database, r.Schema, r.Table, r.Column}, ".")
}

// checkRules refuses rules that no data is needed for to see that they can't be.
func checkRules(rules []maskingRule) error {
	seen := map[string]bool{}
	for _, r := range rules {
		switch {
		case (r.Function == "") == (r.Value == ""):
			return wire.BadRequest("masking rule for %s: exactly one of masking_function and masking_value is required", r.at())
		case seen[r.at()]:
			return wire.BadRequest("masking rule for %s: there is another one for this column", r.at())
		}
		seen[r.at()] = true
		if unknown := postgres.UnknownMask(r.Function); unknown != "" {
			return wire.Unprocessable("masking rule for %s: %s isn't emulated; these are: %s", r.at(), unknown,
				strings.Join(postgres.Masks(), ", "))
		}
	}
	return nil
}

// createAnonymizedBranch creates a read-write compute with the branch, whether it is asked for or not.
func (e *Emulator) createAnonymizedBranch(c *call, body struct {
	Create     branchCreateBody  `json:"branch_create"`
	Rules      []maskingRule     `json:"masking_rules"`
	Start      bool              `json:"start_anonymization"`
	Annotation map[string]string `json:"annotation_value" fits:"..50"`
}) (reply, error) {
	err := checkRules(body.Rules)
	if err == nil && c.project.isRestricted() {
		err = e.doubtful(doubts.AnonymizedNetworks, wire.Unprocessable("anonymized branches are not available in projects "+
			"with IP Allow or private networking"))
	}
	if err != nil {
		return reply{}, err
	}
	b, parent, err := e.branchFrom(c, body.Create)
	if err != nil {
		return reply{}, err
	}
	b.Annotation = map[string]string{"anonymized": "true"}
	maps.Copy(b.Annotation, body.Annotation)
	b.Masking = &masking{Rules: body.Rules, CreatedAt: c.now, UpdatedAt: c.now}
	specs := body.Create.endpoints()
	if !slices.ContainsFunc(specs, func(s endpointSpec) bool { return s.Type == readWrite }) {
		specs = append(specs, endpointSpec{Type: readWrite})
	}
	for i := range specs {
		specs[i].Settings = maps.Clone(specs[i].Settings)
		if specs[i].Settings == nil {
			specs[i].Settings = map[string]any{}
		}
		specs[i].Settings["preload_libraries"] = map[string]any{"use_defaults": false, "enabled_libraries": []string{"anon"}}
	}
	answer, err := e.startBranch(c, b, parent, specs)
	if err == nil && body.Start {
		e.runMasking(c, b)
	}
	return answer, err
}

// isRestricted reports whether the project says from where it can be connected to.
func (p *project) isRestricted() bool {
	ips, _ := allowedIPs(p.Settings)
	return len(ips) > 0 || len(p.VPCRestrictions) > 0 || p.Settings["block_public_connections"] == true
}

// isAnonymized refuses branches that aren't.
func (e *Emulator) isAnonymized(c *call) error {
	if c.branch.Masking == nil {
		return e.doubtful(doubts.OrdinaryBranch, wire.NotFound("branch is not anonymized; branch_id:%q", c.branch.ID))
	}
	return nil
}

func (m *masking) rules() object {
	shown := slices.SortedFunc(slices.Values(m.Rules),
		func(a, b maskingRule) int { return strings.Compare(a.at(), b.at()) })
	return object{"masking_rules": append([]maskingRule{}, shown...)}
}

// setMaskingRules answers PATCH .../masking_rules, which replaces all.
func (e *Emulator) setMaskingRules(c *call, body struct {
	Rules []maskingRule `json:"masking_rules" fits:"required"`
}) (reply, error) {
	b := c.branch
	if err := checkRules(body.Rules); err != nil {
		return reply{}, err
	}
	b.Masking.Rules, b.Masking.UpdatedAt = body.Rules, c.now
	return ok(b.Masking.rules())
}

func (e *Emulator) anonymize(c *call) (reply, error) {
	b := c.branch
	if state := b.Masking.state(c.project, b, c.now); !slices.Contains([]string{initialized, maskingFailed, anonymized},
		state) {
		return reply{}, e.doubtful(doubts.AnonymizeTooEarly, wire.Conflict("branch cannot be anonymized in state %s", state))
	}
	if err := e.isFree(c); err != nil {
		return reply{}, err
	}
	e.runMasking(c, b)
	view := e.maskingView(c)
	view["state"] = anonymizing
	if e.plays(doubts.AnonymizeAnswer, "anonymized") {
		view["state"] = anonymized
	}
	return ok(view)
}

// restriction is something that can't be done to a branch.
type restriction struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

func (b *branch) restrictions() []restriction {
	if b.Masking == nil {
		return nil
	}
	return []restriction{
		{"restore", "cannot restore anonymized branches"},
		{"delete-rw-endpoint", "cannot delete read-write endpoints for anonymized branches"},
	}
}

// restrict refuses what a branch's restrictions name.
func (e *Emulator) restrict(b *branch, action string) error {
	restricted := b.restrictions()
	at := slices.IndexFunc(restricted, func(r restriction) bool { return r.Name == action })
	if at < 0 {
		return nil
	}
	return e.doubtful(doubts.RestrictedActions, wire.Unprocessable("%s", restricted[at].Reason))
}

var shownMasking = shown{heading: "Masking", items: func(p *project, b *branch, now time.Time) []page.Item {
	if b.Masking == nil {
		return nil
	}
	return []page.Item{{Name: b.Masking.state(p, b, now), Detail: count(len(b.Masking.Rules), "rule")}}
}}

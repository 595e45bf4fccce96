package emulator

import (
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// Plans of organizations (Config.Plan).
const (
	PlanFree   = "free"
	PlanLaunch = "launch"
	PlanScale  = "scale"
)

// plan is what an organization has, by Neon's published plans.
type plan struct {
	name string
	// rank orders plans: projects aren't transferred to a lower one.
	rank int
	// lenient says that no limit on numbers is enforced, but that of roots.
	lenient bool
	// projects are the organization's; the others are those of a project.
	projects, branches, roots, protected, snapshots int
	// sizeLimit is the most data of a branch, in MiB.
	sizeLimit int64
	// retention is the longest history in seconds.
	retention int64
	// largestCU is the most of a compute that scales, largestFixedCU of one that doesn't.
	largestCU, largestFixedCU float64
	// fixedSuspend says that no suspend timeout may be set; leastSuspend is the shortest that may,
	// beside the default and none.
	fixedSuspend bool
	leastSuspend int64
	// maintenance and hipaa say whether the settings of those names may be used.
	maintenance, hipaa bool
	// network says whether addresses may be let in, networks shut out, and VPC endpoints assigned.
	network bool
}

// paidSizeLimit is that of the plans that cost something.
const paidSizeLimit = 16777216

var plans = map[string]plan{
	PlanFree: {
		name: PlanFree, projects: 100, branches: 10, roots: 3, snapshots: 1, sizeLimit: 512, retention: 21600, largestCU: 2,
		largestFixedCU: 2,
		fixedSuspend:   true,
	},
	PlanLaunch: {
		name: PlanLaunch, rank: 1, projects: 100, branches: 5000, roots: 5, protected: 2, snapshots: 100,
		sizeLimit: paidSizeLimit, retention: 604800,
		largestCU: 16, largestFixedCU: 16, leastSuspend: 300, maintenance: true,
	},
	PlanScale: {
		name: PlanScale, rank: 2, projects: 1000, branches: 5000, roots: 25, protected: 5, snapshots: 100,
		sizeLimit: paidSizeLimit, retention: 2592000,
		largestCU: 16, largestFixedCU: 56, maintenance: true, hipaa: true, network: true,
	},
}

// planNamed is a plan of the published ones, or Scale without most limits for no name.
func planNamed(name string) plan {
	if name == "" {
		lenient := plans[PlanScale]
		lenient.lenient = true
		return lenient
	}
	return plans[name]
}

func checkPlan(name string) error {
	if _, known := plans[name]; !known && name != "" {
		return fmt.Errorf("plan is %q; it must be free, launch or scale", name)
	}
	return nil
}

// planOf is an organization's own plan, or else the one that all have.
func (e *Emulator) planOf(org *organization) plan {
	if org != nil && org.Plan != "" {
		return planNamed(org.Plan)
	}
	return planNamed(e.config.Plan)
}

func (e *Emulator) planOfProject(p *project) plan { return e.planOf(e.world.Orgs[p.OrgID]) }

func (w *world) projectCount(org *organization) int {
	return len(which(w.Projects, func(p *project) bool { return p.OrgID == org.ID }))
}

// tooMany refuses one more of what there is the most of already.
func tooMany(what string) error {
	return wire.TooMany(strings.ToUpper(strings.ReplaceAll(what, " ", "_"))+"_LIMIT_EXCEEDED", what+" limit exceeded")
}

// checkAnother refuses one more where there is the most already, unless the plan is lenient.
func (of plan) checkAnother(what string, present, most int) error {
	if !of.lenient && present >= most {
		return tooMany(what)
	}
	return nil
}

// checkNewProject refuses one project more than the organization's plan has.
func (e *Emulator) checkNewProject(org *organization) error {
	of := e.planOf(org)
	return of.checkAnother("projects", e.world.projectCount(org), of.projects)
}

// checkNewBranch refuses one branch more than the plan has.
func (of plan) checkNewBranch(p *project, root, protected bool) error {
	err := of.checkAnother("branches", len(p.Branches), of.branches)
	switch {
	case err != nil:
		return err
	case root && p.roots() >= of.roots:
		return tooMany("root branches")
	case protected:
		return of.checkProtected(p)
	}
	return nil
}

// mostOnBranch is how many roles a branch has at most, and how many databases (Neon's
// documentation of both).
const mostOnBranch = 500

// checkProtected refuses one protected branch more than the plan has.
func (of plan) checkProtected(p *project) error {
	protected := which(p.Branches, func(b *branch) bool { return b.Protected })
	if !of.lenient && len(protected) >= of.protected {
		return wire.TooMany("BRANCHES_PROTECTED_LIMIT_EXCEEDED", "protected branches limit exceeded")
	}
	return nil
}

// checkCompute refuses sizes that don't go together, or that the plan doesn't have.
func (of plan) checkCompute(least, most float64) error {
	largest := of.largestCU
	if least == most {
		largest = of.largestFixedCU
	}
	switch {
	case !isComputeSize(least) || !isComputeSize(most):
		return wire.BadRequest("a compute has 0.25, 0.5, 1 to 16 or an even number of up to 56 compute units; "+
			"autoscaling_limit_min_cu:%v, autoscaling_limit_max_cu:%v", least, most)
	case least > most:
		return wire.BadRequest("autoscaling_limit_min_cu must not be greater than autoscaling_limit_max_cu")
	case most > largest:
		return wire.Refuse(http.StatusPreconditionFailed, "compute size of %v is not allowed for your account, max: %v", most,
			largest)
	case most-least > widestRange:
		return wire.BadRequest("autoscaling_limit_max_cu must not exceed autoscaling_limit_min_cu by more than %d",
			widestRange)
	}
	return nil
}

// widestRange is the most compute units between the limits of one that scales (Neon's
// documentation of computes).
const widestRange = 8

// isComputeSize reports whether there are computes of a size (Neon's documentation of
// computes, its table of sizes).
func isComputeSize(units float64) bool {
	switch {
	case units == 0.25, units == 0.5:
		return true
	case units <= 16:
		return units >= 1 && math.Mod(units, 1) == 0
	default:
		return units <= 56 && math.Mod(units, 2) == 0
	}
}

// checkSuspendTimeout refuses a timeout that nobody can have, or that the plan doesn't.
func (of plan) checkSuspendTimeout(timeout int64) error {
	switch {
	case timeout > 0 && timeout < shortestSuspend:
		return wire.BadRequest("suspend_timeout_seconds must be -1, 0 or at least %d", shortestSuspend)
	case of.fixedSuspend:
		return wire.Refuse(http.StatusPreconditionFailed, "modifying the suspend interval is not permitted on this account")
	case timeout > 0 && timeout < of.leastSuspend:
		return wire.Refuse(http.StatusPreconditionFailed, "suspend interval is too short for your plan")
	}
	return nil
}

// checkProject refuses a longer history than the plan has, and settings that it doesn't.
func (of plan) checkProject(retention *int64, settings map[string]any) error {
	switch {
	case retention != nil && *retention > of.retention:
		return wire.BadRequest("requested history retention seconds exceeds allowed maximum; "+
			"requested_history_retention_seconds:\"%d\", max:\"%d\"", *retention, of.retention)
	case settings["maintenance_window"] != nil && !of.maintenance:
		return wire.BadRequest("maintenance window is not allowed for your account")
	case settings["hipaa"] == true && !of.hipaa:
		return wire.BadRequest("HIPAA is not allowed for the organization")
	case settings["audit_log_level"] != nil && !of.hipaa:
		return wire.BadRequest("audit log level can only be set for HIPAA enabled organizations")
	case of.network:
		return nil
	}
	if ips, _ := allowedIPs(settings); len(ips) > 0 {
		return wire.BadRequest("allowed IPs limit exceeded; requested:\"%d\", max:\"0\"", len(ips))
	}
	for _, name := range []string{"block_public_connections", "block_vpc_connections"} {
		if settings[name] == true {
			return wire.BadRequest("%s is not allowed for your account", name)
		}
	}
	return nil
}

// shortestSuspend is the least positive timeout, by the published text.
const shortestSuspend = 60

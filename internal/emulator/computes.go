package emulator

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// defaultSuspendTimeout is what a timeout of zero stands for.
const defaultSuspendTimeout = 5 * time.Minute

// suspendsAt is when a compute suspends by itself if nobody uses it until then; never where it
// doesn't run, or always does.
func (endpoint *endpoint) suspendsAt() time.Time {
	last := len(endpoint.States) - 1
	if last < 0 || endpoint.States[last].State != "active" || endpoint.SuspendTimeout < 0 {
		return never
	}
	return wire.Latest(endpoint.States[last].At, endpoint.LastActive).Add(endpoint.suspendTimeout())
}

func (endpoint *endpoint) suspendTimeout() time.Duration {
	if endpoint.SuspendTimeout > 0 {
		return time.Duration(endpoint.SuspendTimeout) * time.Second
	}
	return defaultSuspendTimeout
}

// watchCompute has a compute that something happens to looked at when it may suspend by itself.
func (w *world) watchCompute(endpoint *endpoint, now time.Time) {
	if endpoint != nil && endpoint.SuspendTimeout >= 0 {
		w.suspendsAt(now.Add(endpoint.suspendTimeout()))
	}
}

func (w *world) suspendsAt(at time.Time) {
	if at.Before(w.NextSuspension) {
		w.NextSuspension = at
	}
}

// lastActive is when a compute was started or used last. A recorded endpoint that has never been
// active has the first of these times.
func (endpoint *endpoint) lastActive(now time.Time) time.Time {
	last := wire.Latest(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), endpoint.LastActive)
	for _, change := range endpoint.States {
		if change.State == "active" && change.At.After(last) && !change.At.After(now) {
			last = change.At
		}
	}
	return last
}

// suspendIdle suspends the computes that nobody has used for as long as they wait for that.
func (e *Emulator) suspendIdle(now time.Time) {
	e.world.NextSuspension = never
	for _, p := range e.world.Projects {
		for _, endpoint := range p.Endpoints {
			at := endpoint.suspendsAt()
			if now.Before(at) {
				e.world.suspendsAt(at)
				continue
			}
			if last, busy := e.databases.Active(endpoint.ID); busy {
				endpoint.LastActive = now
			} else if last.After(endpoint.LastActive) {
				endpoint.LastActive = last
			}
			e.changedIn(p, endpoint.ID)
			if at = endpoint.suspendsAt(); now.Before(at) {
				e.world.suspendsAt(at)
			} else {
				e.suspend(p, endpoint, at)
			}
		}
	}
}

// suspend suspends a compute as if that had been done at a time, with the operation of that time.
func (e *Emulator) suspend(p *project, endpoint *endpoint, at time.Time) {
	endpoint.LastActive = endpoint.lastActive(at)
	endpoint.States = states{{At: at, State: "idle"}}
	e.changedIn(p, endpoint.ID, p.addFinished(at, endpoint.BranchID, endpoint.ID, suspendCompute).ID)
}

// SuspendComputes suspends all computes that run, as if nobody had used them for long.
func (e *Emulator) SuspendComputes() {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	e.expire(now)
	for _, p := range e.world.Projects {
		for _, endpoint := range p.Endpoints {
			if endpoint.States.current(now) == "active" && endpoint.States.pending(now) == "" {
				e.suspend(p, endpoint, now)
			}
		}
	}
}

// used remembers that a session was active on a compute.
func (e *Emulator) used(p *project, endpoint *endpoint, at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if at.After(endpoint.LastActive) {
		endpoint.LastActive = at.UTC()
		e.changedIn(p, endpoint.ID)
	}
}

// mostActive is how many computes of a project run at a time, beside those of its default branch
// (pull request 4000 of neondatabase/website). Others stay suspended.
const mostActive = 20

// mayRunMore reports whether another compute of a branch can be started.
func (e *Emulator) mayRunMore(p *project, b *branch, now time.Time) bool {
	if e.planOfProject(p).lenient || b.ID == p.DefaultBranchID {
		return true
	}
	return len(which(p.Endpoints, func(e *endpoint) bool { return e.BranchID != p.DefaultBranchID && e.runs(now) })) <
		mostActive
}

// wake starts a compute that a login finds suspended, and returns the operation; nil for a compute
// that runs or is about to.
func (e *Emulator) wake(p *project, endpoint *endpoint, now time.Time) *operation {
	if endpoint.States.current(now) != "idle" || endpoint.runs(now) ||
		!e.mayRunMore(p, p.Branches[endpoint.BranchID], now) {
		return nil
	}
	waiting := find(p.busy, func(o *operation) bool { // For what goes on with the branch's data.
		return o.EndpointID == endpoint.ID && o.Action == startCompute && o.RunsAt.Equal(never)
	})
	if waiting != nil {
		return waiting
	}
	started := e.schedule(p, now, work{endpoint.BranchID, endpoint.ID, startCompute})
	endpoint.LastActive = endpoint.lastActive(now)
	p.lead(started, now)
	e.changedIn(p, endpoint.ID)
	return started[0]
}

// settingsOf are the settings of a compute's server, nil for none.
func (p *project) settingsOf(endpoint *endpoint, now time.Time) postgres.Settings {
	settings := postgres.Settings{LogicalReplication: p.Settings["enable_logical_replication"] == true,
		Asked: map[string]string{}}
	if endpoint != nil {
		settings.Started = endpoint.States.since(now)
		asked, _ := endpoint.Settings["pg_settings"].(map[string]any)
		for name, value := range asked {
			settings.Asked[name], _ = value.(string)
		}
	}
	return settings
}

// admits refuses clients from addresses that the project doesn't let in.
func (p *project) admits(b *branch, client string) error {
	if p.Settings["block_public_connections"] == true {
		return postgres.Refuse("connections from the public internet are blocked for this project (block_public_connections)")
	}
	ips, allowed := allowedIPs(p.Settings)
	if len(ips) == 0 || allowed["protected_branches_only"] == true && !b.Protected {
		return nil
	}
	address, err := netip.ParseAddr(client)
	for _, allowed := range ips {
		if err == nil && includes(allowed, address.Unmap()) {
			return nil
		}
	}
	return postgres.Refuse(fmt.Sprintf("This IP address %s is not allowed to connect to this endpoint."+
		" Please add it to the allowed list in the Neon console. Make sure to check for IPv4 or IPv6 addresses.", client))
}

// includes reports whether an address is one of those that are allowed.
func includes(allowed string, address netip.Addr) bool {
	if network, err := netip.ParsePrefix(allowed); err == nil {
		return network.Contains(address)
	}
	first, last, err := addressRange(allowed)
	return err == nil && first.Compare(address) <= 0 && address.Compare(last) <= 0
}

// addressRange reads a single address, or a range of two with a hyphen.
func addressRange(allowed string) (first, last netip.Addr, err error) {
	from, to, isRange := strings.Cut(allowed, "-")
	if !isRange {
		to = from
	}
	first, err = netip.ParseAddr(strings.TrimSpace(from))
	last, lastErr := netip.ParseAddr(strings.TrimSpace(to))
	return first.Unmap(), last.Unmap(), cmp.Or(err, lastErr)
}

// checkAllowed refuses what is neither a network, nor an address, nor a range.
func checkAllowed(ips []string) error {
	for _, allowed := range ips {
		if _, err := netip.ParsePrefix(allowed); err == nil {
			continue
		}
		first, last, err := addressRange(allowed)
		if err != nil || first.Is4() != last.Is4() || first.Compare(last) > 0 {
			return wire.BadRequest("allowed IPs have an invalid address; address:%q", allowed)
		}
	}
	return nil
}

// runs reports whether a compute is active, or about to be.
func (endpoint *endpoint) runs(now time.Time) bool {
	return endpoint.States.current(now) == "active" || endpoint.States.pending(now) == "active"
}

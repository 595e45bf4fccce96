package page

import (
	"fmt"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/journal"
)

// Bounds of what the page shows, whatever the world has.
const (
	MostProjects = 30
	MostBranches = 150
	// mostItems is of what a branch has of a kind.
	mostItems = 20
)

// View is all that the page shows.
type View struct {
	Now      time.Time
	Advanced time.Duration
	// Databases is the port of the databases, zero where none is served.
	Databases    int
	Owners       []Owner
	MoreProjects int
	Work         []Work
	// Requests begin with the newest.
	Requests    []journal.Request
	Faults      []control.Fault
	FaultRoutes []string
	BaseURL     string
	// Wanted is what somebody looks for among projects and branches, empty for everything.
	Wanted string
}

// Owner is an organization with its projects. What belongs to none has no id.
type Owner struct {
	ID, Name, Plan string
	Projects       []Project
}

// Project is one with its branches.
type Project struct {
	ID, Name, Region string
	Version          int
	// Runs is the version that runs, where it is another one; zero for none.
	Runs     int
	Branches int
	// Roots are the branches that come from no other that exists.
	Roots []*Branch
	// More is how many branches there are that aren't shown.
	More int
}

// Branch is one with what comes from it.
type Branch struct {
	ID, Name, State, Size string
	CreatedAt             time.Time
	// Parent is the name of the one that it comes from, and ParentAt the moment that was asked for, if any.
	Parent   string
	ParentAt time.Time
	// ExpiresAt is zero for never, and Left the time until then.
	ExpiresAt          time.Time
	Left               time.Duration
	Default, Protected bool
	Endpoints          []Endpoint
	Databases          []Database
	// Belongings are what it has besides.
	Belongings []Belongings
	Children   []*Branch
}

// Belongings are what a branch has of a kind, such as buckets.
type Belongings struct {
	Kind  string
	Items []Item
	// More is how many there are that aren't shown.
	More int
}

// Item is one of them, with what there is to say of it.
type Item struct{ Name, Detail string }

// Belong adds what a branch has of a kind, if it has any.
func (b *Branch) Belong(kind string, items ...Item) {
	if len(items) > 0 {
		shown := items[:min(len(items), mostItems)]
		b.Belongings = append(b.Belongings, Belongings{kind, shown, len(items) - len(shown)})
	}
}

// Endpoint is the compute of a branch.
type Endpoint struct {
	ID, Type, State string
	MinCU, MaxCU    float64
	Disabled        bool
}

// Database is one with the command that connects to it, but for the password.
type Database struct {
	Name, Owner string
	// Command connects, and Connection is where the control path has it with the password. Both are empty where the
	// branch has no endpoint, or no database is served.
	Command, Connection string
}

// Time is the world's.
func (v View) Time() string { return moment(v.Now) }

// Ahead is how far the world's clock is, empty where it is the real one.
func (v View) Ahead() string {
	if v.Advanced > 0 {
		return v.Advanced.String()
	}
	return ""
}

// Kinds are those of faults.
func (View) Kinds() []string { return control.FaultKinds() }

// Effect says what a kind of fault does.
func (View) Effect(kind string) string { return control.FaultEffects()[kind] }

// Created says where the branch comes from, and how long it lives.
func (b *Branch) Created() string {
	created := "created " + moment(b.CreatedAt)
	if b.Parent != "" {
		created += " from " + b.Parent
		if !b.ParentAt.IsZero() {
			created += " as of " + moment(b.ParentAt)
		}
	}
	if !b.ExpiresAt.IsZero() {
		created += ", expires " + moment(b.ExpiresAt)
	}
	return created
}

// Expires says how long the branch lives yet, empty for forever.
func (b *Branch) Expires() string {
	if b.ExpiresAt.IsZero() {
		return ""
	}
	return "expires in " + roughly(b.Left)
}

// Size is that of the compute.
func (e Endpoint) Size() string {
	if e.MinCU == e.MaxCU {
		return fmt.Sprintf("%g CU", e.MinCU)
	}
	return fmt.Sprintf("%g–%g CU", e.MinCU, e.MaxCU)
}

// moment is a time as the page shows it.
func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05") }

// roughly leaves out what changes all the time.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	default:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
}

package emulator

import (
	"cmp"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// branch is a copy of its parent's data at a moment, going on from there.
type branch struct {
	ID, Name, ParentID, ParentLSN string
	// ParentTimestamp is what was asked for, and ParentChangedAt when the parent was last
	// changed before the branch began.
	ParentTimestamp, ParentChangedAt time.Time `json:",omitzero"`
	InitSource                       string
	Protected, Archived              bool
	CreatedAt, UpdatedAt             time.Time
	ExpiresAt                        time.Time     `json:",omitzero"`
	Life                             time.Duration `json:",omitempty"`
	CreatedBy                        string
	// IsFirst says that the project began with it.
	IsFirst bool `json:",omitempty"`
	// BacksUpRoot says that it keeps what a root was before it was restored.
	BacksUpRoot bool `json:",omitempty"`
	// GoneAt is when it goes because its creation failed.
	GoneAt time.Time `json:",omitzero"`
	// PasswordResetAt is when a role's password was last replaced, which ends all sessions.
	PasswordResetAt time.Time `json:",omitzero"`
	// AppearsAt is when it can be read by its id.
	AppearsAt   time.Time `json:",omitzero"`
	Annotation  map[string]string
	AnnotatedAt time.Time `json:",omitzero"`
	States      states
	// LastResetAt is when the branch was last restored.
	LastResetAt time.Time `json:",omitzero"`
	Roles       []*role
	Databases   []*database
	Restored    restoration     `json:",omitzero"`
	Schedule    []scheduleEntry `json:",omitempty"`
	// DataAPIs are those of its databases, by their ids.
	DataAPIs map[int64]*dataAPI `json:",omitempty"`
	// Auth is nil where the branch doesn't have Neon Auth, whose schema may be left.
	Auth          *neonAuth `json:",omitempty"`
	HasAuthSchema bool      `json:",omitempty"`
	// LeftUsers are in the schema that is left.
	LeftUsers []map[string]any `json:",omitempty"`
	// Masking is that of an anonymized branch, nil for any other. A branch of it is another.
	Masking *masking `json:",omitempty"`
	// Credentials are those that were made for it, revoked ones too.
	Credentials []*credential `json:",omitempty"`
	// Buckets are its own and those of its parent.
	Buckets []*bucket `json:",omitempty"`
	// Functions and Triggers are its own and those of its parent, Domains its own.
	Functions []*function     `json:",omitempty"`
	Triggers  []*trigger      `json:",omitempty"`
	Domains   []*customDomain `json:",omitempty"`
}

// role is somebody who can log in to the databases of a branch. A branch has its
// parent's, passwords included.
type role struct {
	Name string
	passwords
	NoLogin              bool
	CreatedAt, UpdatedAt time.Time
}

// passwords are what a role logs in with, all of which belongs to its branch.
type passwords struct {
	Password string
	// Verifier is what PostgreSQL keeps of a password that a statement has set and that nobody
	// else knows. It lets in until another password does.
	Verifier string `json:",omitempty"`
	// Logins are the passwords that let in over time, where they change.
	Logins states `json:",omitempty"`
}

// database is one on a branch.
type database struct {
	ID                   int64
	Name, OwnerName      string
	CreatedAt, UpdatedAt time.Time
}

// restoration is where a branch was restored from, and which one it replaces.
type restoration struct {
	From   string `json:"restored_from,omitempty"`
	As     string `json:"restored_as,omitempty"`
	Status string `json:"restore_status,omitempty"`
}

// scheduleEntry is one of the times at which Neon takes snapshots of a branch.
type scheduleEntry struct {
	Frequency string `json:"frequency" fits:"required,=daily|weekly|monthly"`
	Hour      *int64 `json:"hour,omitempty" fits:"0..23"`
	Day       *int64 `json:"day,omitempty" fits:"1..31"`
	Month     *int64 `json:"month,omitempty" fits:"1..12"`
	Retention *int64 `json:"retention_seconds,omitempty" fits:"3600..3024000"`
}

// dataAPI serves a database over REST. A database has it by its id, so that it goes with the
// database, and follows it to another name.
type dataAPI struct {
	// Host begins that of its address, in which the database has the name that it had at first.
	Host, Database string
	// Settings are those that were sent last.
	Settings map[string]any `json:",omitempty"`
	// Auth is what answers never have.
	Auth dataAPIAuth
	// Refreshes counts how often the schema was read anew.
	Refreshes int `json:",omitempty"`
}

type dataAPIAuth struct {
	Provider         string `json:"auth_provider,omitempty" fits:"=neon_auth|external"`
	JWKSURL          string `json:"jwks_url,omitempty"`
	ProviderName     string `json:"provider_name,omitempty"`
	Audience         string `json:"jwt_audience,omitempty"`
	AddDefaultGrants bool   `json:"add_default_grants,omitempty"`
	SkipAuthSchema   bool   `json:"skip_auth_schema,omitempty"`
}

// neonAuth is what keeps the users of a branch's applications. A branch of the branch has one of
// its own, which begins with the same.
type neonAuth struct {
	Provider, ProjectID, Database string
	CreatedAt                     time.Time
	Name                          string
	AllowLocalhost                bool
	// Groups are settings by their names. Of the email provider there are none until it is set.
	Groups  map[string]map[string]any
	Domains []string         `json:",omitempty"`
	OAuth   []oauthProvider  `json:",omitempty"`
	Users   []map[string]any `json:",omitempty"`
	// OwnServer is the one that sent the mails before the shared one.
	OwnServer map[string]any `json:",omitempty"`
	// Mails counts those that were sent to try the email provider out.
	Mails int `json:",omitempty"`
}

// oauthProvider is one by which people sign in. Without a client id it is Neon's own application.
type oauthProvider struct {
	ID, ClientID, ClientSecret, TenantID string
}

// masking is what an anonymized branch has beside others.
type masking struct {
	Rules                []maskingRule
	CreatedAt, UpdatedAt time.Time
	// Run is the anonymization that was asked for last, and Before the one before it; nil for none.
	Run, Before *maskingRun `json:",omitempty"`
}

type maskingRule struct {
	Database string `json:"database_name" fits:"required,1..63"`
	Schema   string `json:"schema_name" fits:"required,1..63"`
	Table    string `json:"table_name" fits:"required,1..63"`
	Column   string `json:"column_name" fits:"required,1..63"`
	Function string `json:"masking_function,omitempty"`
	Value    string `json:"masking_value,omitempty"`
}

// maskingRun is one anonymization of a branch.
type maskingRun struct {
	// BeginsAt is when it shows; Takes is how long it takes at least.
	BeginsAt time.Time
	Takes    time.Duration
	By       string
	Rules    []maskingRule
	// Working says that data is being masked, until EndsAt. Failure is what it failed with.
	Working bool      `json:",omitempty"`
	EndsAt  time.Time `json:",omitzero"`
	Failure string    `json:",omitempty"`
}

// credential is a service credential of a branch, which is valid in branches of it, too. One that was revoked stays
// in the list.
type credential struct {
	ID, Name           string
	Scopes             []string
	APIToken, S3Secret string
	// Rotations counts how often it was given new secrets.
	Rotations int `json:",omitempty"`
	CreatedAt time.Time
	RevokedAt time.Time `json:",omitzero"`
}

// bucket keeps objects of a branch. A branch of the branch sees it with what it had then, and has its own from then on.
type bucket struct {
	Name, Access string
	CreatedAt    time.Time
	// IsInherited says that the branch has it from its parent alone.
	IsInherited bool                     `json:",omitempty"`
	Objects     map[string]*bucketObject `json:",omitempty"`
}

// bucketObject is an object without its content, which is kept by its hash.
type bucketObject struct {
	Key, Hash, ETag, Type string
	Size                  int64
	ModifiedAt            time.Time
	IsInherited           bool `json:",omitempty"`
}

// function is recorded with its deployments, of which none ever runs. A branch of the branch sees it until it has its
// own.
type function struct {
	ID, Slug, Name string
	CreatedAt      time.Time
	IsInherited    bool `json:",omitempty"`
	// Deployed counts its deployments, of which Current is the newest, and Active the last before that which succeeded.
	Deployed        int
	Current, Active *deployment `json:",omitempty"`
	Environment     map[string]string
}

// deployment is of a bundle, whose build is over at a time.
type deployment struct {
	ID                int
	Runtime, Bundle   string
	CreatedAt, EndsAt time.Time
	Error             string `json:",omitempty"`
	Names             []string
}

// trigger would run a function. A branch of the branch sees it, disabled.
type trigger struct {
	ID, Type, Slug, Name, Path string
	Cron, Bucket               string
	Prefix                     *string
	Enabled                    bool
	Version                    int
	IsInherited                bool `json:",omitempty"`
}

// customDomain leads to a function. No branch of the branch has it, and none other in all of Neon.
type customDomain struct{ Domain, Slug string }

func (b *branch) role(name string) *role {
	return find(b.Roles, func(r *role) bool { return r.Name == name })
}

func (b *branch) database(name string) *database {
	return find(b.Databases, func(d *database) bool { return d.Name == name })
}

func (b *branch) function(slug string) *function {
	return find(b.Functions, func(f *function) bool { return f.Slug == slug })
}

func (b *branch) bucketNamed(name string) *bucket {
	return find(b.Buckets, func(known *bucket) bool { return known.Name == name })
}

// ready reports whether nothing creates or restores the branch.
func (b *branch) ready(now time.Time) bool { return b.States.current(now) == "ready" }

// checkReady refuses a branch that something creates or restores.
func (b *branch) checkReady(now time.Time) error {
	if !b.ready(now) {
		return wire.Unprocessable("branch not ready yet")
	}
	return nil
}

// newBranch makes a branch that nothing is known of but its name.
func newBranch(p *project, name string, now time.Time) *branch {
	b := &branch{ID: wire.NewBranchID(), InitSource: "parent-data", CreatedAt: now, UpdatedAt: now, AnnotatedAt: now,
		States: states{{At: now, State: "init"}}}
	b.Name = cmp.Or(name, b.ID)
	p.Branches[b.ID], p.touched = b, append(p.touched, b.ID)
	return b
}

// Package emulator serves an emulation of Neon's APIs to tests that are written in Go.
//
// An Emulator is an http.Handler for a server on loopback, such as one of
// net/http/httptest. It begins with an organization, a project and a key.
package emulator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// Options say how the emulated Neon behaves. The zero value has no rate limits and serves
// no database; its operations take 300 ms, and refuse other work on their project meanwhile.
type Options struct {
	// OperationDuration is how long an operation takes; 300 ms by default.
	OperationDuration time.Duration
	// Conflicts is where running operations refuse new work: "project" (the default),
	// "branch" or "none".
	Conflicts string
	// Plan is that of the organizations: "free", "launch" or "scale". Without one they have what
	// Scale has, with no limits on numbers but that of root branches.
	Plan string
	// Readings are alternatives to what was decided where nobody knows what Neon does, by the
	// names that GET /_emulator/readings lists.
	Readings map[string]string
	// Databases says that branches have real databases, which takes a PostgreSQL server's
	// programs on this machine.
	Databases bool
	// Past says what becomes of calls that ask for a branch's data of a past moment since which it has
	// changed: "refuse" (the default), as no history is kept, or "present", which gives the present data.
	Past string
	// SeedWorld is YAML with what the world begins with, in the form of the program's
	// -seed-world; nil for nothing more.
	SeedWorld io.Reader
	// Log gets a line for each request; nil for nobody.
	Log io.Writer
}

// World is what an emulator begins with.
type World struct {
	// APIKey is a personal key of the organization's administrator.
	APIKey string
	OrgID  string
	// ProjectID is a project of the organization, with a branch, an endpoint, a role and a
	// database.
	ProjectID    string
	BranchID     string
	EndpointID   string
	RoleName     string
	DatabaseName string
}

// Emulator is one emulated Neon.
type Emulator struct {
	inner        *emulator.Emulator
	installation *postgres.Installation
}

// New creates an emulator, which must be closed. Databases are prepared, and a world is
// built, for no longer than the context allows.
func New(ctx context.Context, options Options) (*Emulator, error) {
	e := &Emulator{}
	if options.Databases {
		programs, err := postgres.FindPrograms(ctx)
		if err == nil {
			e.installation, err = postgres.Prepare(ctx, programs)
		}
		if err == nil {
			err = e.installation.Ready(ctx)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("unable to serve databases: %w", err), e.installation.Close())
		}
		e.installation.AllVersions(ctx)
	}
	var err error
	e.inner, err = emulator.New(emulator.Config{
		OperationDuration: options.OperationDuration, Conflicts: options.Conflicts, Plan: options.Plan, Past: options.Past,
		Readings: options.Readings,
		Postgres: e.installation, Log: options.Log,
	})
	if err != nil {
		return nil, errors.Join(err, e.installation.Close())
	}
	if options.SeedWorld != nil {
		if err := e.inner.SeedWorld(ctx, options.SeedWorld); err != nil {
			return nil, errors.Join(fmt.Errorf("unable to build the world: %w", err), e.Close())
		}
	}
	return e, nil
}

// ServeHTTP serves Neon's APIs, the emulator's page and its control path. It refuses whoever
// isn't on this machine.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) { e.inner.ServeHTTP(w, r) }

// World returns what the emulator began with.
func (e *Emulator) World() World { return World(e.inner.FirstWorld()) }

// Close cuts off who is connected to a database, and removes the databases.
func (e *Emulator) Close() error { return errors.Join(e.inner.Close(), e.installation.Close()) }

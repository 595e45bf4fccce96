// Package seed builds in a new world what a YAML file describes. It asks for everything as
// through the API, so an error says what Neon would refuse.
package seed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gopkg.in/yaml.v3"
)

// unnamed stands in errors for a name that is missing.
const unnamed = "without a name"

// loopbackAddress is where all databases are.
const loopbackAddress = "127.0.0.1"

// World is what a file says that a new world is to have. What has the name of
// something that a new world begins with (organization Example, project first, branch
// main) adds to that.
type World struct {
	Organizations []organization `yaml:"organizations"`
}

type organization struct {
	Name     string    `yaml:"name"`
	Plan     string    `yaml:"plan"`
	Projects []project `yaml:"projects"`
}

type project struct {
	Name     string   `yaml:"name"`
	Region   string   `yaml:"region"`
	Postgres int      `yaml:"postgres"`
	Branches []branch `yaml:"branches"`
}

// branch is a branch. Its roles, databases and SQL come before the branches that are
// listed below it, so that these have them too where they come from it.
type branch struct {
	Name      string       `yaml:"name"`
	Parent    string       `yaml:"parent"`
	Protected bool         `yaml:"protected"`
	ExpiresIn string       `yaml:"expires_in"`
	Endpoints []string     `yaml:"endpoints"`
	Roles     []string     `yaml:"roles"`
	Databases []database   `yaml:"databases"`
	SQL       []statements `yaml:"sql"`
}

type database struct {
	Name  string `yaml:"name"`
	Owner string `yaml:"owner"`
}

// statements are statements for a database, which its owner runs unless a role is named.
type statements struct {
	Database string `yaml:"database"`
	Role     string `yaml:"role"`
	Run      string `yaml:"run"`
}

// Platform is where a world is built.
type Platform struct {
	// API serves both APIs and the control path, which Key may use all of.
	API http.Handler
	Key string
	// The organization and the project that there are.
	OrgID, OrgName, ProjectID, ProjectName string
	// SetPlan changes that organization's plan.
	SetPlan func(plan string) error
	// Branch finds a branch of a project by its name, with its first role; the id is empty for none.
	Branch func(projectID, name string) (id, owner string)
	// Address is the connection string of a database of a branch, for a role or else its owner.
	Address func(branchID, database, role string) (string, error)
	// Now is the world's time, and Working reports whether an operation isn't over.
	Now     func() time.Time
	Working func() bool
}

// Build builds what a file describes. Nothing else may use the platform meanwhile.
func (wanted *World) Build(ctx context.Context, platform Platform) error {
	for _, org := range wanted.Organizations {
		if err := (&seeder{Platform: platform, ctx: ctx}).organization(org); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a file.
func Read(file io.Reader) (*World, error) {
	var wanted World
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&wanted); err != nil && !errors.Is(err, io.EOF) {
		// The YAML package speaks of Go's types.
		return nil, errors.New(strings.NewReplacer("yaml: ", "", "[]seed.", "a list of ", "seed.", "").Replace(err.Error()))
	}
	return &wanted, nil
}

// seeder builds one organization.
type seeder struct {
	Platform
	ctx context.Context //nolint:containedctx // It is one call's.
	org string
}

func (s *seeder) organization(wanted organization) error {
	if wanted.Name == "" {
		return errors.New("an organization has no name")
	}
	s.org = s.OrgID
	if wanted.Name != s.OrgName {
		var made struct {
			ID string `json:"org_id"`
		}
		err := s.Ask(s.ctx, "POST", "/_emulator/organizations", map[string]string{"name": wanted.Name, "plan": wanted.Plan},
			&made)
		if err != nil {
			return fmt.Errorf("organization %s: %w", wanted.Name, err)
		}
		s.org = made.ID
	} else if wanted.Plan != "" {
		if err := s.SetPlan(wanted.Plan); err != nil {
			return fmt.Errorf("organization %s: %w", wanted.Name, err)
		}
	}
	for _, project := range wanted.Projects {
		if err := s.project(project); err != nil {
			return fmt.Errorf("organization %s, project %s: %w", wanted.Name, cmp.Or(project.Name, unnamed), err)
		}
	}
	return nil
}

func (s *seeder) project(wanted project) error {
	id := s.ProjectID
	if s.ProjectName != wanted.Name || s.OrgID != s.org {
		asked := map[string]any{"name": wanted.Name, "org_id": s.org}
		if wanted.Region != "" {
			asked["region_id"] = wanted.Region
		}
		if wanted.Postgres != 0 {
			asked["pg_version"] = wanted.Postgres
		}
		var made struct {
			Project struct {
				ID string `json:"id"`
			} `json:"project"`
		}
		if err := s.Ask(s.ctx, "POST", "/api/v2/projects", map[string]any{"project": asked}, &made); err != nil {
			return err
		}
		id = made.Project.ID
	}
	for _, branch := range wanted.Branches {
		if err := s.branch(id, branch); err != nil {
			return fmt.Errorf("branch %s: %w", cmp.Or(branch.Name, unnamed), err)
		}
	}
	return nil
}

func (s *seeder) branch(projectID string, wanted branch) error {
	path := "/api/v2/projects/" + projectID + "/branches"
	id, owner := s.Branch(projectID, wanted.Name)
	if id == "" {
		if err := s.createBranch(projectID, path, wanted); err != nil {
			return err
		}
		id, owner = s.Branch(projectID, wanted.Name)
	}
	path += "/" + id
	for _, name := range wanted.Roles {
		if err := s.Ask(s.ctx, "POST", path+"/roles", map[string]any{"role": map[string]string{"name": name}},
			nil); err != nil {
			return fmt.Errorf("role %s: %w", name, err)
		}
	}
	for _, database := range wanted.Databases {
		asked := map[string]string{"name": database.Name, "owner_name": cmp.Or(database.Owner, owner)}
		if err := s.Ask(s.ctx, "POST", path+"/databases", map[string]any{"database": asked}, nil); err != nil {
			return fmt.Errorf("database %s: %w", database.Name, err)
		}
	}
	for _, sql := range wanted.SQL {
		if err := s.run(id, sql); err != nil {
			return fmt.Errorf("SQL for %s: %w", sql.Database, err)
		}
	}
	if !wanted.Protected {
		return nil
	}
	return s.Ask(s.ctx, "PATCH", path, map[string]any{"branch": map[string]bool{"protected": true}}, nil)
}

func (s *seeder) createBranch(projectID, path string, wanted branch) error {
	asked := map[string]string{"name": wanted.Name}
	if wanted.Parent != "" {
		parentID, _ := s.Branch(projectID, wanted.Parent)
		if parentID == "" {
			return fmt.Errorf("its parent %s isn't listed before it", wanted.Parent)
		}
		asked["parent_id"] = parentID
	}
	if wanted.ExpiresIn != "" {
		life, err := time.ParseDuration(wanted.ExpiresIn)
		if err != nil {
			return fmt.Errorf("expires_in is %q; it must be a duration such as 24h", wanted.ExpiresIn)
		}
		asked["expires_at"] = s.Now().Add(life).Format(time.RFC3339)
	}
	kinds := wanted.Endpoints
	if kinds == nil {
		kinds = []string{"read_write"}
	}
	endpoints := []map[string]string{}
	for _, kind := range kinds {
		endpoints = append(endpoints, map[string]string{"type": kind})
	}
	return s.Ask(s.ctx, "POST", path, map[string]any{"branch": asked, "endpoints": endpoints}, nil)
}

// run runs statements in a database of a branch.
func (s *seeder) run(branchID string, wanted statements) error {
	address, err := s.Address(branchID, wanted.Database, wanted.Role)
	if err != nil {
		return err
	}
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return err
	}
	config.RuntimeParams = nil // They are the environment's.
	// Not every resolver knows names below localhost.
	config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{loopbackAddress}, nil }
	conn, err := pgconn.ConnectConfig(s.ctx, config)
	if err != nil {
		return err
	}
	_, err = conn.Exec(s.ctx, wanted.Run).ReadAll()
	return errors.Join(err, conn.Close(s.ctx))
}

// Ask makes a request to the emulator itself, as who administers it, and waits for the
// operations that it begins.
func (p Platform) Ask(ctx context.Context, method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request := httptest.NewRequestWithContext(ctx, method, "http://localhost"+path, bytes.NewReader(text))
	request.RemoteAddr = net.JoinHostPort(loopbackAddress, "1")
	request.Header.Set("Authorization", "Bearer "+p.Key)
	request.Header.Set("Content-Type", "application/json")
	heard := httptest.NewRecorder()
	p.API.ServeHTTP(heard, request)
	if heard.Code >= http.StatusBadRequest {
		var refusal struct {
			Message string `json:"message"`
		}
		_ = json.Unmarshal(heard.Body.Bytes(), &refusal) // It is as both kinds of refusals are.
		return fmt.Errorf("refused with %d: %s", heard.Code, refusal.Message)
	}
	if into != nil {
		if err := json.Unmarshal(heard.Body.Bytes(), into); err != nil {
			return err
		}
	}
	return p.AwaitOperations(ctx)
}

// AwaitOperations waits until nothing works on any project.
func (p Platform) AwaitOperations(ctx context.Context) error {
	for p.Working() {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

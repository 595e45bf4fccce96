package emulator

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
	"net/url"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gopkg.in/yaml.v3"
)

// unnamed stands in errors for a name that is missing.
const unnamed = "without a name"

// seedWorld is what a file says that a new world is to have. What has the name of
// something that a new world begins with (organization Example, project first, branch
// main) adds to that.
type seedWorld struct {
	Organizations []seedOrganization `yaml:"organizations"`
}

type seedOrganization struct {
	Name     string        `yaml:"name"`
	Plan     string        `yaml:"plan"`
	Projects []seedProject `yaml:"projects"`
}

type seedProject struct {
	Name     string       `yaml:"name"`
	Region   string       `yaml:"region"`
	Postgres int          `yaml:"postgres"`
	Branches []seedBranch `yaml:"branches"`
}

// seedBranch is a branch. Its roles, databases and SQL come before the branches that are
// listed below it, so that these have them too where they come from it.
type seedBranch struct {
	Name      string         `yaml:"name"`
	Parent    string         `yaml:"parent"`
	Protected bool           `yaml:"protected"`
	ExpiresIn string         `yaml:"expires_in"`
	Endpoints []string       `yaml:"endpoints"`
	Roles     []string       `yaml:"roles"`
	Databases []seedDatabase `yaml:"databases"`
	SQL       []seedSQL      `yaml:"sql"`
}

type seedDatabase struct {
	Name  string `yaml:"name"`
	Owner string `yaml:"owner"`
}

// seedSQL are statements for a database, which its owner runs unless a role is named.
type seedSQL struct {
	Database string `yaml:"database"`
	Role     string `yaml:"role"`
	Run      string `yaml:"run"`
}

// WorldIsNew reports whether the world isn't one that was kept from an earlier run.
func (e *Emulator) WorldIsNew() bool { return e.worldIsNew }

// SeedWorld builds in a new world what a YAML file describes: organizations, projects,
// branches and SQL. A world that was kept from an earlier run stays as it is. Nothing else
// may use the emulator meanwhile.
//
// Everything is asked for as through the API, so an error says what Neon would refuse.
func (e *Emulator) SeedWorld(ctx context.Context, file io.Reader) error {
	var wanted seedWorld
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&wanted); err != nil && !errors.Is(err, io.EOF) {
		return readableSeedError(err)
	}
	if !e.worldIsNew {
		return nil
	}
	duration, conflicts, limits := e.behave(time.Microsecond, ConflictsNone, LimitsOff)
	defer e.behave(duration, conflicts, limits)
	for _, org := range wanted.Organizations {
		if err := (&seeder{ctx: ctx, e: e}).organization(org); err != nil {
			return err
		}
	}
	return nil
}

// behave changes what slows a client down, and returns how that was before.
func (e *Emulator) behave(duration time.Duration, conflicts, limits string) (time.Duration, string, string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.config
	e.config.OperationDuration, e.config.Conflicts, e.config.Limits = duration, conflicts, limits
	return before.OperationDuration, before.Conflicts, before.Limits
}

// seeder builds one organization.
type seeder struct {
	ctx context.Context //nolint:containedctx // It is one call's.
	e   *Emulator
	org string
}

func (s *seeder) organization(wanted seedOrganization) error {
	if wanted.Name == "" {
		return errors.New("an organization has no name")
	}
	first := s.e.world.First.OrgID
	s.org = first
	if wanted.Name != s.e.world.Orgs[first].Name {
		var made struct {
			ID string `json:"org_id"`
		}
		err := s.ask("POST", "/_emulator/organizations", organizationSpec{Name: wanted.Name, Plan: wanted.Plan}, &made)
		if err != nil {
			return fmt.Errorf("organization %s: %w", wanted.Name, err)
		}
		s.org = made.ID
	} else if wanted.Plan != "" {
		s.e.world.Orgs[first].Plan = wanted.Plan
	}
	for _, p := range wanted.Projects {
		if err := s.project(p); err != nil {
			return fmt.Errorf("organization %s, project %s: %w", wanted.Name, cmp.Or(p.Name, unnamed), err)
		}
	}
	return nil
}

func (s *seeder) project(wanted seedProject) error {
	first := s.e.world.Projects[s.e.world.First.ProjectID]
	id := first.ID
	if first.Name != wanted.Name || first.OrgID != s.org {
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
		if err := s.ask("POST", apiRoot+"/projects", map[string]any{"project": asked}, &made); err != nil {
			return err
		}
		id = made.Project.ID
	}
	for _, b := range wanted.Branches {
		if err := s.branch(s.e.world.Projects[id], b); err != nil {
			return fmt.Errorf("branch %s: %w", cmp.Or(b.Name, unnamed), err)
		}
	}
	return nil
}

func (s *seeder) branch(p *project, wanted seedBranch) error {
	path := apiRoot + "/projects/" + p.ID + "/branches"
	b := p.branchNamed(wanted.Name)
	if b == nil {
		if err := s.createBranch(p, path, wanted); err != nil {
			return err
		}
		b = p.branchNamed(wanted.Name)
	}
	path += "/" + b.ID
	for _, name := range wanted.Roles {
		if err := s.ask("POST", path+"/roles", map[string]any{"role": map[string]string{"name": name}}, nil); err != nil {
			return fmt.Errorf("role %s: %w", name, err)
		}
	}
	for _, d := range wanted.Databases {
		asked := map[string]string{"name": d.Name, "owner_name": cmp.Or(d.Owner, b.Roles[0].Name)}
		if err := s.ask("POST", path+"/databases", map[string]any{"database": asked}, nil); err != nil {
			return fmt.Errorf("database %s: %w", d.Name, err)
		}
	}
	for _, statements := range wanted.SQL {
		if err := s.run(p, b, statements); err != nil {
			return fmt.Errorf("SQL for %s: %w", statements.Database, err)
		}
	}
	if !wanted.Protected {
		return nil
	}
	return s.ask("PATCH", path, map[string]any{"branch": map[string]bool{"protected": true}}, nil)
}

func (s *seeder) createBranch(p *project, path string, wanted seedBranch) error {
	asked := map[string]string{"name": wanted.Name}
	if wanted.Parent != "" {
		parent := p.branchNamed(wanted.Parent)
		if parent == nil {
			return fmt.Errorf("its parent %s isn't listed before it", wanted.Parent)
		}
		asked["parent_id"] = parent.ID
	}
	if wanted.ExpiresIn != "" {
		life, err := time.ParseDuration(wanted.ExpiresIn)
		if err != nil {
			return fmt.Errorf("expires_in is %q; it must be a duration such as 24h", wanted.ExpiresIn)
		}
		asked["expires_at"] = s.e.now().Add(life).Format(time.RFC3339)
	}
	kinds := wanted.Endpoints
	if kinds == nil {
		kinds = []string{readWrite}
	}
	endpoints := []map[string]string{}
	for _, kind := range kinds {
		endpoints = append(endpoints, map[string]string{"type": kind})
	}
	return s.ask("POST", path, map[string]any{"branch": asked, "endpoints": endpoints}, nil)
}

// run runs statements in a database of a branch.
func (s *seeder) run(p *project, b *branch, wanted seedSQL) error {
	endpoint, d := p.readWriteEndpoint(b.ID), b.database(wanted.Database)
	switch {
	case s.e.databases == nil:
		return errors.New("no database is served, as there is no PostgreSQL")
	case endpoint == nil:
		return errors.New("the branch has no read_write endpoint")
	case d == nil:
		return errors.New("the branch has no such database")
	}
	r := b.role(cmp.Or(wanted.Role, d.OwnerName))
	if r == nil {
		return fmt.Errorf("the branch has no role %s", wanted.Role)
	}
	config, err := pgconn.ParseConfig(s.e.connectionString(endpoint.Host, r, d, "sslmode=require"))
	if err != nil {
		return err
	}
	// Not every resolver knows names below localhost.
	config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{loopbackAddress}, nil }
	conn, err := pgconn.ConnectConfig(s.ctx, config)
	if err != nil {
		return err
	}
	_, err = conn.Exec(s.ctx, wanted.Run).ReadAll()
	return errors.Join(err, conn.Close(s.ctx))
}

// ask makes a request to the emulator itself, as who administers it, and waits for the
// operations that it begins.
func (s *seeder) ask(method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	target := &url.URL{Scheme: "http", Host: "localhost", Path: path}
	request := (&http.Request{
		Method: method, URL: target, Host: target.Host, RemoteAddr: net.JoinHostPort(loopbackAddress, "1"),
		Body: io.NopCloser(bytes.NewReader(text)),
		Header: http.Header{
			"Authorization": {"Bearer " + s.e.world.First.APIKey}, "Content-Type": {"application/json"},
		},
	}).WithContext(s.ctx)
	heard := &heardAnswer{header: http.Header{}}
	s.e.mux.ServeHTTP(heard, request)
	if heard.status >= http.StatusBadRequest {
		var refusal struct {
			Message string `json:"message"`
		}
		_ = json.Unmarshal(heard.body, &refusal) // It is as both kinds of refusals are.
		return fmt.Errorf("refused with %d: %s", heard.status, refusal.Message)
	}
	if into != nil {
		if err := json.Unmarshal(heard.body, into); err != nil {
			return err
		}
	}
	return s.awaitOperations()
}

// awaitOperations waits until nothing works on any project.
func (s *seeder) awaitOperations() error {
	for s.working() {
		select {
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

func (s *seeder) working() bool {
	s.e.mu.Lock()
	defer s.e.mu.Unlock()
	now := s.e.now()
	for _, p := range s.e.world.Projects {
		if slices.ContainsFunc(p.busy, func(o *operation) bool { return o.inTheWay(now) }) {
			return true
		}
	}
	return false
}

// heardAnswer is an answer to a request of the emulator's own.
type heardAnswer struct {
	header http.Header
	status int
	body   []byte
}

func (a *heardAnswer) Header() http.Header    { return a.header }
func (a *heardAnswer) WriteHeader(status int) { a.status = status }
func (a *heardAnswer) Write(text []byte) (int, error) {
	a.body = append(a.body, text...)
	return len(text), nil
}

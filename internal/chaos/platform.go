// Package chaos attacks the provider: it makes, changes and destroys resources on
// an emulated platform whose every answer may be lost, refused or late, kills runs
// at random moments, and then accounts for each object that is left.
package chaos

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// operationDuration is short, so that a thousand cycles take minutes.
const operationDuration = 20 * time.Millisecond

// platform is an emulated platform on a port of its own.
type platform struct {
	emulator.World

	baseURL string
	server  *http.Server
	client  *http.Client
	// network is nil where it is the machine's.
	network *network
	// places are those of cycles, by their names. kinds are what is played in projects that are places, and names whose
	// what has no name is there or in an organization, by its kind and the place.
	places map[string]place
	kinds  map[string]string
	names  map[string]string
	// left is what branches had that were replaced, and nobody may touch; mu guards it.
	mu   sync.Mutex
	left []object
	// blindKey is a key of another project, which sees none of ours.
	blindKey string
	// takesSnapshotsAlong is true where a deleted branch takes its snapshots along.
	takesSnapshotsAlong bool
	// limited is true where it has limits.
	limited bool
	// requests counts what has reached it, control path included.
	requests atomic.Int64
	// arrived, where it is set, is told the number of each request.
	arrived atomic.Pointer[func(number int64)]
}

func startPlatform(listener net.Listener, config emulator.Config) (*platform, error) {
	emulated, err := emulator.New(config)
	if err != nil {
		return nil, err
	}
	p := &platform{World: emulated.FirstWorld(), limited: config.Limits != "" && config.Limits != emulator.LimitsOff,
		baseURL: "http://" + listener.Addr().String(), client: &http.Client{},
		places: map[string]place{}, kinds: map[string]string{}, names: map[string]string{}}
	p.takesSnapshotsAlong = config.Readings["snapshot-without-branch"] == "gone"
	p.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			number := p.requests.Add(1)
			if tell := p.arrived.Load(); tell != nil {
				(*tell)(number)
			}
			emulated.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: time.Minute,
	}
	if p.network, _ = listener.(*network); p.network != nil {
		p.client.Transport = p.network.transport()
	}
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

func (p *platform) close() error {
	p.client.CloseIdleConnections()
	return p.server.Close()
}

// call sends a request to the control path, or with the first key to the API.
func (p *platform) call(ctx context.Context, method, path string, body, into any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	response, err := p.send(ctx, method, path, "application/json", encoded)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// read is what a call returns once no fault is in its way, and nothing where there is no such object.
func (p *platform) read(ctx context.Context, path string) (answer any, _ error) {
	for began := time.Now(); ; {
		response, err := p.send(ctx, http.MethodGet, path, "application/json", nil)
		if err == nil {
			decoder := json.NewDecoder(response.Body)
			decoder.UseNumber()
			err = decoder.Decode(&answer)
			_ = response.Body.Close()
		}
		switch {
		case err == nil && response.StatusCode == http.StatusOK:
			return answer, nil
		case err == nil && response.StatusCode == http.StatusNotFound:
			return nil, nil
		case time.Since(began) > 2*outageTime:
			return nil, fmt.Errorf("GET %s: %w", path, cmp.Or(err, errors.New("no fault lasts as long")))
		}
		if err := wait(ctx, operationDuration); err != nil {
			return nil, err
		}
	}
}

// send sends a request until the limits let it through.
func (p *platform) send(ctx context.Context, method, path, contentType string, body []byte) (*http.Response, error) {
	for {
		request, err := http.NewRequestWithContext(ctx, method, p.baseURL+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", contentType)
		request.Header.Set("Authorization", "Bearer "+p.APIKey)
		response, err := p.client.Do(request)
		if err != nil || response.StatusCode != http.StatusTooManyRequests {
			return response, err
		}
		_ = response.Body.Close()
		if err := wait(ctx, operationDuration); err != nil {
			return nil, err
		}
	}
}

// project is one that resources are made in, with three branches of nobody: one that branches are made from, one that a
// restore moves them to, and one that roles, databases and endpoints are made on, a root as well, so that databases
// leave snapshots of it. Others are taken of the root.
type project struct {
	id, origin, backup, home, root string
	// orgID is its organization's; files has the code of functions, and what is put into buckets.
	orgID, files string
}

// makeProjects makes new projects, and the key that doesn't see them.
func (p *platform) makeProjects(ctx context.Context, count int, files string) ([]project, error) {
	var made struct {
		ProjectIDs []string `json:"project_ids"`
		BranchIDs  []string `json:"branch_ids"`
	}
	asked := map[string]any{"name": "chaos", "count": count, "branches": 2}
	err := p.call(ctx, http.MethodPost, "/_emulator/projects", asked, &made)
	if err == nil && len(made.BranchIDs) != 2*count {
		err = errors.New("the emulator made fewer branches than it was asked for")
	}
	if err != nil {
		return nil, err
	}
	projects := make([]project, count)
	for i, id := range made.ProjectIDs {
		ids := made.BranchIDs[2*i:]
		root, err := p.rootOf(ctx, id)
		if err != nil {
			return nil, err
		}
		home, err := p.makeBranch(ctx, id, map[string]string{"name": "home", "init_source": "schema-only"})
		if err != nil {
			return nil, err
		}
		projects[i] = project{id: id, origin: ids[0], backup: ids[1], home: home, root: root, orgID: p.OrgID, files: files}
		if err := p.furnish(ctx, id, home); err != nil {
			return nil, err
		}
	}
	var blind struct{ Key string }
	err = p.call(ctx, http.MethodPost, "/api/v2/organizations/"+p.OrgID+"/api_keys",
		map[string]string{"key_name": "blind", "project_id": p.ProjectID}, &blind)
	p.blindKey = blind.Key
	return projects, err
}

// rootOf is a new project's branch without a parent.
func (p *platform) rootOf(ctx context.Context, projectID string) (string, error) {
	var found struct {
		Branches []struct {
			ID       string `json:"id"`
			ParentID string `json:"parent_id"`
		} `json:"branches"`
	}
	err := p.call(ctx, http.MethodGet, "/api/v2/projects/"+projectID+"/branches", nil, &found)
	for _, branch := range found.Branches {
		if branch.ParentID == "" {
			return branch.ID, err
		}
	}
	return "", cmp.Or(err, errors.New("the project has no root"))
}

// lose deletes a cycle's object, as somebody else would. It reports whether that took
// effect.
func (p *platform) lose(ctx context.Context, c *cycle) (bool, error) {
	isIt := func(o object) bool { return o.id() == c.current.id() }
	all, err := p.objects(ctx)
	place := slices.IndexFunc(all, isIt)
	if err != nil || place < 0 {
		return false, err
	}
	_ = p.delete(ctx, all[place])                  // It meets faults, too.
	if err := wait(ctx, time.Second); err != nil { // By some readings it can be read until its operations have ended.
		return false, err
	}
	all, err = p.objects(ctx)
	return err == nil && !slices.ContainsFunc(all, isIt), err
}

// restore moves a branch to another parent, as a restore of its parent does.
func (p *platform) restore(ctx context.Context, branchID, parentID string) error {
	return p.call(ctx, http.MethodPost, "/_emulator/parents",
		map[string]string{"branch_id": branchID, "parent_id": parentID}, nil)
}

// settle brings about all effects that are still to come: the longest delay is over.
func (p *platform) settle(ctx context.Context) error {
	return p.call(ctx, http.MethodPost, "/_emulator/clock", map[string]string{"advance": "1m"}, nil)
}

// defaultPrefix begins the names of branches that are made the default ones.
const defaultPrefix = "default-"

// setDefault makes a new branch the default one of a project.
func (p *platform) setDefault(ctx context.Context, projectID string) error {
	id, err := p.makeBranch(ctx, projectID, map[string]string{"name": fmt.Sprintf("%s%d", defaultPrefix,
		p.requests.Load())})
	if err != nil {
		return err
	}
	return p.insist(ctx, "/api/v2/projects/"+projectID+"/branches/"+id+"/set_as_default", nil, nil)
}

// makeBranch makes one, and returns its id.
func (p *platform) makeBranch(ctx context.Context, projectID string, branch map[string]string) (string, error) {
	var made struct {
		Branch struct {
			ID string `json:"id"`
		} `json:"branch"`
	}
	err := p.insist(ctx, "/api/v2/projects/"+projectID+"/branches", map[string]any{"branch": branch}, &made)
	return made.Branch.ID, err
}

// replace has a branch that is restored from a snapshot of a root branch take the place of a target, and
// returns the branch that has the place then.
func (p *platform) replace(ctx context.Context, projectID, rootID, targetID string) (standing string, err error) {
	before, err := p.objects(ctx)
	place := slices.IndexFunc(before, func(o object) bool { return o.kind == branches && o.id() == targetID })
	if err != nil || place < 0 {
		return targetID, cmp.Or(err, errors.New("it doesn't exist"))
	}
	var taken struct {
		Snapshot struct {
			ID string `json:"id"`
		} `json:"snapshot"`
	}
	inProject := "/api/v2/projects/" + projectID
	if err := p.insist(ctx, inProject+"/branches/"+rootID+"/snapshot?name="+restoreSnapshot, nil, &taken); err != nil {
		return targetID, err
	}
	for standing = targetID; ; { // Where the restore fails for good, a person restores once more.
		asked := map[string]any{"target_branch_id": standing, "finalize_restore": true}
		failure := p.insist(ctx, inProject+"/snapshots/"+taken.Snapshot.ID+"/restore", asked, nil)
		found, err := p.whole(ctx, projectID, before[place].Name)
		if standing = cmp.Or(found.id(), targetID); failure != nil || err != nil || found.State == "ready" {
			return standing, cmp.Or(err, failure)
		}
	}
}

// whole returns the branch of a name once nothing works on it.
func (p *platform) whole(ctx context.Context, projectID, name string) (found object, err error) {
	for err == nil && (found.ID == nil || found.Working) {
		var all []object
		all, err = p.objects(ctx)
		place := slices.IndexFunc(all, func(o object) bool {
			return o.kind == branches && o.ProjectID == projectID && o.Name == name
		})
		if err != nil || place < 0 {
			return object{ID: ""}, err
		}
		found, err = all[place], wait(ctx, operationDuration)
	}
	return found, err
}

// leave notes that what a branch has is nobody's from now on, and to stay.
func (p *platform) leave(ctx context.Context, branchID string) {
	all, _ := p.objects(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range all {
		if o.BranchID == branchID && o.goesAlong() {
			p.left = append(p.left, o)
		}
	}
}

// restoreSnapshot is the name of the snapshots that are restored.
const restoreSnapshot = "restore"

// insist sends a request again while other work is in its way, or it meets faults.
func (p *platform) insist(ctx context.Context, path string, body, into any) (err error) {
	for range mostAttempts {
		if err = p.call(ctx, http.MethodPost, path, body, into); err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(operationDuration)
	}
	return err
}

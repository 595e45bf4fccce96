package emulator

import (
	"errors"
	"fmt"
	"time"
)

// createFirstWorld makes what a new world begins with: a user who administers an
// organization, with a key, and a project.
func (e *Emulator) createFirstWorld() {
	w := e.world
	e.worldIsNew = true
	// It was all made a while ago: nothing of it is still being worked on.
	made := e.now().Add(-time.Hour)
	ada := w.addUser("Ada Admin", "ada@example.com")
	org := w.addOrganization("Example", made)
	org.addMember(ada, admin, made)
	key := w.addKey(&apiKey{Kind: personalKey, Name: "first", UserID: ada.ID, CreatedAt: made})
	made = made.Add(time.Minute)
	p := e.addProject(projectSpec{Name: "first", OrgID: org.ID, ownerID: ada.ID, RegionID: firstRegion}, made)
	b := p.Branches[p.DefaultBranchID]
	endpoint := e.addEndpoint(p, b, endpointSpec{Type: readWrite}, made)
	p.addFinished(made, b.ID, "", "create_timeline")
	p.addFinished(made, b.ID, endpoint.ID, startCompute)
	endpoint.States, endpoint.LastActive = states{{At: made, State: "active"}}, e.now()
	w.watchCompute(endpoint, e.now())
	w.First = World{
		APIKey: key.Token, OrgID: org.ID, ProjectID: p.ID, BranchID: b.ID, EndpointID: endpoint.ID,
		RoleName: b.Roles[0].Name, DatabaseName: b.Databases[0].Name,
	}
}

// openWorld reads the world from the state file, or creates a new one.
func (e *Emulator) openWorld() error {
	e.world = newWorld()
	if e.config.RecordSecrets {
		e.world.secrets = map[string]bool{}
	}
	if e.config.StateFile == "" {
		e.createFirstWorld()
		return nil
	}
	state, err := openState(e.config.StateFile)
	if err != nil {
		return err
	}
	if err := e.readWorld(state); err != nil {
		return errors.Join(err, state.close())
	}
	e.state = state
	return nil
}

func (e *Emulator) readWorld(state *stateFile) error {
	isNew, err := state.read(e.world)
	switch {
	case err != nil:
		return fmt.Errorf("unable to read the state in %s: %w", state.name, err)
	case isNew:
		e.createFirstWorld()
		// Whether the file can be written shows at once rather than at the first change.
		everything, err := state.difference(e.world, changes{anywhere: true})
		return errors.Join(err, state.write(everything))
	case e.world.First.APIKey == "":
		return fmt.Errorf("unable to read the state in %s: it holds no world", state.name)
	}
	e.world.connect(e.now())
	return nil
}

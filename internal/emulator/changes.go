package emulator

// changedBy notes what a request may have changed, and returns the world's version.
func (e *Emulator) changedBy(c *call) uint64 {
	if c.project == nil && c.key == nil { // A call of the control API has a key, and an upload a project.
		return e.changedAnywhere()
	}
	e.changed.accounts = e.changed.accounts || c.isOfAccounts || c.project == nil
	if c.project == nil {
		e.version++
		return e.version
	}
	ids := []string{c.PathValue("branch_id"), c.PathValue("endpoint_id")}
	if ids[0] != "" {
		for _, endpoint := range c.project.endpointsOf(ids[0]) {
			ids = append(ids, endpoint.ID) // It may have been woken.
		}
	}
	return e.changedIn(c.project, ids...)
}

// changedAnywhere notes that any part of the world may have changed, and returns its version.
func (e *Emulator) changedAnywhere() uint64 {
	e.version++
	e.changed.anywhere = true
	return e.version
}

// changedIn notes that a project has changed, with objects of these ids, and returns the world's version.
func (e *Emulator) changedIn(p *project, ids ...string) uint64 {
	ids, p.touched = append(ids, p.touched...), nil
	e.version++
	if e.state == nil {
		return e.version // Nobody would ever take note of it.
	}
	if e.changed.projects == nil {
		e.changed.projects = map[string]map[string]bool{}
	}
	noted := e.changed.projects[p.ID]
	if noted == nil {
		noted = map[string]bool{}
		e.changed.projects[p.ID] = noted
	}
	for _, id := range ids {
		noted[id] = true
	}
	for _, o := range p.busy {
		noted[o.ID] = true
	}
	return e.version
}

package emulator

import "strings"

// indexEntry is a route of the control path, as the index shows it.
type indexEntry struct {
	Method  string      `json:"method"`
	Path    string      `json:"path"`
	Does    string      `json:"does"`
	Body    []bodyField `json:"body,omitempty"`
	Example string      `json:"example"`
}

// index describes the routes of the control path, with examples for a base URL.
func index(base string, ids *strings.Replacer) []indexEntry {
	entries := []indexEntry{}
	for _, route := range controlPath {
		method, path, _ := strings.Cut(route.pattern, " ")
		entry := indexEntry{Method: method, Path: path, Does: route.does, Body: fieldsOf(route.body)}
		command := "curl"
		switch {
		case route.example != "":
			command += " -d '" + ids.Replace(route.example) + "'"
		case method != "GET":
			command += " -X " + method
		}
		entry.Example = command + " '" + base + ids.Replace(path) + "'"
		entries = append(entries, entry)
	}
	return entries
}

// showIndex lists what the control path serves, with examples that name what the world
// began with.
func (e *Emulator) showIndex(c *call) (reply, error) {
	first := e.world.First
	ids := strings.NewReplacer("PROJECT_ID", first.ProjectID, "BRANCH_ID", first.BranchID, "ORG_ID", first.OrgID,
		"{endpoint_id}", first.EndpointID, "{role_name}", first.RoleName, "{database_name}", first.DatabaseName)
	return ok(map[string]any{"routes": index("http://"+c.Host, ids), "fault_kinds": faultEffects})
}

package control

import "strings"

// Entry is a route of the control path, as the index shows it.
type Entry struct {
	Method  string      `json:"method"`
	Path    string      `json:"path"`
	Does    string      `json:"does"`
	Body    []bodyField `json:"body,omitempty"`
	Example string      `json:"example"`
}

// Describe describes a route with a sentence, a value of the type of its body, nil for none, and an example
// for a base URL: of the body, or of the path alone.
func Describe(pattern, does string, body any, example, base string, ids *strings.Replacer) Entry {
	method, path, _ := strings.Cut(pattern, " ")
	command := "curl"
	switch {
	case example != "":
		command += " -d '" + ids.Replace(example) + "'"
	case method != "GET":
		command += " -X " + method
	}
	return Entry{Method: method, Path: path, Does: does, Body: fieldsOf(body),
		Example: command + " '" + base + ids.Replace(path) + "'"}
}

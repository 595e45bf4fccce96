package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// newerFolder is a client that is generated from a newer copy of the description: its types
// and its calls say again what that declares, but for the formats of texts.
const newerFolder = clientsFolder + "/@neon/sdk/dist/client"

var (
	comment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	words   = regexp.MustCompile(`'[^']*'|[\w$]+|\S`)
	sdkCall = regexp.MustCompile(
		`(?s)const (\w+) = \(options\) => [^\n]*\.(get|post|put|patch|delete)\(\{.*?\n\turl: "([^"]+)"`)
)

// newerDescription is the description that the newer client was generated from.
var newerDescription = sync.OnceValues(func() (*openapi3.T, error) {
	types, err := os.ReadFile(filepath.Join(newerFolder, "types.gen.d.ts"))
	if err != nil {
		return nil, err
	}
	calls, err := os.ReadFile(filepath.Join(newerFolder, "sdk.gen.js"))
	if err != nil {
		return nil, err
	}
	declared := declaredTypes(string(types))
	paths := map[string]map[string]any{}
	for _, found := range sdkCall.FindAllStringSubmatch(string(calls), -1) {
		name, method, path := strings.ToUpper(found[1][:1])+found[1][1:], found[2], found[3]
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		paths[path][method] = operationOf(found[1], declared[name+"Data"], declared[name+"Responses"],
			declared[name+"Errors"])
	}
	text, err := json.Marshal(map[string]any{
		"openapi": "3.0.3", "info": map[string]string{"title": "newer", "version": "2"},
		"paths": paths, "components": map[string]any{"schemas": declared},
	})
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(text)
})

// jsonSchema is a schema as JSON has it.
type jsonSchema map[string]any

func (s jsonSchema) field(name string) jsonSchema {
	fields, _ := s["properties"].(map[string]jsonSchema)
	return fields[name]
}

func (s jsonSchema) requires(name string) bool {
	required, _ := s["required"].([]string)
	return slices.Contains(required, name)
}

// operationOf describes a call from the types of what it takes and answers.
func operationOf(id string, takes, answers, refusals jsonSchema) map[string]any {
	operation, parameters, responses := map[string]any{"operationId": id}, []any{}, map[string]any{}
	for _, place := range []string{"path", "query"} {
		fields, _ := takes.field(place)["properties"].(map[string]jsonSchema)
		for name, schema := range fields {
			required := place == "path" || takes.field(place).requires(name)
			parameters = append(parameters, map[string]any{"in": place, "name": name, "required": required, "schema": schema})
		}
	}
	if body := takes.field("body"); body != nil && body["not"] == nil {
		operation["requestBody"] = map[string]any{"required": takes.requires("body"), "content": asJSON(body)}
	}
	for _, kind := range []jsonSchema{answers, refusals} {
		statuses, _ := kind["properties"].(map[string]jsonSchema)
		for status, body := range statuses {
			response := map[string]any{"description": status}
			if status != "204" { // It has no body.
				response["content"] = asJSON(body)
			}
			responses[status] = response
		}
	}
	operation["parameters"], operation["responses"] = parameters, responses
	return operation
}

func asJSON(schema jsonSchema) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}

// declaredTypes reads the declarations of a file of types.
func declaredTypes(text string) map[string]jsonSchema {
	r := &typeReader{tokens: words.FindAllString(comment.ReplaceAllString(text, ""), -1)}
	declared := map[string]jsonSchema{}
	for r.at < len(r.tokens) {
		if r.next() == "type" {
			name := r.next()
			r.expect("=")
			declared[name] = r.union()
		}
	}
	return declared
}

// typeReader reads types as generated files have them.
type typeReader struct {
	tokens []string
	at     int
}

func (r *typeReader) peek() string { return r.tokens[r.at] }

func (r *typeReader) next() string {
	r.at++
	return r.tokens[r.at-1]
}

func (r *typeReader) accept(token string) bool {
	if r.at == len(r.tokens) || r.peek() != token {
		return false
	}
	r.at++
	return true
}

func (r *typeReader) expect(token string) {
	if got := r.next(); got != token {
		panic(fmt.Sprintf("%q instead of %q after %q", got, token, r.tokens[max(0, r.at-20):r.at]))
	}
}

// union reads alternatives: values, of which one may be null, or other types.
func (r *typeReader) union() jsonSchema {
	var values []string
	var others []jsonSchema
	nullable := false
	for more := true; more; more = r.accept("|") {
		alternative := r.intersection()
		if value, is := alternative["enum"].([]string); is {
			values = append(values, value...)
		} else if alternative["not"] == "null" {
			nullable = true
		} else {
			others = append(others, alternative)
		}
	}
	if len(values) > 0 {
		others = append(others, jsonSchema{"type": "string", "enum": values})
	}
	switch {
	case nullable:
		return jsonSchema{"nullable": true, "anyOf": others}
	case len(others) == 1:
		return others[0]
	}
	return jsonSchema{"anyOf": others}
}

func (r *typeReader) intersection() jsonSchema {
	parts := []jsonSchema{r.single()}
	for r.accept("&") {
		parts = append(parts, r.single())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return jsonSchema{"allOf": parts}
}

func (r *typeReader) single() jsonSchema {
	switch name := r.next(); {
	case name == "{":
		return r.object()
	case name == "(":
		inner := r.union()
		r.expect(")")
		return inner
	case name[0] == '\'':
		return jsonSchema{"type": "string", "enum": []string{strings.Trim(name, "'")}}
	case name == "string", name == "number", name == "boolean":
		return jsonSchema{"type": name}
	case name == "null":
		return jsonSchema{"not": "null"}
	case name == "never", name == "void":
		return jsonSchema{"not": jsonSchema{}}
	case name == "unknown", name == "Blob", name == "File":
		return jsonSchema{}
	case name == "Array":
		r.expect("<")
		elements := r.union()
		r.expect(">")
		return jsonSchema{"type": "array", "items": elements}
	case r.accept("["): // What an object's fields have is never asked for.
		for r.next() != "]" {
		}
		return jsonSchema{}
	default:
		return jsonSchema{"$ref": "#/components/schemas/" + name}
	}
}

// object reads the fields of an object after its brace.
func (r *typeReader) object() jsonSchema {
	fields, required := map[string]jsonSchema{}, []string{}
	object := jsonSchema{"type": "object", "properties": fields}
	for !r.accept("}") {
		name := strings.Trim(r.next(), "'")
		if name == "[" { // [key: string]: of any name
			r.at += len([]string{"key", ":", "string", "]"})
			r.expect(":")
			object["additionalProperties"] = r.union()
		} else {
			if !r.accept("?") {
				required = append(required, name)
			}
			r.expect(":")
			fields[name] = r.union()
		}
		r.accept(";")
	}
	if len(required) > 0 {
		object["required"] = required
	}
	return object
}

// addNewer adds to the description what only the newer one has: calls, parameters, fields and
// values.
func addNewer(document, newer *openapi3.T) {
	for path, item := range newer.Paths.Map() {
		known := document.Paths.Value(path)
		if known == nil {
			document.Paths.Set(path, item)
			continue
		}
		for method, operation := range item.Operations() {
			if older := known.GetOperation(method); older == nil {
				known.SetOperation(method, operation)
			} else {
				addToCall(known, older, operation)
			}
		}
	}
	for name, schema := range document.Components.Schemas {
		for other, newer := range newer.Components.Schemas {
			if strings.EqualFold(name, other) {
				addFields(schema, newer)
			}
		}
	}
}

// addToCall adds the parameters of a query that a call lacks of its newer version, and the fields
// of bodies that have no name of their own.
func addToCall(path *openapi3.PathItem, older, newer *openapi3.Operation) {
	for _, parameter := range newer.Parameters {
		in, name := parameter.Value.In, parameter.Value.Name
		if in == openapi3.ParameterInQuery && older.Parameters.GetByInAndName(in, name) == nil &&
			path.Parameters.GetByInAndName(in, name) == nil {
			older.Parameters = append(older.Parameters, parameter)
		}
	}
	if older.RequestBody != nil && newer.RequestBody != nil {
		addToContent(older.RequestBody.Value.Content, newer.RequestBody.Value.Content)
	}
	for status, answer := range newer.Responses.Map() {
		if known := older.Responses.Value(status); known != nil {
			addToContent(known.Value.Content, answer.Value.Content)
		}
	}
}

func addToContent(older, newer openapi3.Content) {
	known, media := older.Get("application/json"), newer.Get("application/json")
	if known != nil && media != nil && known.Schema != nil && known.Schema.Ref == "" && media.Schema != nil &&
		media.Schema.Ref == "" {
		addFields(known.Schema, media.Schema)
	}
}

// addFields adds what a schema lacks of its newer version, except what has a name of its own.
func addFields(schema, newer *openapi3.SchemaRef) {
	if len(schema.Value.Enum) > 0 {
		schema.Value.Enum = append(schema.Value.Enum, newer.Value.Enum...)
	}
	for _, part := range newer.Value.AllOf {
		if part.Ref == "" {
			addFields(schema, part)
		}
	}
	for name, field := range newer.Value.Properties {
		known := named(openapi3.SchemaRefs{schema}, name)
		if len(known) == 0 && len(schema.Value.Properties) > 0 {
			schema.Value.Properties[name] = field
		}
		for _, one := range known {
			if one.Ref == "" && field.Ref == "" {
				addFields(one, field)
			}
		}
	}
}

// The newer description is read as a whole, and adds to the older one.
func TestNewerDescription(t *testing.T) {
	t.Parallel()
	needClients(t)
	newer, err := newerDescription()
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, item := range newer.Paths.Map() {
		calls += len(item.Operations())
	}
	if calls < 179 {
		t.Errorf("it has %d calls, want 179 at least", calls)
	}
	members := newer.Paths.Value("/projects/{project_id}/members").Get
	if members.Parameters.GetByInAndName("query", "cursor") == nil || members.Responses.Status(404) == nil {
		t.Errorf("a call lacks a parameter or an answer: %v", members)
	}
	document, err := description()
	if err != nil {
		t.Fatal(err)
	}
	if document.Paths.Value("/projects/{project_id}/branches/{branch_id}/snapshot").Post.Parameters.GetByInAndName("query",
		"slug") == nil {
		t.Error("a known call lacks a parameter that only its newer version has")
	}
	update := document.Components.Schemas["SnapshotUpdateRequest"].Value.Properties["snapshot"].Value.Properties
	if update["name"] == nil || update["expires_at"] == nil || !update["expires_at"].Value.Nullable {
		t.Errorf("the change of a snapshot has the fields %v", update)
	}
}

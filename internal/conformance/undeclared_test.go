package conformance

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
)

// undeclaredFields finds the fields of a body that its schema doesn't declare. A
// validator lets them pass, as the description forbids nothing; but a field with a
// slip in its name is one of them.
func undeclaredFields(content openapi3.Content, body []byte) []string {
	media := content.Get("application/json")
	var value any
	if media == nil || media.Schema == nil || json.Unmarshal(body, &value) != nil {
		return nil
	}
	return undeclared(openapi3.SchemaRefs{media.Schema}, value, "")
}

// undeclared walks through a value to which several schemas apply.
func undeclared(schemas openapi3.SchemaRefs, value any, at string) []string {
	var found []string
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			found = append(found, undeclared(elements(schemas), element, at+"/*")...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			path := at + "/" + name
			if declared := named(schemas, name); len(declared) > 0 {
				found = append(found, undeclared(declared, value[name], path)...)
			} else if declaresFields(schemas) && !discriminates(schemas, name) {
				found = append(found, path)
			}
		}
	}
	return found
}

// parts gives each schema with those that it is made of.
func parts(schemas openapi3.SchemaRefs) []*openapi3.Schema {
	var all []*openapi3.Schema
	for _, one := range schemas {
		all = append(all, one.Value)
		all = append(all, parts(slices.Concat(one.Value.AllOf, one.Value.AnyOf, one.Value.OneOf))...)
	}
	return all
}

func elements(schemas openapi3.SchemaRefs) openapi3.SchemaRefs {
	var all openapi3.SchemaRefs
	for _, part := range parts(schemas) {
		if part.Items != nil {
			all = append(all, part.Items)
		}
	}
	return all
}

// named gives the schemas of a field.
func named(schemas openapi3.SchemaRefs, name string) openapi3.SchemaRefs {
	var all openapi3.SchemaRefs
	for _, part := range parts(schemas) {
		if field := part.Properties[name]; field != nil {
			all = append(all, field)
		} else if part.AdditionalProperties.Schema != nil {
			all = append(all, part.AdditionalProperties.Schema)
		}
	}
	return all
}

// declaresFields tells an object that has fields from one that may have any.
func declaresFields(schemas openapi3.SchemaRefs) bool {
	return slices.ContainsFunc(parts(schemas), func(part *openapi3.Schema) bool { return len(part.Properties) > 0 })
}

// discriminates reports whether a field says which of several schemas applies, which declares it.
func discriminates(schemas openapi3.SchemaRefs, name string) bool {
	return slices.ContainsFunc(parts(schemas), func(part *openapi3.Schema) bool {
		return part.Discriminator != nil && part.Discriminator.PropertyName == name
	})
}

// undeclaredParameters finds the parameters of a query that a route doesn't take.
func undeclaredParameters(route *routers.Route, query url.Values) []string {
	declared := slices.Concat(route.PathItem.Parameters, route.Operation.Parameters)
	var found []string
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if declared.GetByInAndName(openapi3.ParameterInQuery, name) == nil {
			found = append(found, "?"+name)
		}
	}
	return found
}

// declaredAnswer gives what the description says of an answer of that status.
func declaredAnswer(route *routers.Route, status int) openapi3.Content {
	answer := route.Operation.Responses.Status(status)
	if answer == nil {
		answer = route.Operation.Responses.Default()
	}
	if answer == nil {
		return nil
	}
	return answer.Value.Content
}

package wire

import (
	"strings"
	"testing"
)

// What fits a body follows from the types and tags of its fields.
func TestDecode(t *testing.T) {
	t.Parallel()
	type body struct {
		Name   string   `json:"name" fits:"required,1..3"`
		Kind   string   `json:"kind" fits:"=a|b"`
		Hour   *int64   `json:"hour" fits:"0..23"`
		Scopes []string `json:"scopes" fits:"1..2,each,=x|y"`
		Parent string   `json:"parent" fits:"id,empty"`
		Note   *string  `json:"note" fits:"null"`
		Inner  struct {
			Mail string `json:"mail" fits:"email"`
			Port int64  `json:"port" fits:"1.."`
			Path string `json:"path" fits:"1.."`
			At   string `json:"at" fits:"clock"`
		} `json:"inner"`
		Kept Shaped[struct {
			On bool `json:"on"`
		}] `json:"kept"`
	}
	for _, test := range []struct {
		sent, refusal string
		required      []string
	}{
		{sent: `{"name":"abc","kind":"a","hour":23,"scopes":["x","y"],"parent":"","note":null,"inner":{"mail":"a@b","at":"23:59"},"kept":{"on":true},"other":1}`},
		{sent: `{}`, refusal: "name (field required)"},
		{sent: `{"name":"a"}}`, refusal: "more than one value"},
		{sent: `{"name":""}`, refusal: "name (must have 1 to 3 characters)"},
		{sent: `{"name":"a","kind":"c"}`, refusal: "kind (must be one of a, b)"},
		{sent: `{"name":"a","hour":24}`, refusal: "hour (must be an integer from 0 to 23)"},
		{sent: `{"name":"a","scopes":[]}`, refusal: "scopes (must have 1 to 2 elements)"},
		{sent: `{"name":"a","scopes":["z"]}`, refusal: "scopes[0] (must be one of x, y)"},
		{sent: `{"name":"a","parent":"A B"}`, refusal: "parent (must be a string that matches"},
		{sent: `{"name":"a","note":7}`, refusal: "note (must be a string)"},
		{sent: `{"name":"a","inner":{"mail":"nobody"}}`, refusal: "inner.mail (must be a string that matches"},
		{sent: `{"name":"a","inner":{"port":0}}`, refusal: "inner.port (must be an integer of at least 1)"},
		{sent: `{"name":"a","inner":{"path":""}}`, refusal: "inner.path (must have 1 or more characters)"},
		{sent: `{"name":"a","inner":{"at":"24:00"}}`, refusal: "inner.at (must be a string that matches"},
		{sent: `{"name":"a","inner":{"at":"1:00"}}`, refusal: "inner.at (must be a string that matches"},
		{sent: `{"name":"a","kept":{"on":1}}`, refusal: "kept.on (must be a boolean)"},
		{sent: `{"name":"a","inner":{}}`, required: []string{"inner.port"}, refusal: "inner.port (field required)"},
		{sent: `{"name":"a"}`, required: []string{"kind"}, refusal: "kind (field required)"},
	} {
		var read body
		err := Decode([]byte(test.sent), &read, test.required...)
		switch {
		case test.refusal == "" && err != nil:
			t.Errorf("%s: %v", test.sent, err)
		case test.refusal != "" && (err == nil || !strings.Contains(err.Error(), test.refusal)):
			t.Errorf("%s: %v, want %s", test.sent, err, test.refusal)
		case test.refusal == "" && (read.Name != "abc" || read.Kept["on"] != true || read.Kept["other"] != nil):
			t.Errorf("%s is read as %+v", test.sent, read)
		}
	}
	var few struct {
		Name string `json:"name"`
	}
	if err := DecodeStrictly([]byte(`{"name":"a","other":1}`), &few); err == nil ||
		!strings.Contains(err.Error(), `unknown member "other"; there are name`) {
		t.Errorf("a member that isn't known: %v", err)
	}
}

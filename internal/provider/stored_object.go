package provider

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// storedObject is an object of the state as Terraform sends it, by attribute. It is
// read here without the framework, which takes a thousand times as long.
type storedObject struct {
	values map[string]any
	// strange is true once something was read that isn't as the schema has it.
	strange bool
}

// storedObjectOf gives nil for what isn't an object whose values are all known.
func storedObjectOf(value *tfprotov6.DynamicValue) *storedObject {
	if value == nil || len(value.MsgPack) == 0 {
		return nil
	}
	values, err := decodeStored(msgpack.NewDecoder(bytes.NewReader(value.MsgPack)), len(value.MsgPack))
	if err != nil || values == nil {
		return nil
	}
	return &storedObject{values: values}
}

var errNotStored = errors.New("this isn't part of an object of the state")

// decodeStored reads an object, or a map. Most bounds how many attributes it may say
// that it has: the decoder would make room for them.
func decodeStored(decoder *msgpack.Decoder, most int) (map[string]any, error) {
	length, err := decoder.DecodeMapLen()
	if err != nil || length < 0 || length > most {
		return nil, cmp.Or(err, errNotStored)
	}
	values := make(map[string]any, length)
	for range length {
		name, err := decoder.DecodeString()
		if err != nil {
			return nil, err
		}
		if values[name], err = decodeStoredValue(decoder, most); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func decodeStoredValue(decoder *msgpack.Decoder, most int) (any, error) {
	code, err := decoder.PeekCode()
	switch {
	case err != nil:
		return nil, err
	case msgpcode.IsFixedMap(code), code == msgpcode.Map16, code == msgpcode.Map32:
		return decodeStored(decoder, most)
	case msgpcode.IsFixedArray(code), code == msgpcode.Array16, code == msgpcode.Array32, msgpcode.IsExt(code):
		// A list, or a value that isn't known.
		return nil, errNotStored
	}
	return decoder.DecodeInterfaceLoose()
}

// storedValue gives an attribute as the type that msgpack has for it, and whether it
// has a value.
func storedValue[T any](o *storedObject, name string) (value T, ok bool) {
	found, exists := o.values[name]
	if value, ok = found.(T); !ok && (!exists || found != nil) {
		o.strange = true
	}
	return value, ok
}

func (o *storedObject) text(name string) types.String {
	if value, ok := storedValue[string](o, name); ok {
		return types.StringValue(value)
	}
	return types.StringNull()
}

func (o *storedObject) moment(name string) timetypes.RFC3339 {
	text, ok := storedValue[string](o, name)
	if !ok {
		return timetypes.NewRFC3339Null()
	}
	value, problems := timetypes.NewRFC3339Value(text)
	o.strange = o.strange || problems.HasError()
	return value
}

func (o *storedObject) truth(name string) types.Bool {
	if value, ok := storedValue[bool](o, name); ok {
		return types.BoolValue(value)
	}
	return types.BoolNull()
}

// whole is a whole number.
func (o *storedObject) whole(name string) types.Int64 {
	if value, ok := storedValue[int64](o, name); ok {
		return types.Int64Value(value)
	}
	return types.Int64Null()
}

// number is written as a whole one where it is.
func (o *storedObject) number(name string) types.Float64 {
	if whole, ok := o.values[name].(int64); ok {
		return types.Float64Value(float64(whole))
	}
	if value, ok := storedValue[float64](o, name); ok {
		return types.Float64Value(value)
	}
	return types.Float64Null()
}

// objects are the elements of a map of objects; nil for null.
func (o *storedObject) objects(name string) map[string]*storedObject {
	values, ok := storedValue[map[string]any](o, name)
	if !ok {
		return nil
	}
	objects := make(map[string]*storedObject, len(values))
	for key, value := range values {
		element, ok := value.(map[string]any)
		o.strange = o.strange || !ok
		objects[key] = &storedObject{values: element}
	}
	return objects
}

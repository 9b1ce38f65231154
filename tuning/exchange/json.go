package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"example.org/bench/framework/expression"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
)

// decode reads one JSON value, numbers as written. NaN and Infinity, which
// Python writes, become null.
func decode(text []byte, into any) error {
	try := func(text []byte) error {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var odd *json.UnmarshalTypeError
		if err := d.Decode(into); errors.As(err, &odd) {
			return fmt.Errorf("%s is %s; want %s", cmp.Or(odd.Field, "the file"), kindOf(odd.Value), wanted(odd.Type))
		} else if err != nil {
			return err
		}
		if _, err := d.Token(); err != io.EOF {
			return fmt.Errorf("something follows the JSON value")
		}
		bounded.OneLine(into)
		return nil
	}
	err := try(text)
	if err == nil || !notJSON().Match(text) {
		return err
	}
	return try(notJSON().ReplaceAll(text, []byte("${1}null")))
}

// kindOf is encoding/json's word for what a file holds, as errors of this
// program have it.
func kindOf(value string) string {
	value, _, _ = strings.Cut(value, " ") // of a number also its digits
	switch value {
	case "array":
		return "a list"
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "object":
		return "an object"
	}
	return "a " + value
}

// wanted is the JSON kind that a Go type is read from.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Pointer:
		return wanted(t.Elem())
	}
	return "a number"
}

var notJSON = lazy.Regexp(`([:,\[]\s*)(?:-?Infinity|NaN)\b`)

// valueOf is a JSON scalar as a parameter's value.
func valueOf(x any) (expression.Value, error) {
	switch v := x.(type) {
	case string:
		return expression.Value{Word: v, IsWord: true}, nil
	case bool:
		if v {
			return expression.Value{Number: 1, Bool: true}, nil
		}
		return expression.Value{Bool: true}, nil
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return expression.Value{}, fmt.Errorf("number %s is out of range", v)
		}
		return expression.Value{Number: f, Float: strings.ContainsAny(v.String(), ".eE")}, nil
	}
	kind := "null"
	switch x.(type) {
	case []any:
		kind = "a list"
	case map[string]any:
		kind = "an object"
	}
	return expression.Value{}, fmt.Errorf("a value is %s, neither a number nor a word", kind)
}

// scalar is a value as JSON writes it.
func scalar(v expression.Value) any {
	switch {
	case v.IsWord:
		return v.Word
	case v.Bool:
		return v.Number != 0
	}
	return json.Number(expression.FormatPython(v.Number, v.Float))
}

// seconds converts a JSON number in a unit; ok is false for anything else.
func seconds(x any, unit float64) (float64, bool) {
	n, ok := x.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f * unit, err == nil
}

// milliseconds writes seconds for files in ms.
func milliseconds(s float64) json.Number {
	return json.Number(strconv.FormatFloat(s*1e3, 'g', 12, 64))
}

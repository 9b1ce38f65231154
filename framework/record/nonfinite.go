package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// JSON has no NaN and no infinity. A Result that holds some (the error of a
// wrong answer, a sensor without a reading) is written with zeros in their
// place and a list of what they were, by place. A float type that marshals NaN
// would be shorter here, but every algorithm's Check and every reader of a power
// trace would convert to and from it, and all of a trace's samples would pass its
// method; the walk below is only for the few Results that JSON refuses.

// plain is a Result without its JSON methods.
type plain Result

type wire struct {
	plain
	NonFinite map[string]string `json:"non_finite,omitempty"`
}

// MarshalJSON writes any Result, NaN and infinities included.
func (res Result) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(plain(res))
	var unsupported *json.UnsupportedValueError
	if !errors.As(err, &unsupported) {
		return b, err
	}
	w := wire{plain(res), map[string]string{}}
	mapReals(reflect.ValueOf(&w.plain).Elem(), "", func(place string, x float64) float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			w.NonFinite[place] = fmt.Sprint(x)
			return 0
		}
		return x
	})
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (res *Result) UnmarshalJSON(b []byte) error {
	var w wire
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	var bad error
	if len(w.NonFinite) > 0 {
		mapReals(reflect.ValueOf(&w.plain).Elem(), "", func(place string, x float64) float64 {
			s, ok := w.NonFinite[place]
			if !ok {
				return x
			}
			y, err := strconv.ParseFloat(s, 64)
			if err != nil && bad == nil {
				bad = fmt.Errorf("non_finite %s: want NaN, +Inf or -Inf, got %q", place, s)
			}
			return y
		})
	}
	*res = Result(w.plain)
	return bad
}

// mapReals puts every float64 in v through f, with its place, such as
// "checks.0.error". What v points to is copied before: nobody else's is changed.
// A problem's parameters are not reached: plans refuse what is not finite.
func mapReals(v reflect.Value, place string, f func(place string, x float64) float64) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(f(place[1:], v.Float()))
	case reflect.Pointer:
		if !v.IsNil() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			v.Set(c)
			mapReals(c.Elem(), place, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				mapReals(v.Field(i), place+"."+name, f)
			}
		}
	case reflect.Slice:
		c := reflect.AppendSlice(reflect.Zero(v.Type()), v)
		v.Set(c)
		for i := range c.Len() {
			mapReals(c.Index(i), place+"."+strconv.Itoa(i), f)
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		c := reflect.MakeMap(v.Type())
		for _, k := range v.MapKeys() {
			x := reflect.New(v.Type().Elem()).Elem()
			x.Set(v.MapIndex(k))
			mapReals(x, place+"."+k.String(), f)
			c.SetMapIndex(k, x)
		}
		v.Set(c)
	}
}

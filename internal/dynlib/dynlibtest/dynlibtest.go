// Package dynlibtest makes functions fail that dynlib bound in a library.
package dynlibtest

import (
	"reflect"
	"strings"
	"unsafe"
)

// Faults makes one call of functions return code: the call with the number At, counted from 1 since At
// was set; 0 stands for no call.
type Faults struct {
	At     int
	Failed string // the symbol of the call that failed; empty until then

	calls   int
	symbols []string
}

// Wrap puts the faults before every function that returns an int32, in a struct of the form that
// dynlib.Library.BindAll takes.
func Wrap(functions any, code int32) *Faults {
	f := &Faults{}
	s := reflect.ValueOf(functions).Elem()
	for i := range s.NumField() {
		symbol, _, _ := strings.Cut(s.Type().Field(i).Tag.Get("symbol"), " ")
		t := s.Field(i).Type()
		if symbol == "" || t.Kind() != reflect.Func || t.NumOut() != 1 || t.Out(0).Kind() != reflect.Int32 {
			continue
		}
		f.symbols = append(f.symbols, symbol)
		field := reflect.NewAt(t, unsafe.Pointer(s.Field(i).UnsafeAddr())).Elem()
		bound := reflect.ValueOf(field.Interface())
		field.Set(reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			if f.calls++; f.calls == f.At {
				f.Failed = symbol
				return []reflect.Value{reflect.ValueOf(code).Convert(t.Out(0))}
			}
			return bound.Call(args)
		}))
	}
	return f
}

// Each calls run repeatedly and makes the n-th call fail in the n-th run, until no call is left. It
// returns the errors by the symbols of the calls that failed, the last error of each. A call that run
// does not make has no entry.
func (f *Faults) Each(run func() error) map[string]error {
	errs := map[string]error{}
	for n := 1; ; n++ {
		f.At, f.Failed, f.calls = n, "", 0
		err := run()
		if f.Failed == "" {
			f.At = 0
			return errs
		}
		errs[f.Failed] = err
	}
}

// Symbols returns the symbols of the functions that Wrap found.
func (f *Faults) Symbols() []string { return f.symbols }

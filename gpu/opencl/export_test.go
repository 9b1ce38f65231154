package opencl

import (
	"reflect"
	"strings"
)

// Calls are the functions of the loader that this package calls.
func Calls() (names []string) {
	t := reflect.TypeFor[api]()
	for i := range t.NumField() {
		names = append(names, strings.Fields(t.Field(i).Tag.Get("symbol"))...)
	}
	return names
}

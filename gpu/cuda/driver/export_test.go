package driver

import (
	"reflect"
	"slices"
	"strings"
)

// Calls are the symbols of every call that can fail, as alternatives.
func Calls() (list [][]string) {
	t := reflect.TypeFor[api]()
	for i := range t.NumField() {
		symbols := strings.Fields(t.Field(i).Tag.Get("symbol"))
		if !slices.ContainsFunc(symbols, func(s string) bool { return strings.HasPrefix(s, "cuGetError") }) {
			list = append(list, symbols)
		}
	}
	return list
}

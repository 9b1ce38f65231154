package nvml

import (
	"reflect"
	"strings"
)

// Calls are the symbols of every call, as alternatives.
func Calls() (list [][]string) {
	t := reflect.TypeFor[api]()
	for i := range t.NumField() {
		list = append(list, strings.Fields(t.Field(i).Tag.Get("symbol")))
	}
	return list
}

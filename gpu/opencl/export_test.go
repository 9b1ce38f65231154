package opencl

import (
	"reflect"
	"strings"

	"example.org/bench/gpu"
)

// CachedFile is the file of the disk cache for a text on a device with these facts.
func CachedFile(facts gpu.Facts, text string) string {
	d := &Device{facts: facts}
	return d.cached("k.cl", text, "")
}

// Calls are the functions of the loader that this package calls.
func Calls() (names []string) {
	t := reflect.TypeFor[api]()
	for i := range t.NumField() {
		names = append(names, strings.Fields(t.Field(i).Tag.Get("symbol"))...)
	}
	return names
}

package dynlib

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"
)

// Candidates returns names that the dynamic loader may know, followed by the files that match a pattern
// in folders, the newest first in each folder and without links to them. Folders are patterns, too.
func Candidates(names, folders []string, pattern string) []string {
	list := slices.Clone(names)
	seen := map[string]bool{}
	for _, folder := range folders {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			continue // callers' patterns are well formed
		}
		slices.Sort(found)
		slices.Reverse(found)
		for _, f := range found {
			if real, err := filepath.EvalSymlinks(f); err == nil && !seen[real] {
				seen[real] = true
				list = append(list, f)
			}
		}
	}
	return list
}

// First returns the result of load for the first name that load accepts. load opens one name with Open.
// The error gives on one line why each name failed, and last the names that do not exist.
func First[L any](names []string, load func(name string) (L, error)) (L, error) {
	var absent []string
	var unfit all
	for _, name := range names {
		l, err := load(name)
		if err == nil {
			return l, nil
		}
		if name, ok := strings.CutPrefix(err.Error(), notFound); ok {
			absent = append(absent, name)
		} else {
			unfit = append(unfit, err)
		}
	}
	if len(absent) > 0 {
		unfit = append(unfit, errors.New(notFound+strings.Join(absent, ", ")))
	}
	var none L
	return none, unfit
}

// String copies a C string; nil gives an empty string.
func String(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

package dynlib

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"
)

// Candidates are names that the dynamic loader may know, then the files in folders that
// match a pattern, in each folder the newest first, and links to them left out. Folders
// are patterns, too.
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

// First is what load makes of the first name that it takes. load opens one name with Open;
// the error has on one line why it takes none, and last those that are not there.
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

// String copies a C string; nil is empty.
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

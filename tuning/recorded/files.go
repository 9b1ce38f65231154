package recorded

import (
	"fmt"
	"os"
	"slices"
)

// Distinct refuses a file or folder that is named twice: compared with itself, it shows nothing. It does not
// look for files that do not exist.
func Distinct(paths []string) error {
	var known []os.FileInfo
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(known, func(k os.FileInfo) bool { return os.SameFile(k, info) }) {
			return fmt.Errorf("%s is named twice; want different recorded spaces", path)
		}
		known = append(known, info)
	}
	return nil
}

// OpenAll reads recorded spaces and passes the remarks about them to note. An empty manifest name means no
// manifest.
func OpenAll(files []string, manifest string, note func(format string, args ...any)) ([]*Space, error) {
	var m Manifest
	if manifest != "" {
		var err error
		if m, err = ReadManifest(manifest); err != nil {
			return nil, err
		}
	}
	var spaces []*Space
	for _, file := range files {
		s, err := Open(file, m)
		if err != nil {
			return nil, err
		}
		for _, n := range s.Notes {
			note("%s: %s", file, n)
		}
		spaces = append(spaces, s)
	}
	return spaces, nil
}

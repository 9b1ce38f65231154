package command

import (
	"bench/tuning/recorded"
	"fmt"
	"os"
	"slices"
)

// distinct refuses a file or folder that is named twice: held against itself, it
// says nothing. What does not exist is not its concern.
func distinct(paths []string) error {
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

// openSpaces reads recorded spaces; no name is no manifest.
func (a *app) openSpaces(files []string, manifest string) ([]*recorded.Space, error) {
	var m recorded.Manifest
	if manifest != "" {
		var err error
		if m, err = recorded.ReadManifest(manifest); err != nil {
			return nil, err
		}
	}
	var spaces []*recorded.Space
	for _, file := range files {
		s, err := recorded.Open(file, m)
		if err != nil {
			return nil, err
		}
		for _, n := range s.Notes {
			fmt.Fprintf(a.err, "%s: %s\n", file, n)
		}
		spaces = append(spaces, s)
	}
	return spaces, nil
}

package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"bench/framework/record"
)

// ReadRuns reads results folders with their samples, where they have them, and
// names each by as little of its path as tells it apart.
func ReadRuns(dirs []string) ([]Run, error) {
	var runs []Run
	names := record.ShortNames(dirs)
	for i, dir := range dirs {
		r, err := record.Read(dir)
		if err != nil {
			return nil, err
		}
		samples, err := record.ReadSamples(dir, r)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		runs = append(runs, Run{Name: names[i], Run: r, Samples: samples})
	}
	return runs, nil
}

// ReadSides reads the folders of each side; runs of one side are instances of one
// level.
func ReadSides(sides [][]string) ([]Run, error) {
	dirs := slices.Concat(sides...)
	seen := map[string]bool{}
	for _, d := range dirs {
		if d = filepath.Clean(d); seen[d] {
			return nil, fmt.Errorf("%s is given twice: each run counts as instances of its own", d)
		}
		seen[filepath.Clean(d)] = true
	}
	runs, err := ReadRuns(dirs)
	if err != nil {
		return nil, err
	}
	at := 0
	for _, side := range sides {
		level := sideName(runs[at : at+len(side)])
		for range side {
			runs[at].Level = level
			at++
		}
	}
	return runs, nil
}

// sideName is the first and the last run's name.
func sideName(runs []Run) string {
	if last := len(runs) - 1; last > 0 {
		return runs[0].Name + " to " + runs[last].Name
	}
	return runs[0].Name
}

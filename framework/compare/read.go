package compare

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"bench/framework/record"
)

// ReadRuns reads results folders with their samples, where they have them, and
// names each by as little of its path as tells it apart.
func ReadRuns(dirs []string) ([]Run, error) {
	var runs []Run
	for i, dir := range dirs {
		r, err := record.Read(dir)
		if err != nil {
			return nil, err
		}
		samples, err := record.ReadSamples(dir, r)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		runs = append(runs, Run{Name: shortName(dirs, i), Run: r, Samples: samples})
	}
	return runs, nil
}

// shortName is the end of the path dirs[i] that no other has.
func shortName(dirs []string, i int) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(dirs[i])), "/")
	for n := 1; n < len(parts); n++ {
		name := strings.Join(parts[len(parts)-n:], "/")
		unique := true
		for j, other := range dirs {
			unique = unique && (j == i || !strings.HasSuffix("/"+filepath.ToSlash(filepath.Clean(other)), "/"+name))
		}
		if unique {
			return name
		}
	}
	return filepath.Clean(dirs[i])
}

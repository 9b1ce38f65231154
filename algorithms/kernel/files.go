package kernel

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"example.org/bench/framework/config"
)

// sourceFiles reads the files of a config from disk, or as they were read before (config.Config.Files).
type sourceFiles struct{ cfg *config.Config }

func (f sourceFiles) read(path string) ([]byte, error) {
	if text, ok := f.cfg.Files[path]; ok {
		return text, nil
	}
	if f.cfg.Closed {
		return nil, fmt.Errorf("%s was not read: %w", path, fs.ErrNotExist)
	}
	text, err := readSource(path)
	if err == nil && f.cfg.Files != nil {
		f.cfg.Files[path] = text
	}
	return text, err
}

// glob returns the paths that match a pattern.
func (f sourceFiles) glob(pattern string) (list []string, err error) {
	if !f.cfg.Closed {
		return filepath.Glob(pattern)
	}
	for path := range f.cfg.Files {
		matches, err := filepath.Match(pattern, path)
		if err != nil {
			return nil, err
		}
		if matches {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list, nil
}

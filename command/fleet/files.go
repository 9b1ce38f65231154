package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/textfile"
)

var includes = lazy.Regexp(`(?m)^\s*#\s*include\s*"([^"]+)"`)

// sourceFiles are the endings of the files that are searched for includes.
var sourceFiles = map[string]bool{".cu": true, ".cuh": true, ".h": true, ".hpp": true, ".c": true, ".cpp": true, ".cc": true, ".inc": true}

// filesOf returns the files that a config needs, by their names from its folder on: itself,
// every file in its folder or below that a word of it names, and what these include.
func filesOf(config string) (map[string]string, error) {
	dir := filepath.Dir(config)
	text, err := bounded.ReadFile(config, bounded.MostText)
	if err != nil {
		return nil, err
	}
	if text, err = textfile.Plain(text); err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	files := map[string]string{filepath.Base(config): config}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	var failed error
	var add func(name string)
	add = func(name string) {
		name = path.Clean(name)
		if name == "." || path.IsAbs(name) || strings.HasPrefix(name, "..") || files[name] != "" {
			return
		}
		full := filepath.Join(dir, name)
		fi, err := os.Stat(full)
		if err != nil && !noName(err) {
			failed = errors.Join(failed, err)
		}
		if err != nil || !fi.Mode().IsRegular() {
			return
		}
		files[name] = full
		if !sourceFiles[path.Ext(name)] {
			return
		}
		source, err := bounded.ReadFile(full, bounded.MostText)
		if err != nil {
			failed = errors.Join(failed, err)
		}
		for _, m := range includes().FindAllSubmatch(source, -1) {
			add(path.Join(path.Dir(name), string(m[1])))
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			add(v)
			for _, word := range strings.Fields(v) {
				add(word)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(v)
	return files, failed
}

// noName reports whether an error says that a word of a config names no file.
func noName(err error) bool {
	return slices.ContainsFunc([]error{fs.ErrNotExist, fs.ErrInvalid, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ELOOP},
		func(e error) bool { return errors.Is(err, e) })
}

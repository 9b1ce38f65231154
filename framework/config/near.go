package config

import (
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/internal/terminal"
)

// Near returns the config that was probably meant by a name that is no config: configs/fft.json for
// "fft", its config for a folder that bench new made, the nearest name in its folder for a mistyped
// one. It returns "" if there is none.
func Near(name string) string {
	there := func(file string) bool {
		i, err := os.Stat(Find(file))
		return err == nil && i.Mode().IsRegular()
	}
	if i, err := os.Stat(name + ".json"); err == nil && i.Mode().IsRegular() {
		return name + ".json"
	}
	for _, file := range []string{filepath.Join(name, filepath.Base(name)+".json"), filepath.Join("configs", name+".json"), filepath.Join("configs", name)} {
		if there(file) {
			return file
		}
	}
	stem := strings.TrimSuffix(filepath.Base(name), ".json")
	if len(stem) < 3 { // short stems are near to any other
		return ""
	}
	dirs := []string{filepath.Dir(name)}
	if dirs[0] == "." {
		dirs = append(dirs, "configs")
	}
	for _, dir := range dirs {
		var stems []string
		files, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, f := range files {
			if stem, is := strings.CutSuffix(f.Name(), ".json"); is && f.Type().IsRegular() && !terminal.HasLineEnd(stem) {
				stems = append(stems, stem)
			}
		}
		if n := Nearest(stem, stems); n != "" {
			return filepath.Join(dir, n+".json")
		}
	}
	return ""
}

// wanted returns the end of an error message about a name that is no config.
func wanted(name string) string {
	if near := Near(name); near != "" {
		return "did you mean " + near + "?"
	}
	return "want an experiment file such as configs/fft.json"
}

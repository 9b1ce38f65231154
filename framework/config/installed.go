package config

import (
	"os"
	"path/filepath"
	"strings"
)

// Find returns the file of a config: the file called name if it exists, else the one that came with
// the program. That one is beside the program, as in the archive, or in the folder for its data, as
// in the Debian package. There fft.json also finds configs/fft.json.
func Find(name string) string {
	program, err := os.Executable()
	if err != nil {
		return name
	}
	return find(name, program)
}

func find(name, program string) string {
	if _, err := os.Stat(name); err == nil || filepath.IsAbs(name) || name == "-" {
		return name
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	inside := strings.TrimPrefix(filepath.Clean(name), "configs"+string(filepath.Separator))
	if !filepath.IsLocal(inside) {
		return name
	}
	for _, folder := range []string{"configs", "../share/bench/configs"} {
		file := filepath.Join(filepath.Dir(program), folder, inside)
		if i, err := os.Stat(file); err == nil && i.Mode().IsRegular() {
			return file
		}
	}
	return name
}

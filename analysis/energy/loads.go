package energy

import (
	"bytes"
	"embed"
	"io/fs"
	"path/filepath"

	"example.org/bench/internal/safefile"
)

//go:embed loads.json loads.cu loads_right.cu
var loads embed.FS

// Loads is the name of the algorithm of the loads.
const Loads = "loads"

// WriteLoads writes the loads' config with its sources into a folder, and returns its path.
func WriteLoads(folder string) (config string, err error) {
	files, err := fs.ReadDir(loads, ".")
	if err != nil {
		return "", err
	}
	for _, f := range files {
		text, err := loads.ReadFile(f.Name())
		if err != nil {
			return "", err
		}
		if err := safefile.Write(filepath.Join(folder, f.Name()), bytes.NewReader(text)); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, "loads.json"), nil
}

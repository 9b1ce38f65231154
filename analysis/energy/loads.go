package energy

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"

	"example.org/bench/internal/diskcache"
	"example.org/bench/internal/safefile"
)

//go:embed loads.json loads.cu loads_memory.cu loads_right.cu
var loads embed.FS

// Loads is the name of the algorithm of the loads.
const Loads = "loads"

// KeepLoads writes the loads' config with its sources into the cache folder, and returns the config's path.
// The path is the same each time, since compiled code is kept by it.
func KeepLoads() (config string, err error) {
	folder, err := diskcache.Folder(Loads)
	if err != nil {
		return "", err
	}
	return WriteLoads(folder)
}

// WriteLoads writes the loads' config with its sources into a folder below in, which is named by their
// content, and returns the config's path.
func WriteLoads(in string) (config string, err error) {
	files, err := fs.ReadDir(loads, ".")
	if err != nil {
		return "", err
	}
	texts, hash := map[string][]byte{}, sha256.New()
	for _, f := range files {
		if texts[f.Name()], err = loads.ReadFile(f.Name()); err != nil {
			return "", err
		}
		hash.Write(texts[f.Name()])
	}
	folder := filepath.Join(in, hex.EncodeToString(hash.Sum(nil)[:8]))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	for name, text := range texts {
		if err := safefile.Write(filepath.Join(folder, name), bytes.NewReader(text)); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, "loads.json"), nil
}

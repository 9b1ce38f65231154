package tuning

import (
	"encoding/json"
	"fmt"
	"os"
)

// Manifest describes recorded spaces by name.
type Manifest map[string]*ManifestEntry

// ManifestEntry is what a manifest says of one space, as far as a replay
// needs it.
type ManifestEntry struct {
	// File is the recorded space's, beside the manifest.
	File string `json:"file"`
	// Parameters are the declared values, in order.
	Parameters map[string][]float64 `json:"parameters"`
}

// ReadManifest reads a manifest's JSON file.
func ReadManifest(path string) (Manifest, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// entry is that of a space's name, or else of its file; nil where there is
// none.
func (m Manifest) entry(name, file string) *ManifestEntry {
	if e := m[name]; e != nil {
		return e
	}
	for _, e := range m {
		if e != nil && e.File == file {
			return e
		}
	}
	return nil
}

// values are those of a parameter, nil where the manifest does not say.
func (e *ManifestEntry) values(parameter string) ([]float64, error) {
	if e == nil || len(e.Parameters[parameter]) == 0 {
		return nil, nil
	}
	values := e.Parameters[parameter]
	seen := make(map[float64]bool, len(values))
	for _, v := range values {
		if seen[v] {
			return nil, fmt.Errorf("manifest: %s lists %v twice", parameter, v)
		}
		seen[v] = true
	}
	return values, nil
}

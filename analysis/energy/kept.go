package energy

import (
	"encoding/json"
	"fmt"
	"strings"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/diskcache"
)

// IdentityOf tells a GPU with its driver and power mode from others.
func IdentityOf(d record.Device, mode string) string {
	var parts []string
	if d.Facts != nil {
		parts = append(parts, d.Facts.Name, d.Facts.UUID)
	}
	return strings.Join(append(parts, d.Driver, mode), "|")
}

const folder = "energy"

// Keep remembers a calibration, for 30 days after its last use.
func Keep(m Model) error { return diskcache.Remember(folder, m.Identity, m) }

// Kept returns the calibration of a GPU; ok is false if there is none.
func Kept(identity string) (m Model, ok bool) {
	if !diskcache.Known(folder, identity, &m) || m.Identity != identity || m.check() != nil {
		return Model{}, false
	}
	return m, true
}

// Read reads a calibration from a file.
func Read(path string) (m Model, err error) {
	text, err := bounded.ReadFile(path, bounded.MostText)
	if err == nil {
		err = bounded.Unmarshal(text, &m)
	}
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return m, fmt.Errorf("calibration %s: %w", path, err)
	}
	return m, nil
}

// JSON returns the calibration as in a file.
func (m Model) JSON() ([]byte, error) { return json.MarshalIndent(m, "", "  ") }

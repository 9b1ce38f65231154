// Package probes keeps what duty-cycle probes found of power sensors, by hardware and driver, in the user's
// cache folder. It forgets what was not used for 30 days.
package probes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/diskcache"
	"example.org/bench/internal/safefile"
)

// Probe is what was found of a sensor's channels, by name.
type Probe struct {
	Identity string                  `json:"identity"` // framework.Identified
	Probed   time.Time               `json:"probed"`
	Channels map[string]measure.Seen `json:"channels"`
}

func file(identity string) (string, error) {
	folder, err := diskcache.Folder("sensors")
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256([]byte(identity))
	return filepath.Join(folder, hex.EncodeToString(hash[:16])+".json"), nil
}

// Save keeps a probe.
func Save(p Probe) error {
	path, err := file(p.Identity)
	if err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("probe of %s: %w", p.Identity, err)
	}
	return safefile.Write(path, bytes.NewReader(text))
}

// Of is the probe of a sensor; ok is false where it was not probed, or says no
// identity.
func Of(s framework.Sensor) (p Probe, ok bool) {
	i, ok := s.(framework.Identified)
	if !ok || i.Identity() == "" {
		return p, false
	}
	path, err := file(i.Identity())
	if err != nil || !diskcache.Use(path) {
		return p, false
	}
	text, err := bounded.ReadFile(path, bounded.MostText)
	if err != nil || bounded.Unmarshal(text, &p) != nil || p.Identity != i.Identity() {
		return Probe{}, false
	}
	return p, true
}

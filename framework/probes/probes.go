// Package probes keeps what duty-cycle probes found of power sensors, by hardware and driver, in the user's
// cache folder. It forgets what was not used for 30 days.
package probes

import (
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/internal/diskcache"
)

// Probe is what was found of a sensor's channels, by name.
type Probe struct {
	Identity string                  `json:"identity"` // framework.Identified
	Probed   time.Time               `json:"probed"`
	Channels map[string]measure.Seen `json:"channels"`
}

const folder = "sensors"

// Save keeps a probe.
func Save(p Probe) error { return diskcache.Remember(folder, p.Identity, p) }

// Of is the probe of a sensor; ok is false where it was not probed, or says no
// identity.
func Of(s framework.Sensor) (p Probe, ok bool) {
	i, ok := s.(framework.Identified)
	if !ok || i.Identity() == "" || !diskcache.Known(folder, i.Identity(), &p) || p.Identity != i.Identity() {
		return Probe{}, false
	}
	return p, true
}

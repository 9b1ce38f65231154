package record

import (
	"slices"
	"strings"
)

// Begin puts what is known of this process's part of the run on disk, for a run
// that resumes it. It may be called again when more is known.
func (j *Journal) Begin(info Info) error { return j.write(sessionLine, info) }

// Sessions returns what earlier processes said by Begin, in order.
func (j *Journal) Sessions() []Info { return j.sessions }

// Resume takes over what holds for the points that earlier processes measured:
// when the run began and on what machine, devices with their ceilings, sensors and
// warnings. What this process found is added where it is new.
func (i *Info) Resume(earlier []Info) {
	if len(earlier) == 0 {
		return
	}
	merged := earlier[0]
	for _, e := range earlier {
		if e.Tool != i.Tool && !slices.Contains(i.EarlierTools, e.Tool) {
			i.EarlierTools = append(i.EarlierTools, e.Tool)
		}
	}
	for _, next := range append(slices.Clone(earlier[1:]), *i) {
		for _, d := range next.Devices {
			if !slices.ContainsFunc(merged.Devices, func(had Device) bool { return had.ID == d.ID && had.PowerMode == d.PowerMode }) {
				merged.Devices = append(merged.Devices, d)
			}
		}
		for _, s := range next.Sensors {
			if !slices.ContainsFunc(merged.Sensors, func(had Sensor) bool { return had.Name == s.Name && had.Device == s.Device }) {
				merged.Sensors = append(merged.Sensors, s)
			}
		}
		for _, w := range next.Warnings {
			if !slices.Contains(merged.Warnings, w) {
				merged.Warnings = append(merged.Warnings, w)
			}
		}
	}
	i.Started, i.Machine = merged.Started, merged.Machine
	i.Devices, i.Sensors, i.Warnings = merged.Devices, merged.Sensors, merged.Warnings
}

// librariesOf returns the libraries that the results' processes had loaded, by name.
func librariesOf(results []Result) (all []Library) {
	for _, r := range results {
		for _, l := range r.Libraries {
			if !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Library) int { return strings.Compare(a.Name, b.Name) })
	return all
}

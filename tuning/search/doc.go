// Package search searches the tunables of a config's versions on a device.
//
// Open plans the experiment and enumerates a space for every version at every sweep point (a Task). Run
// measures the points that a strategy proposes, one at a time on each device, after other processes have
// compiled them. Finals measure the best again, in turns with the defaults. Every result is in the journal
// before the next point, so that an interrupted search can be resumed. Write leaves trials.csv, tune.json
// (Report), recorded spaces, plots and wisdom. Read reads a report, and Qualities judges the choices of
// searches by an exhaustive one.
package search

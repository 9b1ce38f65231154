// Package search searches the tunables of a config's versions on a device.
//
// Open plans the experiment and enumerates a space for every version at every
// sweep point (a Task). Run has a strategy propose points and measures them one
// at a time, each when other processes have compiled it; finals measure the best again,
// in turns with the defaults. Every result is in the journal before the next
// point, from where an interrupted search goes on. Write leaves trials.csv,
// tune.json (Report), recorded spaces, plots and wisdom; Read reads a report, and
// Qualities judges the choices of searches by an exhaustive one.
package search

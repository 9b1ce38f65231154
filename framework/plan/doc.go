// Package plan turns a config, an algorithm and the facts of the machine into
// the list of points to run. It executes nothing.
//
//	Config ─┐
//	Factory ┼─Make─▶ Plan: Points, Axes, LeftOut
//	Machine ┘
//
// Make chooses the versions that the config names and this machine can run,
// checks arguments and axes against the factory's parameters and tunables
// (values.go), and multiplies: versions by the sweep's combinations by the
// tunables' (combine.go). What the algorithm refuses on every processor is the
// config's fault, at its position; what only one processor, version or device
// refuses is a point with the reason to skip it. Points of one problem are
// consecutive, because they share inputs and the reference answer. A Point's
// Key identifies it in every plan; this is how a run resumes and how runs are
// compared.
package plan

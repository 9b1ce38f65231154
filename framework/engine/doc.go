// Package engine runs the points of a plan. The points run in a worker
// process, so that an illegal access, a hang or memory exhaustion costs one
// point; the parent keeps the journal.
//
//	Engine (parent) ──request, a line──▶ Serve (worker)
//	               ◀──phases, one reply──
//
// The worker is the only caller of a version's life: New, PreRun, Run, Verify,
// the timers and meters, PostRun. Each request is one operation of it: what a
// device is, what it can do at most, how warm it is, one point, two points in
// turns, or a point compiled for a device that need not be there. A worker that
// died, hung or lost its CUDA context is replaced before the next request.
package engine

// Package engine runs the points of a plan. The points run in a worker process, so that an illegal
// access, a hang or memory exhaustion costs one point. The parent keeps the journal.
//
//	Engine (parent) ──request, a line──▶ Serve (worker)
//	               ◀──phases, one reply──
//
// Only the worker runs a version's life cycle: New, PreRun, Run, Verify, the timers and meters,
// PostRun. Each request is one operation: describe a device, measure its ceilings, read its
// temperatures, run one point, time two points in turns, or compile a point for a device that need
// not be present. A worker that died, hung or lost its CUDA context is replaced before the next
// request.
package engine

// Package experiment finds all that is known of an experiment before a point runs, and runs its points.
//
// A Subject is a config, or an algorithm by name, with its factory. Open makes the engine, asks it for the
// facts of the GPU if a version may need one, and plans the points:
//
//	config ──┐
//	factory ─┴─ Subject ─┐
//	flags ───── Options ─┴─ Open ──▶ Experiment: Crew, Facts, Plan ──Session──▶ Results
//
// A Session runs the points, keeps the journal, and compiles ahead the kernels of points to go
// (CompileAhead). A described GPU, which need not be present, is given by its facts. Wisdom and power modes
// come as functions, since they are outside the framework.
//
// Verification plans the problems at which an algorithm's answers are checked, and Check runs them into a
// Tally. Planned, Progress, Tally and Turns put their content into words. A RunError went wrong while
// running; other errors are mistakes in the request.
package experiment

// Package judge decides whether a candidate, which is the source of one version of a task, is
// right, and how fast it is against the task's baseline.
//
// A task is a config of kernels with a section "judge" (config.Judge). The task is trusted; the
// candidate's text is not. A candidate is verified in the simulator, if it can run there, and then
// on the device. It is then timed alone, which proves that its timed runs compute (measure.Proof),
// and in turns with the baseline, as bench ab does (experiment.Turns). The first step that it fails
// decides.
package judge

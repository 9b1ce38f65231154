// Package judge decides whether a candidate is right, and how fast it is against the baseline of its task.
// A candidate is the source of one version of the task.
//
// A task is a config of kernels with a section "judge" (config.Judge). The task is trusted; the candidate's
// text is not. A candidate is verified in the simulator, if it can run there, and then on the device. It is
// then timed alone, which proves that its timed runs compute (measure.Proof), and in turns with the
// baseline, as bench ab does. The first step that it fails decides.
package judge

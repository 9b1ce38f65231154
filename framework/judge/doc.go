// Package judge says of a candidate, which is the source of one version of a task, whether it is
// right and how fast it is against the task's baseline.
//
// A task is a config of kernels with a section "judge" (config.Judge). It is trusted; the
// candidate's text is not. A candidate is verified in the simulator where it can be, then on the
// device, then timed alone, which proves that its timed runs compute (measure.Proof), then timed
// in turns with the baseline, as bench ab does (experiment.Turns). The first step that it fails
// decides.
package judge

package judge

// Help explains how a candidate is judged, and which exit status each verdict has (Statuses).
const Help = `Judge says of a candidate, a .cu, .ptx, .cubin or .c file, whether it is right and how fast
it is against the baseline of a task: a config with the key "judge" (docs/judging.md).
The file replaces the source of the version that the task names. The task is trusted, the
candidate is not; but this is not a sandbox, and a C function runs as your program.

A kernel is verified in the simulator, where every access to memory is checked; then on the
device, at the task's problems and hidden ones; then timed alone, where its timed runs have
to compute; then timed in turns with the baseline, as bench ab does it, after a control. The
first of these that it fails decides. --device sim verifies only. The seed of the inputs is
drawn, unless --seed gives one.

EXIT STATUS
  0    faster; verified, where nothing is timed
  1    no verdict: no GPU, the baseline fails, or another failure
  2    bad task or usage
  3    same
  4    unknown: right, and the times tell no difference
  5    slower
  10   wrong
  11   cheats
  12   does not compile
  13   timeout
  14   refused
  15   impossible: its answer cannot have been written in that time
  130  interrupted`

package record

// Cause is the kind of a fault, for programs that judge a version by it. A status and a reason are
// for people.
type Cause string

// The causes. A fault of another kind has none.
const (
	// NotCompiled is a source that a compiler refuses.
	NotCompiled Cause = "not compiled"
	// Mistake is a mistake that the simulator names: an access out of bounds, a race, a barrier.
	Mistake Cause = "mistake"
	// LeftBehind is a kernel that reads what an earlier run left, as the simulator names it.
	LeftBehind Cause = "left behind"
	// SecondRun is a version that is right at first, and wrong when it is verified again, on other
	// inputs if it has some.
	SecondRun Cause = "second run"
	// TimedRun is a version that is right at first, and wrong in a timed run.
	TimedRun Cause = "timed run"
	// IdleRun is a version whose timed runs do not compute.
	IdleRun Cause = "idle run"
	// ChangedCode is a version whose code another version in its process changed.
	ChangedCode Cause = "changed code"
	// ChangedClock is a version that changes the clock by which it is timed.
	ChangedClock Cause = "changed clock"
	// DisturbedBaseline is a version beside which another takes longer, or fails, as it does not alone.
	DisturbedBaseline Cause = "disturbed baseline"
)

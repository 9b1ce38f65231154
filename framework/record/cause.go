package record

// Cause is the kind of a fault, for those who judge a version by it: a status and a reason are
// for people.
type Cause string

// The causes. A fault of another kind has none.
const (
	// NotCompiled is of a source that a compiler refuses.
	NotCompiled Cause = "not compiled"
	// Mistake is what the simulator names: an access out of bounds, a race, a barrier.
	Mistake Cause = "mistake"
	// LeftBehind is of a kernel that reads what an earlier run left, as the simulator names it.
	LeftBehind Cause = "left behind"
	// SecondRun is of a version that is right at first, and wrong when it is verified again, on other
	// inputs where it has some.
	SecondRun Cause = "second run"
	// TimedRun is of a version that is right at first, and wrong in a timed run.
	TimedRun Cause = "timed run"
	// IdleRun is of a version whose timed runs do not compute.
	IdleRun Cause = "idle run"
	// ChangedCode is of a version whose code another one of its process has changed.
	ChangedCode Cause = "changed code"
	// ChangedClock is of a version that changes the clock by which it is timed.
	ChangedClock Cause = "changed clock"
)

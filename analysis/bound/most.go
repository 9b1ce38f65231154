package bound

import "slices"

// fullClock is the change of a clock that was held down.
const fullClock = "clock"

// relieves are the parts of the GPU, by class, that need less of their time with a change. Each other
// one stays as busy as it is.
var relieves = map[string][]Class{
	"coalesce":         {Memory, L2, L1, SharedMem},
	"bank-conflicts":   {SharedMem, L1},
	"spills":           {L2, L1, SharedMem, Compute},
	"single-precision": {Compute},
	"divergence":       {L2, L1, SharedMem, Compute},
	"fewer-atomics":    {Atomics, L2, L1, SharedMem, Compute},
	"fewer-blocks":     {Launch},
	"wider-accesses":   {L2, L1, SharedMem, Compute},
	"divisions":        {Compute},
	"approximate":      {Compute},
	"reuse":            {Memory, L2, L1, SharedMem, Compute},
	"fewer-barriers":   {Compute},
	"constants":        {Constants},
	fullClock:          {L2, L1, SharedMem, Constants, Atomics, Launch, Compute}, // memory has a clock of its own
}

// most is how much faster a change can make the run, whatever the model says: what it
// does not relieve is busy for these shares of the time, and the problem's own bytes
// have to be moved.
func (e *estimate) most(change string, uses []Use) float64 {
	floor := 0.0
	for _, u := range uses {
		share := u.Share
		if slices.Contains(relieves[change], u.Class) {
			share = 0
			if u.What == memoryUse { // less than the problem's bytes where caches hold some of them
				share = min(u.Share, float64(e.in.Work.NominalBytes)/e.in.Machine.DRAM/e.in.Time)
			}
		}
		floor = max(floor, share)
	}
	return max(1, 1/max(floor, 1e-9))
}

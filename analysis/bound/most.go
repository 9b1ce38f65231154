package bound

import "slices"

// fullClock is the change of a clock that was held down.
const fullClock = "clock"

// relieves are, by change, the classes of parts of the GPU that need less of their time with it. Each other
// part stays as busy as it is.
var relieves = map[string][]Class{
	"coalesce":         {Memory, L2, L1, SharedMem},
	"bank-conflicts":   {SharedMem, L1},
	"spills":           {L2, L1, SharedMem, Compute},
	"single-precision": {Compute},
	"divergence":       {L2, L1, SharedMem, Compute},
	"fewer-atomics":    {Atomics, L2, L1, SharedMem, Compute},
	"fewer-blocks":     {Launch},
	"wider-accesses":   {L2, L1, SharedMem, Compute, Launch},
	"divisions":        {Compute},
	"approximate":      {Compute},
	"reuse":            {Memory, L2, L1, SharedMem, Compute},
	"fewer-barriers":   {Compute},
	"constants":        {Constants},
	"fuse-launches":    {Memory, L2, L1, SharedMem, Launch, Compute},
	"shuffles":         {L1, SharedMem, Compute},
	"registers":        {L2, L1, SharedMem, Compute},
	"half-precision":   {Memory, L2, L1, SharedMem, Launch},
	fullClock:          {L2, L1, SharedMem, Constants, Atomics, Launch, Compute}, // memory has a clock of its own
}

// most returns how much faster a change can make the run at most, whatever the model says. The parts that it
// does not relieve stay busy for these shares of the time, and the problem's own bytes must be moved.
func (e *estimate) most(change string, uses []Use) float64 {
	floor, bytes, asked := 0.0, float64(e.in.Work.NominalBytes), 0.0
	for _, g := range e.groups {
		asked += float64(g.times) * g.counts.GlobalBytes
	}
	if asked > 0 {
		bytes = min(bytes, asked)
	}
	for _, u := range uses {
		share := u.Share
		if slices.Contains(relieves[change], u.Class) {
			share = 0
			if u.What == memoryUse { // less than the problem's bytes if caches hold some of them, or threads request fewer
				share = min(u.Share, bytes/e.in.Machine.DRAM/e.in.Time)
				if change == "half-precision" {
					share /= 2
				}
			}
		}
		floor = max(floor, share)
	}
	return max(1, 1/max(floor, 1e-9))
}

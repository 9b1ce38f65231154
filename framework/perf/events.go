package perf

import "errors"

// event is what perf_event_open(2) calls one.
type event struct {
	name   string
	kind   uint32 // PERF_TYPE_…
	config uint64 // PERF_COUNT_…
	// unit is what one count is, in the name's unit.
	unit float64
	// program says that it comes about in the program, and so is counted where the kernel's
	// own are not allowed.
	program bool
}

// Of the kinds, hardware is what a CPU counts, of the program alone; software what the
// kernel does, of what it does for the program, too.
const (
	hardware = 0
	software = 1
	memory   = 1 << 31 // what memory controllers count, of all programs; no kind of the kernel's
)

// events are those that can be counted (PERF_COUNT_HW_… and PERF_COUNT_SW_… of
// linux/perf_event.h).
var events = []event{
	{"cycles", hardware, 0, 1, true},
	{"instructions", hardware, 1, 1, true},
	{"cache-references", hardware, 2, 1, true},
	{"cache-misses", hardware, 3, 1, true},
	{"branches", hardware, 4, 1, true},
	{"branch-misses", hardware, 5, 1, true},
	{"task-clock_s", software, 1, 1e-9, true},
	{"page-faults", software, 2, 1, true},
	{"context-switches", software, 3, 1, false},
	{"cpu-migrations", software, 4, 1, false},
	{"minor-faults", software, 5, 1, true},
	{"major-faults", software, 6, 1, true},
	{"memory-read_B", memory, 0, 1, false},
	{"memory-written_B", memory, 0, 1, false},
}

// Events are the names of what can be counted.
func Events() (names []string) {
	for _, e := range events {
		names = append(names, e.name)
	}
	return names
}

func find(name string) (event, error) {
	for _, e := range events {
		if e.name == name {
			return e, nil
		}
	}
	return event{}, errors.New("no event " + name)
}

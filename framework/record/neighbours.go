package record

import (
	"fmt"
	"strings"

	"example.org/bench/framework/neighbours"
	"example.org/bench/internal/terminal"
)

// Neighbours are who else used the GPU of a point.
type Neighbours struct {
	Processes string `csv:"gpu_processes" doc:"other processes that had a context on the GPU while the point was measured, with their memory and their share of the multiprocessors' time where the driver tells; empty: none was seen"`
	Shared    string `csv:"gpu_shared" doc:"what shows that others used the GPU meanwhile: a process that worked, hot times that contradict the cold ones, or runs that were interrupted; such a point is not judged by comparisons; empty: nothing does"`
}

// SharedMark marks a time of a GPU that others used meanwhile.
const SharedMark = "!"

// Shared returns what shows that others used the GPU while the point was measured; empty where
// nothing does.
func (row *Row) Shared() string { return row.Neighbours.Get().Shared }

// neighboursOf joins those of instances.
func neighboursOf(instances []Result) (n Neighbours) {
	var processes []neighbours.Process
	var shared []string
	for _, x := range instances {
		if x.Conditions == nil {
			continue
		}
		processes = neighbours.Join(processes, x.Conditions.Processes)
		shared = union(shared, x.Conditions.Shared)
	}
	return Neighbours{neighbours.List(processes), strings.Join(shared, "; ")}
}

// doubtSharedPower puts the power and the energy of a GPU in doubt that others used: the
// sensor cannot tell whose they are.
func (row *Row) doubtSharedPower() {
	p := row.Power.Get()
	if row.Shared() == "" || !p.Total.IsSet() {
		return
	}
	const doubt = "others used the GPU"
	row.Doubts = append(row.Doubts[:len(row.Doubts):len(row.Doubts)], doubt)
	if p.Notes != "" {
		p.Notes += "; "
	}
	p.Notes += doubt + ": " + row.Shared()
	row.Power = RareOf(p)
}

// sharing returns the line that says with whom the run's GPUs and CPUs were shared, and at how many
// points that shows; empty where nothing was found.
func (r *Run) sharing() string {
	marked, points, first := 0, 0, ""
	for i := range r.Rows {
		if r.Rows[i].Status == Skipped {
			continue
		}
		points++
		if s := r.Rows[i].Shared(); s != "" {
			if marked++; marked == 1 {
				first = s
			}
		}
	}
	var parts []string
	if marked > 0 {
		parts = append(parts, fmt.Sprintf("%s others used the GPU at %d of %s, which no comparison judges (at the first: %s)", SharedMark, marked, terminal.Count(points, "point"), first))
	}
	for _, d := range r.Info.Devices {
		if d.Sharing != nil {
			parts = union(parts, d.Sharing.Words())
		}
	}
	if m := r.Info.Machine; m.Limited(float64(m.UsableCPUs)) {
		parts = append(parts, fmt.Sprintf("this cgroup's quota is %.3g of %s", m.CPUQuota, terminal.Count(m.UsableCPUs, "CPU")))
	}
	if marked > 0 || len(parts) == 0 {
		return strings.Join(parts, "; ")
	}
	return "shared: " + strings.Join(parts, "; ")
}

// HollowTime reports whether figures show a point's times as in doubt.
func (row *Row) HollowTime() bool { return row.Time.Hollow() || row.Shared() != "" }

// HollowHot is HollowTime of the times back to back.
func (row *Row) HollowHot() bool { return row.Hot.Get().Hollow() || row.Shared() != "" }

package record

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/neighbours"
	"example.org/bench/framework/plan"
)

// beside is a GPU's point with power, and these neighbours.
func beside(id int, processes []neighbours.Process, shared ...string) Result {
	r := sustained(60, 61.2)
	r.Point = plan.Point{ID: id, Algorithm: "fft", Version: "v", Processor: framework.GPU}
	r.Cold = &measure.Series{Samples: []float64{1, 1, 1, 1, 1, 1, 1, 1}, Converged: true, Batch: 1}
	r.Conditions = &measure.Conditions{Processes: processes, Shared: shared}
	return r
}

// TestNeighboursOfARun: one closing line says who shared the GPU and at how many points that
// shows; these have a mark, doubtful power, and hollow marks in figures, and keep it on disk.
func TestNeighboursOfARun(t *testing.T) {
	share := 0.96
	python := neighbours.Process{PID: 30, Name: "python3", Memory: 412 << 20}
	working := python
	working.Share = &share
	for _, c := range []struct {
		name    string
		info    Info
		results []Result
		line    string
		marked  int
	}{
		{"nobody", Info{}, []Result{beside(0, nil), beside(1, nil)}, "", 0},
		{"one that is idle", Info{Devices: []Device{{Sharing: &neighbours.Sharing{Processes: []neighbours.Process{python}, MIG: true}}}}, []Result{beside(0, []neighbours.Process{python})},
			"shared: other processes: python3 (pid 30, 412 MiB); MIG is on", 0},
		{"one that works", Info{Devices: []Device{{Sharing: &neighbours.Sharing{MPS: "its server runs (pid 4)"}}}}, []Result{beside(0, nil), beside(1, []neighbours.Process{working}, working.String())},
			"! others used the GPU at 1 of 2 points, which no comparison judges (at the first: python3 (pid 30, 412 MiB, 96 % of the SMs' time)); MPS: its server runs (pid 4)", 1},
		{"not told", Info{Devices: []Device{{Sharing: &neighbours.Sharing{Unknown: "a container"}}}}, []Result{beside(0, nil)}, "", 0},
		{"a quota", Info{Machine: machine.Facts{UsableCPUs: 2, CPUQuota: 0.3}}, []Result{beside(0, nil)}, "shared: this cgroup's quota is 0.3 of 2 CPUs", 0},
	} {
		r := NewRun(c.info, "p", nil, c.results)
		table := Table(r, false, 0)
		if got := r.sharing(); got != c.line || c.line != "" && !strings.HasSuffix(table, "\n"+c.line) {
			t.Errorf("%s: %q, want %q\n%s", c.name, got, c.line, table)
		}
		if got := strings.Count(table, SharedMark+"1.000 s"); got != c.marked {
			t.Errorf("%s: %d marked, want %d\n%s", c.name, got, c.marked, table)
		}
	}

	r := NewRun(Info{}, "p", nil, []Result{beside(0, nil), beside(1, []neighbours.Process{working}, working.String(), "paused")})
	dir := t.TempDir()
	if err := Write(dir, r); err != nil {
		t.Fatal(err)
	}
	read, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string][]Row{"made": r.Rows, "read": read.Rows} {
		free, marked := &rows[0], &rows[1]
		if n := marked.Neighbours.Get(); n.Processes != working.String() || n.Shared != working.String()+"; paused" || !marked.HollowTime() || !marked.HollowHot() || !marked.HollowPower() {
			t.Errorf("%s: %+v", name, n)
		}
		if p := marked.Power.Get(); !strings.HasSuffix(p.Notes, "; others used the GPU: "+marked.Shared()) {
			t.Errorf("%s: power notes %q", name, p.Notes)
		}
		if free.Shared() != "" || free.HollowTime() || strings.Contains(free.Power.Get().Notes, "others") {
			t.Errorf("%s: %+v", name, free.Neighbours.Get())
		}
	}
	if d := r.Rows[1].Doubts; len(d) != 1 || d[0] != "others used the GPU" || len(r.Rows[0].Doubts) != 0 {
		t.Errorf("doubts %q", d)
	}
}

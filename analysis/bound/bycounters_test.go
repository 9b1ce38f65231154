package bound

import "testing"

// Where the profiler's percentages were counted they decide, also of code that is not known; which memory it is
// needs its own.
func TestClassByCounters(t *testing.T) {
	model := Why{Sure: true, Class: Memory, Share: 0.7, Otherwise: Tail, Uses: []Use{{memoryUse, 0.7, Memory}, {"float64", 0.65, Compute}}}
	shared := Why{Class: Latency, Otherwise: Latency, Uses: []Use{{"shared memory and L1", 0.5, SharedMem}}}
	for _, c := range []struct {
		name                  string
		of                    Why
		compute, memory       float64
		dram, l2, l1          float64
		want                  Class
		unit                  string
		share, second, margin float64
	}{
		{"below", model, 59, 30, 30, 10, 10, Tail, "", 0.59, 0.3, 0},
		{"compute", model, 80, 40, 30, 10, 10, Compute, "float64", 0.8, 0.4, 2},
		{"memory", model, 40, 60, 60, 50, 10, Memory, "", 0.6, 0.4, 1.5},
		{"L2", model, 40, 80, 60, 80, 10, L2, "", 0.8, 0.4, 2},
		{"L1", model, 40, 80, 60, 70, 80, L1, "", 0.8, 0.4, 2},
		{"shared memory", shared, 40, 80, 10, 20, 80, SharedMem, "", 0.8, 0.4, 2},
		{"a library's", Why{Class: Unknown}, 70, 35, 0, 0, 0, Compute, "counted", 0.7, 0.35, 2},
		{"a library's, below", Why{Class: Unknown}, 20, 10, 0, 0, 0, Latency, "", 0.2, 0.1, 2},
	} {
		w := c.of.ByCounters(counted(c.compute, c.memory, c.dram, c.l2, c.l1), 0)
		if w.Class != c.want || w.Unit != c.unit || w.Sure != (c.of.Sure && c.want == c.of.Class) || !w.Counted || !close(w.Share, c.share) || !close(w.Second, c.second) || c.margin > 0 && !close(w.Margin, c.margin) {
			t.Errorf("%s: %+v", c.name, w)
		}
	}
	held := Why{Limited: true}.ByCounters(counted(90, 10, 0, 0, 0), 0)
	if held.Class != Clock {
		t.Errorf("at a clock that was held down: %s", held.Class)
	}
	// Of a short kernel the launch is a part of the profiler's range.
	if w := (Why{Clock: 1e9, Otherwise: Launch}).ByCounters(counted(90, 10, 0, 0, 0), 1e-6); w.Class != Launch || !close(w.Share, 0.45) {
		t.Errorf("a short kernel: %s, %v", w.Class, w.Share)
	}
	for _, missing := range []string{computeCounter, memoryCounter, elapsedCounter, activeCounter} {
		list := counted(90, 10, 0, 0, 0)
		delete(list, missing)
		if w := model.ByCounters(list, 0); w.Counted || w.Class != Memory {
			t.Errorf("without %s: %+v", missing, w)
		}
	}
}

// counted are percentages of a range in which the GPU is idle for four fifths.
func counted(compute, memory, dram, l2, l1 float64) map[string]float64 {
	return map[string]float64{computeCounter: compute / 5, memoryCounter: memory / 5, dramCounter: dram / 5, l2Counter: l2 / 5, l1Counter: l1 / 5,
		elapsedCounter: 5000, activeCounter: 1000}
}

// A class is sure where neither the model's time nor its shares leave doubt.
func TestSureOfAClass(t *testing.T) {
	for _, c := range []struct {
		near, memory, compute, blocks float64
		want                          bool
	}{
		{1, 0.9, 0.3, 0, true}, {1.39, 0.9, 0.3, 0, true}, {0.72, 0.3, 0.2, 0, true}, {1, 0.1, 0.2, 0.9, true},
		{1.41, 0.9, 0.3, 0, false}, {0.71, 0.9, 0.3, 0, false}, // the time
		{1, 0.7, 0.3, 0, false}, {1, 0.3, 0.51, 0, false}, // near 60 %
		{1, 0.9, 0.8, 0, false}, {1, 0.8, 0.9, 0, false}, // near each other
		{1, 0.8, 0.3, 0.85, false}, // what the profiler does not count
	} {
		w := Why{Uses: []Use{{memoryUse, c.memory, Memory}, {"float32", c.compute, Compute}, {"beginning blocks", c.blocks, Launch}}}
		if got := w.sure(c.near); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

package engine

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

func TestTooLargeForTheMachine(t *testing.T) {
	factory := &framework.Factory{Name: "big", HostBytes: func(framework.Values) int64 { return 1 << 60 },
		Versions: []framework.Version{{Name: "v", Processor: framework.GPU, DeviceBytes: func(_, _ framework.Values) int64 { return 3 << 30 }}}}
	e := New(Options{Factory: factory})
	p := plan.Point{Version: "v", Processor: framework.GPU, Device: "cuda:0"}
	facts := &gpu.Facts{Name: "Toy", GlobalBytes: 2 << 30}
	if why := e.tooLarge(p, facts); !strings.HasPrefix(why, "needs 1.07e+09 GiB of memory") {
		t.Error(why)
	}
	factory.HostBytes = nil
	if why := e.tooLarge(p, facts); why != "needs 3 GiB of device memory, Toy has 2 GiB: a smaller problem is needed" {
		t.Error(why)
	}
	if facts.GlobalBytes = 3 << 30; e.tooLarge(p, facts) != "" {
		t.Error("what just fits is refused")
	}
	if e.tooLarge(p, nil) != "" {
		t.Error("refused without facts")
	}
	facts.GlobalBytes = 1
	if p.Device = "sim"; e.tooLarge(p, facts) != "" {
		t.Error("refused in the simulator")
	}
}

// Where it is not known what is free, nothing is refused.
func TestRoomForExecutedKernels(t *testing.T) {
	if got := freeBytes(memory{free: 100, total: 200}); got != 100 {
		t.Errorf("of 100 bytes %d are free", got)
	}
	if got := freeBytes(memory{}); got < 1<<40 {
		t.Errorf("where /proc/meminfo cannot be read %d bytes are free", got)
	}
}

// TestTooLargeForSharedMemory: of an integrated GPU host and device are added, and a
// part of what is free is left to the system.
func TestTooLargeForSharedMemory(t *testing.T) {
	const gib = 1 << 30
	factory := &framework.Factory{Name: "shared", HostBytes: func(framework.Values) int64 { return gib },
		Versions: []framework.Version{{Name: "v", Processor: framework.GPU, DeviceBytes: func(_, _ framework.Values) int64 { return gib },
			HostBytes: func(_, _ framework.Values, full bool) int64 { return map[bool]int64{false: gib, true: 2 * gib}[full] }},
			{Name: "v", Processor: framework.CPU}}}
	e := New(Options{Factory: factory})
	facts := &gpu.Facts{Name: "Jetson TX1", GlobalBytes: 4 * gib, Integrated: true}
	gpu, cpu := plan.Point{Version: "v", Processor: framework.GPU, Device: "cuda:0"}, plan.Point{Version: "v", Processor: framework.CPU, Device: "cpu"}
	for _, c := range []struct {
		free float64 // GiB
		p    plan.Point
		full bool
		want string
	}{
		{2.26, gpu, false, ""},
		{2.24, gpu, false, "needs 2 GiB of memory (1 GiB for the GPU), which GPU and CPU share: 2.24 GiB are free, of which 0.25 GiB are left to the system; a smaller problem is needed"},
		{2.26, gpu, true, "needs 3 GiB of memory (1 GiB for the GPU)"},
		{2.26, cpu, false, ""}, // which says nothing: twice its inputs
		{2.24, cpu, false, "needs 2 GiB of memory (0 GiB for the GPU)"},
	} {
		e.memory = func() memory { return memory{int64(c.free * gib), 4 * gib} }
		e.opt.FullVerification = c.full
		if why := e.tooLarge(c.p, facts); !strings.HasPrefix(why, c.want) || (c.want == "") != (why == "") {
			t.Errorf("%+v: %q", c, why)
		}
	}
	// From input to answer the host has as much again.
	gpu.Params, gpu.Usage = framework.Values{"timed": framework.TextValue("answer")}, []string{"timed"}
	for free, want := range map[float64]string{3.26: "", 3.24: "needs 3 GiB of memory (1 GiB for the GPU)"} {
		e.memory = func() memory { return memory{int64(free * gib), 4 * gib} }
		e.opt.FullVerification = false
		if why := e.tooLarge(gpu, facts); !strings.HasPrefix(why, want) || (want == "") != (why == "") {
			t.Errorf("%g GiB: %q", free, why)
		}
	}
	if e.memory = func() memory { return memory{} }; e.tooLarge(gpu, facts) != "" {
		t.Error("refused though nothing is known of the memory")
	}
}

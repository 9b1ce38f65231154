package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cupti"
	"example.org/bench/gpu/cuda/cupti/cuptitest"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// deviceFiles names the environment variable with the folder of a worker's /dev.
const deviceFiles = "BENCH_TEST_DEVICE_FILES"

// launchesOnGPU launches a kernel some times, and must be reset before.
type launchesOnGPU struct {
	doesOnGPU
	device gpu.Device
	count  int
	kernel [2]gpu.Kernel
	ready  bool
}

func (a *launchesOnGPU) PreRun() error {
	m, err := a.device.Compile(gpu.Source{Name: "k.cu", Text: `extern "C" __global__ void first() {}
extern "C" __global__ void second() {}`, Kernels: []string{"first", "second"}})
	if err != nil {
		return err
	}
	if a.kernel[0], err = m.Kernel("first"); err != nil {
		return err
	}
	a.kernel[1], err = m.Kernel("second")
	return err
}

func (a *launchesOnGPU) Reset() error {
	a.ready = true
	return a.kernel[0].Launch(a.stream, gpu.Launch{})
}

func (a *launchesOnGPU) Run() error {
	if !a.ready {
		return errors.New("not reset")
	}
	a.ready = false
	for i := range a.count {
		if err := a.kernel[i%2].Launch(a.stream, gpu.Launch{}); err != nil {
			return err
		}
	}
	return nil
}

const faultedPages = 2000

// touchPages writes to that many pages of new memory.
func touchPages() error {
	size := os.Getpagesize()
	b, err := unix.Mmap(-1, 0, faultedPages*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	if err := unix.Madvise(b, unix.MADV_NOHUGEPAGE); err != nil {
		return err
	}
	for i := 0; i < len(b); i += size {
		b[i] = 1
	}
	return unix.Munmap(b)
}

// counted has a new process count a point of so many launches.
func counted(t *testing.T, launches int64, counters ...string) (record.Counters, bool) {
	t.Helper()
	e := processEngine()
	defer e.Close()
	e.opt.Config.Counters = counters
	c, refused, err := e.Counters(t.Context(), plan.Point{Algorithm: "processes", Version: "gpu-launches", Processor: framework.GPU, Device: "cuda:0",
		Tunables: framework.Values{"COUNT": framework.IntValue(launches)}})
	if err != nil {
		t.Fatal(err)
	}
	return c, refused
}

// withCounters gives workers a stand-in for the driver, for libcupti, and for /dev.
func withCounters(t *testing.T) (folder string) {
	t.Helper()
	driver := drivertest.Build(t, "NO_PARAM_INFO", "ACROSS_PROCESSES")
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(driver.Path)+":"+os.Getenv("LD_LIBRARY_PATH"))
	cuptitest.Build(t)
	root := t.TempDir()
	t.Setenv(deviceFiles, root)
	if err := os.Mkdir(filepath.Join(root, "dev"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"nvidiactl", "nvidia0", "nvidia-uvm"} {
		if err := os.WriteFile(filepath.Join(root, "dev", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// What restores inputs, flushes caches or warms up is not counted, and each launch is
// counted under its kernel's name.
func TestCountersOfAPoint(t *testing.T) {
	withCounters(t)
	c, refused := counted(t, 3, "dram__bytes.sum", "lts__t_bytes.sum", "instructions")
	if refused || c.Absent != "" || c.Note != "" || len(c.Values) != 2 || c.Values["dram__bytes.sum"] != 3000 || c.Values["lts__t_bytes.sum"] != 9000 || c.Kernels != 3 || c.Passes != 1 {
		t.Errorf("counted %+v", c)
	}
	var kernels []string
	for _, l := range c.Launches {
		kernels = append(kernels, l.Kernel)
		if l.Values["dram__bytes.sum"] != 1000 {
			t.Errorf("a launch of %s counted %v", l.Kernel, l.Values)
		}
	}
	if got := strings.Join(kernels, " "); got != "first second first" {
		t.Errorf("the launches are of %s", got)
	}
	if c, _ := counted(t, 1, "dram__bytes.sum"); c.Kernels != 1 || len(c.Launches) != 0 || c.Values["dram__bytes.sum"] != 1000 {
		t.Errorf("one launch counted %+v", c)
	}
	if c, _ := counted(t, mostLaunches+1, "dram__bytes.sum"); c.Values["dram__bytes.sum"] != 1000*(mostLaunches+1) || !strings.Contains(c.Note, "257 launches") {
		t.Errorf("many launches counted %+v", c)
	}
}

// Why there are no counters is one line, and a fault in the library names the call.
func TestCountersThatCannotBe(t *testing.T) {
	root := withCounters(t)
	for _, c := range []struct {
		name, value string
		refused     bool
		texts       []string
	}{
		{"CUPTI_STUB_FAIL", "cuptiRangeProfilerEnable=35", true, []string{"cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", "NVreg_RestrictProfilingToAdminUsers=0", "chip st100"}},
		{"CUPTI_STUB_FAIL", "cuptiProfilerInitialize=35", true, []string{"cuptiProfilerInitialize: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"}},
		{"CUPTI_STUB_FAIL", "cuptiRangeProfilerStart=999", false, []string{"cuptiRangeProfilerStart: CUPTI_ERROR_UNKNOWN (999"}},
		{"CUPTI_STUB_CRASH", "cuptiRangeProfilerStop", false, []string{"ended in cuptiRangeProfilerStop", "segmentation", "/dev/nvidia-uvm-tools"}},
		{"CUPTI_STUB_CRASH", "cuptiProfilerInitialize", false, []string{"ended in cuptiProfilerInitialize"}},
		{cupti.PathVariable, "/nowhere/libcupti.so", true, []string{"BENCH_CUPTI=/nowhere/libcupti.so: not found"}},
		{deviceFiles, filepath.Join(root, "dev"), true, []string{"/dev/nvidiactl and /dev/nvidia-uvm and /dev/nvidiaN missing"}},
	} {
		t.Run(c.value, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			got, refused := counted(t, 2, "dram__bytes.sum")
			if got.Values != nil || strings.Contains(got.Absent, "\n") || refused != c.refused {
				t.Errorf("refused %v: %+v", refused, got)
			}
			for _, text := range c.texts {
				if !strings.Contains(got.Absent, text) {
					t.Errorf("%q lacks %q", got.Absent, text)
				}
			}
		})
	}
	got, refused := counted(t, 2, "dram__bytes.sum", "lts__t_byte.sum", "dram__bytes.summ")
	if want := "chip st100 has no metric lts__t_byte.sum (did you mean lts__t_bytes?), dram__bytes.summ (did you mean dram__bytes?)"; !refused || !strings.Contains(got.Absent, want) {
		t.Errorf("%q, refused %v, want %q", got.Absent, refused, want)
	}
	if c, _ := counted(t, 2, "dram__bytes.sum"); c.Absent != "" {
		t.Errorf("afterwards: %q", c.Absent)
	}
}

// Events of a CPU are those of one run, in a process of its own; those that this CPU does
// not show are said, and cost the others nothing.
func TestCountersOfTheCPU(t *testing.T) {
	e := processEngine()
	defer e.Close()
	e.opt.Config.Counters = []string{"page-faults", "task-clock_s", "cache-misses", "dram__bytes.sum"}
	point := plan.Point{Algorithm: "processes", Version: "faults", Processor: framework.CPU, Device: "cpu"}
	c, refused, err := e.Counters(t.Context(), point)
	if err != nil || refused || c.Absent != "" || c.Source != "perf_event_open" || c.Passes < 1 {
		t.Fatalf("counted %+v, refused %v, %v", c, refused, err)
	}
	// The runtime's own faults come on top.
	if n := c.Values["page-faults"]; n < faultedPages || n > 2*faultedPages || c.Values["task-clock_s"] <= 0 {
		t.Errorf("counted %+v, want %d page faults", c.Values, faultedPages)
	}
	if _, has := c.Values["cache-misses"]; !has && !strings.HasPrefix(c.Note, "cache-misses: ") {
		t.Errorf("no cache misses, and no reason: %q", c.Note)
	}
	e.opt.Config.Counters = []string{"page-faults"}
	if c, _, err := e.Counters(t.Context(), plan.Point{Algorithm: "processes", Version: "exits", Processor: framework.CPU, Device: "cpu"}); err != nil || !strings.Contains(c.Absent, "ended with status 3") || c.Values != nil {
		t.Errorf("of a version that ends its process: %+v, %v", c, err)
	}
}

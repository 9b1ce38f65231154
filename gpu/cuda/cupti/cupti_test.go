package cupti_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/cupti"
	"example.org/bench/gpu/cuda/cupti/cuptitest"
)

const context = 0x1234 // any but 0: the stand-in does not look into it

// count counts metrics of runs of so many launches.
func count(s *cuptitest.Stub, launches int, metrics ...string) (run cupti.Range, each []cupti.Range, restored int, err error) {
	l, err := cupti.Load()
	if err != nil {
		return nil, nil, 0, err
	}
	p, err := l.Open(context, 0, metrics)
	if err != nil {
		return nil, nil, 0, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	before := func() error { restored++; s.Launch(); return nil } // the launch of a restore is not counted
	work := func() error {
		for range launches {
			s.Launch()
		}
		return nil
	}
	if run, err = p.Count("run", before, work); err != nil {
		return nil, nil, restored, err
	}
	each, err = p.CountLaunches(launches, before, work)
	return run, each, restored, err
}

func TestCounts(t *testing.T) {
	s := cuptitest.Build(t)
	metrics := []string{"dram__bytes.sum", "lts__t_bytes.sum", "sm__cycles_active.avg"}
	run, each, restored, err := count(s, 3, metrics...)
	if err != nil || s.Complaint() != "" {
		t.Fatal(err, s.Complaint())
	}
	if !slices.Equal(run, cupti.Range{3000, 9000, 1.5}) {
		t.Errorf("the run is %v", run)
	}
	if len(each) != 3 || !slices.Equal(each[2], cupti.Range{1000, 3000, 0.5}) {
		t.Errorf("the launches are %v", each)
	}
	// Three metrics take two passes, twice.
	if restored != 4 {
		t.Errorf("restored %d times, want before each of 4 passes", restored)
	}
}

func TestOrderOfCalls(t *testing.T) {
	s := cuptitest.Build(t)
	calls := s.Trace(func() {
		if _, _, _, err := count(s, 1, "dram__bytes.sum"); err != nil {
			t.Error(err)
		}
	})
	want := strings.Fields(strings.NewReplacer("R.", "cuptiRangeProfiler", "H.", "cuptiProfilerHost", "P.", "cuptiProfiler").Replace(
		`P.Initialize cuptiDeviceGetChipName P.GetCounterAvailability P.GetCounterAvailability H.Initialize H.ConfigAddMetrics
		H.GetConfigImageSize H.GetConfigImage H.GetNumOfPasses
		R.Enable R.GetCounterDataSize R.CounterDataImageInitialize R.SetConfig R.Start R.PushRange R.PopRange R.Stop R.DecodeData
		R.GetCounterDataInfo H.EvaluateToGpuValues R.Disable
		R.Enable R.GetCounterDataSize R.CounterDataImageInitialize R.SetConfig R.Start R.Stop R.DecodeData
		R.GetCounterDataInfo H.EvaluateToGpuValues R.Disable
		H.Deinitialize P.DeInitialize`))
	if !slices.Equal(calls, want) {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(calls, "\n"), strings.Join(want, "\n"))
	}
}

// Each call fails once: the error's first line names it, the result, the library, and the
// chip where it is known, and nothing is left behind.
func TestEveryCallFails(t *testing.T) {
	s := cuptitest.Build(t)
	failed := map[string]bool{}
	for n := 1; ; n++ {
		s.Fault(n, 999)
		_, _, _, err := count(s, 2, "dram__bytes.sum", "lts__t_bytes.sum", "sm__cycles_active.avg")
		call := s.Faulty()
		if complaint := s.Complaint(); complaint != "" {
			t.Errorf("call %d, %s: %s", n, call, complaint)
		}
		s.Fault(0, 0)
		if call == "" {
			if err != nil || n < 30 {
				t.Fatalf("without a fault, after %d calls: %v", n-1, err)
			}
			break
		}
		failed[call] = true
		line, _, _ := strings.Cut(fmt.Sprint(err), "\n")
		var e *cupti.Error
		switch {
		case call == "cuptiProfilerDeviceSupported": // asked only after another failure
		case !strings.Contains(line, call), !strings.Contains(line, "999"), !strings.Contains(line, s.Path):
			t.Errorf("call %d, %s: %v", n, call, err)
		case errors.As(err, &e) && strings.HasPrefix(call, "cuptiRangeProfiler") && e.Chip != "st100":
			t.Errorf("call %d, %s: no chip in %v", n, call, err)
		}
		// What was left enabled by a failure is switched off, so that this works.
		if _, _, _, err := count(s, 1, "dram__bytes.sum"); err != nil && call != "cuptiRangeProfilerDisable" && call != "cuptiProfilerDeInitialize" {
			t.Fatalf("after a fault of %s: %v (%s)", call, err, s.Complaint())
		}
	}
	if len(failed) < 22 {
		t.Errorf("only %d kinds of calls failed: %v", len(failed), failed)
	}
}

func TestRefusalsSayHowToAllow(t *testing.T) {
	s := cuptitest.Build(t)
	for code, texts := range map[int64][]string{
		35: {"CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35", "NVreg_RestrictProfilingToAdminUsers=0", "CAP_SYS_ADMIN", "ERR_NVGPUCTRPERM"},
		26: {"another profiler"},
		41: {"confidential computing"},
		15: {"libnvperf_host.so"},
		1:  {"CUPTI_ERROR_INVALID_PARAMETER", "parameters of 32 bytes"},
	} {
		calls := s.Trace(func() { _, _, _, _ = count(s, 1, "dram__bytes.sum") })
		at := slices.Index(calls, "cuptiRangeProfilerEnable") + 1 // cuptiGetVersion is not traced
		s.Fault(at+1, code)
		_, _, _, err := count(s, 1, "dram__bytes.sum")
		for _, text := range texts {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("code %d: %v lacks %q", code, err, text)
			}
		}
	}
}

func TestAVirtualGPUIsNamed(t *testing.T) {
	s := cuptitest.Build(t, "VGPU")
	s.Fault(2, 27)
	if _, _, _, err := count(s, 1, "dram__bytes.sum"); err == nil || !strings.Contains(err.Error(), "a virtual GPU is set not to allow counters") {
		t.Error(err)
	}
}

func TestUnknownMetrics(t *testing.T) {
	cuptitest.Build(t)
	l, err := cupti.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code    string
		metrics []string
		unknown []string
		known   string
	}{
		{"17", []string{"dram__bytes.sum", "dram__byte.sum"}, []string{"dram__byte.sum"}, "dram__bytes"},
		{"1", []string{"dram__bytes.sum", "dram__byte.sum"}, []string{"dram__byte.sum"}, "dram__bytes"},
		{"1", []string{"dram__bytes.summ", "nothing"}, []string{"dram__bytes.summ", "nothing"}, "dram__bytes.sum"},
		{"17", []string{"gpu__throughput.sum"}, []string{"gpu__throughput.sum"}, "gpu__dram_throughput"},
	} {
		t.Setenv("STUB_UNKNOWN", c.code)
		_, err := l.Open(context, 0, c.metrics)
		var e *cupti.UnknownMetrics
		if !errors.As(err, &e) || !slices.Equal(e.Names, c.unknown) || !slices.Contains(e.Known, c.known) || e.Chip != "st100" {
			t.Errorf("%q: %v, %+v", c.metrics, err, e)
		}
	}
}

func TestLibrariesThatWillNotDo(t *testing.T) {
	cuptitest.Build(t, "OLD")
	if _, err := cupti.Load(); err == nil || !strings.Contains(err.Error(), "no symbol cuptiRangeProfilerEnable: it is of a CUDA before 12.6") {
		t.Errorf("an old library: %v", err)
	}
	t.Setenv(cupti.PathVariable, "")
	if _, err := cupti.Load(); err != nil && !strings.Contains(err.Error(), "no libcupti of CUDA 12.6 or later: install") {
		t.Errorf("no library: %v", err)
	}
	s := cuptitest.Build(t, "ENDLESS")
	if _, _, _, err := count(s, 1, "dram__bytes.sum"); err == nil || !strings.Contains(err.Error(), "passes are not enough") {
		t.Errorf("a library without an end: %v", err)
	}
}

func TestNodes(t *testing.T) {
	root := t.TempDir()
	file := func(path, text string) {
		t.Helper()
		path = filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	wants := func(text string) {
		t.Helper()
		err := cupti.Nodes(root, "0000:0A:00.0", false)
		if text == "" && err != nil || text != "" && (err == nil || !strings.Contains(err.Error(), text)) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
	wants("/dev/nvidiactl and /dev/nvidia-uvm and /dev/nvidiaN missing: nvidia-modprobe")
	file("dev/nvidiactl", "")
	file("dev/nvidia3", "")
	wants("counters: /dev/nvidia-uvm missing")
	file("dev/nvidia-uvm", "")
	wants("")
	file("proc/driver/nvidia/gpus/0000:0a:00.0/information", "Model: \t x\nDevice Minor: \t 2\n")
	wants("/dev/nvidia2 missing")
	if err := cupti.Nodes(root, "", true); err != nil {
		t.Error(err)
	}
	if err := cupti.Nodes(t.TempDir(), "", true); err == nil || !strings.Contains(err.Error(), "/dev/nvgpu/igpu0/prof*") {
		t.Error(err)
	}
	if got := cupti.Optional(root); !slices.Equal(got, []string{"/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"}) {
		t.Error(got)
	}
}

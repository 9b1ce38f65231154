package command_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"example.org/bench/gpu/cuda/driver/drivertest"
	"example.org/bench/test/tree"
)

// TestEnergyOnAJetson: a command has the power of a board's rails, of which the
// command itself sets the one that is the board's total.
func TestEnergyOnAJetson(t *testing.T) {
	t.Parallel()
	root := tree.Unpack(t, "../sensors/ina3221/testdata/jetson-tx2-l4t32.txtar")
	const idle, load = "5000", "8000" // mW
	rail := write(t, filepath.Join(root, "sys/devices/3160000.i2c/i2c-0/0-0041/iio:device1/in_power0_input"), idle+"\n")
	// Written in place, so that no reading finds the file empty.
	e, out := energyOf(t, t.TempDir(), nil, "--root", root, "--out", "e", "--",
		"sh", "-c", "printf "+load+" 1<>$0; sleep 0.2; printf "+idle+" 1<>$0", rail)
	if e.Status != "ok" || e.Device != "cpu" || !slices.Equal(e.Sensors, []string{"ina3221"}) || e.Time < 0.2 || e.Runs < 1 {
		t.Errorf("%+v", e)
	}
	if e.Power == nil || e.Idle == nil || e.Energy == nil || e.Uncertainty == nil || e.AboveIdle == nil {
		t.Fatalf("%s", out)
	}
	// Between its two writes a command sleeps for 0.2 s; what it takes besides is idle, on a busy machine the more.
	each := e.Window / float64(e.Runs)
	if least := 5 + 3*0.2/each/2; *e.Idle != 5 || *e.Power < least || *e.Power > 8 {
		t.Errorf("idle power %v W, power %v W, want 5 W and %v to 8 W: of each %v s 0.2 s or more at 8 W", *e.Idle, *e.Power, least, each)
	}
	if math.Abs(*e.Energy-*e.Power*each) > 1e-9 {
		t.Errorf("%v J for %v W over %v s", *e.Energy, *e.Power, each)
	}
	// This kernel does not tell the rail's resistor.
	if *e.Uncertainty <= 0 || *e.AboveIdle <= 0 || *e.AboveIdle >= *e.Energy || e.Combined != nil || e.Calibration != "unknown" {
		t.Errorf("%s", out)
	}
}

// TestEnergyOnAGPU: without a choice of device a command has the power of the GPU, by
// the counter of its NVML, which counts 200 W.
func TestEnergyOnAGPU(t *testing.T) {
	t.Parallel()
	folder := filepath.Dir(drivertest.Build(t).Path)
	nvml := exec.Command("gcc", "-shared", "-fPIC", "-w", "-DCOUNTS", "-o", filepath.Join(folder, "libnvidia-ml.so.1"), "../gpu/cuda/nvml/testdata/libnvml.c")
	if text, err := nvml.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// The interval holds 95 % of the time: three that miss in a row are wrong.
	for try := 1; ; try++ {
		e, out := energyOf(t, t.TempDir(), []string{"LD_LIBRARY_PATH=" + folder + ":" + os.Getenv("LD_LIBRARY_PATH")}, "--out", "e", "--", "sleep", "0.2")
		if e.Status != "ok" || e.Device != "cuda:0" || !slices.Equal(e.Sensors, []string{"nvml"}) || e.Time < 0.2 {
			t.Errorf("%+v", e)
		}
		if e.Power == nil || e.Energy == nil || e.Uncertainty == nil {
			t.Fatalf("%s", out)
		}
		each := e.Window / float64(e.Runs)
		if math.Abs(*e.Power-200) > 10 || *e.Uncertainty <= 0 || e.Combined != nil {
			t.Errorf("%s", out)
		}
		if math.Abs(*e.Energy-200*each) <= *e.Uncertainty {
			return
		}
		if try == 3 {
			t.Fatalf("%s", out)
		}
	}
}

package inspect_test

import (
	"testing"

	"example.org/bench/command/inspect"
)

// A reason that several findings have stands below them; what is missing has a colour.
func TestExaminationText(t *testing.T) {
	const long = "there is none: install the package that has it, or give its path in an environment variable"
	e := inspect.Examination{Findings: []inspect.Finding{
		{Section: "Libraries", State: "ok", What: "a", Text: "b"},
		{Section: "Libraries", State: inspect.Missing, What: "c", Text: long},
		{Section: "Libraries", State: inspect.Missing, What: "d", Text: long},
		{Section: "Settings", State: inspect.Note, What: "e", Text: "f"},
		{Section: "Settings", State: inspect.Warning, What: "g", Text: "h"},
	}}
	want := "measures no power; no power modes; 1 warning below\nLibraries\n  ok       a              b\n" +
		"  \x1b[33mmissing \x1b[m c              [1]\n  \x1b[33mmissing \x1b[m d              [1]\n" +
		"Settings\n           e              f\n  \x1b[33mwarning \x1b[m g              h\n[1] " + long + "\n"
	if got := e.Text(true); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}

// The first line says what the machine can measure.
func TestSummary(t *testing.T) {
	for want, findings := range map[string][]inspect.Finding{
		"measures times on the CPU and on the NVIDIA H100 80GB HBM3; power by nvml; 2 power modes": {
			{Section: "GPU", State: "ok", What: "GPU", Text: "NVIDIA H100 80GB HBM3, sm_90, 132 multiprocessors"}, {Section: "GPU", State: "ok", What: "simulator", Text: "runs"},
			{Section: "Sensors", State: "ok", What: "nvml", Text: "power, energy"}, {Section: "Sensors", State: inspect.NotHere, What: "rapl", Text: "no counters"},
			{Section: "Power modes", State: "ok", What: "mode now", Text: "0 default"}, {Section: "Power modes", State: "ok", What: "gpu limits", Text: "0 default, 1 low"}},
		"measures times on the CPU, none on a GPU (its kernels run in the simulator); no power; no power modes; 2 warnings below": {
			{Section: "Machine", State: inspect.Warning, What: "measuring", Text: "loaded"}, {Section: "Machine", State: inspect.Warning, What: "measuring", Text: "hot"},
			{Section: "GPU", State: inspect.Missing, What: "GPU", Text: "no CUDA device, none"}, {Section: "GPU", State: "ok", What: "simulator", Text: "runs"}},
		"measures power by ina3221; 1 power mode": {
			{Section: "Sensors", State: "ok", What: "ina3221", Text: "VDD_IN, VDD_GPU"}, {Section: "Power modes", State: "ok", What: "nvpmodel", Text: "0 MAXN"}, {Section: "Power modes", State: "ok", What: "clock GPU", Text: "1 MHz, 2 MHz"}},
	} {
		if got := (&inspect.Examination{Findings: findings}).Summary(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBundleText(t *testing.T) {
	var b inspect.Bundle
	b.Files = []inspect.BundledFile{{Name: "etc/os-release", Text: []byte("12345")}, {Name: "version.txt", Text: []byte("1")}}
	if got, want := b.Text(), "       5  etc/os-release\n       1  version.txt\n       6  bytes in 2 files"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

package command_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/test/tree"
)

// plannedFor are the parts of bench plan's JSON that tell whether a config suits a board.
type plannedFor struct {
	Points  []struct{ Version, Skip string }
	Assumed []string
	Skipped int
	Memory  []struct {
		Host   int64 `json:"host_bytes"`
		Device int64 `json:"device_bytes"`
	}
	Board float64 `json:"about_s_on_board"`
}

// The defaults fit a board of 4 GB with its desktop running, whatever libraries this machine
// has, and configs/fft.json takes at most five minutes there by the model. What does not fit
// into what was free when the files were copied is skipped.
func TestPlanOfABoard(t *testing.T) {
	t.Parallel()
	root := tree.Unpack(t, "../sensors/ina3221/testdata/jetson-tx1-l4t28.txtar")
	free := func(kB int) {
		write(t, filepath.Join(root, "proc/meminfo"), fmt.Sprintf("MemTotal: 4063520 kB\nMemFree: 200000 kB\nMemAvailable: %d kB\n", kB))
	}
	planOf := func(name string) plannedFor {
		t.Helper()
		status, out, fault := execute(t, t.TempDir(), benchPath, "plan", "--json", "--root", root, "--device", "jetson-tx1", absolute(t, "../configs/"+name+".json"))
		var list []plannedFor
		if err := json.Unmarshal([]byte(out), &list); err != nil || status != 0 || len(list) != 1 {
			t.Fatalf("%s: status %d, %v\n%s", name, status, err, fault)
		}
		return list[0]
	}
	const desktop = 2_400_000 // kB free beside it
	free(desktop)
	for _, name := range []string{"fft", "scan", "tridiagonal", "qr", "bicubic", "pattern"} {
		p := planOf(name)
		for _, point := range p.Points {
			if strings.Contains(point.Skip, "of memory") || strings.Contains(point.Skip, "not found") {
				t.Errorf("%s: %s is skipped: %s", name, point.Version, point.Skip)
			}
		}
		for _, m := range p.Memory {
			if total := m.Host + m.Device; total > desktop<<10 {
				t.Errorf("%s: a point takes %d bytes", name, total)
			}
		}
	}
	fft := planOf("fft")
	if fft.Skipped > 0 || !(fft.Board > 60 && fft.Board <= 300) || fmt.Sprint(fft.Assumed) != "[fftw cufft]" {
		t.Errorf("%d points skipped, %g s, libraries taken to be there: %v", fft.Skipped, fft.Board, fft.Assumed)
	}
	// Another board's files are not taken for this one's silently.
	for compatible, wrong := range map[string]bool{"nvidia,jetson-cv\x00nvidia,tegra210\x00": false, "nvidia,p3737-0000+p3701-0005\x00nvidia,tegra234\x00": true} {
		write(t, filepath.Join(root, "proc/device-tree/model"), "Jetson AGX Orin\x00")
		write(t, filepath.Join(root, "proc/device-tree/compatible"), compatible)
		_, _, fault := execute(t, t.TempDir(), benchPath, "plan", "--root", root, "--device", "jetson-tx1", absolute(t, "../configs/fft-small.json"))
		if strings.Contains(fault, "the copied files (--root) are of Jetson AGX Orin, not of a Jetson TX1 (--device)") != wrong {
			t.Errorf("%q: %s", compatible, fault)
		}
	}
	free(1_200_000)
	status, out, fault := execute(t, t.TempDir(), benchPath, "plan", "--root", root, "--device", "jetson-tx1", absolute(t, "../configs/pattern.json"))
	const why = "needs 1.36 GiB of memory (1.31 GiB for the GPU), which GPU and CPU share: 1.14 GiB are free, of which 0.242 GiB are left to the system"
	if status != 0 || !strings.Contains(out, why) || !strings.Contains(out, "35 points, 1 of them skipped") || !strings.Contains(out, "on Jetson TX1 with power (a model:") {
		t.Errorf("status %d\n%s%s", status, out, fault)
	}
	if _, out, fault = execute(t, t.TempDir(), benchPath, "plan", "--root", root, "--versions", "parallel", absolute(t, "../configs/pattern.json")); !strings.Contains(out+fault, "only the power mode counts") {
		t.Errorf("without --device:\n%s%s", out, fault)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

package guest

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocarina/gocsv"

	"example.org/bench/test/tree"
)

// addBoard adds a Jetson TX2's files as /board, the stand-in for nvpmodel, and
// the shell that it needs.
func (a *archive) addBoard(t *testing.T) {
	t.Helper()
	if err := a.addFile("bin/busybox", filepath.Join(folder(t), "busybox")); err != nil {
		t.Fatal(err)
	}
	for _, applet := range []string{"sh", "awk", "tr", "sleep"} {
		a.add("bin/"+applet, linkMode, []byte("/bin/busybox"))
	}
	if err := a.addFile("bin/nvpmodel", "../../test/tree/bin/nvpmodel"); err != nil {
		t.Fatal(err)
	}
	root := tree.Unpack(t, "../../framework/powermode/testdata/jetson-tx2-l4t28.txtar")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			a.add("board/"+name, linkMode, []byte(target))
			return nil
		}
		return a.addFile("board/"+name, path)
	})
	if err != nil {
		t.Fatal(err)
	}
}

const modesConfig = `{"algorithm": "fft", "versions": ["reference"], "processor": "CPU", "output_file_prefix": "guest", "sensors": [],
	"static_args": {"N": 64, "batch_elements": 64}, "measure": {"ceilings": false, "min_samples": 3, "min_time_s": 0.01, "timeout_s": 1, "cooldown_s": 0}}`

// checkModes: bench swept two modes of a TX2's files as the guest's root, and
// the mode that it began with is on again.
func checkModes(t *testing.T, out map[string]string) {
	rows, err := gocsv.CSVToMaps(strings.NewReader(out["guest_time.csv"]))
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v\n%s", len(rows), err, out["switching"])
	}
	for i, want := range []string{"MAXN", "MAXQ"} {
		if r := rows[i]; r["power_mode"] != want || r["status"] != "ok" {
			t.Errorf("row %d is of mode %s, %s; want %s, ok\n%s", i, r["power_mode"], r["status"], want, out["switching"])
		}
	}
	if got := strings.Join(strings.Fields(out["switches"]), " "); got != "0 1 3" {
		t.Errorf("switched to %s, want 0 1 and back to 3", got)
	}
	if got := strings.TrimSpace(out["max_freq"]); got != "1122000000" {
		t.Errorf("the GPU's highest frequency is %s afterwards, want the original 1122000000", got)
	}
	if left := strings.TrimSpace(out["journal"]); left != "" {
		t.Errorf("the note of what to restore is still there: %s", left)
	}
	if !strings.Contains(out["modes"], "MAXP_CORE_DENVER") {
		t.Errorf("bench modes shows\n%s", out["modes"])
	}
}

const wattsConfig = `{"executable": "/bin/wave", "output_file_prefix": "watts", "processor": "CPU", "sensors": ["ina3221"],
	"run_arg": {"one": ["--mode", 0], "many": ["--mode", 3]},
	"measure": {"ceilings": false, "power_window_s": 2.5, "cooldown_s": 0, "timeout_s": 100, "point_timeout_s": 1000}}`

// checkModePower: a load whose power and time follow the clock that the mode allows is measured through the
// kernel's driver in two modes, and each mode's energy is that of the guest's own account; compare shows the
// modes side by side.
func checkModePower(t *testing.T, out map[string]string) {
	rows := map[string][]map[string]string{}
	for _, file := range []string{"time", "energy", "power"} {
		list, err := gocsv.CSVToMaps(strings.NewReader(out["watts_"+file+".csv"]))
		if err != nil || len(list) != 2 {
			t.Fatalf("%d rows of %s, %v\n%s", len(list), file, err, out["power of modes"])
		}
		rows[file] = list
	}
	const rest = 0.5 // W of a rail that is not driven
	for i, mode := range []struct {
		name string
		hz   float64
	}{{"MAXN", 1300.5e6}, {"MAXQ", 854.25e6}} {
		row, energy, power := rows["time"][i], rows["energy"][i], rows["power"][i]
		if row["power_mode"] != mode.name || row["status"] != "ok" {
			t.Fatalf("row %d is of mode %s, %s: %s\n%s", i, row["power_mode"], row["status"], row["reason"], out["power of modes"])
		}
		share := mode.hz / 1300.5e6
		var last struct{ Joules, Seconds, Watts float64 }
		for _, line := range strings.Split(strings.TrimSpace(out["watts accounts"]), "\n") {
			x := last
			if err := json.Unmarshal([]byte(line), &x); err != nil {
				t.Fatal(err)
			}
			if math.Abs(x.Watts-(rest+share*1.5)) < 1e-3 && x.Seconds > 1 {
				last = x
			}
		}
		if math.Abs(last.Seconds-3/share) > 0.2 {
			t.Fatalf("%s: the load took %v s, want %v\n%s", mode.name, last.Seconds, 3/share, out["watts accounts"])
		}
		window := number(t, power, "window_s")
		driven := last.Joules + rest*(window-last.Seconds)
		compare(t, energy, "ina3221_VDD_GPU_SOC_energy_J", driven)
		compare(t, energy, "energy_J", driven+2*rest*window)
	}
	for _, want := range []string{"time of one run", "mean power", "energy of one run", "MAXN", "MAXQ", "front"} {
		if !strings.Contains(out["modes compared"], want) {
			t.Errorf("compare shows no %s:\n%s", want, out["modes compared"])
		}
	}
}

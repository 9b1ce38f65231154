package guest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocarina/gocsv"

	"bench/test/tree"
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
	root := tree.Unpack(t, "../../powermode/testdata/jetson-tx2-l4t28.txtar")
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

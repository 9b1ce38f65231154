package powermode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"example.org/bench/test/tree"
)

// board unpacks a fixture and puts the stand-in for nvpmodel into PATH.
func board(t *testing.T, name string) (*Nvpmodel, string) {
	t.Helper()
	root := tree.Unpack(t, filepath.Join("testdata", name+".txtar"))
	t.Setenv("PATH", tree.Bin(t)+":"+os.Getenv("PATH"))
	t.Setenv("BENCH_TREE", root)
	n, err := OpenNvpmodel(root)
	if err != nil {
		t.Fatal(err)
	}
	n.settle = 200 * time.Millisecond
	return n, root
}

// describe writes a mode as "ID NAME cpus: clock=MHz …".
func describe(m Mode) string {
	s := fmt.Sprintf("%s %s %s:", m.ID, m.Name, m.CPUs)
	for _, l := range m.Limits {
		s += fmt.Sprintf(" %s=%g", l.What, l.Most/1e6)
	}
	if m.Default {
		s += " (default)"
	}
	return s
}

const tx2Modes = `0 MAXN 0-5: CPU A57=0 CPU DENVER=0 GPU=0 EMC=0
1 MAXQ 0,3-5: CPU A57=1200 GPU=850 EMC=1331.2
2 MAXP_CORE_ALL 0-5: CPU A57=1400 CPU DENVER=1400 GPU=1120 EMC=1600
3 MAXP_CORE_ARM 0,3-5: CPU A57=2000 GPU=1120 EMC=1600 (default)
4 MAXP_CORE_DENVER 0-1: CPU A57=345.6 CPU DENVER=2035.2 GPU=1120 EMC=1600`

func TestModesOfBoards(t *testing.T) {
	for _, c := range []struct{ name, modes, current, clocks string }{
		{"jetson-tx2-l4t28", tx2Modes, "3", "CPU 0,3-5 2035.2, GPU 1122, EMC 1600"},
		{"jetson-tx2-l4t32", tx2Modes, "3", "CPU 0,3-5 2035.2, GPU 1134.75, EMC 1600"},
		{"jetson-nano-l4t32", "0 MAXN 0-3: CPU A57=0 GPU=0 EMC=0 (default)\n1 5W 0-1: CPU A57=918 GPU=640 EMC=1600", "0", "CPU 0-3 1479, GPU 921.6, EMC 0"},
		{"jetson-orin-l4t36", `0 MAXN 0-11: CPU A78 0=0 CPU A78 1=0 CPU A78 2=0 GPU=0 EMC=0
1 MODE_15W 0-3: CPU A78 0=1113.6 GPU=408 EMC=2133
2 MODE_30W 0-7: CPU A78 0=1728 CPU A78 1=1728 GPU=612 EMC=0 (default)
3 MODE_50W 0-11: CPU A78 0=1497.6 CPU A78 1=1497.6 CPU A78 2=1497.6 GPU=816 EMC=0`, "2", "CPU 0-7 1728, GPU 612, EMC 3199"},
		{"jetson-thor-l4t38", `0 MAXN 0-13: CPU V3AE=0 GPU=0 EMC=0
1 120W 0-13: CPU V3AE=0 GPU=1386 EMC=0 (default)
2 90W 0-11: CPU V3AE=0 GPU=1530 EMC=0
3 70W 0-11: CPU V3AE=1998 GPU=1530 EMC=0`, "1", "CPU 0-13 2601, GPU 1386, EMC 4266"},
	} {
		n, _ := board(t, c.name)
		var lines []string
		for _, m := range n.Modes() {
			lines = append(lines, describe(m))
		}
		if got := strings.Join(lines, "\n"); got != c.modes {
			t.Errorf("%s: modes\n%s\nwant\n%s", c.name, got, c.modes)
		}
		m, err := n.Current()
		if err != nil || m.ID != c.current {
			t.Errorf("%s: current mode %s, %v, want %s", c.name, m.ID, err, c.current)
		}
		if err := n.Shows(m); err != nil {
			t.Errorf("%s: the current mode does not show: %v", c.name, err)
		}
		var clocks []string
		for _, x := range n.Clocks() {
			clocks = append(clocks, fmt.Sprintf("%s %g", x.Name, x.Max/1e6))
			if x.Current <= 0 || x.Min > x.Max {
				t.Errorf("%s: clock %+v", c.name, x)
			}
		}
		if got := strings.Join(clocks, ", "); got != c.clocks {
			t.Errorf("%s: clocks %s, want %s", c.name, got, c.clocks)
		}
	}
}

// The older form of the file holds the same modes of the TX2.
func TestOlderForm(t *testing.T) {
	text, err := os.ReadFile("testdata/nvpmodel-l4t27.conf")
	if err != nil {
		t.Fatal(err)
	}
	modes, err := parseConf(string(text))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range modes {
		lines = append(lines, describe(m))
	}
	want := `0 MAXN 0-5: CPU 0=2035.2 CPU 1=2035.2 GPU=1300.5 EMC=0
1 MAXQ 0,3-5: CPU 0=1200 GPU=850 EMC=1331.2
2 MAXP_CORE_ALL 0-5: CPU 0=1400 CPU 1=1400 GPU=1120 EMC=1600
3 MAXP_CORE_ARM 0,3-5: CPU 0=2000 GPU=1120 EMC=1600 (default)
4 MAXP_CORE_DENVER 0-1: CPU 0=345.6 CPU 1=2035.2 GPU=1120 EMC=1600`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("modes\n%s\nwant\n%s", got, want)
	}
	_, root := board(t, "jetson-tx2-l4t28")
	if err := os.WriteFile(filepath.Join(root, "etc/nvpmodel.conf"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	n, err := OpenNvpmodel(root)
	if err != nil {
		t.Fatal(err)
	}
	n.settle = 0
	for _, m := range modes {
		if err := n.Set(m); err != nil {
			t.Error(err)
		}
	}
}

func TestConfErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "no POWER_MODEL",
		"< POWER_MODEL NAME=x >": "line 1: POWER_MODEL has no ID",
		"< POWER_MODEL ID=0 NAME=x >\n< POWER_MODEL ID=0 NAME=y >": "line 2: POWER_MODEL ID=0 occurs twice",
		"<PARAM TYPE=FILE>":                  "line 1: PARAM has no NAME",
		"< POWER_MODEL ID=0 NAME=x >\nGPU 5": `line 2: "GPU 5" is not a value of an argument`,
		"< PARAM TYPE=CLOCK NAME=GPU >\nMIN_FREQ /a\n< POWER_MODEL ID=0 NAME=x >\nGPU MAX_FREQ 5": "line 4: no PARAM section says which file GPU MAX_FREQ is",
	} {
		if _, err := parseConf(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	if _, err := OpenNvpmodel(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a machine without nvpmodel: %v", err)
	}
}

// snapshot is the content of every file of the tree except those that
// record a switch.
func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && name != "switches" {
			b, _ := os.ReadFile(filepath.Join(root, name))
			files[name] = strings.TrimSpace(string(b))
			if name == "var/lib/nvpmodel/status" { // the stand-in does not know fans
				files[name], _, _ = strings.Cut(files[name], " ")
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func differences(a, b map[string]string) (names []string) {
	for name, text := range a {
		if b[name] != text {
			names = append(names, fmt.Sprintf("%s: %q became %q", name, text, b[name]))
		}
	}
	slices.Sort(names)
	return names
}

// Boards link nvpmodel.conf by an absolute path, which in a copied tree leads
// out of it.
func TestAbsoluteLinkToConf(t *testing.T) {
	n, root := board(t, "jetson-tx2-l4t28")
	conf := filepath.Join(root, "etc/nvpmodel.conf")
	if err := os.Rename(conf, filepath.Join(root, "etc/nvpmodel_t186.conf")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/nvpmodel_t186.conf", conf); err != nil {
		t.Fatal(err)
	}
	linked, err := OpenNvpmodel(root)
	if err != nil || len(linked.Modes()) != len(n.Modes()) {
		t.Fatalf("by the link: %v", err)
	}
}

func TestSwitchAndRestore(t *testing.T) {
	for _, name := range []string{"jetson-tx2-l4t28", "jetson-tx2-l4t32", "jetson-nano-l4t32", "jetson-orin-l4t35", "jetson-orin-l4t36"} {
		t.Run(name, func(t *testing.T) {
			n, root := board(t, name)
			// Pinned as by jetson_clocks, which a switch undoes.
			min := filepath.Join(root, n.files.GPUFolder(), "min_freq")
			max, _ := os.ReadFile(filepath.Join(root, n.files.GPUFolder(), "max_freq"))
			if err := os.WriteFile(min, max, 0o644); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, root)
			path := filepath.Join(t.TempDir(), "state", "power-mode.json")
			s, err := Begin(n, n.Modes(), path)
			if err != nil {
				t.Fatal(err)
			}
			if d := differences(before, snapshot(t, root)); d != nil {
				t.Errorf("to begin changes %v", d)
			}
			for _, m := range n.Modes() {
				if err := s.Set(m); err != nil {
					t.Error(err)
				}
				if now, err := n.Current(); err != nil || now.ID != m.ID {
					t.Errorf("mode %s is current, %v, want %s", now.ID, err, m.ID)
				}
			}
			if differences(before, snapshot(t, root)) == nil {
				t.Error("no mode changed anything")
			}
			if _, err := RestoreLeftBehind(path); !errors.Is(err, ErrBusy) {
				t.Errorf("restoring beside a session: %v, want %v", err, ErrBusy)
			}
			if err := s.End(); err != nil {
				t.Fatal(err)
			}
			if d := differences(before, snapshot(t, root)); d != nil {
				t.Errorf("not restored: %s", strings.Join(d, "\n"))
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the note is still there: %v", err)
			}
		})
	}
}

func TestModeThatDoesNotTake(t *testing.T) {
	n, root := board(t, "jetson-tx2-l4t28")
	maxq, _ := lookUp(n.Modes(), "MAXQ")
	t.Setenv("BENCH_TREE_LAZY", "1")
	err := n.Set(maxq)
	for _, want := range []string{"power mode 1 (MAXQ) did not take", "CPU A57 is 2035.2 MHz, want 1200 to 1267.2", "GPU is 1122 MHz, want 850 to 854.25", "EMC is 1600 MHz, want 1331.2"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
	t.Setenv("BENCH_TREE_LAZY", "")
	t.Setenv("BENCH_TREE_ERROR", "1")
	if err := n.Set(maxq); err == nil || !strings.Contains(err.Error(), "NVPM ERROR") {
		t.Errorf("a refused mode: %v", err)
	}
	t.Setenv("BENCH_TREE_ERROR", "")
	if err := n.Set(maxq); err != nil {
		t.Fatal(err)
	}
	// One wrong value each: a CPU that came back, a clock, a file that is gone.
	for _, c := range []struct{ file, value, want string }{
		{"sys/devices/system/cpu/cpu1/online", "1", "CPU 1 online is 1, want 0"},
		{"sys/devices/17000000.gp10b/devfreq/17000000.gp10b/max_freq", "943500000", "GPU is 943.5 MHz"},
		{"sys/kernel/nvpmodel_emc_cap/emc_iso_cap", "1600000000", "EMC is 1600 MHz, want 1331.2 to"},
		{"sys/kernel/nvpmodel_emc_cap/emc_iso_cap", "x", `EMC is "x", no number`},
	} {
		path := filepath.Join(root, c.file)
		had, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(path, []byte(c.value), 0o644)
		if err := n.Shows(maxq); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s is %s: %v, want %s", c.file, c.value, err, c.want)
		}
		os.WriteFile(path, had, 0o644)
	}
	if err := n.Shows(Mode{}); err == nil {
		t.Error("a mode of which nothing can be read back is taken as set")
	}
}

// A limit is rounded up to the next frequency of the clock, never to more.
func TestRounding(t *testing.T) {
	n, root := board(t, "jetson-tx2-l4t28")
	s := argument{param: "GPU", name: "MAX_FREQ", value: "1120000000", paths: []string{"/sys/devices/17000000.gp10b/devfreq/17000000.gp10b/max_freq"}}
	file := filepath.Join(root, s.paths[0])
	for live, good := range map[int64]bool{1120000000: true, 1122000000: true, 1032750000: false, 1211250000: false} {
		if why := n.differs(s, file, live); (why == "") != good {
			t.Errorf("a limit of 1120 MHz shown as %d Hz: %q", live, why)
		}
	}
	s.value = "-1"
	for live, good := range map[int64]bool{1300500000: true, 1122000000: false} {
		if why := n.differs(s, file, live); (why == "") != good {
			t.Errorf("no limit shown as %d Hz: %q", live, why)
		}
	}
	// Beyond the table it is the table's end.
	s.value = "1400000000"
	if why := n.differs(s, file, 1300500000); why != "" {
		t.Errorf("a limit above the table: %s", why)
	}
}

// What a mode is compared with when no table lies beside the file: the tables
// that nvpmodel.conf names, under either kernel, or a rounding of 6 %.
func TestTables(t *testing.T) {
	const conf = `< PARAM TYPE=CLOCK NAME=GPU >
FREQ_TABLE /gpu/table
FREQ_TABLE_KNEXT /gpu/next
MAX_FREQ /gpu/max
< PARAM TYPE=FILE NAME=CPU >
MAX_FREQ /cpu0/cpufreq/max
< POWER_MODEL ID=0 NAME=x >
GPU MAX_FREQ 1000
CPU MAX_FREQ 1000000
`
	for _, c := range []struct {
		table, gpu, cpu string
		good            bool
	}{
		{"table", "1100", "1000000", true}, {"next", "1100", "1000000", true},
		{"table", "1050", "1000000", true}, {"next", "1101", "1000000", false},
		{"", "1060", "1060000", true}, {"", "1061", "1000000", false},
		{"", "1000", "1060001", false}, {"", "1000", "999999", false},
	} {
		files := "-- etc/nvpmodel.conf --\n" + conf + "-- gpu/max --\n" + c.gpu + "\n-- cpu0/cpufreq/max --\n" + c.cpu + "\n"
		if c.table != "" {
			files += "-- gpu/" + c.table + " --\n1100 900\n"
		}
		n, err := OpenNvpmodel(tree.Write(t, txtar.Parse([]byte(files))))
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Shows(n.modes[0]); (err == nil) != c.good {
			t.Errorf("table %q, GPU at %s Hz, CPU at %s kHz: %v", c.table, c.gpu, c.cpu, err)
		}
	}
}

func TestAwait(t *testing.T) {
	calls := 0
	later := func() error {
		if calls++; calls < 3 {
			return errors.New("not yet")
		}
		return nil
	}
	if err := await(time.Minute, later); err != nil || calls != 3 {
		t.Errorf("after %d calls: %v", calls, err)
	}
	if err := await(0, func() error { return errors.New("never") }); err == nil {
		t.Error("a mode that never shows is taken as set")
	}
}

func TestFind(t *testing.T) {
	n, _ := board(t, "jetson-tx2-l4t28")
	ids := func(list string) string {
		modes, err := Find(n, list)
		if err != nil {
			return err.Error()
		}
		var s []string
		for _, m := range modes {
			s = append(s, m.ID)
		}
		return strings.Join(s, " ")
	}
	for list, want := range map[string]string{
		"all": "0 1 2 3 4", "2,0": "2 0", "MAXN, 3": "0 3", "0,MAXN": "power mode 0 is listed twice",
		"7": `no power mode "7"; there are 0, 1, 2, 3, 4 (bench modes shows them)`,
	} {
		if got := ids(list); got != want {
			t.Errorf("%q: %s, want %s", list, got, want)
		}
	}
}

func TestAllowed(t *testing.T) {
	n, root := board(t, "jetson-tx2-l4t28")
	if err := n.Allowed(); err != nil {
		t.Errorf("writable files: %v", err)
	}
	n.program = ""
	if err := n.Allowed(); err == nil || !strings.Contains(err.Error(), "nvpmodel is not in PATH") {
		t.Errorf("no program: %v", err)
	}
	n.program = "nvpmodel"
	emc := filepath.Join(root, "sys/kernel/nvpmodel_emc_cap/emc_iso_cap")
	n.writable = func(path string) bool { return path != emc }
	_, err := Begin(n, n.Modes(), filepath.Join(t.TempDir(), "x"))
	if !errors.Is(err, ErrPermission) || !strings.Contains(err.Error(), emc+" is root's; run with sudo") {
		t.Errorf("a file of another user: %v", err)
	}
}

package board_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/command/board"
	"example.org/bench/internal/bounded"
	"example.org/bench/test/program"
	"example.org/bench/test/tree"
)

var benchPath string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bench-board-test")
	if err != nil {
		panic(err)
	}
	benchPath = filepath.Join(dir, "bench")
	if err := program.Build("cmd/bench", "", benchPath); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// bench runs the program in a folder, with more in the environment.
func bench(t *testing.T, dir string, env []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(benchPath, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// entries returns the unpacked entries of a file.
func entries(t *testing.T, file string) map[string][]byte {
	t.Helper()
	a, err := bounded.ReadZip(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range a.Files {
		if !strings.HasSuffix(name, ".gz") {
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if a.Files[name], err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return a.Files
}

// TestOneCommand interrupts a measurement on this machine, resumes it, reads the file, and has it refused after every kind
// of change.
func TestOneCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "home/planteduser/work")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + filepath.Dir(dir), "USER=planteduser", "LOGNAME=planteduser"}
	args := []string{"board", "--only", "scan,pattern", "--device", "cpu", "--out", filepath.Join(dir, "mine")}
	cmd := exec.Command(benchPath, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(strings.TrimSpace(lines.Text()), "[2/6]") {
			break
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, out) //nolint:errcheck // until its end
	cmd.Wait()               //nolint:errcheck // the status says it
	if status := cmd.ProcessState.ExitCode(); status != 130 || !strings.Contains(said.String(), "the same command with --resume runs the rest") {
		t.Fatalf("interrupted: status %d\n%s", status, said.String())
	}
	file := filepath.Join(dir, "mine.zip")
	if _, err := os.Lstat(file); err == nil {
		t.Error("an interrupted measurement left a file")
	}

	status, printed, fault := bench(t, dir, env, append(args, "--resume")...)
	if status != 0 {
		t.Fatalf("resumed: status %d\n%s%s", status, printed, fault)
	}
	if m := regexp.MustCompile(`scan\.json: (\d) of 6 points to go`).FindStringSubmatch(printed); m == nil || m[1] > "4" {
		t.Errorf("resuming measures again what was kept: %v\n%s", m, printed)
	}
	host, _ := os.Hostname()
	for name, text := range entries(t, file) {
		if !regexp.MustCompile(`(?m)^ *\d+  `+regexp.QuoteMeta(name)+"$").MatchString(printed) && name != "SHA256SUMS" {
			t.Errorf("%s is not listed before it is written", name)
		}
		for _, secret := range []string{"planteduser", dir, host} {
			if regexp.MustCompile(`\b` + regexp.QuoteMeta(secret) + `\b`).Match(text) {
				t.Errorf("%s has %q", name, secret)
			}
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "mine.html"))
	if err != nil || !bytes.Contains(page, []byte("<title>bench board: ")) || bytes.Contains(page, []byte("planteduser")) {
		t.Errorf("the page is missing, has another title, or names the user: %v", err)
	}
	status, shown, fault := bench(t, dir, env, "board", file)
	if status != 0 || fault != "" || !regexp.MustCompile(`(?m)^board +\S.*\((real|guest)\)$`).MatchString(shown) || !regexp.MustCompile(`(?m)^scan +2 points, 2 ok$`).MatchString(shown) {
		t.Errorf("shown: status %d\n%s%s", status, shown, fault)
	}
	status, shown, fault = bench(t, dir, env, "board", file, "--json")
	var told board.Shown
	if err := json.Unmarshal([]byte(shown), &told); err != nil || status != 0 || len(told.Results) != 2 || !told.Results[0].Good || *told.Results[0].Points[0].Time <= 0 {
		t.Errorf("--json: status %d: %v\n%s%s", status, err, shown, fault)
	}
	if status, _, fault := bench(t, dir, env, args...); status != 2 || !strings.Contains(fault, "mine.zip is there already; want another folder, --out") {
		t.Errorf("a second file of that name: status %d: %s", status, fault)
	}
	if status, shown, fault = bench(t, dir, env, "board", file, "--out", "looked"); status != 0 {
		t.Fatalf("unpacked: status %d\n%s%s", status, shown, fault)
	}
	for _, args := range [][]string{{"board", file, "--out", "again"}, {"report", "looked/runs/scan", "looked/runs/pattern", "-o", "again.html"}, {"compare", "looked/runs/scan", "again/runs/scan"},
		{"export", "--to", "csv", "looked/runs/pattern"}, {"doctor", "--root", "looked/machine"}, {"sensors", "--root", "looked/machine"}} {
		if status, _, fault := bench(t, dir, env, args...); status != 0 {
			t.Errorf("%q: status %d: %s", args, status, fault)
		}
	}
	refusals(t, file)
	site(t, file)
}

// planted are files of a tree with names of a board and its owner.
var planted = map[string]string{
	"etc/hostname":                         "planted-host\n",
	"proc/sys/kernel/hostname":             "planted-host\n",
	"etc/machine-id":                       "4f1e77aa21c94f0cb1d1a6f2c1d3e55b\n",
	"etc/passwd":                           "root:x:0:0:root:/root:/bin/bash\nplanteduser:x:1000:1000::/home/planteduser:/bin/bash\n",
	"proc/device-tree/serial-number":       "1424919012345\x00",
	"sys/class/net/eth0/address":           "48:b0:2d:11:22:33\n",
	"proc/net/fib_trie":                    "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 192.168.77.12\n        /32 host LOCAL\n",
	"sys/class/thermal/thermal_zone8/type": "planteduser\n",
	"sys/class/thermal/thermal_zone7/type": "of 1424919012345 at 192.168.77.12, 48:b0:2d:11:22:33, 0e984725-c51c-4bf4-9960-e1c80e27aba0\n",
}

// TestBoardOfATree measures with the files of a TX2 in two of its power modes, and finds nothing of its owner in the file.
func TestBoardOfATree(t *testing.T) {
	t.Parallel()
	root, dir := tree.Unpack(t, "../../sensors/ina3221/testdata/jetson-tx2-l4t32.txtar"), t.TempDir()
	if out, err := exec.Command("cp", "-a", tree.Unpack(t, "../../framework/powermode/testdata/jetson-tx2-l4t32.txtar")+"/.", root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tree.Hasten(t, root)
	conf := filepath.Join(root, "etc/nvpmodel.conf")
	text, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "< POWER_MODEL ID=")
	head, modes := parts[0], parts[1:]
	last := strings.LastIndex(modes[len(modes)-1], "<")
	tail := modes[len(modes)-1][last:] // what follows the modes
	if !strings.HasPrefix(tail, "< PM_CONFIG") {
		tail = ""
	}
	write(t, conf, "# for 1424919012345 of planteduser\n"+head+"< POWER_MODEL ID="+modes[0]+"< POWER_MODEL ID="+modes[3]+tail)
	write(t, filepath.Join(root, "proc/device-tree/model"), "quill\x00")
	for name, text := range planted {
		write(t, filepath.Join(root, name), text)
	}
	cpus, err := os.ReadFile(filepath.Join(root, "proc/cpuinfo"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "proc/cpuinfo"), string(cpus)+"\nSerial\t\t: 1424919012345\n")
	env := []string{"PATH=" + tree.Bin(t) + ":" + os.Getenv("PATH"), "BENCH_TREE=" + root, "STATE_DIRECTORY=" + filepath.Join(dir, "state/bench")}
	status, out, fault := bench(t, dir, env, "board", "--only", "pattern", "--device", "cpu", "--root", root, "--yes", "--out", "tx2")
	if status != 0 {
		t.Fatalf("status %d\n%s%s", status, out, fault)
	}
	files := entries(t, filepath.Join(dir, "tx2.zip"))
	packed, err := os.ReadFile(filepath.Join(dir, "tx2.zip"))
	if err != nil {
		t.Fatal(err)
	}
	files["the archive itself"] = packed
	if files["the page"], err = os.ReadFile(filepath.Join(dir, "tx2.html")); err != nil {
		t.Fatal(err)
	}
	secrets := []string{"planted-host", "planteduser", "4f1e77aa21c94f0cb1d1a6f2c1d3e55b", "1424919012345", "192.168.77.12", "48:b0:2d:11:22:33", "0e984725-c51c-4bf4-9960-e1c80e27aba0", root}
	for name, text := range files {
		for _, secret := range secrets {
			// What the kernel calls a zone is no user, whatever the word; bench says that it is there.
			if bytes.Contains(text, []byte(secret)) && !(secret == "planteduser" && name == "machine/sys/class/thermal/thermal_zone8/type") {
				t.Errorf("%s has %q", name, secret)
			}
		}
	}
	if !strings.Contains(fault, `look at machine/sys/class/thermal/thermal_zone8/type before you send it: it has the word "planteduser"`) || strings.Count(fault, "look at") != 1 {
		t.Errorf("nothing warns of the word that is a user's name, or more:\n%s", fault)
	}
	if !bytes.Contains(files["machine/sys/class/thermal/thermal_zone7/type"], []byte("of SERIAL at SERIAL, SERIAL, UUID")) {
		t.Errorf("thermal_zone7: %s", files["machine/sys/class/thermal/thermal_zone7/type"])
	}
	if n := bytes.Count(files["runs/pattern/pattern_power_samples.csv.gz"], []byte("VDD_SYS_CPU")); n < 10 {
		t.Errorf("%d power readings of VDD_SYS_CPU", n)
	}
	var said board.Description
	if err := json.Unmarshal(files["board.json"], &said); err != nil || len(said.Modes) != 2 {
		t.Errorf("power modes %v, want two: %v", said.Modes, err)
	}
	status, out, fault = bench(t, dir, nil, "board", "tx2.zip")
	if status != 0 || !strings.Contains(out, "Jetson TX2 (quill) (copied files)") || !regexp.MustCompile(`(?m)^pattern +4 points, 4 ok$`).MatchString(out) {
		t.Errorf("shown: status %d\n%s%s", status, out, fault)
	}
	if status, _, fault = bench(t, dir, nil, "board", "tx2.zip", "--out", "x"); status != 0 {
		t.Fatal(fault)
	}
	if status, out, fault = bench(t, dir, nil, "boards", "tx2.zip", "--out", "site"); status != 0 {
		t.Fatalf("status %d\n%s%s", status, out, fault)
	}
	pages := sectionsOf(t, filepath.Join(dir, "site/board-001.html"))
	if pages[1].Title != "Power modes" || len(pages[1].Tables) != 1 || len(pages[1].Tables[0].Rows) != 4 {
		t.Errorf("the board's page does not compare two modes at two problems: %+v", pages[1])
	}
	if status, out, _ = bench(t, dir, nil, "modes", "--root", "x/machine"); status != 0 || !strings.Contains(out, "MAXP_CORE_ARM") {
		t.Errorf("the modes of the file's tree: status %d\n%s", status, out)
	}
}

// TestTenMinutes: by the model of bench plan, every board that it describes measures everything in ten minutes, with up to
// 2 s for each further instance.
func TestTenMinutes(t *testing.T) {
	t.Parallel()
	about := regexp.MustCompile(`(?m)about (\d+):(\d\d) on .* with power`)
	points := regexp.MustCompile(`: (\d+) points?, (\d+) of them skipped`)
	for _, device := range []string{"jetson-tx1", "jetson-tx2", "jetson-orin-nano"} {
		total := time.Duration(0)
		for _, name := range board.Algorithms() {
			text, err := board.Config(name)
			if err != nil {
				t.Fatal(err)
			}
			var c struct{ Measure struct{ Repeats int } }
			if err := json.Unmarshal(text, &c); err != nil || c.Measure.Repeats < 3 {
				t.Fatalf("%s: %d repeats, want 3 for an interval: %v", name, c.Measure.Repeats, err)
			}
			dir := t.TempDir()
			write(t, filepath.Join(dir, name+".json"), string(text))
			status, out, fault := bench(t, dir, nil, "plan", name+".json", "--device", device)
			a, p := about.FindStringSubmatch(out), points.FindStringSubmatch(out)
			if status != 0 || a == nil || p == nil {
				t.Fatalf("%s: status %d\n%s%s", name, status, out, fault)
			}
			number := func(s string) time.Duration { n, _ := strconv.Atoi(s); return time.Duration(n) }
			total += number(a[1])*time.Minute + number(a[2])*time.Second + (number(p[1])-number(p[2]))*time.Duration(c.Measure.Repeats-1)*2*time.Second
		}
		if total > 10*time.Minute {
			t.Errorf("%s: about %s", device, total)
		}
	}
}

package command

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bench/framework/record"
	"bench/linux"
	"bench/terminal"
	"bench/trust"
)

// swapsVariable names the environment variable with the number of swaps, such as 10000.
const swapsVariable = "BENCH_TEST_SWAPS"

// another is another user where the tests are root's.
func another() int {
	if os.Geteuid() == 0 {
		return 54321
	}
	return os.Geteuid()
}

// stranger is who may change all that is in a folder while verbs work there.
type stranger struct {
	dir, victim string
	root        *os.Root
	user        int
	caches      bool // nothing else is swapped
	pause       int  // µs between two swaps at most
	rng         *rand.Rand
	count       int
}

// targets are what is swapped, in the folder; some hold others.
var targets = []string{"p", "p/r", "p/r/run.json", "p/r/journal.jsonl", "p/r/s_time.csv", "p/r/s_samples.csv.gz", "p/r/s_time.svg", "p/r/s_energy.csv",
	"p/m", "p/m/run.json", "p/e", "p/h.jsonl", "p/report.html", "p/w.json", "p/t", "p/t/trials.csv", "p/t/tune.json", "p/kept"}

// kept are what holds caches, wisdom and seals; what is in them has names of its own.
var kept = []string{"p/cache", "p/config", "p/state", "p/cache/bench", "p/config/bench", "p/config/bench/wisdom.json", "p/config/bench/wisdom.json.lock", "p/state/seal.key",
	"p/cache/bench/c", "p/cache/bench/c/trimmed", "p/cache/bench/programs", "p/cache/bench/programs/trimmed", "p/cache/bench/kernels", "p/cache/bench/sensors"}

// name is that of something in the folder.
func (s *stranger) name() string {
	list := targets
	if s.caches {
		list = kept
	}
	name := list[s.rng.IntN(len(list))]
	if !strings.HasPrefix(name, "p/cache/bench/") || s.rng.IntN(2) == 0 {
		return name
	}
	if d, err := s.root.Open(name); err == nil {
		defer d.Close()
		if entries, err := d.ReadDir(-1); err == nil && len(entries) > 0 {
			return filepath.Join(name, entries[s.rng.IntN(len(entries))].Name())
		}
	}
	return name
}

// swap puts a link, to a folder or file that is not the stranger's, in place of something,
// or back what was there. The stranger's own links do not lead it out of the folder.
func (s *stranger) swap() {
	s.count++
	name := s.name()
	away := name + ".away"
	if _, err := s.root.Lstat(away); err == nil && s.rng.IntN(2) == 0 {
		s.root.RemoveAll(name)
		s.root.Rename(away, name)
		return
	}
	folder := filepath.Ext(name) == ""
	if info, err := s.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink == 0 {
		folder = info.IsDir()
		s.root.RemoveAll(away)
		s.root.Rename(name, away)
	} else {
		s.root.Remove(name)
	}
	if s.user == os.Geteuid() && folder {
		s.root.Mkdir(name, 0o777) // one's own links to folders are followed
		return
	}
	to := []string{s.victim, filepath.Join(s.victim, filepath.Base(name)), filepath.Join(s.victim, "absent"), filepath.Join(s.victim, "sub")}[s.rng.IntN(4)]
	if s.rng.IntN(3) == 0 {
		if relative, err := filepath.Rel(filepath.Join(s.dir, filepath.Dir(name)), to); err == nil {
			to = relative
		}
	}
	if s.root.Symlink(to, name) == nil {
		s.root.Lchown(name, s.user, s.user)
	}
}

// shape is all that is in a folder: what there is, of whom, and its text.
func shape(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		user, group, _, _ := linux.Owner(info)
		all[path] = fmt.Sprint(info.Mode(), user, group)
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[path] += " " + string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSwapsInAnothersFolder: root, or anybody, measures and reads in a folder that belongs to
// another, who swaps all that is there for links at random. Nothing outside of the folder is
// written, removed or given away, and every verb ends with a documented status and lines. So it is
// in one's own folder, which has the caches and wisdom, too: root has none in another's.
func TestSwapsInAnothersFolder(t *testing.T) {
	for _, sudo := range []bool{false, true} {
		t.Run(fmt.Sprintf("sudo %v", sudo), func(t *testing.T) { swapAll(t, sudo, another()) })
	}
	t.Run("own", func(t *testing.T) { swapAll(t, false, os.Geteuid()) })
}

func swapAll(t *testing.T, sudo bool, user int) {
	swaps := 400
	if text := os.Getenv(swapsVariable); text != "" {
		var err error
		if swaps, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	path, seals := os.Getenv("PATH"), func() {}
	cc, err := exec.LookPath("gcc") // and not the stand-in
	if err != nil {
		t.Fatal(err)
	}
	s := newSandbox(t)
	if sudo {
		t.Setenv("SUDO_UID", strconv.Itoa(user))
		t.Setenv("SUDO_GID", strconv.Itoa(user))
	}
	t.Setenv("BENCH_PLOTS", "none")
	seed := rand.Uint64()
	work, victim := s.path("work"), s.path("victim")
	a := &stranger{dir: work, victim: victim, user: user, pause: 3000, rng: rand.New(rand.NewPCG(seed, 1))}
	config := s.path("in/c.json")
	write(t, config, `{"algorithm": "scan", "processor": "CPU", "versions": ["reference"], "output_file_prefix": "s", "sensors": [], "sweep_arg": {"N": [64, 128]},
		"static_args": {"batch_elements": 256}, "measure": {"min_time_s": 0.0001, "min_samples": 3, "noise": 0.9, "timeout_s": 0.01, "cooldown_s": 0, "ceilings": false}}`)
	tunable := s.path("in/t.json")
	write(t, tunable, `{"algorithm": "scan", "processor": "CPU", "versions": ["parallel"], "output_file_prefix": "t", "sensors": [], "sweep_arg": {"N": [1024]}, "static_args": {"batch_elements": 8192},
		"tunables": {"CHUNK": [16, 32, 64]}, "measure": {"min_time_s": 0.0001, "min_samples": 3, "noise": 0.9, "timeout_s": 0.01, "cooldown_s": 0, "ceilings": false}}`)
	template := s.path("in/r")
	if status, said := s.bench("run", config, "--out", template, "-q"); status != exitGood {
		t.Fatal(said)
	}
	// What a link may lead to has the names of what verbs write.
	for _, name := range slices.Concat(targets, kept) {
		write(t, filepath.Join(victim, filepath.Base(name), "precious"), "precious")
	}
	for _, name := range []string{"run.json", "journal.jsonl", "s_time.csv", "h.jsonl", "report.html", "w.json", "trials.csv", "wisdom.json", "wisdom.json.lock", "seal.key", "trimmed"} {
		os.RemoveAll(filepath.Join(victim, name))
		write(t, filepath.Join(victim, name), "precious")
	}
	write(t, filepath.Join(victim, "sub", record.InfoFile), "precious")
	before := shape(t, victim)
	r := filepath.Join(work, "p/r")
	verbs := [][]string{
		{"run", config, "--out", r, "-q"}, {"run", config, "--out", r, "-q", "--resume"}, {"merge", r, "--no-plots", "--out", filepath.Join(work, "p/m")},
		{"export", r, "--to", "csv", "--out", filepath.Join(work, "p/e")}, {"history", "add", r, "--revision", "x", "--file", filepath.Join(work, "p/h.jsonl")},
		{"report", r, "-o", filepath.Join(work, "p/report.html")}, {"plot", r, "--csv"}, {"compare", r, template, "--csv"},
		{"tune", tunable, "--out", filepath.Join(work, "p/t"), "--budget", "2", "--strategy", "random", "--confirm", "0", "--wisdom", filepath.Join(work, "p/w.json"), "-q"},
	}
	if user == os.Geteuid() {
		t.Setenv("CC", cc)
		t.Setenv("PATH", s.path("bin")+":"+path)
		t.Setenv("XDG_CACHE_HOME", filepath.Join(work, "p/cache"))
		t.Setenv("XDG_CONFIG_HOME", filepath.Join(work, "p/config"))
		t.Setenv("STATE_DIRECTORY", filepath.Join(work, "p/state"))
		compiled := s.path("in/f.json")
		write(t, s.path("in/f.c"), "void f(float *x) { x[0] = 1; }\n")
		write(t, compiled, `{"algorithm": {"cuda": {"name": "f", "arguments": [{"name": "x", "type": "f32", "size": "1", "use": "output"}], "verify": {"none": "it computes nothing"},
			"versions": [{"name": "c", "c": {"source": "f.c", "function": "f"}}]}}, "sensors": [], "measure": {"min_time_s": 0.0001, "min_samples": 3, "noise": 0.9, "timeout_s": 0.01, "cooldown_s": 0, "ceilings": false}}`)
		// So that verbs come as far as these, and a compiler to its end between two swaps.
		a.caches, a.pause, swaps = true, 60000, swaps/4
		out := s.path("out/m")
		search := []string{"tune", tunable, "--out", out, "--budget", "2", "--strategy", "random", "--confirm", "0", "-q"}
		verbs = [][]string{search, {"run", compiled, "--out", out, "-q"}, {"run", tunable, "--out", out, "-q"}, {"run", compiled, "--out", out, "-q"}, search, {"doctor"}}
		seals = func() { trust.Seal([]byte("x")) } //nolint:errcheck // it may fail, and writes nowhere else
	}
	ended := map[string]int{}
	compiledOnce, learned := false, false
	for n := 0; n < 2*len(verbs) || a.count < swaps; n++ {
		if err := errors.Join(os.RemoveAll(work), os.CopyFS(r, os.DirFS(template))); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(work, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, user, user))
		})
		if err != nil {
			t.Fatal(err)
		}
		if a.root, err = os.OpenRoot(work); err != nil {
			t.Fatal(err)
		}
		undisturbed := a.caches && n < len(verbs) // so that caches are surely written
		for range a.rng.IntN(3) {                 // some are there before
			if !undisturbed {
				a.swap()
			}
		}
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(a.rng.IntN(a.pause)) * time.Microsecond):
					if !undisturbed {
						a.swap()
					}
				}
			}
		}()
		args := verbs[n%len(verbs)]
		seals()
		status, said := s.bench(args...)
		close(stop)
		<-stopped
		a.root.Close()
		ended[fmt.Sprint(args[0], " ", status)]++
		what := fmt.Sprintf("seed %d, %s", seed, strings.Join(args, " "))
		if !slices.Contains([]int{exitGood, exitBad, exitUsage}, status) {
			t.Errorf("%s: status %d\n%s", what, status, said)
		}
		for line := range strings.Lines(said) {
			if strings.Contains(line, "goroutine ") || strings.Contains(line, "internal error") || terminal.OneLine(strings.TrimSuffix(line, "\n")) != strings.TrimSuffix(line, "\n") {
				t.Errorf("%s: status %d\n%s", what, status, said)
			}
		}
		after := shape(t, victim)
		for path, is := range after {
			if before[path] != is {
				t.Fatalf("%s: %s was %.100q, and is %.100q\n%s", what, path, before[path], is, said)
			}
		}
		if len(after) != len(before) {
			t.Fatalf("%s: %d files outside, %d before\n%s", what, len(after), len(before), said)
		}
		if entries, err := os.ReadDir(filepath.Join(work, "p/cache/bench/c")); err == nil && len(entries) > 1 {
			compiledOnce = true
		}
		_, err = os.Stat(filepath.Join(work, "p/config/bench/wisdom.json"))
		learned = learned || err == nil
	}
	if a.caches && !(compiledOnce && learned) {
		t.Errorf("code is kept: %v, wisdom: %v; the caches were never written", compiledOnce, learned)
	}
	t.Logf("%d swaps: %v", a.count, ended)
}

package command

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bench/framework/record"
	"bench/linux"
	"bench/terminal"
)

// swapsVariable names the environment variable with the number of swaps, such as 10000.
const swapsVariable = "BENCH_TEST_SWAPS"

// owner is another user where the tests are root's.
func owner() int {
	if os.Geteuid() == 0 {
		return 54321
	}
	return os.Geteuid()
}

// stranger is who may change all that is in a folder while verbs work there.
type stranger struct {
	dir, victim string
	root        *os.Root
	rng         *rand.Rand
	count       int
}

// targets are what is swapped, in the folder; some hold others.
var targets = []string{"p", "p/r", "p/r/run.json", "p/r/journal.jsonl", "p/r/s_time.csv", "p/r/s_samples.csv.gz", "p/r/s_time.svg", "p/r/s_energy.csv",
	"p/m", "p/m/run.json", "p/e", "p/h.jsonl", "p/report.html", "p/w.json", "p/t", "p/t/trials.csv", "p/t/tune.json", "p/kept"}

// swap puts a link, to a folder or file that is not the stranger's, in place of something,
// or back what was there. The stranger's own links do not lead it out of the folder.
func (s *stranger) swap() {
	s.count++
	name := targets[s.rng.IntN(len(targets))]
	away := name + ".away"
	if _, err := s.root.Lstat(away); err == nil && s.rng.IntN(2) == 0 {
		s.root.RemoveAll(name)
		s.root.Rename(away, name)
		return
	}
	if info, err := s.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink == 0 {
		s.root.RemoveAll(away)
		s.root.Rename(name, away)
	} else {
		s.root.Remove(name)
	}
	if owner() == os.Geteuid() && filepath.Ext(name) == "" {
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
		s.root.Lchown(name, owner(), owner())
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
// written, removed or given away, and every verb ends with a documented status and lines.
func TestSwapsInAnothersFolder(t *testing.T) {
	for _, sudo := range []bool{false, true} {
		t.Run(fmt.Sprintf("sudo %v", sudo), func(t *testing.T) { swapAll(t, sudo) })
	}
}

func swapAll(t *testing.T, sudo bool) {
	swaps := 400
	if text := os.Getenv(swapsVariable); text != "" {
		var err error
		if swaps, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	s := newSandbox(t)
	if sudo {
		t.Setenv("SUDO_UID", strconv.Itoa(owner()))
		t.Setenv("SUDO_GID", strconv.Itoa(owner()))
	}
	t.Setenv("BENCH_PLOTS", "none")
	seed := rand.Uint64()
	work, victim := s.path("work"), s.path("victim")
	a := &stranger{dir: work, victim: victim, rng: rand.New(rand.NewPCG(seed, 1))}
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
	for _, name := range targets {
		write(t, filepath.Join(victim, filepath.Base(name), "precious"), "precious")
	}
	for _, name := range []string{"run.json", "journal.jsonl", "s_time.csv", "h.jsonl", "report.html", "w.json", "trials.csv"} {
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
	ended := map[string]int{}
	for n := 0; n < 2*len(verbs) || a.count < swaps; n++ {
		if err := errors.Join(os.RemoveAll(work), os.CopyFS(r, os.DirFS(template))); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(work, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, owner(), owner()))
		})
		if err != nil {
			t.Fatal(err)
		}
		if a.root, err = os.OpenRoot(work); err != nil {
			t.Fatal(err)
		}
		for range a.rng.IntN(3) { // some are there before
			a.swap()
		}
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(a.rng.IntN(3000)) * time.Microsecond):
					a.swap()
				}
			}
		}()
		args := verbs[n%len(verbs)]
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
	}
	t.Logf("%d swaps: %v", a.count, ended)
}

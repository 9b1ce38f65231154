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

	"example.org/bench/framework/record"
	"example.org/bench/internal/linux"
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
	names       []string // of what is swapped
	pause       int      // µs between two swaps at most
	rng         *rand.Rand
	count       int
}

// swapped are what verbs write that measure and read results, in the folder; some hold others.
var swapped = []string{"p", "p/r", "p/r/run.json", "p/r/journal.jsonl", "p/r/s_time.csv", "p/r/s_samples.csv.gz", "p/r/figures", "p/r/figures/s_time.svg", "p/r/s_energy.csv",
	"p/m", "p/m/run.json", "p/e", "p/h.jsonl", "p/report.html", "p/w.json", "p/t", "p/t/trials.csv", "p/t/tune.json", "p/kept"}

// fetched are what bench fleet writes: of boards, and of a cluster's tasks.
var fetched = []string{"p", "p/f", "p/f/fleet.json", "p/f/boards", "p/f/boards/a", "p/f/boards/a/s", "p/f/boards/a/s/journal.jsonl", "p/f/boards/b", "p/f/boards/b/s/journal.jsonl", "p/f/boards/b/log",
	"p/f/s", "p/f/s/run.json", "p/f/s/journal.jsonl", "p/f/s/s_time.csv", "p/a", "p/a/slurm.json", "p/a/s", "p/a/s/run.json", "p/a/s/s_samples.csv.gz"}

// kept are what holds caches, wisdom and seals; what is in them has names of its own.
var kept = []string{"p/cache", "p/config", "p/state", "p/cache/bench", "p/config/bench", "p/config/bench/wisdom.json", "p/config/bench/wisdom.json.lock", "p/state/seal.key",
	"p/cache/bench/c", "p/cache/bench/c/trimmed", "p/cache/bench/programs", "p/cache/bench/programs/trimmed", "p/cache/bench/kernels", "p/cache/bench/sensors"}

// compiled are what holds code of GPUs and of the simulator.
var compiled = []string{"p/cache", "p/cache/bench", "p/cache/bench/kernels", "p/cache/bench/kernels/trimmed", "p/cache/bench/sim", "p/cache/bench/sim/trimmed", "p/cache/bench/c"}

// name is that of something in the folder. What is in caches, and of boards, has names that are
// made as it is written.
func (s *stranger) name() string {
	name := s.names[s.rng.IntN(len(s.names))]
	for s.rng.IntN(2) > 0 && (strings.HasPrefix(name, "p/cache/bench/") || strings.HasPrefix(name, "p/f/boards")) {
		d, err := s.root.Open(name)
		if err != nil {
			break
		}
		entries, err := d.ReadDir(-1)
		d.Close()
		if err != nil || len(entries) == 0 {
			break
		}
		name = filepath.Join(name, entries[s.rng.IntN(len(entries))].Name())
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
	// It is the stranger's before it has the name: one of this process's would be followed.
	const made = "link"
	s.root.Remove(made)
	if s.root.Symlink(to, made) == nil && s.root.Lchown(made, s.user, s.user) == nil {
		s.root.Rename(made, name)
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

// part is some verbs that work in a folder while a stranger swaps what is there.
type part struct {
	swaps, pause int      // as many where no environment variable says; µs between two at most
	names        []string // of what is swapped
	// undisturbed is how many verbs first run without swaps, so that done is surely so once.
	undisturbed int
	verbs       [][]string
	before      func(t *testing.T, n int) // what is put into the folder before the nth verb
	first       func()                    // what else writes before each verb
	made        string                    // pattern of files: what undisturbed verbs make is swapped, too
	done        func() string             // what is not yet done that must be once; empty: nothing
}

// TestSwapsInAnothersFolder: root, or anybody, measures, reads and fetches in a folder that belongs to
// another, who swaps all that is there for links at random. Nothing outside of the folder is
// written, removed or given away, and every verb ends with a documented status and lines. So it is
// in one's own folder, which has the caches and wisdom, too: root has none in another's.
func TestSwapsInAnothersFolder(t *testing.T) {
	for _, sudo := range []bool{false, true} {
		t.Run(fmt.Sprintf("sudo %v", sudo), func(t *testing.T) { swapAll(t, sudo, another(), verbsThatMeasure) })
		t.Run(fmt.Sprintf("fleet, sudo %v", sudo), func(t *testing.T) { swapAll(t, sudo, another(), verbsOfFleet) })
	}
	t.Run("own", func(t *testing.T) { swapAll(t, false, os.Geteuid(), verbsThatKeep) })
	t.Run("own fleet", func(t *testing.T) { swapAll(t, false, os.Geteuid(), verbsOfFleet) })
	t.Run("own compiled", func(t *testing.T) { swapAll(t, false, os.Geteuid(), verbsThatCompile) })
}

func swapAll(t *testing.T, sudo bool, user int, of func(t *testing.T, s *sandbox, work, template string, mine bool) part) {
	s := newSandbox(t)
	if sudo {
		t.Setenv("SUDO_UID", strconv.Itoa(user))
		t.Setenv("SUDO_GID", strconv.Itoa(user))
	}
	t.Setenv("BENCH_PLOTS", "none")
	seed := rand.Uint64()
	work, victim, template := s.path("work"), s.path("victim"), s.path("in/r")
	write(t, s.path("in/c.json"), quickConfig)
	write(t, s.path("in/t.json"), tunableConfig)
	if status, said := s.bench("run", s.path("in/c.json"), "--out", template, "-q"); status != exitGood {
		t.Fatal(said)
	}
	p := of(t, s, work, template, user == os.Geteuid())
	swaps := p.swaps
	if text := os.Getenv(swapsVariable); text != "" {
		var err error
		if swaps, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	a := &stranger{dir: work, victim: victim, user: user, names: slices.Clone(p.names), pause: p.pause, rng: rand.New(rand.NewPCG(seed, 1))}
	// What a link may lead to has the names of what verbs write.
	for _, name := range p.names { // not those that are made
		at := filepath.Join(victim, filepath.Base(name))
		if filepath.Ext(name) == "" && !slices.Contains([]string{"log", "trimmed"}, filepath.Base(name)) {
			at = filepath.Join(at, "precious")
		}
		write(t, at, "precious")
	}
	write(t, filepath.Join(victim, "sub", record.InfoFile), "precious")
	before := shape(t, victim)
	ended := map[string]int{}
	for n := 0; n < 2*len(p.verbs) || a.count < swaps; n++ {
		if err := errors.Join(os.RemoveAll(work), os.CopyFS(filepath.Join(work, "p/r"), os.DirFS(template))); err != nil {
			t.Fatal(err)
		}
		if p.before != nil {
			p.before(t, n)
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
		undisturbed := n < p.undisturbed
		for range a.rng.IntN(3) { // some are there before
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
		args := p.verbs[n%len(p.verbs)]
		if p.first != nil {
			p.first()
		}
		status, said := s.bench(args...)
		close(stop)
		<-stopped
		a.root.Close()
		ended[fmt.Sprint(args[0], " ", status)]++
		what := fmt.Sprintf("seed %d, %s", seed, strings.Join(args, " "))
		if undisturbed && p.made != "" {
			files, err := fs.Glob(os.DirFS(work), p.made)
			if err != nil {
				t.Fatal(err)
			}
			a.names = append(a.names, files...)
		}
		if undisturbed && status != exitGood && args[0] != "doctor" && (args[0] != "fleet" || user == os.Geteuid() || n == 0) {
			t.Errorf("%s, undisturbed: status %d\n%s", what, status, said)
		}
		checkSaid(t, what, status, said)
		after := shape(t, victim)
		for path, is := range after {
			if before[path] != is {
				t.Fatalf("%s: %s was %.100q, and is %.100q\n%s", what, path, before[path], is, said)
			}
		}
		if len(after) != len(before) {
			t.Fatalf("%s: %d files outside, %d before\n%s", what, len(after), len(before), said)
		}
		if p.done != nil {
			p.done()
		}
	}
	if p.done != nil {
		if what := p.done(); what != "" {
			t.Errorf("never written: %s", what)
		}
	}
	t.Logf("%d swaps: %v", a.count, ended)
}

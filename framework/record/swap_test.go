package record

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"example.org/bench/framework/plan"
)

// swapsVariable names the environment variable with the number of swaps, such as 10000.
const swapsVariable = "BENCH_TEST_SWAPS"

// swapper renames a run's folder, and puts others and links in its place.
type swapper struct {
	above, name string
	away        string // where the run's folder is; empty: it has its name
	rng         *rand.Rand
	count       int
}

func (s *swapper) path(name string) string { return filepath.Join(s.above, name) }

// swap changes what has the folder's name once.
func (s *swapper) swap() error {
	s.count++
	path := s.path(s.name)
	if s.away == "" {
		s.away = s.path(fmt.Sprint("away", s.count))
		if err := os.Rename(path, s.away); err != nil {
			return err
		}
	} else if err := os.RemoveAll(path); err != nil { // a link's target stays
		return err
	}
	switch s.rng.IntN(6) {
	case 0:
		return os.Symlink(s.path("victim"), path)
	case 1:
		return os.Symlink("victim", path)
	case 2:
		return errors.Join(os.Mkdir(path, 0o777), os.Symlink(s.path("victim/run.json"), filepath.Join(path, InfoFile)), os.Symlink(s.path("victim/journal.jsonl"), filepath.Join(path, JournalFile)))
	case 3:
		return os.WriteFile(path, []byte("a file"), 0o666)
	case 4:
		return nil // nothing
	}
	err := os.Rename(s.away, path)
	s.away = ""
	return err
}

// tree is all that is below a folder, by name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			all[path] = "a folder"
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSwapsOfTheFolder: whatever has the name of a run's folder while it measures and writes,
// nothing outside of the folder that it holds changes, and all points are in that.
func TestSwapsOfTheFolder(t *testing.T) {
	swaps := 2000
	if text := os.Getenv(swapsVariable); text != "" {
		var err error
		if swaps, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := rand.Uint64()
	s := &swapper{above: t.TempDir(), name: "run", rng: rand.New(rand.NewPCG(seed, 1))}
	victim := s.path("victim")
	mustCreate(t, victim, testResult(7))
	if err := Write(victim, NewRun(Info{}, "fft", nil, []Result{testResult(7)})); err != nil {
		t.Fatal(err)
	}
	before := tree(t, victim)
	h := testHeader
	h.Prefix, h.Axes = "fft", []plan.Axis{{Name: "N", Count: 3}}
	j, err := CreateJournal(s.path(s.name), h)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for s.count < swaps {
			if err := s.swap(); err != nil {
				stopped <- fmt.Errorf("swap %d of seed %d: %w", s.count, seed, err)
				return
			}
		}
		stopped <- nil
	}()
	var results []Result
	var failed error
	go func() { failed = <-stopped; close(stop) }()
	for done := false; !done; {
		select {
		case <-stop:
			done = true
		default:
		}
		for range 20 {
			r := testResult(len(results))
			if err := j.Append(r); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			results = append(results, r)
		}
		place, err := j.Place()
		if err == nil {
			err = WriteIn(place, NewRun(Info{}, "fft", h.Axes, results[max(0, len(results)-20):]))
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if failed != nil {
		t.Fatal(failed)
	}
	held := s.path(s.name)
	if s.away != "" {
		held = s.away
	}
	place, err := j.Place()
	if err != nil {
		t.Fatal(err)
	}
	if now := place.Now(); now != held {
		t.Errorf("seed %d: the folder is %s, and said to be %q", seed, held, now)
	}
	if err := WriteIn(place, NewRun(Info{}, "fft", h.Axes, results)); err != nil {
		t.Fatal(err)
	}
	if r, err := Read(held); err != nil || len(r.Rows) != len(results) {
		t.Errorf("seed %d: %v", seed, err)
	}
	if r, err := ReadJournal(held); err != nil || len(r.Results) != len(results) {
		t.Errorf("seed %d: the journal: %v", seed, err)
	}
	if after := tree(t, victim); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("seed %d: what is outside has changed: %d files, %d before", seed, len(after), len(before))
	}
	list, err := os.ReadDir(s.above)
	if err != nil || len(list) > 3 { // the run, the victim, and what has the name
		t.Errorf("seed %d: %v, %v", seed, list, err)
	}
	t.Logf("%d points, %d swaps", len(results), s.count)
}

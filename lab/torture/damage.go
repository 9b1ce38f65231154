//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutate changes some bytes of a file's content as broken disks, editors and
// merges do. It says what it did.
func mutate(rng *rand.Rand, b []byte) ([]byte, string) {
	b = slices.Clone(b)
	at := rng.IntN(len(b) + 1)
	n := min(1+rng.IntN(1<<rng.IntN(8)), len(b)-at)
	switch kind := rng.IntN(9); kind {
	case 0:
		if at < len(b) {
			b[at] ^= 1 << rng.IntN(8)
		}
		return b, fmt.Sprintf("a bit of byte %d is flipped", at)
	case 1:
		return slices.Delete(b, at, at+n), fmt.Sprintf("%d bytes at %d are gone", n, at)
	case 2:
		return slices.Insert(b, at, b[at:at+n]...), fmt.Sprintf("%d bytes at %d are doubled", n, at)
	case 3:
		return b[:at], fmt.Sprintf("cut at %d", at)
	case 4:
		clear(b[at : at+n])
		return b, fmt.Sprintf("%d bytes at %d are zero", n, at)
	case 5:
		noise := make([]byte, n)
		for i := range noise {
			noise[i] = byte(rng.Uint32())
		}
		return slices.Insert(b, at, noise...), fmt.Sprintf("%d random bytes at %d", n, at)
	case 6:
		words := []string{"1e999", "-1", "9223372036854775808", "null", "[", "{", `"`, "\n", "NaN", "0", strings.Repeat("[", 20000), "\xff\xfe", "1e-320"}
		word := words[rng.IntN(len(words))]
		return slices.Insert(b, at, []byte(word)...), fmt.Sprintf("%.10q is written at %d", word, at)
	case 7:
		lines := bytes.SplitAfter(b, []byte("\n"))
		i, j := rng.IntN(len(lines)), rng.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return bytes.Join(lines, nil), fmt.Sprintf("lines %d and %d are exchanged", i+1, j+1)
	}
	return nil, "emptied"
}

// damage changes one file at random, and has the verbs that read it do so.
func damage(s *scene, n *counts) error {
	what := []string{"journal", "wisdom", "config", "space", "tree", "results", "note", "cache"}[s.rng.IntN(8)]
	n.add(what)
	w := works[s.rng.IntN(3)]
	do := func(lines ...string) error {
		for _, line := range lines {
			if _, err := s.do(strings.Fields(line)...); err != nil {
				return err
			}
		}
		return nil
	}
	switch what {
	case "journal":
		if err := s.host.undisturbed(w, verb{}.environment); err != nil {
			return err
		}
		return s.damageJournal(w)
	case "wisdom":
		w = workNamed("tune")
		if _, err := s.do(w.args...); err != nil {
			return err
		}
		if err := s.damageFile("home/.config/bench/wisdom.json"); err != nil {
			return err
		}
		return do("run tune.json --processor CPU --quiet", "plan tune.json --processor CPU", "doctor")
	case "config":
		if err := s.damageFile("run.json"); err != nil {
			return err
		}
		return do("validate run.json", "plan run.json")
	case "space":
		if err := s.damageFile("space.csv"); err != nil {
			return err
		}
		return do("replay space.csv --strategy random --budget 3 --repeats 2", "export space.csv --to t4 -o out", "import out/space.t4.json -o back", "transfer space.csv other.csv")
	case "tree":
		if err := s.damageFile(s.someFile("tree")); err != nil {
			return err
		}
		return do("modes --root tree", "sensors --root tree", "doctor --root tree")
	case "cache":
		return s.damageCache()
	case "results":
		if _, err := s.do(works[0].args...); err != nil {
			return err
		}
		if err := s.damageFile(s.someFile(works[0].folder)); err != nil {
			return err
		}
		return do("plot results/run", "compare results/run --by version", "tune tune.json --device cpu --budget 2 --confirm 0 --strategy knn --train results/run --quiet")
	}
	return s.damageNote()
}

// damageCache damages what was compiled, for the simulator or for the stand-in for a GPU:
// it is compiled again.
func (s *scene) damageCache() error {
	args := []string{"verify", "gpu.json", "--device", "sim"}
	if nvrtc := os.Getenv("BENCH_NVRTC"); nvrtc != "" && s.rng.IntN(2) == 0 {
		args = args[:2]
		if err := (verb{gpu: true}).environment(s); err != nil {
			return err
		}
	}
	whole, err := s.do(args...)
	if err != nil || whole.status != 0 {
		return fmt.Errorf("%q: %v\n%s", args, err, whole.text)
	}
	if err := s.damageFile(s.someFile("home/.cache")); err != nil {
		return err
	}
	again, err := s.do(args...)
	if err == nil && (again.status != 0 || s.clean(again.text) != s.clean(whole.text)) {
		s.failf("with a damaged cache: status %d", again.status)
	}
	return err
}

func (s *scene) damageFile(name string) error {
	path := filepath.Join(s.dir, name)
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b, what := mutate(s.rng, b)
	s.said = append(s.said, fmt.Sprintf("(%s: %s)", name, what))
	return os.WriteFile(path, b, 0o644)
}

// someFile is a file below a folder of the scene.
func (s *scene) someFile(folder string) string {
	var list []string
	filepath.WalkDir(filepath.Join(s.dir, folder), func(path string, e fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(s.dir, path); err == nil && e.Type().IsRegular() && !strings.HasSuffix(name, ".png") {
			list = append(list, name)
		}
		return nil
	})
	return list[s.rng.IntN(len(list))]
}

// damageJournal resumes a run whose journal was cut and damaged: it is completed
// or refused in one line, and then done anew.
func (s *scene) damageJournal(w *work) error {
	if _, err := s.do(w.args...); err != nil {
		return err
	}
	journal := filepath.Join(s.dir, w.folder, "journal.jsonl")
	if s.rng.IntN(2) == 0 {
		if err := cutJournal(journal, 1+s.rng.IntN(3)); err != nil {
			return err
		}
	}
	if err := s.damageFile(w.folder + "/journal.jsonl"); err != nil {
		return err
	}
	if _, err := s.do("plot", w.folder); err != nil {
		return err
	}
	before := s.results(w)
	for key, lines := range before { // a line that was doubled counts once
		before[key] = lines[:1]
	}
	c, err := s.do(append(slices.Clone(w.args), "--resume")...)
	if err != nil {
		return err
	}
	if refused := c.status == 1 && strings.Contains(c.text, "start without --resume") || c.status == 2; !refused {
		s.alone()
		s.check(w, before, c, w.points+6)
		return nil
	}
	if c, err = s.do(w.args...); err == nil && c.status != 0 {
		s.failf("refused with --resume, and without it status %d", c.status)
	}
	return err
}

// damageNote kills a run in another power mode and damages the note that says
// what to restore: it is restored or the damage is told.
func (s *scene) damageNote() error {
	c, err := s.start(workNamed("modes").args...)
	if err != nil {
		return err
	}
	for {
		b, _ := os.ReadFile(filepath.Join(s.dir, "tree/switches"))
		if len(b) > 0 && s.exists("state/power-mode.json") || !running(c) {
			break
		}
	}
	c.Process.Kill()
	s.finish(c)
	s.alone()
	if !s.exists("state/power-mode.json") {
		return nil
	}
	if err := s.damageFile("state/power-mode.json"); err != nil {
		return err
	}
	for _, args := range [][]string{{"modes", "--restore"}, {"doctor", "--root", "tree"}, {"run", "run.json", "--quiet"}} {
		if _, err := s.do(args...); err != nil {
			return err
		}
	}
	return nil
}

func running(c *started) bool {
	select {
	case <-c.ended:
		return false
	default:
		return true
	}
}

// cutJournal leaves a journal's lines up to the n-th result.
func cutJournal(path string, n int) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var kept []byte
	for line := range bytes.Lines(data) {
		kept = append(kept, line...)
		if bytes.Contains(line, []byte(`","result":`)) {
			if n--; n == 0 {
				break
			}
		}
	}
	return os.WriteFile(path, kept, 0o644)
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// campaign is a run over many mutants.
type campaign struct {
	each, points, jobs int
	seed               uint64
	only, out          string
	limit              time.Duration
}

// reached is what points compile.
type reached struct {
	points []point
	by     []solution // of the points, without a change
	lines  []map[string]map[int]bool
}

// sources are the texts of the project's kernels, by path.
func sources() (map[string]string, error) {
	all := map[string]string{}
	for _, root := range []string{"algorithms", "configs"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".cu" && filepath.Ext(path) != ".cuh" {
				return err
			}
			text, err := os.ReadFile(path)
			all[path] = string(text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// baseline runs every point without a mutant: all must be right.
func baseline(list []subject) (r reached, err error) {
	d, err := open()
	if err != nil {
		return r, err
	}
	for _, s := range list {
		for _, p := range s.points(d.Facts()) {
			by := solve(d, s, p, nil, "")
			if by.Outcome != unchanged {
				return r, fmt.Errorf("%s at %v without a mutant: %s", p, s.problems()[p.Problem], by.Report)
			}
			lines := map[string]map[int]bool{}
			for library := range by.loads {
				if err := linesOf(library, lines); err != nil {
					return r, err
				}
			}
			r.points, r.by, r.lines = append(r.points, p), append(r.by, by), append(r.lines, lines)
		}
	}
	return r, nil
}

// of are the points that compile a mutant, those of different versions first and among
// those the fast ones.
func (r reached) of(m mutant, text string) (points []point, hashes []uint64) {
	var at []int
	for i := range r.points {
		if !r.by[i].texts[text] {
			continue
		}
		for line := range r.lines[i][filepath.Base(m.File)] {
			if m.Where.holds(line) {
				at = append(at, i)
				break
			}
		}
	}
	turn := map[int]int{}
	count := map[point]int{}
	sort.SliceStable(at, func(a, b int) bool { return r.by[at[a]].Seconds < r.by[at[b]].Seconds })
	for _, i := range at {
		v := r.points[i]
		v.Problem = 0
		turn[i] = count[v]
		count[v]++
	}
	sort.SliceStable(at, func(a, b int) bool { return turn[at[a]] < turn[at[b]] })
	for _, i := range at {
		points, hashes = append(points, r.points[i]), append(hashes, r.by[i].Hash)
	}
	return points, hashes
}

// draw picks so many of each file and kind; the order is by turns, so that a run that
// is ended early has some of each.
func (c campaign) draw(all []mutant) (list []mutant) {
	groups := map[string][]mutant{}
	for _, m := range all {
		key := m.File + " " + string(m.Kind)
		groups[key] = append(groups[key], m)
	}
	keys := make([]string, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	random := rand.New(rand.NewPCG(c.seed, 0))
	for _, k := range keys {
		g := groups[k]
		random.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
	}
	for turn := 0; ; turn++ {
		before := len(list)
		for _, k := range keys {
			if turn < len(groups[k]) && (c.each == 0 || turn < c.each) {
				list = append(list, groups[k][turn])
			}
		}
		if len(list) == before {
			return list
		}
	}
}

func (c campaign) run() error {
	texts, err := sources()
	if err != nil {
		return err
	}
	list, err := subjects()
	if err != nil {
		return err
	}
	start := time.Now()
	if c.only != "" {
		list = slices.DeleteFunc(list, func(s subject) bool { return !strings.Contains(s.name, c.only) })
	}
	r, err := baseline(list)
	if err != nil {
		return err
	}
	fmt.Printf("%d points without a mutant are right, in %.0f s\n", len(r.points), time.Since(start).Seconds())
	var all []mutant
	out := 0 // mutants of code that no point compiles
	for path, text := range texts {
		for _, m := range mutantsOf(path, text) {
			if points, _ := r.of(m, text); len(points) > 0 {
				all = append(all, m)
			} else {
				out++
			}
		}
	}
	slices.SortFunc(all, func(a, b mutant) int { return strings.Compare(a.id(), b.id()) })
	chosen := c.draw(all)
	t, err := openTable(c.out)
	if err != nil {
		return err
	}
	defer t.close()
	next := make(chan mutant)
	var wait sync.WaitGroup
	errs := make(chan error, c.jobs)
	for range c.jobs {
		wait.Go(func() {
			for m := range next {
				points, hashes := r.of(m, texts[m.File])
				if c.points > 0 && len(points) > c.points {
					points, hashes = points[:c.points], hashes[:c.points]
				}
				v, err := ask(task{m, points, hashes})
				if err == nil {
					err = t.add(m, v)
				}
				if err != nil {
					errs <- err
					for range next {
					}
					return
				}
			}
		})
	}
	last := time.Now().Add(c.limit)
	for _, m := range chosen {
		if !t.has[m.id()] && (c.limit == 0 || time.Now().Before(last)) {
			next <- m
		}
	}
	close(next)
	wait.Wait()
	select {
	case err := <-errs:
		return err
	default:
	}
	return t.summarise(c, all, chosen, out, len(r.points))
}

// patience is how long a mutant may take at all its points.
const patience = 4 * time.Minute

// ask has a process judge.
func ask(t task) (v verdict, err error) {
	text, err := json.Marshal(t)
	if err != nil {
		return v, err
	}
	self, err := os.Executable()
	if err != nil {
		return v, err
	}
	c := exec.Command(self, "-worker")
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &out, &errs
	if err := c.Start(); err != nil {
		return v, err
	}
	timer := time.AfterFunc(patience, func() { c.Process.Kill() })
	defer timer.Stop()
	start := time.Now()
	if err := c.Wait(); err != nil {
		return verdict{Outcome: ended, Report: strings.Join(strings.Fields(err.Error()+": "+errs.String()), " "), Seconds: time.Since(start).Seconds()}, nil
	}
	return v, json.Unmarshal(out.Bytes(), &v)
}

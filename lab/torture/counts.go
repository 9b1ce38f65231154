//go:build linux

package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.org/bench/internal/textfile"
)

// faultsFile ends the name of the list of operations that failed.
const faultsFile = "faults.csv.gz"

// counts are what was done with a seed, over all calls.
type counts struct {
	Seed     uint64             `json:"seed"`
	Seconds  float64            `json:"seconds"`
	Kills    int                `json:"kills"` // signals that end something
	Kinds    map[string]*tally  `json:"kinds"`
	Verbs    map[string]*faults `json:"faults"` // by verb
	Failures []failure          `json:"failures"`

	mu     sync.Mutex // of all, while operations fail side by side
	failed int        // operations
	kind   string
	folder string
	done   map[string]bool // faults
	rows   [][]string
}

type tally struct {
	Trials int            `json:"trials"`
	Of     map[string]int `json:"of"`
}

type faults struct {
	Operations int `json:"operations"` // of one run
	Places     int `json:"places"`     // by call and file
	Distinct   int `json:"distinct"`   // by call, file and call site, at most two of each
	Failed     int `json:"failed"`
	NotReached int `json:"not_reached"`
	Left       int `json:"left"` // of the distinct ones

	seed uint64
}

func (n *faults) better(than *faults) bool {
	done := func(n *faults) bool { return n.Distinct > 0 && n.Failed+n.NotReached >= n.Distinct }
	switch {
	case done(n) != done(than):
		return done(n)
	case done(n):
		return n.seed > than.seed
	}
	return n.Failed > than.Failed
}

type failure struct {
	Trial  string   `json:"trial"`
	Faults []string `json:"faults"`
}

func (c *counts) path(name string) string {
	return filepath.Join(c.folder, fmt.Sprintf("seed%d-%s", c.Seed, name))
}

// open reads what an earlier call counted.
func open(folder string, seed uint64) (*counts, error) {
	c := &counts{Seed: seed, folder: folder, Kinds: map[string]*tally{}, Verbs: map[string]*faults{}, done: map[string]bool{}, Failures: []failure{}}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(c.path("counts.json"))
	if err == nil {
		err = json.Unmarshal(b, c)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, k := range kinds {
		if c.Kinds[k.name] == nil {
			c.Kinds[k.name] = &tally{Of: map[string]int{}}
		}
	}
	for _, n := range c.Verbs {
		n.seed = seed
	}
	rows, _, err := textfile.ReadTable(c.path(faultsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	for _, r := range rows[1:] {
		c.keep(r)
	}
	return c, nil
}

func (c *counts) keep(row []string) {
	n, _ := strconv.Atoi(row[3])
	if row[4] != notReached {
		c.failed++
	}
	c.done[fault{row[0], row[1], row[2], n}.String()] = true
	c.rows = append(c.rows, row)
}

func (c *counts) add(what string) { c.Kinds[c.kind].Of[what]++ }

// judge counts a trial and prints what it broke.
func (c *counts) judge(s *scene) {
	if t := c.Kinds[c.kind]; t != nil {
		t.Trials++
	}
	if len(s.faults) == 0 {
		return
	}
	c.Failures = append(c.Failures, failure{s.name, s.faults})
	fmt.Printf("FAILED %s\n", s.name)
	for _, f := range s.faults {
		fmt.Printf("  %s\n", strings.ReplaceAll(strings.TrimSpace(f), "\n", "\n  "))
	}
	fmt.Printf("  again: lab/run torture -seed %d -trial %q\n%s\n", c.Seed, s.name, strings.Join(s.said, "\n"))
}

// faults returns what is to be done next: an operation of a verb fails, or before the
// first its operations are listed. Each verb gets the same time.
func (c *counts) faults(h *host, all []verb) func() (func() error, bool) {
	todo := map[string][]fault{}
	spent := map[string]time.Duration{}
	listing := 0
	timed := func(v verb, do func() error) func() error {
		return func() error {
			begun := time.Now()
			err := do()
			c.mu.Lock()
			defer c.mu.Unlock()
			spent[v.name] += time.Since(begun)
			return err
		}
	}
	return func() (func() error, bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.kind = "fault"
		slices.SortStableFunc(all, func(a, b verb) int { return cmp.Compare(spent[a.name], spent[b.name]) })
		for _, v := range all {
			list, known := todo[v.name]
			switch {
			case !known:
				todo[v.name] = nil
				listing++
				return timed(v, func() error {
					list, err := c.list(h, v)
					c.mu.Lock()
					defer c.mu.Unlock()
					todo[v.name] = list
					listing--
					return err
				}), true
			case len(list) > 0:
				todo[v.name] = list[1:]
				return timed(v, func() error { return c.fail(h, list[0]) }), true
			}
		}
		if listing > 0 {
			return func() error { time.Sleep(100 * time.Millisecond); return nil }, true
		}
		return nil, false
	}
}

// list are the operations of a verb that have not failed yet.
func (c *counts) list(h *host, v verb) ([]fault, error) {
	all, err := h.survey(v)
	if err != nil {
		return nil, err
	}
	places := map[string]bool{}
	for _, f := range all {
		places[f.place] = true
	}
	list := distinct(all)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Verbs[v.name] == nil {
		c.Verbs[v.name] = &faults{seed: c.Seed}
	}
	n := c.Verbs[v.name]
	n.Operations, n.Places, n.Distinct = len(all), len(places), len(list)
	list = slices.DeleteFunc(list, func(f fault) bool { return c.done[f.String()] })
	n.Left = len(list)
	return list, nil
}

// fail has an operation fail and counts it. One that does not come, as some do
// only where the machine is busy, is tried three times.
func (c *counts) fail(h *host, f fault) error {
	for try := 1; ; try++ {
		s, row, err := h.inflict(f, c.Seed+uint64(f.n))
		if err != nil {
			if s != nil {
				s.remove()
			}
			return fmt.Errorf("%s: %w", f, err)
		}
		c.mu.Lock()
		c.judge(s)
		came := row[4] != notReached
		if came || try == 3 {
			c.keep(row)
			n := c.Verbs[f.verb]
			n.Left--
			if came {
				n.Failed++
			} else {
				n.NotReached++
			}
		}
		c.mu.Unlock()
		s.remove()
		if came || try == 3 {
			return nil
		}
	}
}

func (c *counts) write(spent time.Duration) error {
	c.Seconds += spent.Seconds()
	b, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.path("counts.json"), append(b, '\n'), 0o644); err != nil {
		return err
	}
	var text bytes.Buffer
	zip := gzip.NewWriter(&text)
	w := csv.NewWriter(zip)
	w.Write([]string{"verb", "operation", "site", "occurrence", "error", "status"})
	w.WriteAll(c.rows)
	if len(c.rows) == 0 {
		return nil
	}
	if err := errors.Join(w.Error(), zip.Close()); err != nil {
		return err
	}
	return os.WriteFile(c.path(faultsFile), text.Bytes(), 0o644)
}

// sum adds up what was done with all seeds. Of each verb it has what one seed did, as
// seeds repeat each other in part: the newest that left nothing, or else the one in which
// most failed.
func sum(folder string) (*counts, error) {
	files, err := filepath.Glob(filepath.Join(folder, "seed*-counts.json"))
	if err != nil {
		return nil, err
	}
	all := &counts{Kinds: map[string]*tally{}, Verbs: map[string]*faults{}}
	for _, k := range kinds {
		all.Kinds[k.name] = &tally{Of: map[string]int{}}
	}
	for _, file := range files { // sorted
		var c counts
		b, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(b, &c)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all.Seconds += c.Seconds
		all.Kills += c.Kills
		all.Failures = append(all.Failures, c.Failures...)
		for kind, n := range c.Kinds {
			all.Kinds[kind].Trials += n.Trials
			for what, n := range n.Of {
				all.Kinds[kind].Of[what] += n
			}
		}
		for verb, n := range c.Verbs {
			all.failed += n.Failed
			n.seed = c.Seed
			if best := all.Verbs[verb]; best == nil || n.better(best) {
				all.Verbs[verb] = n
			}
		}
	}
	return all, nil
}

func (c *counts) print(to io.Writer) {
	fmt.Fprintf(to, "%.0f s, %d signals that end something, %d operations that failed once, %d failures\n\n| kind | trials | of these |\n|---|---:|---|\n", c.Seconds, c.Kills, c.failed, len(c.Failures))
	for _, k := range kinds {
		var of []string
		for _, name := range slices.Sorted(maps.Keys(c.Kinds[k.name].Of)) {
			of = append(of, fmt.Sprintf("%s %d", name, c.Kinds[k.name].Of[name]))
		}
		fmt.Fprintf(to, "| %s | %d | %s |\n", k.name, c.Kinds[k.name].Trials, strings.Join(of, ", "))
	}
	fmt.Fprint(to, "\n| verb | seed | operations | places | distinct | failed once | not reached | left |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, name := range slices.Sorted(maps.Keys(c.Verbs)) {
		v := c.Verbs[name]
		fmt.Fprintf(to, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, v.seed, v.Operations, v.Places, v.Distinct, v.Failed, v.NotReached, v.Left)
	}
}

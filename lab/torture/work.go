//go:build linux

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gocarina/gocsv"
)

// work is what a scene is to get done whatever happens to it.
type work struct {
	name   string
	args   []string
	folder string // of the results
	table  string // its rows are the points
	key    []string
	points int // rows of the table
	files  []string
	took   time.Duration // undisturbed
	// journal has the results where that is not the folder's. Where begun is there it is
	// gone on with by resumed; without these, the journal, and args with --resume.
	journal, begun string
	resumed        []string
	// stays are words that say that something is left, which going on removes.
	stays string
	plain bool // without ceilings
}

var works = []*work{
	{name: "run", args: []string{"run", "run.json", "--quiet"}, folder: "results/run", table: "run_time.csv", key: []string{"ms"}, points: 4},
	{name: "tune", args: []string{"tune", "tune.json", "--device", "cpu", "--budget", "6", "--confirm", "1", "--strategy", "random", "--quiet"},
		folder: "results/tune-x", table: "trials.csv", key: []string{"A", "B"}, points: 6},
	{name: "modes", args: []string{"run", "modes.json", "--power-modes", "0,1", "--root", "tree", "--quiet"}, folder: "results/modes", table: "modes_time.csv",
		key: []string{"power_mode", "ms"}, points: 4},
	{name: "ab", args: []string{"ab", "ab.json", "--versions", "good,slower", "--repeats", "5", "--out", "results/ab", "--quiet"}, folder: "results/ab"},
}

// short are the same for operations that fail one by one: as few points as have
// something before, between and after them.
var short = []*work{
	{name: "run", plain: true, args: append(slices.Clone(works[0].args), "--set", "ms=1,2"), folder: "results/run", table: "run_time.csv", key: []string{"ms"}, points: 2},
	{name: "tune", plain: true, args: []string{"tune", "tune.json", "--device", "cpu", "--budget", "2", "--confirm", "1", "--strategy", "random", "--quiet"},
		folder: "results/tune-x", table: "trials.csv", key: []string{"A", "B"}, points: 2},
	{name: "modes", plain: true, args: append(slices.Clone(works[2].args), "--set", "ms=1"), folder: "results/modes", table: "modes_time.csv", key: []string{"power_mode", "ms"}, points: 2},
	{name: "ab", plain: true, args: []string{"ab", "ab.json", "--versions", "good,slower", "--repeats", "3", "--out", "results/ab", "--quiet"}, folder: "results/ab"},
}

func workNamed(name string) *work {
	if i := slices.IndexFunc(works, func(w *work) bool { return w.name == name }); i >= 0 {
		return works[i]
	}
	return nil
}

func (w *work) journalPath() string {
	return cmp.Or(w.journal, filepath.Join(w.folder, "journal.jsonl"))
}

// again are the arguments that go on with the work.
func (w *work) again() []string {
	if w.resumed != nil {
		return w.resumed
	}
	return append(slices.Clone(w.args), "--resume")
}

// results are the result lines of a journal that are whole, by the point's key.
func (s *scene) results(w *work) map[string][]string {
	found := map[string][]string{}
	data, _ := os.ReadFile(filepath.Join(s.dir, w.journalPath()))
	for text := range bytes.Lines(data) {
		var l struct {
			Result *struct {
				Point map[string]any `json:"point"`
			} `json:"result"`
		}
		if !whole(text) || json.Unmarshal(text, &l) != nil || l.Result == nil {
			continue
		}
		delete(l.Result.Point, "id")
		key, _ := json.Marshal(l.Result.Point)
		found[string(key)] = append(found[string(key)], string(text))
	}
	return found
}

// whole checks a line's sum.
func whole(found []byte) bool {
	const begin = len(`{"crc32c":"00000000",`)
	return len(found) > begin+2 && line(string(found[begin:len(found)-2])) == string(found)
}

// line is a line of a journal, as docs/journal.md has it.
func line(body string) string {
	return fmt.Sprintf("{\"crc32c\":\"%08x\",%s}\n", crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)), body)
}

// complete starts the work until it ends by itself, and checks that nothing that
// was finished is lost, changed or doubled. At most so many points may not be ok.
func (s *scene) complete(w *work, spoilt int) error {
	before := s.results(w)
	var last *started
	for range 4 {
		args := w.args
		if w.table != "" && (len(before) > 0 || s.exists(cmp.Or(w.begun, w.journalPath()))) {
			args = w.again()
		}
		c, err := s.do(args...)
		if err != nil {
			return err
		}
		last = c
		if c.status != 0 && len(before) == 0 && strings.Contains(c.text, "start without --resume") {
			if c, err = s.do(w.args...); err != nil {
				return err
			}
			last = c
		}
		if last.status == 0 || s.exists(w.folder, w.table) {
			break
		}
	}
	s.alone()
	s.check(w, before, last, spoilt)
	return nil
}

func (s *scene) exists(names ...string) bool {
	_, err := os.Stat(filepath.Join(append([]string{s.dir}, names...)...))
	return err == nil
}

func (s *scene) check(w *work, before map[string][]string, last *started, spoilt int) {
	if w.table == "" {
		if last.status != 0 {
			s.failf("%s: nothing is in its way, and yet it ends with status %d", w.name, last.status)
		}
		s.tidy(w)
		return
	}
	now := s.results(w)
	for key, lines := range now {
		if len(lines) != 1 {
			s.failf("the journal has %d results of %s", len(lines), key)
		}
	}
	for key, lines := range before {
		if !slices.Contains(now[key], lines[0]) {
			s.failf("the finished result of %s is lost or was changed", key)
		}
	}
	rows, err := readTable(filepath.Join(s.dir, w.folder, w.table))
	if err != nil {
		s.failf("status %d at the end, and no table: %v", last.status, err)
		return
	}
	seen, bad := map[string]bool{}, 0
	for _, r := range rows {
		key := ""
		for _, k := range w.key {
			key += r[k] + " "
		}
		if seen[key] {
			s.failf("%s has two rows of %s", w.table, key)
		}
		seen[key] = true
		if r["status"] != "ok" {
			bad++
			if r["reason"] == "" {
				s.failf("%s is %s without a reason", key, r["status"])
			}
		}
	}
	if len(seen) != w.points || len(now) != w.points {
		s.failf("%d rows of %d points, and %d results in the journal", len(seen), w.points, len(now))
	}
	if bad > spoilt {
		s.failf("%d points are not ok, at most %d may be", bad, spoilt)
	}
	if (last.status == 0) != (bad == 0) && !strings.HasSuffix(w.name, "tune") { // which tells what it found
		s.failf("status %d with %d points that are not ok", last.status, bad)
	}
	s.tidy(w)
}

// pending is a file that was not whole when its writer was killed; the next
// writer of the name removes it an hour later.
var pending = regexp.MustCompile(`/\.[^/]+[0-9]+$`)

// earlier are results that a comparison that is done again, or a fleet's that are merged
// again, set aside.
var earlier = regexp.MustCompile(`^(results/ab|out/run)-[0-9]{8}-[0-9]{6}/`)

// drawing is a plot; there is one of the roofline where the ceilings could be measured.
var drawing = regexp.MustCompile(`^results/.*\.(png|svg|pdf)$`)

// tidy fails where a file is left that a run without faults does not leave.
func (s *scene) tidy(w *work) {
	// A killed worker's folder goes when the next worker of the user starts.
	if left, _ := filepath.Glob(filepath.Join(s.dir, "tmp/bench-worker-*")); len(left) > 0 && s.sigkill {
		s.do("verify", "run.json", "--quiet")
	}
	for _, name := range s.files() {
		if slices.Contains(w.files, name) || drawing.MatchString(name) || strings.HasSuffix(name, "/journal.previous.jsonl") || earlier.MatchString(name) || s.sigkill && pending.MatchString(name) {
			continue
		}
		s.failf("%s is left", name)
	}
}

// restored checks that the board is as it was, after the verb that restores it.
func (s *scene) restored() error {
	c, err := s.do("modes", "--restore")
	if err != nil {
		return err
	}
	if c.status != 0 {
		s.failf("modes --restore: status %d", c.status)
	}
	for name, want := range map[string]string{"sys/class/devfreq/17000000.gp10b/max_freq": "1122000000", "var/lib/nvpmodel/status": "pmode:0003"} {
		if b, err := os.ReadFile(filepath.Join(s.dir, "tree", name)); err != nil || !strings.HasPrefix(string(b), want) {
			s.failf("a power mode is left switched: %s holds %q, not %s (%v)", name, b, want, err)
		}
	}
	if s.exists("state/power-mode.json") {
		s.failf("the note of a power mode is left")
	}
	return nil
}

func readTable(path string) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := gocsv.CSVToMaps(f)
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("%s: %d rows, %w", path, len(rows), err)
	}
	return rows, nil
}

// undisturbed does each work once without faults, for what it leaves and prints.
func (h *host) undisturbed(w *work, environment func(*scene) error) error {
	if w.files != nil {
		return nil
	}
	s, err := newScene(trial{name: "undisturbed/" + w.name, host: h, ceilings: h.ceilings && !w.plain})
	if err != nil {
		return err
	}
	defer s.remove()
	if err := environment(s); err != nil {
		return err
	}
	begun := time.Now()
	c, err := s.do(w.args...)
	if err != nil {
		return err
	}
	w.took = time.Since(begun)
	if c.status != 0 {
		return fmt.Errorf("%s without faults: status %d\n%s", w.name, c.status, c.text)
	}
	s.check(w, nil, c, 0)
	w.files = s.files()
	s.faults = slices.DeleteFunc(s.faults, func(f string) bool { return strings.HasSuffix(f, " is left") })
	if len(s.faults) > 0 || slices.ContainsFunc(w.files, func(n string) bool { return strings.HasPrefix(n, "tmp/") }) {
		return fmt.Errorf("%s without faults: %q, files %q\n%s", w.name, s.faults, w.files, c.text)
	}
	return nil
}

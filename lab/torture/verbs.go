//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// verb is a command whose every operation fails once.
type verb struct {
	name     string
	args     []string
	work     *work              // it measures
	before   func(*scene) error // what it finds; done once, each trial has a copy
	without  string             // a verb whose operations are not failed again here
	gpu      bool               // it runs on the stand-in for the CUDA driver
	calls    bool               // what fails is a call of that driver
	ssh      bool               // it runs on a board behind ssh
	status   int                // without faults
	nvrtc    bool               // it compiles for a GPU
	restores bool               // the power mode, at the latest when asked again
	told     []string           // said with its status where a part of what it prints or does is missing
	// exact: where it ends with its status it prints and writes what it does without
	// faults, and where not, it says why in one line.
	exact bool
}

// verbs are all; what their works do undisturbed is kept in them.
var verbs = sync.OnceValue(listVerbs)

func listVerbs() (list []verb) {
	for _, line := range []string{
		"version", "help", "list", "schema", "man pages", "validate run.json", "plan run.json",
		"export space.csv --to t4 -o out", "transfer space.csv other.csv", "completion bash", "new mine",
	} {
		list = append(list, verb{name: strings.Fields(line)[0], args: strings.Fields(line), exact: true})
	}
	for _, line := range []string{"doctor", "sensors", "modes --root tree", "verify run.json", "replay space.csv --strategy random --budget 3 --repeats 2"} {
		list = append(list, verb{name: strings.Fields(line)[0] + "-verb", args: strings.Fields(line)})
	}
	one := func(name, line string, before func(*scene) error) verb {
		return verb{name: name, args: strings.Fields(line), before: before, exact: true}
	}
	kept := published("epyc-scan", "kept")
	history := func(s *scene) error {
		if err := kept(s); err != nil {
			return err
		}
		return done("history add kept --revision a")(s)
	}
	list = append(list,
		one("plot", "plot kept", kept),
		one("compare", "compare kept --by version --metric time", kept),
		one("report", "report kept -o kept.html", kept),
		one("history-add", "history add kept --revision a", kept),
		one("list-one", "list faulty", nil),
		one("import", "import out/space.t4.json -o back", done("export space.csv --to t4 -o out")),
		one("predict", "predict kept --sizes 300000", published("literature/rtxa5000-partition", "kept")),
		one("merge", "merge one two --out both", done("run modes.json --quiet --out one", "run modes.json --quiet --out two")),
		one("history-show", "history show", history),
		verb{name: "history-check", args: []string{"history", "check"}, before: history, exact: true, status: 4}, // one run is too few to judge
		one("fleet-slurm", "fleet modes.json --slurm --out jobs", nil),
		verb{name: "doctor-again", args: []string{"doctor"}, before: done("doctor")},
		verb{name: "modes-restore", args: []string{"modes", "--restore"}, before: leaveMode, restores: true},
	)
	list[slices.IndexFunc(list, func(v verb) bool { return v.name == "doctor-verb" })].without = "doctor-again"
	list = append(list, verb{name: "energy", args: strings.Fields("energy --device cpu --limit 1 --quiet --out e -- true")})
	if os.Getenv("BENCH_NVRTC") != "" {
		gpu := published("h200-latency-scan-256", "kept")
		explained := func(s *scene) error {
			if err := gpu(s); err != nil {
				return err
			}
			return done("why kept --versions lookback")(s)
		}
		list = append(list, verb{name: "why-cold", args: strings.Fields("why kept --versions lookback"), before: gpu, nvrtc: true, without: "why", exact: true, told: []string{"  missing: "}})
		list = append(list, verb{name: "why", args: strings.Fields("why kept --versions lookback"), before: explained, nvrtc: true, exact: true, told: []string{"  missing: "}})
	}
	for _, w := range short {
		list = append(list, verb{name: w.name, args: w.args, work: w})
	}
	resumed, measured := *short[0], *short[0]
	measured.plain = false
	list = append(list, verb{name: "run-ceilings", args: measured.args, work: &measured, without: "run"})
	list = append(list, verb{name: "resume", args: append(slices.Clone(resumed.args), "--resume"), work: &resumed, before: interrupted(&resumed)})
	return append(append(list, gpuVerbs()...), fleetVerbs()...)
}

func verbNamed(name string) verb {
	all := verbs()
	if i := slices.IndexFunc(all, func(v verb) bool { return v.name == name }); i >= 0 {
		return all[i]
	}
	return verb{}
}

// done has commands done.
func done(lines ...string) func(*scene) error {
	return func(s *scene) error {
		for _, line := range lines {
			if c, err := s.do(strings.Fields(line)...); err != nil || c.status != 0 {
				return fmt.Errorf("%s: %v\n%s", line, err, c.text)
			}
		}
		return nil
	}
}

// published copies a folder of results.
func published(name, to string) func(*scene) error {
	return func(s *scene) error {
		return os.CopyFS(filepath.Join(s.dir, to), os.DirFS(filepath.Join(s.host.root, "results", name)))
	}
}

// interrupted leaves a journal with the first point.
func interrupted(w *work) func(*scene) error {
	return func(s *scene) error {
		if err := done(strings.Join(w.args, " "))(s); err != nil {
			return err
		}
		return cutJournal(filepath.Join(s.dir, w.folder, "journal.jsonl"), 1)
	}
}

// leaveMode kills a run in another power mode.
func leaveMode(s *scene) error {
	c, err := s.start(workNamed("modes").args...)
	if err != nil {
		return err
	}
	for switched := false; !switched && running(c); time.Sleep(time.Millisecond) {
		b, _ := os.ReadFile(filepath.Join(s.dir, "tree/switches"))
		switched = len(b) > 0
	}
	for _, pid := range s.processes() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	s.finish(c)
	s.alone()
	if !s.exists(note) {
		return fmt.Errorf("a killed run leaves no %s", note)
	}
	return nil
}

// note says what to restore, and where.
const note = "state/power-mode.json"

// prepare is a scene in which a verb finds what was done before it.
func (h *host) prepare(v verb, name string) (*scene, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.prepareLocked(v, name)
}

func (h *host) prepareLocked(v verb, name string) (*scene, error) {
	if v.work != nil {
		if err := h.undisturbed(v.work, v.environment); err != nil {
			return nil, err
		}
	}
	t := trial{name: name, host: h, ceilings: h.ceilings && v.work != nil && !v.work.plain}
	if v.before == nil {
		return h.fresh(v, t)
	}
	pattern := h.patterns[v.name]
	if pattern == nil {
		p, err := h.fresh(v, t)
		if err != nil {
			return nil, err
		}
		if err := v.before(p); err != nil {
			p.remove()
			return nil, fmt.Errorf("before %s: %w", v.name, err)
		}
		h.patterns[v.name], pattern = p, p
	}
	s, err := emptyScene(t)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.CopyFS(s.dir, os.DirFS(pattern.dir)), v.environment(s)); err != nil {
		s.remove()
		return nil, err
	}
	// Of a key that others can read, as of the copy, there are no seals.
	if err := os.Chmod(filepath.Join(s.dir, "state/seal.key"), 0o600); err != nil && !errors.Is(err, os.ErrNotExist) {
		s.remove()
		return nil, err
	}
	if text, err := os.ReadFile(filepath.Join(s.dir, note)); err == nil {
		return s, os.WriteFile(filepath.Join(s.dir, note), []byte(strings.ReplaceAll(string(text), pattern.dir, s.dir)), 0o644)
	}
	return s, nil
}

func (h *host) fresh(v verb, t trial) (*scene, error) {
	s, err := newScene(t)
	if err != nil {
		return nil, err
	}
	if err := v.environment(s); err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

// environment gives a scene what the verb needs to run.
func (v verb) environment(s *scene) error {
	s.env = slices.Clone(s.env)
	if v.nvrtc || v.gpu {
		s.env = append(s.env, "BENCH_NVRTC="+os.Getenv("BENCH_NVRTC"))
	}
	if v.gpu {
		folder, err := s.host.driver()
		if err != nil {
			return err
		}
		s.env = append(s.env, "LD_LIBRARY_PATH="+folder)
	}
	if v.calls {
		folder := filepath.Join(s.dir, "calls")
		s.env = append(s.env, "STUB_CALLS="+folder)
		return errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o777))
	}
	if v.ssh {
		return s.onBoard()
	}
	return nil
}

//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"bench/test/inject"
)

// verb is a command whose every operation fails once.
type verb struct {
	name string
	args []string
	work *work   // it measures
	from []*work // done and cut before
	kept bool    // it reads a published run, as the folder kept
	gpu  bool    // what fails is a call of the CUDA driver
	// exact: where it ends with status 0 it prints what it prints without faults.
	exact bool
}

func verbs() (list []verb) {
	for _, line := range []string{
		"version", "list", "list faulty", "schema", "man pages", "validate run.json", "plan run.json",
		"export space.csv --to t4 -o out", "transfer space.csv other.csv", "completion bash", "new mine",
	} {
		list = append(list, verb{name: strings.Join(strings.Fields(line)[:1], ""), args: strings.Fields(line), exact: true})
	}
	for _, line := range []string{"doctor", "sensors", "modes --root tree", "verify run.json", "replay space.csv --strategy random --budget 3 --repeats 2"} {
		list = append(list, verb{name: strings.Fields(line)[0] + "-verb", args: strings.Fields(line)})
	}
	for _, line := range []string{"plot kept", "compare kept --by version --metric time"} {
		list = append(list, verb{name: strings.Fields(line)[0], args: strings.Fields(line), kept: true, exact: true})
	}
	for _, w := range short {
		list = append(list, verb{name: w.name, args: w.args, work: w})
	}
	run := short[0]
	list = append(list, verb{name: "resume", args: append(slices.Clone(run.args), "--resume"), work: run, from: short[:1]})
	return append(list, gpuVerbs()...)
}

var digits = regexp.MustCompile(`[0-9]+`)

// place names an operation in any scene: without folders and numbers that differ.
func (s *scene) place(op inject.Operation) string {
	name := strings.ReplaceAll(op.String(), s.dir+"/", "")
	name = strings.ReplaceAll(strings.ReplaceAll(name, s.host.program, "PROGRAM"), s.dir, ".")
	return digits.ReplaceAllString(name, "#")
}

// fault is one operation of a verb: the n-th, from 1, that a site makes at a place.
type fault struct {
	verb  string
	place string
	site  string // as inject has it
	n     int
}

func (f fault) String() string {
	return fmt.Sprintf("fault/%s/%s/%s/%d", f.verb, strings.ReplaceAll(f.place, "/", "|"), f.site, f.n)
}

func parseFault(name string) (f fault, err error) {
	parts := strings.Split(name, "/")
	if len(parts) != 5 {
		return f, fmt.Errorf("%s: want fault/VERB/PLACE/SITE/N", name)
	}
	f.n, err = strconv.Atoi(parts[4])
	f.verb, f.place, f.site = parts[1], strings.ReplaceAll(parts[2], "|", "/"), parts[3]
	return f, err
}

// survey lists the operations of a verb in their order.
func (h *host) survey(v verb) (list []fault, err error) {
	if v.gpu {
		return h.surveyCalls(v)
	}
	s, err := h.prepare(v, trial{name: "survey/" + v.name, host: h})
	if err != nil {
		return nil, err
	}
	defer s.remove()
	seen := map[fault]int{}
	c, err := s.injected(v.args, func(op inject.Operation) syscall.Errno {
		f := fault{verb: v.name, place: s.place(op), site: op.Site}
		seen[f]++
		f.n = seen[f]
		list = append(list, f)
		return 0
	})
	if err != nil {
		return nil, err
	}
	if c.status != 0 || len(s.faults) > 0 {
		return nil, fmt.Errorf("%s without faults: status %d, %q\n%s", v.name, c.status, s.faults, c.text)
	}
	return list, nil
}

// distinct leaves out repeats: what one call site does with one file after the
// first time, but for the last time. Calls of the driver, whose sites are not told
// apart, are left out between the first ten and the last ten of one. First come the
// first ones of all.
func (v verb) distinct(all []fault) (list []fault) {
	most := 1
	if v.gpu {
		most = 10
	}
	last := map[fault]int{}
	for _, f := range all {
		last[fault{f.verb, f.place, f.site, 0}] = f.n
	}
	for _, f := range all {
		if f.n <= most || f.n > last[fault{f.verb, f.place, f.site, 0}]-most {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b fault) int { return min(a.n, 2) - min(b.n, 2) })
	return list
}

func (h *host) prepare(v verb, t trial) (*scene, error) {
	if v.work != nil {
		if err := h.undisturbed(v.work, v.gpu); err != nil {
			return nil, err
		}
	}
	s, err := newScene(t)
	if err != nil {
		return nil, err
	}
	if v.gpu {
		if err := s.onGPU(); err != nil {
			s.remove()
			return nil, err
		}
	}
	for _, w := range v.from {
		c, err := s.do(w.args...)
		if err != nil || c.status != 0 {
			s.remove()
			return nil, fmt.Errorf("%s before %s: %v\n%s", w.name, v.name, err, c.text)
		}
		// as interrupted
		if err := cutJournal(filepath.Join(s.dir, w.folder, "journal.jsonl"), 1); err != nil {
			return nil, err
		}
	}
	if v.kept {
		return s, os.CopyFS(filepath.Join(s.dir, "kept"), os.DirFS(filepath.Join(h.root, "results/epyc-scan")))
	}
	return s, nil
}

// injected runs the program with failing operations to its end.
func (s *scene) injected(args []string, fail func(inject.Operation) syscall.Errno) (*started, error) {
	c, err := s.command(args...)
	if err != nil {
		return nil, err
	}
	hung := make(chan bool)
	go func() {
		late := !s.ends(c.ended)
		if late {
			for _, pid := range s.processes() {
				syscall.Kill(pid, syscall.SIGABRT)
			}
		}
		hung <- late
	}()
	err = inject.Run(c.Cmd, fail)
	close(c.ended)
	if <-hung {
		s.failf("%q has not ended after %v", args, bound)
	}
	if err != nil {
		return nil, err
	}
	c.Args = append([]string{"bench"}, args...)
	s.after(c)
	return c, nil
}

// inflict has one operation of a verb fail, and checks what came of it. Errno 0
// is the likeliest error of the operation.
func (h *host) inflict(f fault, chance uint64) (s *scene, row []string, err error) {
	all := verbs()
	i := slices.IndexFunc(all, func(v verb) bool { return v.name == f.verb })
	if i < 0 {
		return nil, nil, fmt.Errorf("no verb %s", f.verb)
	}
	v := all[i]
	if v.gpu {
		return h.inflictCall(v, f, chance)
	}
	if s, err = h.prepare(v, trial{name: f.String(), host: h}); err != nil {
		return nil, nil, err
	}
	want := ""
	if v.exact {
		if want, err = h.printed(v); err != nil {
			return s, nil, err
		}
	}
	before := map[string][]string{}
	if v.work != nil {
		before = s.results(v.work)
	}
	seen, failed, errno := 0, "", syscall.Errno(0)
	c, err := s.injected(v.args, func(op inject.Operation) syscall.Errno {
		if op.Site != f.site || s.place(op) != f.place {
			return 0
		}
		if seen++; seen != f.n {
			return 0
		}
		errors := op.Errors()
		failed, errno = op.Call, errors[chance%uint64(len(errors))]
		return errno
	})
	if err != nil {
		return s, nil, err
	}
	s.alone()
	s.said = append(s.said, fmt.Sprintf("(%s of %s failed with %v)", f.place, f.verb, errno))
	if c.status == -1 || c.status == 130 {
		s.failf("one error of the system ended it: %v", c.ProcessState)
	}
	if v.exact && c.status == 0 && s.clean(c.text) != want {
		s.failf("status 0, and yet it printed something else:\n%s\nnot\n%s", s.clean(c.text), want)
	}
	result := []string{f.verb, f.place, f.site, strconv.Itoa(f.n), errno.Error(), strconv.Itoa(c.status)}
	if failed == "" {
		result[4] = "not reached"
	}
	if v.work == nil {
		return s, result, nil
	}
	for key, lines := range before {
		if now := s.results(v.work)[key]; len(now) != 1 || now[0] != lines[0] {
			s.failf("a finished result is lost or was changed: %s", key)
		}
	}
	if failed == "unlinkat" {
		s.sigkill = true // a file that was to be removed may be left
	}
	if c.status == 0 && v.work.table != "" {
		s.check(v.work, before, c, 0)
	} else if err := s.complete(v.work, 1); err != nil {
		return s, nil, err
	}
	if v.work.name == "modes" {
		err = s.restored()
	}
	return s, result, err
}

var printedBy = map[string]string{}

// printed is what a verb prints without faults.
func (h *host) printed(v verb) (string, error) {
	if text, ok := printedBy[v.name]; ok {
		return text, nil
	}
	s, err := h.prepare(v, trial{name: "printed/" + v.name, host: h})
	if err != nil {
		return "", err
	}
	defer s.remove()
	c, err := s.do(v.args...)
	if err != nil {
		return "", err
	}
	printedBy[v.name] = s.clean(c.text)
	return printedBy[v.name], nil
}

// clean leaves out warnings and what differs between scenes.
func (s *scene) clean(text string) string {
	var kept []string
	for line := range strings.Lines(strings.ReplaceAll(text, s.dir, ".")) {
		if !strings.HasPrefix(line, "warning: ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

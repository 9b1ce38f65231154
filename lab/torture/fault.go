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

	"example.org/bench/test/inject"
)

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

// of is the site, without which time.
func (f fault) of() fault {
	f.n = 0
	return f
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

// survey lists the operations of a verb in their order: those of one run, then
// those that a second one makes besides, as the machine's load has it. Of a driver's call
// site whose calls are not as many each time, as many as both runs make.
func (h *host) survey(v verb) (list []fault, err error) {
	once := h.surveyOperations
	if v.calls {
		once = h.surveyCalls
	}
	var most [2]map[fault]int // by site
	known := map[fault]bool{}
	for i := range most {
		found, err := once(v)
		if err != nil {
			return nil, err
		}
		most[i] = map[fault]int{}
		for _, f := range found {
			most[i][f.of()] = max(most[i][f.of()], f.n)
			if !known[f] {
				known[f] = true
				list = append(list, f)
			}
		}
	}
	if v.calls {
		list = slices.DeleteFunc(list, func(f fault) bool {
			a, b := most[0][f.of()], most[1][f.of()]
			return a > 0 && b > 0 && f.n > min(a, b)
		})
	}
	if v.without == "" {
		return list, nil
	}
	theirs, err := h.survey(verbNamed(v.without))
	if err != nil {
		return nil, err
	}
	judged := map[fault]bool{}
	for _, f := range theirs {
		f.verb = v.name
		judged[f.of()] = true
	}
	return slices.DeleteFunc(list, func(f fault) bool { return judged[f.of()] }), nil
}

func (h *host) surveyOperations(v verb) (list []fault, err error) {
	s, err := h.prepare(v, "survey/"+v.name)
	if err != nil {
		return nil, err
	}
	defer s.remove()
	seen := map[fault]int{}
	c, err := s.injected(v.args, "", func(op inject.Operation) syscall.Errno {
		f := fault{verb: v.name, place: s.place(op), site: op.Site()}
		seen[f]++
		f.n = seen[f]
		list = append(list, f)
		return 0
	})
	if err != nil {
		return nil, err
	}
	if c.status != v.status || len(s.faults) > 0 {
		return nil, fmt.Errorf("%s without faults: status %d, %q\n%s", v.name, c.status, s.faults, c.text)
	}
	return list, nil
}

// distinct leaves out repeats: what one call site does with one file, or calls of the
// driver, after the first time, but for the last time. First come the first ones of all.
func distinct(all []fault) (list []fault) {
	last := map[fault]int{}
	for _, f := range all {
		last[f.of()] = max(last[f.of()], f.n)
	}
	for _, f := range all {
		if f.n == 1 || f.n == last[f.of()] {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b fault) int { return min(a.n, 2) - min(b.n, 2) })
	return list
}

// injected runs the program with failing operations, all or those of one call, to its
// end.
func (s *scene) injected(args []string, only string, fail func(inject.Operation) syscall.Errno) (*started, error) {
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
	err = inject.Run(c.Cmd, only, fail)
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

// inflict has one operation of a verb fail, and checks what came of it. Chance
// chooses among the errors of the operation; 0 is the likeliest.
func (h *host) inflict(f fault, chance uint64) (s *scene, row []string, err error) {
	v := verbNamed(f.verb)
	if v.name == "" {
		return nil, nil, fmt.Errorf("no verb %s", f.verb)
	}
	if v.calls {
		return h.inflictCall(v, f, chance)
	}
	if s, err = h.prepare(v, f.String()); err != nil {
		return nil, nil, err
	}
	before := map[string][]string{}
	if v.work != nil {
		before = s.results(v.work)
	}
	call, _, _ := strings.Cut(f.place, " ")
	if strings.Contains(call, "#") { // place leaves out its number
		call = ""
	}
	seen, failed, errno := 0, "", syscall.Errno(0)
	c, err := s.injected(v.args, call, func(op inject.Operation) syscall.Errno {
		if failed != "" || s.place(op) != f.place || op.Site() != f.site {
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
	if failed != "" && removes.MatchString(f.place) {
		s.sigkill = true // what was to be removed may be left
	}
	row = []string{f.verb, f.place, f.site, strconv.Itoa(f.n), errno.Error(), strconv.Itoa(c.status)}
	if failed == "" {
		row[4] = notReached
	}
	if v.work == nil {
		if err := h.compare(v, s, c); err != nil {
			return s, nil, err
		}
		if v.restores {
			err = s.restored()
		}
		return s, row, err
	}
	for key, lines := range before {
		if now := s.results(v.work)[key]; len(now) != 1 || now[0] != lines[0] {
			s.failf("a finished result is lost or was changed: %s", key)
		}
	}
	if c.status == 0 {
		if v.work.stays != "" && strings.Contains(c.text, v.work.stays) {
			if c, err = s.do(v.work.again()...); err != nil {
				return s, nil, err
			}
		}
		spoilt := 0
		if strings.HasSuffix(v.work.name, "tune") { // a trial may fail where another is good
			spoilt = 1
		}
		s.check(v.work, before, c, spoilt)
	} else if err := s.complete(v.work, 1); err != nil {
		return s, nil, err
	}
	if v.work.name == "modes" {
		err = s.restored()
	}
	return s, row, err
}

// notReached is the error of an operation that did not come this time.
const notReached = "not reached"

// outcome is what a verb that measures nothing prints and leaves without faults.
type outcome struct {
	text  string
	files map[string]string // their content
	found map[string]string // the same before
}

// outcomeOf is found once.
func (h *host) outcomeOf(v verb) (*outcome, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if o := h.outcomes[v.name]; o != nil {
		return o, nil
	}
	s, err := h.prepareLocked(v, "outcome/"+v.name)
	if err != nil {
		return nil, err
	}
	defer s.remove()
	found := s.contents()
	c, err := s.do(v.args...)
	if err != nil {
		return nil, err
	}
	o := &outcome{s.clean(c.text), s.contents(), found}
	h.outcomes[v.name] = o
	return o, nil
}

// compare holds what a verb printed and left against what it does without faults.
func (h *host) compare(v verb, s *scene, c *started) error {
	want, err := h.outcomeOf(v)
	if err != nil {
		return err
	}
	told := slices.ContainsFunc(v.told, func(words string) bool { return strings.Contains(c.text, words) })
	now := s.contents()
	for name := range now {
		unfinished := pending.MatchString("/"+name) || workspace.MatchString(name)
		_, known := want.files[name]
		if _, found := want.found[name]; found && (told || c.status != v.status) {
			known = true
		}
		if !known && !compiled.MatchString(name) && !(v.restores && name == note) && !(s.sigkill && unfinished) {
			s.failf("status %d, and %s is left", c.status, name)
		}
	}
	if !v.exact {
		return nil
	}
	lines, complaints := 0, 0
	for line := range strings.Lines(c.text) {
		if strings.HasPrefix(line, "warning: ") || strings.Contains(want.text, line) {
			continue
		}
		lines++
		if strings.Contains(line, "bench: ") { // not only at the beginning: what was printed before may be cut
			complaints++
		}
	}
	if failed := c.status != v.status; loaded(c) && (failed && lines == 0 || complaints > 1 || !failed && complaints > 0) {
		s.failf("status %d, %d lines that tell why, %d complaints", c.status, lines, complaints)
	}
	if c.status != v.status {
		return nil
	}
	if told {
		return nil
	}
	if text := s.clean(c.text); text != want.text {
		s.failf("done, and yet it printed something else:\n%s\nnot\n%s", text, want.text)
	}
	for name, content := range want.files {
		if now[name] != content && !strings.HasPrefix(name, "home/.cache/") {
			s.failf("done, and yet %s is not as without faults", name)
		}
	}
	return nil
}

// workspace is a worker's folder for temporary files, in which it compiles. The next worker
// removes what was left of one.
var workspace = regexp.MustCompile(`^tmp/bench-worker-[0-9]+(/|$)`)

// removes are operations of which the removal of files consists.
var removes = regexp.MustCompile(`^(unlinkat .*|(openat|getdents#|fstat|newfstatat) tmp(/bench-worker-#(/bench-compile-#)?)?)$`)

// compiled is by the compiler that is next, where one could not be looked at.
var compiled = regexp.MustCompile(`^home/\.cache/bench/sim/libbenchsim-[0-9a-f]+\.so$`)

// contents are those of the scene's files, as clean leaves them.
func (s *scene) contents() map[string]string {
	found := map[string]string{}
	for _, name := range s.files() {
		text, _ := os.ReadFile(filepath.Join(s.dir, name))
		found[name] = strings.ReplaceAll(string(text), s.dir, ".")
	}
	return found
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

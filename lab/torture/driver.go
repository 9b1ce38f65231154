//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/test/inject"
)

// gpuVerbs run on a stand-in for the CUDA driver; of those named gpu-… each call of the
// driver fails once, of those named …-files each operation as of other verbs. What they
// compile needs NVRTC.
func gpuVerbs() (list []verb) {
	if os.Getenv("BENCH_NVRTC") == "" {
		return nil
	}
	for _, w := range []work{
		{name: "gpu-run", args: []string{"run", "gpu.json", "--quiet"}, folder: "results/gpu", table: "gpu_time.csv", key: []string{"N"}, points: 1},
		{name: "gpu-tune", args: []string{"tune", "gpu.json", "--budget", "2", "--confirm", "1", "--strategy", "random", "--quiet"},
			folder: "results/tune-gpu", table: "trials.csv", key: []string{"BLOCK"}, points: 2},
	} {
		calls, files := w, w
		files.plain = true
		list = append(list, verb{name: w.name, args: w.args, work: &calls, gpu: true, calls: true}, verb{name: w.name + "-files", args: w.args, work: &files, gpu: true})
	}
	ceilings := *list[0].work
	return append(list,
		verb{name: "gpu-ceilings-files", args: ceilings.args, work: &ceilings, gpu: true, without: "gpu-run-files"},
		verb{name: "gpu-verify", args: []string{"verify", "gpu.json"}, gpu: true, calls: true},
		verb{name: "gpu-doctor", args: []string{"doctor"}, before: done("doctor"), gpu: true, calls: true})
}

// driver builds the stand-in and returns its folder.
func (h *host) driver() (string, error) {
	folder := filepath.Join(h.folder, "driver")
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	c := exec.Command("gcc", "-DACROSS_PROCESSES", "-DNO_PARAM_INFO", "-shared", "-fPIC", "-w", "-o", filepath.Join(folder, "libcuda.so.1"),
		filepath.Join(h.root, "gpu/cuda/driver/drivertest/testdata/libcuda.c"))
	if text, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the stand-in for the driver: %w\n%s", err, text)
	}
	return folder, nil
}

// surveyCalls lists the calls of the driver.
func (h *host) surveyCalls(v verb) (list []fault, err error) {
	s, err := h.prepare(v, "survey/"+v.name)
	if err != nil {
		return nil, err
	}
	defer s.remove()
	c, err := s.do(v.args...)
	if err != nil {
		return nil, err
	}
	if c.status != 0 || len(s.faults) > 0 {
		return nil, fmt.Errorf("%s without faults: status %d, %q\n%s", v.name, c.status, s.faults, c.text)
	}
	chains, err := filepath.Glob(filepath.Join(s.dir, "calls", "*.chain"))
	if err != nil {
		return nil, err
	}
	for _, file := range chains { // sorted
		f, err := s.callSite(v, file)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(strings.TrimSuffix(file, ".chain"))
		if err != nil {
			return nil, err
		}
		for f.n = 1; f.n <= int(info.Size()); f.n++ {
			list = append(list, f)
		}
	}
	return list, nil
}

// callSite is the call whose chain of functions a file of the stand-in has, and keeps what
// the stand-in calls it.
func (s *scene) callSite(v verb, file string) (f fault, err error) {
	name := strings.TrimSuffix(filepath.Base(file), ".chain")
	text, err := os.ReadFile(file)
	if err != nil {
		return f, err
	}
	var chain []uint64
	for _, word := range strings.Fields(string(text)) {
		back, err := strconv.ParseUint(word, 0, 64)
		if err != nil {
			return f, err
		}
		chain = append(chain, back)
	}
	f.verb = v.name
	f.place, _, _ = strings.Cut(name, "-")
	if f.site, err = inject.Site(s.host.program, chain); err != nil {
		return f, err
	}
	s.host.mu.Lock()
	defer s.host.mu.Unlock()
	for site, more := f.site, 2; s.host.calls[f] != "" && s.host.calls[f] != name; more++ { // twice in a line
		f.site = fmt.Sprint(site, "-", more)
	}
	s.host.calls[f] = name
	return f, nil
}

// failCall has one call of the driver fail, and reports whether it came.
func (s *scene) failCall(f fault, args []string, code int) (*started, bool, error) {
	s.host.mu.Lock()
	name := s.host.calls[f.of()]
	s.host.mu.Unlock()
	if name == "" {
		return nil, false, fmt.Errorf("%s makes no call of %s from %s", f.verb, f.place, f.site)
	}
	without := s.env
	s.env = append(slices.Clone(s.env), "STUB_FAULT="+name, "STUB_AT="+strconv.Itoa(f.n), "STUB_CODE="+strconv.Itoa(code))
	c, err := s.do(args...)
	s.env = without
	if err != nil {
		return nil, false, err
	}
	info, err := os.Stat(filepath.Join(s.dir, "calls", name))
	return c, err == nil && info.Size() >= int64(f.n), nil
}

// driverErrors are results of the driver: out of memory, an illegal address, an
// unknown error.
var driverErrors = []int{2, 700, 999}

// inflictCall has one call of the driver fail, and checks what came of it.
func (h *host) inflictCall(v verb, f fault, chance uint64) (s *scene, row []string, err error) {
	if s, err = h.prepare(v, f.String()); err != nil {
		return nil, nil, err
	}
	code := driverErrors[chance%uint64(len(driverErrors))]
	c, came, err := s.failCall(f, v.args, code)
	if err != nil {
		return s, nil, err
	}
	s.alone()
	row = []string{f.verb, f.place, f.site, strconv.Itoa(f.n), "CUDA error " + strconv.Itoa(code), strconv.Itoa(c.status)}
	if !came {
		row[4] = notReached
	}
	said := c.text
	if v.work != nil {
		table, _ := os.ReadFile(filepath.Join(s.dir, v.work.folder, v.work.table))
		said += string(table)
	}
	if c.status != 0 && !strings.Contains(said, f.place) {
		s.failf("status %d, and nothing names %s", c.status, f.place)
	}
	if v.work == nil {
		return s, row, nil
	}
	if c.status == 0 {
		s.check(v.work, nil, c, 1)
		return s, row, nil
	}
	return s, row, s.complete(v.work, 1)
}

package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// model is llvm-mca for one core.
type model struct {
	program string
	core    string // as -mcpu has it
	name    string
	cache   map[string]float64
}

// iterations of a loop over which its cycles are taken, after as many that
// fill the core.
const iterations = 40

var (
	totalCycles = regexp.MustCompile(`Total Cycles:\s+(\d+)`)
	throughput  = regexp.MustCompile(`Block RThroughput:\s+([\d.]+)`)
)

// cycles of a loop's iteration: every access hits the first-level cache, and no
// branch is mispredicted.
func (m *model) cycles(l loop) (float64, error) {
	if len(l) == 0 {
		return 0, fmt.Errorf("no loop")
	}
	var text strings.Builder
	for _, i := range l {
		text.WriteString(i.text + "\n")
	}
	key := text.String()
	if c, ok := m.cache[key]; ok {
		return c, nil
	}
	first, err := m.total(key, iterations)
	if err != nil {
		return 0, err
	}
	second, err := m.total(key, 2*iterations)
	if err != nil {
		return 0, err
	}
	c := (second - first) / iterations
	if m.cache == nil {
		m.cache = map[string]float64{}
	}
	m.cache[key] = c
	return c, nil
}

// least is what a loop's iteration takes if nothing in it waits for anything
// else: the busiest unit's cycles.
func (m *model) least(l loop) (float64, error) {
	var text strings.Builder
	for _, i := range l {
		text.WriteString(i.text + "\n")
	}
	return m.figure(throughput, text.String(), 1)
}

func (m *model) total(text string, n int) (float64, error) { return m.figure(totalCycles, text, n) }

// figure is one that llvm-mca prints of n iterations.
func (m *model) figure(what *regexp.Regexp, text string, n int) (float64, error) {
	cmd := exec.Command(m.program, "-mtriple=aarch64", "-mcpu="+m.core, "-mattr=+neon", "-iterations="+strconv.Itoa(n),
		"-instruction-info=false", "-resource-pressure=false")
	cmd.Stdin = strings.NewReader(text)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%v: %w: %s", cmd, err, stderr.String())
	}
	c := what.FindSubmatch(out)
	if c == nil {
		return 0, fmt.Errorf("%v: no such figure in %s", cmd, out)
	}
	return strconv.ParseFloat(string(c[1]), 64)
}

// between is the cycles of a function's instructions outside its loops, one after
// another with nothing before or after them: at most what they add.
func (m *model) between(code []instruction) (float64, error) {
	inside := map[int64]bool{}
	for _, l := range loops(code) {
		for _, i := range l {
			inside[i.address] = true
		}
	}
	var text strings.Builder
	for _, i := range code {
		if !inside[i.address] && i.text != "ret" && !strings.HasPrefix(i.text, "udf") {
			text.WriteString(i.text + "\n")
		}
	}
	return m.total(text.String(), 1)
}

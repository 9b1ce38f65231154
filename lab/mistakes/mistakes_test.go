// Package mistakes_test tests the simulator with 43 deliberate mistakes: kernels with one mistake each,
// and what is to be reported about it in which line.
package mistakes_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

var update = flag.Bool("update", false, "rewrite the page of mistakes")

const page = "../../docs/mistakes.md"

// least is the number of mistakes that must be found with their line.
const (
	all   = 43
	least = 41
)

// elements is the length of each of a kernel's two arrays.
const elements = 128

// mistake is one kernel.
type mistake struct {
	file, name, why string
	launch          gpu.Launch
	n               int32
	report          string         // a part of it
	lines           map[int]string // that it may name, with their text
}

var (
	kernelLine = regexp.MustCompile(`^extern "C" __global__ void (\w+)\(`)
	option     = regexp.MustCompile(`(\w+)=(\d+)(?:x(\d+))?`)
)

// read finds the mistakes of a file.
func read(t *testing.T, file string) (list []mistake) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() mistake {
		return mistake{file: file, n: elements, launch: gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 64}}, lines: map[int]string{}}
	}
	m := fresh()
	for i, line := range strings.Split(string(text), "\n") {
		why, isComment := strings.CutPrefix(line, "// ")
		switch name := kernelLine.FindStringSubmatch(line); {
		case isComment:
			m.why += " " + why
		case name != nil:
			m.name = name[1]
		case line == "":
			if m.name == "" { // the file's own comment
				m = fresh()
			}
		}
		if code, report, ok := strings.Cut(line, "//! "); ok {
			m.report, m.lines[i+1] = report, strings.TrimSpace(code)
		}
		if line != "}" || m.name == "" {
			continue
		}
		why, options, _ := strings.Cut(strings.TrimSpace(m.why), " launch: ")
		m.why = why
		for _, o := range option.FindAllStringSubmatch(options, -1) {
			x, _ := strconv.Atoi(o[2])
			y, _ := strconv.Atoi(o[3])
			switch o[1] {
			case "grid":
				m.launch.Grid = gpu.Dim3{X: x, Y: y}
			case "block":
				m.launch.Block = gpu.Dim3{X: x, Y: y}
			case "shared":
				m.launch.SharedBytes = x
			case "n":
				m.n = int32(x)
			default:
				t.Fatalf("%s: launch option %s", m.name, o[1])
			}
		}
		list = append(list, m)
		m = fresh()
	}
	return list
}

// Each kernel is launched once. What the compiler suspects, and warnings, count where the launch
// itself succeeds, as it does when an answer is wrong.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	shown, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	unlimited := open(t)
	// An endless loop is one after any time.
	limited := open(t, sim.Limit(200*time.Millisecond))
	count, found := 0, 0
	reports := map[string]string{}
	var rows strings.Builder
	onPage := func(report string) bool {
		return strings.Contains(variable.ReplaceAllString(string(shown), ""), variable.ReplaceAllString(report, ""))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		mistakes := read(t, file)
		source := gpu.Source{Name: file, Text: string(text)}
		for _, m := range mistakes {
			source.Kernels = append(source.Kernels, m.name)
		}
		for _, m := range mistakes {
			d := unlimited
			if strings.Contains(m.report, "endless") {
				d = limited
			}
			count++
			report := launch(t, d, source, m)
			// Where a thread is when the time is over depends on what else the machine does.
			for tries := 1; d == limited && !(m.isNamed(report) && onPage(report)) && tries < 20; tries++ {
				report = launch(t, d, source, m)
			}
			if earlier, had := reports[m.why]; had || m.why == "" {
				t.Errorf("%s has the explanation of %s", m.name, earlier)
			}
			reports[m.why] = m.name
			if !m.isNamed(report) {
				t.Logf("%s: report %q, want %q in %s:%v", m.name, report, m.report, m.file, m.lines)
				report = "**not found**"
			} else {
				found++
			}
			fmt.Fprintf(&rows, "| %s | %s | %s |\n", m.why, m.code(), report)
		}
	}
	if count != all || found < least {
		t.Errorf("%d of %d mistakes are found with the right line; want %d of %d", found, count, least, all)
	}
	checkPage(t, found, rows.String())
}

func open(t *testing.T, options ...sim.Option) *sim.Device {
	t.Helper()
	d, err := sim.Open(1, append(options, sim.Checks())...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d.(*sim.Device)
}

// launch is what is reported about one launch of a kernel of the source, which is
// compiled once.
func launch(t *testing.T, d *sim.Device, source gpu.Source, m mistake) string {
	t.Helper()
	module, err := d.Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	defer module.Unload()
	k, err := module.Kernel(m.name)
	if err != nil {
		t.Fatal(err)
	}
	in := make([]float32, elements)
	for i := range in {
		in[i] = float32(i%7 + 1)
	}
	from, err := d.Alloc(4 * elements)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Free(from)
	to, err := d.Alloc(4 * elements)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Free(to)
	if err := gpu.Upload(d, from, in); err != nil {
		t.Fatal(err)
	}
	if err := k.Launch(0, m.launch, to, from, m.n); err != nil {
		return strings.TrimPrefix(err.Error(), "sim: kernel "+m.name+": ")
	}
	for _, s := range append(d.Suspicions(), d.Warnings()...) {
		if m.isNamed(s) {
			return s
		}
	}
	return "nothing"
}

// isNamed says whether a report names the mistake and its line.
func (m mistake) isNamed(report string) bool {
	if !strings.Contains(report, m.report) {
		return false
	}
	for line := range m.lines {
		if regexp.MustCompile(fmt.Sprintf(`%s:%d\b`, regexp.QuoteMeta(m.file), line)).MatchString(report) {
			return true
		}
	}
	return false
}

// code is the line with the mistake, or where several are involved, the last.
func (m mistake) code() string {
	last := 0
	for line := range m.lines {
		last = max(last, line)
	}
	return fmt.Sprintf("`%s:%d` `%s`", m.file, last, strings.ReplaceAll(m.lines[last], "|", `\|`))
}

// variable matches what differs from run to run: which block or thread of several came first, and so at which of two lines,
// an address, and how far in an undecided order a read got.
var variable = regexp.MustCompile(`block \([\d,]+\)(, )?|thread \([\d,]+\)|0x[0-9a-f]{6,}|byte \d+|\d+ bytes (past|before)|plus \d+|lanes? (0x)?[0-9a-f]+|:\d+|barrier in line \d+|(writes|reads)|the first is .*`)

func checkPage(t *testing.T, found int, rows string) {
	t.Helper()
	text := fmt.Sprintf(`# Mistakes that the simulator names

%d of the %d kernels of lab/mistakes, each with one mistake, are reported with the right line by `+"`bench verify --device sim`"+`, which checks
every access to memory. The reports are those of one run: which thread comes first differs with `+"`--seed`"+`. Where a local variable is
read before it is written, the compiler's warning is added to what is said about the wrong answer. `+"`make golden`"+` writes this page.

| mistake | line | report |
|---|---|---|
%s`, found, all, rows)
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	shown, want := strings.Split(string(have), "\n"), strings.Split(text, "\n")
	for i, line := range want {
		if i >= len(shown) || variable.ReplaceAllString(shown[i], "") != variable.ReplaceAllString(line, "") {
			t.Fatalf("%s:%d is not what this test finds, see make golden: %s", page, i+1, line)
		}
	}
	if len(shown) > len(want) {
		t.Errorf("%s:%d is more than this test finds, see make golden: %s", page, len(want)+1, shown[len(want)])
	}
}

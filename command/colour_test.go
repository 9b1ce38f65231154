package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"bench/framework"
	"bench/framework/experiment"
	"bench/framework/plan"
	"bench/framework/record"
	"bench/inspect"
)

// terminal opens a pseudo-terminal (pty(7)) and returns its end for a program
// and what gives all that was written there.
func terminal(t *testing.T) (*os.File, func() string) {
	t.Helper()
	controller, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	fd := int(controller.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	var text bytes.Buffer
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		io.Copy(&text, controller) // until the program's end is closed: EIO
	}()
	return program, func() string {
		program.Close()
		<-ended
		controller.Close()
		return strings.ReplaceAll(text.String(), "\r\n", "\n")
	}
}

// show prints what has a status, and a warning.
func show(out io.Writer) {
	a := &app{out: out, err: out}
	point := plan.Point{Algorithm: "toy", Version: "v", Processor: framework.CPU, Device: "cpu"}
	var results []record.Result
	for i, s := range []record.Status{record.OK, record.Wrong, record.Failed, record.Timeout, record.Skipped} {
		r := record.Result{Point: point, Status: s}
		if r.Point.ID = i; s != record.OK {
			r.Reason = "a failed try"
		}
		results = append(results, r)
	}
	all := &experiment.Tally{Algorithm: "toy", Device: "cpu"}
	for _, r := range results {
		verifyProgress{out, sayings{}}.Done(&r)
		all.Add(r)
	}
	printTally(out, all)
	lines := newRunProgress(out, []plan.Point{point}, func(plan.Point) bool { return false }, nil)
	lines.Started(point)
	lines.Done(&results[1])
	lines.Close()
	point.Skip = "no GPU"
	a.printPlan(&planned{Config: "toy.json", Points: []plan.Point{point}, Skipped: 1})
	fmt.Fprintln(out, record.Table(record.NewRun(record.Info{}, "toy", nil, results), paletteOf(out).status))
	fmt.Fprint(out, examinationText(&inspect.Examination{Findings: []inspect.Finding{{Section: "S", State: "ok", What: "a", Text: "b"}, {Section: "S", State: "missing", What: "c", Text: "d"}}}, paletteOf(out)))
	a.warn("hot: %d", 99)
}

// inColours is what show prints, with red, yellow and green words as {Rword}, {Yword} and {Gword}.
const inColours = `toy/v@cpu: {Rwrong}: a failed try
toy/v@cpu: {Rfailed}: a failed try
toy/v@cpu: {Rtimeout}: a failed try
toy on cpu  OK  BAD  SKIPPED  LARGEST ERROR BY BOUND
v           1   3    1        1 point has nothing to compare with: the version reports no error; {Yskipped}: a failed try
[1/1] v          CPU  {Rwrong}: a failed try
0  toy  v  cpu        {Yskipped}: no GPU
toy.json: 1 points, 1 of them skipped
toy, device cpu
version  status
v        {Gok}
v        {Rwrong}
v        {Rfailed}
v        {Rtimeout}
v        {Yskipped}
v, point 1, {Rwrong}: a failed try
v, point 2, {Rfailed}: a failed try
v, point 3, {Rtimeout}: a failed try
v, point 4, {Yskipped}: a failed try
S
  ok       a              b
  {Ymissing } c              d
{Ywarning:} hot: 99
`

// Statuses and warnings have colours on a terminal that takes them, and
// nowhere else.
func TestColours(t *testing.T) {
	coloured := strings.NewReplacer("{R", "\x1b[31m", "{Y", "\x1b[33m", "{G", "\x1b[32m", "}", "\x1b[m").Replace(inColours)
	bare := strings.NewReplacer("{R", "", "{Y", "", "{G", "", "}", "").Replace(inColours)
	for _, c := range []struct{ noColor, term, want string }{
		{"", "xterm", coloured},
		{"1", "xterm", bare},
		{"", "dumb", bare},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.term)
		out, written := terminal(t)
		show(out)
		if got := written(); got != c.want {
			t.Errorf("NO_COLOR=%s TERM=%s:\n%q\nwant\n%q", c.noColor, c.term, got, c.want)
		}
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	var buffer bytes.Buffer
	show(&buffer)
	path := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	show(file)
	file.Close()
	text, err := os.ReadFile(path)
	if err != nil || buffer.String() != bare || string(text) != bare {
		t.Errorf("elsewhere: %v\n%s\n%s", err, buffer.String(), text)
	}
}

package powermode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/trust"
)

const (
	// commandTime is the longest time of one call of nvpmodel.
	commandTime = time.Minute
	// rounding is how far a clock without a table of frequencies may be
	// above its limit: limits are rounded up to a frequency of the clock.
	rounding = 0.06
)

// Nvpmodel controls a Jetson through NVIDIA's program of that name.
type Nvpmodel struct {
	files   machine.Tree
	modes   []Mode
	conf    string // the path of nvpmodel.conf
	program string
	absent  error // why there is no program
	settle  time.Duration
	// writable reports whether this user may write a file.
	writable func(path string) bool
}

// OpenNvpmodel reads the modes of the board whose files are below root. A
// board without nvpmodel.conf is an error that wraps os.ErrNotExist.
func OpenNvpmodel(root string) (*Nvpmodel, error) {
	n := &Nvpmodel{files: machine.Tree(root), settle: settleTime,
		writable: func(path string) bool { return linux.Access(path, linux.W_OK) == nil }}
	conf := "etc/nvpmodel.conf"
	if other := n.files.Text("var/lib/nvpmodel/conf_file_path"); other != "" && !n.files.Exists(conf) {
		conf = other
	}
	n.conf = n.files.Target(conf)
	text, err := bounded.ReadFile(n.conf, bounded.MostText)
	if err != nil {
		return nil, fmt.Errorf("no power modes: %w", err)
	}
	if n.modes, err = parseConf(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", n.files.Path(conf), err)
	}
	n.program, n.absent = findProgram(trust.Self(), "/usr/sbin/nvpmodel")
	return n, nil
}

// findProgram finds nvpmodel: root takes the usual one first.
func findProgram(user trust.User, usual string) (string, error) {
	if user.IsRoot() && user.Check(usual) == nil {
		return usual, nil
	}
	return user.Program("nvpmodel", usual)
}

// Name returns "nvpmodel".
func (n *Nvpmodel) Name() string { return "nvpmodel" }

// Modes returns the modes of nvpmodel.conf in its order; their numbers do not say which is faster.
func (n *Nvpmodel) Modes() []Mode { return n.modes }

// Clocks returns the live clocks.
func (n *Nvpmodel) Clocks() []machine.Clock { return n.files.Clocks() }

var statusForm = lazy.Regexp(`pmode:0*(\d+)`)

// Current returns the mode that nvpmodel last recorded. Reading it needs no root.
func (n *Nvpmodel) Current() (Mode, error) {
	const file = "var/lib/nvpmodel/status"
	m := statusForm().FindStringSubmatch(n.files.Text(file))
	if m == nil {
		return Mode{}, fmt.Errorf("%s does not say the power mode", n.files.Path(file))
	}
	mode, ok := lookUp(n.modes, m[1])
	if !ok {
		return Mode{}, fmt.Errorf("%s says power mode %s, which nvpmodel.conf does not have", n.files.Path(file), m[1])
	}
	return mode, nil
}

// Allowed checks whether this user may write the files of the modes.
func (n *Nvpmodel) Allowed() error {
	if errors.Is(n.absent, trust.ErrUntrusted) {
		return fmt.Errorf("switching power modes: %w", n.absent)
	}
	if n.program == "" {
		return errors.New("the program nvpmodel is not in PATH")
	}
	if user := trust.Self(); user.IsRoot() {
		if err := user.Check(n.conf); err != nil {
			return fmt.Errorf("switching power modes: %w", err)
		}
	}
	for _, m := range n.modes {
		for _, a := range m.arguments {
			if p, ok := n.file(a); ok && !n.writable(p) {
				return fmt.Errorf("switching power modes: %w: %s is root's; run with sudo", ErrPermission, p)
			}
		}
	}
	return nil
}

// file returns the argument's file on this board.
func (n *Nvpmodel) file(a argument) (path string, ok bool) {
	for _, p := range n.candidates(a) {
		if n.files.Exists(p) {
			return n.files.Path(p), true
		}
	}
	return "", false
}

// candidates returns the paths that the argument's file may have; the first one that exists counts.
func (n *Nvpmodel) candidates(a argument) []string {
	// The GPU's path differs between releases of one board.
	switch gpu := n.files.GPUFolder(); {
	case gpu == "":
	case a.param == "GPU":
		return append(slices.Clone(a.paths), filepath.Join(gpu, strings.ToLower(a.name)))
	case strings.HasPrefix(a.paths[0], "/sys/devices/gpu.0/"):
		return append(slices.Clone(a.paths), filepath.Join(gpu, "device", strings.TrimPrefix(a.paths[0], "/sys/devices/gpu.0/")))
	}
	return a.paths
}

// Set runs nvpmodel and waits for the clocks to show the mode.
func (n *Nvpmodel) Set(m Mode) error {
	if err := n.switchTo(m.ID); err != nil {
		return fmt.Errorf("power mode %s (%s): %w", m.ID, m.Name, err)
	}
	if err := await(n.settle, func() error { return n.Shows(m) }); err != nil {
		return fmt.Errorf("power mode %s (%s) did not take: %w", m.ID, m.Name, err)
	}
	return nil
}

// switchTo runs nvpmodel -m in a separate process group: an interrupt from
// the terminal must not leave the board between two modes.
func (n *Nvpmodel) switchTo(id string) error {
	ctx, cancel := context.WithTimeout(context.Background(), commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, n.program, "-m", id)
	linux.Bind(cmd, linux.OwnGroup)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	said := strings.Join(strings.Fields(out.String()), " ")
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("nvpmodel -m %s did not end within %v: %s", id, commandTime, said)
	case err != nil:
		return fmt.Errorf("nvpmodel -m %s: %w: %s", id, err, said)
	case strings.Contains(said, "NVPM ERROR"):
		return fmt.Errorf("nvpmodel -m %s: %s", id, said)
	case strings.Contains(strings.ToLower(said), "reboot"):
		return fmt.Errorf("nvpmodel -m %s asks for a reboot: boot into the mode; it says: %s", id, said)
	}
	return nil
}

// Shows compares the files of a mode with its arguments: which CPUs are on,
// how many units of the GPU are on, and the highest frequencies. It leaves
// out the lowest frequencies, because jetson_clocks raises them within a
// mode.
func (n *Nvpmodel) Shows(m Mode) error {
	last := map[string]argument{} // the last of several values for a file counts
	var files []string
	for _, a := range m.arguments {
		p, ok := n.file(a)
		if !ok || a.offline(m.arguments) {
			continue
		}
		if _, had := last[p]; !had {
			files = append(files, p)
		}
		last[p] = a
	}
	checked := false
	var wrong []string
	for _, p := range files {
		a := last[p]
		if _, err := strconv.ParseInt(a.value, 10, 64); err != nil || a.name == "MIN_FREQ" || strings.HasSuffix(p, "min_freq") {
			continue
		}
		b, err := bounded.ReadFile(p, bounded.MostText)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s cannot be read: %v", a.label(), err))
			continue
		}
		live, err := strconv.ParseInt(strings.TrimSpace(string(b)), 0, 64)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s is %q, no number", a.label(), strings.TrimSpace(string(b))))
			continue
		}
		checked = true
		if why := n.differs(a, p, live); why != "" {
			wrong = append(wrong, why)
		}
	}
	if !checked && wrong == nil {
		return errors.New("none of its values can be read back")
	}
	if wrong != nil {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

func (a argument) label() string {
	if cpu, _, ok := a.online(); ok {
		return fmt.Sprintf("CPU %d online", cpu)
	}
	if a.isLimit() {
		return "the highest frequency of " + a.clock()
	}
	return a.name
}

// differs returns how the value read differs from the argument's; it is empty where it does not.
func (n *Nvpmodel) differs(a argument, file string, live int64) string {
	want, _ := strconv.ParseInt(a.value, 10, 64)
	if !a.isLimit() {
		if live != want {
			return fmt.Sprintf("%s is %d, want %d", a.label(), live, want)
		}
		return ""
	}
	unit := 1.0
	if a.kilohertz() {
		unit = 1e3
	}
	table := n.frequencies(a, file)
	hz := a.hertz()
	least, most := hz/unit, math.Ceil(hz/unit*(1+rounding))
	switch {
	case hz == 0 && len(table) == 0:
		return "" // no limit, and nothing to compare with
	case hz == 0:
		least, most = float64(table[len(table)-1]), math.Inf(1)
	case len(table) > 0:
		i, _ := slices.BinarySearch(table, want)
		most = float64(table[min(i, len(table)-1)])
		least = min(least, most)
	}
	if v := float64(live); v < least || v > most {
		return fmt.Sprintf("%s is %.6g MHz, want %s", a.label(), v*unit/1e6, wanted(least*unit/1e6, most*unit/1e6))
	}
	return ""
}

func wanted(least, most float64) string {
	switch {
	case math.IsInf(most, 1):
		return fmt.Sprintf("at least %.6g", least)
	case least == most:
		return fmt.Sprintf("%.6g", least)
	}
	return fmt.Sprintf("%.6g to %.6g", least, most)
}

// frequencies returns the sorted table of the clock's frequencies; it is empty if there is none.
func (n *Nvpmodel) frequencies(a argument, file string) []int64 {
	var text string
	for _, p := range a.tables {
		if text = n.files.Text(p); text != "" {
			break
		}
	}
	for _, beside := range []string{"scaling_available_frequencies", "available_frequencies"} {
		if text == "" {
			b, _ := bounded.ReadFile(filepath.Join(filepath.Dir(file), beside), bounded.MostText)
			text = string(b)
		}
	}
	var table []int64
	for w := range strings.FieldsSeq(text) {
		if v, err := strconv.ParseInt(w, 10, 64); err == nil {
			table = append(table, v)
		}
	}
	slices.Sort(table)
	return table
}

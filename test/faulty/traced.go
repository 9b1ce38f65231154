//go:build linux

package faulty

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"example.org/bench/framework"
)

// A Traced is what a board takes for one run in a power mode.
type Traced struct {
	Seconds, Watts float64
}

// Modes are those of a Jetson TX2, by ID: pattern matching, v4, K = 5000 (Frisberg, Geirsson and Urpi
// Hedbjörk, Table 5).
var Modes = map[string]Traced{"0": {7.55e-3, 11.3}, "1": {9.52e-3, 7.0}, "2": {8.18e-3, 8.8}, "3": {8.14e-3, 9.3}, "4": {8.24e-3, 7.6}}

// TX1 is what a TX1 takes for it: a fifth more energy than a TX2 in mode 0, and more time, as the source has it
// in words (6.3); its Figure 9 prints no figures. How much of that is time is made up.
var TX1 = Traced{10.24e-3, 10.0}

// TracedWork is that run's.
var TracedWork = framework.Work{NominalFLOPs: 103885000, NominalBytes: 2640472, FLOPs: 201280000, LoadBytes: 101980152, StoreBytes: 580320}

const (
	// TracedIdle is the power in watts where nothing runs.
	TracedIdle = 2.0
	// railTX1 and railTX2 are the files of VDD_IN's power in milliwatts below BENCH_TREE, as the drivers of
	// L4T 28 and 32 show it.
	railTX1 = "sys/devices/7000c400.i2c/i2c-1/1-0040/iio:device0/in_power0_input"
	railTX2 = "sys/devices/3160000.i2c/i2c-0/0-0041/iio:device1/in_power0_input"
)

// traced is a version on a copied tree of a TX1 or TX2, whose time and whose board's input follow the board,
// the power mode that is on, and the load.
func traced() framework.Version {
	return framework.Version{
		Name: "traced", Doc: "takes what a Jetson and its power mode make it take, and shows it on the board's input", Processor: framework.CPU,
		New: framework.Typed(func(_ framework.Env, p *problem, _ framework.Values) (*tracedRun, error) {
			mode, rail, err := boardOf(os.Getenv("BENCH_TREE"))
			if err != nil {
				return nil, err
			}
			r := &tracedRun{mode: mode}
			r.algorithm = algorithm{ms: p.params.Int("ms"), run: func(int64) error {
				r.running.Store(true)
				defer func() { r.ended.Store(time.Now().UnixNano()); r.running.Store(false) }()
				return pause(time.Duration(mode.Seconds * 1e9))
			}}
			file, err := os.OpenFile(rail, os.O_WRONLY, 0)
			if err != nil {
				return nil, err
			}
			go r.show(file)
			return r, nil
		}),
	}
}

// boardOf is what the tree's board takes, and the file of its input's power.
func boardOf(tree string) (Traced, string, error) {
	if rail := filepath.Join(tree, railTX1); exists(rail) {
		return TX1, rail, nil
	}
	text, err := os.ReadFile(filepath.Join(tree, "var/lib/nvpmodel/status"))
	if err != nil {
		return Traced{}, "", err
	}
	id := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(string(text)), "pmode:"), "0")
	if id == "" {
		id = "0"
	}
	mode, known := Modes[id]
	if !known {
		return Traced{}, "", fmt.Errorf("no power mode %q", id)
	}
	return mode, filepath.Join(tree, railTX2), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// gap is how long after a run the board still takes its power: on a busy machine the next may be late.
const gap = 50 * time.Millisecond

type tracedRun struct {
	algorithm
	mode          Traced
	running, over atomic.Bool
	ended         atomic.Int64 // when the last run did
}

// show keeps the rail at the mode's power while there is load. The text is as long each time, so that
// no reading finds half of it.
func (r *tracedRun) show(rail *os.File) {
	defer rail.Close()
	for shown := 0.0; !r.over.Load(); time.Sleep(time.Millisecond) {
		watts := TracedIdle
		if r.running.Load() || time.Now().UnixNano() < r.ended.Load()+int64(gap) {
			watts = r.mode.Watts
		}
		if watts == shown {
			continue
		}
		if _, err := fmt.Fprintf(atStart{rail}, "%-5.0f\n", 1000*watts); err != nil {
			return
		}
		shown = watts
	}
}

type atStart struct{ f *os.File }

func (a atStart) Write(b []byte) (int, error) { return a.f.WriteAt(b, 0) }

func (r *tracedRun) PostRun() error     { r.over.Store(true); return nil }
func (*tracedRun) Work() framework.Work { return TracedWork }

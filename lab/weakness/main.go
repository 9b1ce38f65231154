// Weakness measures on a GPU how often bench why is right: whether it names the weakness of kernels that
// have one each, what its changes promise and what they gain, and whether its classes are those of Nsight
// Compute's rule.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/bench/algorithms"
	"example.org/bench/analysis/bound"
	"example.org/bench/analysis/why"
	"example.org/bench/command"
	"example.org/bench/internal/bounded"
	"example.org/bench/sensors"
)

const usage = `usage: weakness planted FOLDER
	measure the kernels with a weakness, as they are and mended; the folder gets the runs.
       weakness classes FOLDER CONFIG...
	measure the points of the configs by themselves and under Nsight Compute; the folder
	gets the runs, and in them what the profiler says.
       weakness judge FOLDER
       weakness promises FOLDER
       weakness table FOLDER/*
	print what planted, lab/gpu/weakness.sh and classes measured, as today's program explains
	it; no GPU is needed.
       weakness promised RUN SET
	print what the changes of a set that judges (blind, blind2) promise on an H200 with the ceilings of a run, by the model alone.
       weakness energy CALIBRATION FOLDER/*
	print what a calibration (energy.json) predicts of the energies of runs, against what was
	measured (lab/gpu/energy.sh); no GPU is needed.
Anything else is bench's.`

func main() {
	verb := ""
	if len(os.Args) > 1 {
		verb = os.Args[1]
	}
	least := map[string]int{"planted": 3, "classes": 4, "judge": 3, "promises": 3, "promised": 4, "table": 3, "energy": 4}[verb]
	if least == 0 {
		command.Main(algorithms.All(), sensors.All()) // its workers are this program too
		return
	}
	if len(os.Args) < least {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	ctx := context.Background()
	var err error
	switch verb {
	case "planted":
		err = measurePlanted(ctx, os.Args[2])
	case "promises":
		err = judgePromises(ctx, os.Args[2], os.Stdout)
	case "promised":
		err = printPromised(os.Args[2], os.Args[3], os.Stdout)
	case "judge":
		err = judge(ctx, os.Args[2], os.Stdout)
	case "classes":
		err = measureClasses(ctx, os.Args[2], os.Args[3:], os.Stdout)
	case "energy":
		err = printEnergies(ctx, os.Args[2], os.Args[3:], os.Stdout)
	case "table":
		err = printClasses(ctx, os.Args[2:], os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "weakness:", err)
		os.Exit(1)
	}
}

// bench runs this program as bench, and returns what it prints.
func bench(ctx context.Context, args ...string) (*bytes.Buffer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var text, said bytes.Buffer
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdout, cmd.Stderr = &text, &said
	if err := cmd.Run(); err != nil {
		return &text, fmt.Errorf("bench %s: %w: %.300s", strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return &text, nil
}

// measured runs a config into a folder.
func measured(ctx context.Context, config, folder string) error {
	_, err := bench(ctx, "run", config, "--wisdom", "none", "--out", folder)
	return err
}

// measurePlanted measures both forms of every kernel with a weakness; the folder gets a
// run of each.
func measurePlanted(ctx context.Context, folder string) error {
	var errs []error
	for _, p := range Planted {
		errs = append(errs, measured(ctx, filepath.Join("test/weakness/kernels", p.Name+".json"), filepath.Join(folder, p.Name)))
	}
	return errors.Join(errs...)
}

// judge prints what is said of every kernel with a weakness, and what mending it gains.
func judge(ctx context.Context, folder string, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KERNEL\tCLASS\tTIME\tMODEL\tCHANGES\tNAMED\tPROMISED\tGAINED\tWITHIN 2")
	named, within := 0, 0
	var errs []error
	for _, p := range Planted {
		list, err := explainedBy(ctx, bounded.Place(filepath.Join(folder, p.Name)))
		errs = append(errs, err)
		weak, mended := of(list, "weak"), of(list, "mended")
		if weak == nil || mended == nil {
			fmt.Fprintf(w, "%s\tnot measured\n", p.Name)
			continue
		}
		rank, promised := p.Named(weak.Why)
		gained := weak.Why.Time / mended.Why.Time
		ok := rank > 0 && gained-1 >= (promised-1)/2 && gained-1 <= (promised-1)*2
		if rank > 0 && rank <= 2 {
			named++
		}
		if ok {
			within++
		}
		var changes []string
		for _, c := range weak.Why.Changes {
			changes = append(changes, fmt.Sprintf("%s %.2f", c.Name, c.Gain))
		}
		fmt.Fprintf(w, "%s\t%s\t%.4g µs\t%.4g µs\t%s\t%d\t%.2f\t%.2f\t%v\n", p.Name, weak.Why.Title(), 1e6*weak.Why.Time, 1e6*weak.Why.Model, strings.Join(changes, ", "), rank, promised, gained, ok)
	}
	w.Flush()
	fmt.Fprintf(out, "%d of %d weaknesses are the first or second change; %d gains are between half and twice what was promised (above 1)\n\n", named, len(Planted), within)
	return errors.Join(errs...)
}

func of(list []why.Explained, version string) *why.Explained {
	i := slices.IndexFunc(list, func(e why.Explained) bool { return e.Point.Version == version && e.Why.Time > 0 })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// Weakness is a kernel's, with the names of changes that mend it.
type Weakness struct {
	Name    string
	Changes []string
}

// Planted are the configs in test/weakness/kernels.
var Planted = []Weakness{
	{"atomics", []string{"fewer-atomics"}},
	{"bank", []string{"bank-conflicts"}},
	{"barriers", []string{"fewer-barriers"}},
	{"chain", []string{"independent-work"}},
	{"code", []string{"smaller-code"}},
	{"columns", []string{"coalesce"}},
	{"constants", []string{"constants"}},
	{"divergence", []string{"divergence"}},
	{"division", []string{"divisions"}},
	{"double", []string{"single-precision"}},
	{"exact", []string{"approximate"}},
	{"grid", []string{"larger-grid"}},
	{"launches", []string{"fuse-launches"}},
	{"narrow", []string{"wider-accesses"}},
	{"occupancy", []string{"occupancy"}},
	{"one_load", []string{"memory-parallelism"}},
	{"reuse", []string{"reuse"}},
	{"spills", []string{"spills"}},
	{"structs", []string{"coalesce"}},
	{"tail", []string{"fill-waves"}},
}

// Named is the place from 1 of the change that mends the weakness, and its gain; 0 where
// it is not named.
func (p Weakness) Named(w bound.Why) (int, float64) {
	for i, c := range w.Changes {
		if slices.Contains(p.Changes, c.Name) {
			return i + 1, c.Gain
		}
	}
	return 0, 1
}

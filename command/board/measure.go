package board

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"example.org/bench/command/interrupt"
	"example.org/bench/framework/powermode"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
)

// most is the longest time that measuring may take in a power mode.
const most = 10 * time.Minute

// measure runs the experiments, and writes file and page.
func (p Program) measure(ctx context.Context, f flags) error {
	modes, err := p.modes(ctx, &f)
	if err != nil {
		return err
	}
	folder := f.folder()
	names := Algorithms()
	if len(f.only) > 0 {
		names = slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(f.only, n) })
	}
	whole := most * time.Duration(max(1, len(modes)))
	limited, stop := context.WithTimeout(ctx, whole)
	defer stop()
	d := Description{Modes: modes}
	var bad error
	for _, name := range names {
		err := p.run(limited, name, folder, f.Measuring)
		over := limited.Err() != nil && ctx.Err() == nil
		if _, none := os.Stat(filepath.Join(folder, name, record.InfoFile)); none == nil {
			d.Runs = append(d.Runs, name)
		}
		switch {
		case over:
			bad = p.leaveOut(&d, fmt.Sprintf("%s were over during %s: what was not measured until then is missing", whole, name))
		case ctx.Err() != nil && err == nil:
			return p.Fail(ctx.Err())
		case ctx.Err() != nil:
			return err
		case err != nil && err.Error() != "":
			bad = p.leaveOut(&d, fmt.Sprintf("%s: %v", name, err))
		case err != nil:
			bad = err
		}
		if over {
			break
		}
	}
	if len(d.Runs) == 0 {
		return p.Fail(errors.New("nothing was measured, so there is no file"))
	}
	if err := p.write(ctx, folder, f.Root, d); err != nil {
		return p.Fail(err)
	}
	return bad
}

// leaveOut notes what a file lacks, and returns an error without words.
func (p Program) leaveOut(d *Description, what string) error {
	p.note("%s", what)
	d.Notes = append(d.Notes, what)
	return p.Fail(errors.New(""))
}

// run measures one algorithm into its folder.
func (p Program) run(ctx context.Context, name, folder string, m Measuring) error {
	text, err := Config(name)
	if err != nil {
		return err
	}
	configs, err := safefile.MakeFolder(filepath.Join(folder, "configs"))
	if err != nil {
		return err
	}
	defer configs.Close()
	if err := configs.Write(name+".json", bytes.NewReader(text)); err != nil {
		return err
	}
	own := filepath.Join(folder, name)
	if _, err := os.Lstat(filepath.Join(own, record.JournalFile)); err != nil {
		m.Resume = false // it had not begun
	}
	return p.Run(ctx, configs.Path(name+".json"), own, m)
}

// modes chooses the power modes to measure in, and returns their names; none for the present one.
func (p Program) modes(ctx context.Context, f *flags) ([]string, error) {
	o, err := powermode.Survey(f.Root)
	switch {
	case err != nil:
		p.note("in the present power mode alone: %v", err)
		return nil, nil
	case len(o.Modes) < 2 && f.yes:
		p.note("in the present power mode alone: %s", o.Absent)
		return nil, nil
	case len(o.Modes) < 2:
		return nil, nil
	case o.Denied != nil && f.yes:
		return nil, p.Refuse(fmt.Errorf("--yes: %w", o.Denied))
	case o.Denied != nil:
		p.note("in the present power mode alone: sudo bench board measures in all %d", len(o.Modes))
		return nil, nil
	case !f.yes:
		if f.yes, err = p.ask(ctx, len(o.Modes)); err != nil || !f.yes {
			return nil, err
		}
	}
	f.Modes = "all"
	var names []string
	for _, m := range o.Modes {
		names = append(names, m.Name)
	}
	return names, nil
}

// ask asks on a terminal whether to switch modes; without one the answer is no.
func (p Program) ask(ctx context.Context, modes int) (bool, error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		p.note("in the present power mode alone: --yes measures in all %d", modes)
		return false, nil
	}
	fmt.Fprintf(p.Out, "Measure in all %s? It takes %d times as long, and the present one is restored. [y/N] ", terminal.Count(modes, "power mode"), modes)
	answer, err := interrupt.Await(ctx, func() (string, error) {
		text, err := bufio.NewReaderSize(os.Stdin, 1<<10).ReadSlice('\n')
		if err != nil { // no input, or no whole line
			return "", nil
		}
		return strings.ToLower(strings.TrimSpace(string(text))), nil
	})
	if err != nil {
		return false, p.Fail(err)
	}
	return answer == "y" || answer == "yes", nil
}

package board

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/safefile"
	"example.org/bench/report"
)

// File is a board file that Read has accepted.
type File struct {
	Description
	Digest string
	// Board names the machine. Kind says what kind it is, or "copied files" where power, clocks and modes are those of a
	// copied tree.
	Board, Kind string
	Facts       machine.Facts
	Folder      string        // in which it is unpacked
	Measured    []*record.Run // in the order of Runs
	files       map[string][]byte
}

// Close removes the folder.
func (f *File) Close() error { return os.RemoveAll(f.Folder) }

// RunFolder returns the folder of an algorithm's run.
func (f *File) RunFolder(name string) string { return filepath.Join(f.Folder, runsFolder, name) }

// Machine returns the machine's files.
func (f *File) Machine() machine.Tree { return machine.Tree(filepath.Join(f.Folder, machineFolder)) }

// Read reads a board file, unpacks it into a temporary folder, and refuses what does not fit.
func Read(file string) (*File, error) {
	folder, err := safefile.TempFolder("bench-board-")
	if err != nil {
		return nil, err
	}
	f, err := readTo(file, folder)
	if err != nil {
		os.RemoveAll(folder)
		return nil, errors.New(strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), ""))
	}
	return f, nil
}

func readTo(file, folder string) (*File, error) {
	a, err := bounded.ReadZip(file)
	if err != nil {
		return nil, err
	}
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", file, fmt.Errorf(format, args...))
	}
	said, ok := a.Files[descriptionFile]
	if !ok {
		return nil, wrong("it has no %s, so it is no file of bench board", descriptionFile)
	}
	f := &File{Folder: folder}
	if err := bounded.Unmarshal(said, &f.Description); err != nil {
		return nil, wrong("%s: %w", descriptionFile, err)
	}
	if f.Format != format {
		return nil, wrong("its format is %d, this bench reads format %d", f.Format, format)
	}
	if err := checkSums(a); err != nil {
		return nil, wrong("%w", err)
	}
	f.Digest = a.Comment
	if err := f.checkNames(a.Names); err != nil {
		return nil, wrong("%w", err)
	}
	if err := safefile.WriteFiles(folder, a.Files); err != nil {
		return nil, err
	}
	f.files = a.Files
	if err := f.readRuns(); err != nil {
		return nil, wrong("%w", err)
	}
	if err := f.checkMachine(); err != nil {
		return nil, wrong("%w", err)
	}
	return f, nil
}

var sumLine = lazy.Regexp(`^([0-9a-f]{64})  (.+)$`)

// checkSums checks the files against their sums, and these against the digest.
func checkSums(a *bounded.Archive) error {
	text, ok := a.Files[sumsFile]
	if !ok {
		return fmt.Errorf("it has no %s", sumsFile)
	}
	had := map[string]string{}
	for line := range strings.Lines(string(text)) {
		m := sumLine().FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			return fmt.Errorf("%s: %q is no sum and name", sumsFile, strings.TrimSpace(line))
		}
		had[m[2]] = m[1]
	}
	actual := sumsOf(a.Files)
	for _, name := range slices.Sorted(maps.Keys(had)) {
		if actual[name] == "" {
			return fmt.Errorf("%s is missing: %s lists it", name, sumsFile)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(actual)) {
		switch {
		case had[name] == "":
			return fmt.Errorf("%s was added: %s does not list it", name, sumsFile)
		case had[name] != actual[name]:
			return fmt.Errorf("%s was changed: its SHA-256 is %.12s…, %s says %.12s…", name, actual[name], sumsFile, had[name])
		}
	}
	if got := digest(text); got != a.Comment {
		return fmt.Errorf("%s was changed: its digest is %.12s…, the archive says %.12q", sumsFile, got, a.Comment)
	}
	return nil
}

// checkNames refuses files and runs that a board file does not have.
func (f *File) checkNames(names []string) error {
	if len(f.Runs) == 0 {
		return errors.New("it has no run")
	}
	for i, run := range f.Runs {
		if !slices.Contains(Algorithms(), run) || slices.Contains(f.Runs[:i], run) {
			return fmt.Errorf("%s: %q is no run of a board file, or is there twice", descriptionFile, run)
		}
	}
	for _, name := range names {
		parts := strings.Split(name, "/")
		switch {
		case name == descriptionFile, name == sumsFile, parts[0] == machineFolder && len(parts) > 1:
		case parts[0] == runsFolder && len(parts) == 3 && slices.Contains(f.Runs, parts[1]):
		default:
			return fmt.Errorf("%s does not belong to it", name)
		}
	}
	return nil
}

// readRuns reads the runs. It checks each against its journal, and all against the first.
func (f *File) readRuns() error {
	for i, name := range f.Runs {
		dir := f.RunFolder(name)
		run, err := record.Read(dir)
		if err != nil {
			return err
		}
		if err := record.CheckFiles(dir, run.Info.Tool == record.ThisTool()); err != nil {
			return err
		}
		if err := f.plausible(name); err != nil {
			return err
		}
		if len(run.Rows) == 0 || run.Rows[0].Algorithm != name {
			return fmt.Errorf("runs/%s is no run of %s", name, name)
		}
		if i > 0 {
			if err := sameMachine(f.Measured[0], run); err != nil {
				return fmt.Errorf("runs/%s is of another machine than runs/%s: %w", name, f.Runs[0], err)
			}
		}
		f.Measured = append(f.Measured, run)
	}
	return nil
}

// sameMachine compares what does not change while a machine runs.
func sameMachine(a, b *record.Run) error {
	x, y := a.Info.Machine, b.Info.Machine
	for _, c := range []struct {
		what      string
		had, says any
	}{
		{"board", x.Board, y.Board}, {"CPU", x.CPU, y.CPU}, {"cores", x.Cores, y.Cores}, {"CPUs", x.CPUs, y.CPUs}, {"memory", x.MemoryBytes, y.MemoryBytes},
		{"kernel", x.Kernel, y.Kernel}, {"system", x.OS, y.OS}, {"architecture", x.Architecture, y.Architecture}, {"board of copied files", a.Info.CopiedFiles, b.Info.CopiedFiles},
	} {
		if c.had != c.says {
			return fmt.Errorf("its %s is %q, not %q", c.what, fmt.Sprint(c.says), fmt.Sprint(c.had))
		}
	}
	for _, d := range a.Info.Devices {
		for _, e := range b.Info.Devices {
			if d.ID != e.ID || d.Facts == nil || e.Facts == nil {
				continue
			}
			if d.Facts.Name != e.Facts.Name || d.Facts.GlobalBytes != e.Facts.GlobalBytes || d.Driver != e.Driver {
				return fmt.Errorf("its %s is %q with driver %q, not %q with %q", d.ID, e.Facts.Name, e.Driver, d.Facts.Name, d.Driver)
			}
		}
	}
	return nil
}

// name returns the machine's name: its board's, or those of its GPUs and its CPU, and what emulates it.
func (f *File) name(m machine.Facts) string {
	name := m.Board
	if name == "" {
		name = strings.Join(append(f.gpuNames(), m.CPU), ", ")
	}
	if f.Prefix != "" {
		name += ", " + m.Architecture + " by " + f.Prefix
	}
	return name
}

// checkMachine checks the machine's files against the runs, and fills in the machine.
func (f *File) checkMachine() error {
	info := f.Measured[0].Info
	files, _ := f.Machine().Facts() // what cannot be read is empty
	f.Facts, f.Board = info.Machine, f.name(info.Machine)
	if info.CopiedFiles != "" {
		if files.Board != "" && files.Board != info.CopiedFiles {
			return fmt.Errorf("%s/ is of %q, the runs took power and modes of %q", machineFolder, files.Board, info.CopiedFiles)
		}
		f.Kind, f.Board = report.CopiedFiles, info.CopiedFiles
		return nil
	}
	for _, c := range []struct{ what, tree, run string }{
		{"board", files.Board, info.Machine.Board}, {"system", files.OS, info.Machine.OS}, {"kernel", files.Kernel, info.Machine.Kernel}, {"CPU", files.CPU, info.Machine.CPU},
		{"memory", fmt.Sprint(files.MemoryBytes), fmt.Sprint(info.Machine.MemoryBytes)},
	} {
		if c.tree != c.run {
			return fmt.Errorf("%s/ is of another machine than the runs: its %s is %q, not %q", machineFolder, c.what, c.tree, c.run)
		}
	}
	f.Kind = string(f.Machine().Kind(info.Machine.Architecture))
	if strings.HasPrefix(f.Prefix, "qemu-") {
		f.Kind = string(machine.Emulated)
	}
	return nil
}

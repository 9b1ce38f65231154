package record

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/workers"
)

// Part is one run of those that are merged.
type Part struct {
	// Name is what the machine is called that measured it; empty: what the run says, or
	// else what tells its folder from those of the other parts.
	Name string
	Dir  string // with the journal, or the files of a run without one
}

// MergeOptions are choices of a merge.
type MergeOptions struct {
	// MixTools merges what different builds measured, with a warning.
	MixTools bool
	// Prepare, if set, makes room for the folder once it is known that the runs belong
	// together.
	Prepare func() error
	// Workers is how many threads read and write; 0: one a processor.
	Workers int
}

// Merged is what a merge made.
type Merged struct {
	Rows    int
	Devices []string // by name
	// Folder is the merged run's, for what is made of it. The caller closes it.
	Folder *safefile.Folder
	// Twice counts results that are left out because the run has another of their point
	// and device: a good one is kept rather than another, a later one rather than an
	// earlier.
	Twice int
	// Notes say what of the parts cannot be read.
	Notes []string
}

// ErrNotWritten is wrapped by Merge's error if the runs belong together and the merged
// one could not be written.
var ErrNotWritten = errors.New("the merged run is not written")

// collectLess makes garbage collection rarer until undo is called, which shortens a large
// merge by a tenth. It is only for journals, which are read in pieces. Above the limit, with
// the rows of many files, the program would do nothing but collect.
func collectLess(parts []Part) (undo func()) {
	for _, p := range parts {
		if _, err := os.Stat(filepath.Join(p.Dir, JournalFile)); err != nil {
			return func() {}
		}
	}
	percent, limit := debug.SetGCPercent(400), debug.SetMemoryLimit(768<<20)
	return func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }
}

// Merge joins runs of one config into one in a new folder. Every device gets a name of its own, and the sweep
// gets every value that a part measured. The folder's bytes do not depend on the order of parts. Merge refuses
// runs of another config, seed or build, and searches. It reads journals in pieces, and keeps runs without a
// journal in memory.
func Merge(parts []Part, out string, opt MergeOptions) (*Merged, error) {
	for _, p := range parts {
		if within, err := filepath.Rel(out, p.Dir); err == nil && within == "." {
			return nil, fmt.Errorf("--out %s is one of the runs: give another folder", out)
		}
	}
	defer collectLess(parts)()
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	m := &merge{opt: opt, tables: newMergeTables()}
	if err := m.open(parts); err != nil {
		return nil, err
	}
	defer m.close()
	if err := m.scan(); err != nil {
		return nil, err
	}
	if err := m.agree(); err != nil {
		return nil, err
	}
	if len(m.entries) == 0 {
		return nil, errors.New("no result in any of the runs")
	}
	m.name()
	if err := m.order(); err != nil {
		return nil, err
	}
	m.describe()
	if opt.Prepare != nil {
		if err := opt.Prepare(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotWritten, err)
		}
	}
	folder, err := m.writeFolder(out)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotWritten, err)
	}
	merged := &Merged{Folder: folder, Rows: m.points, Twice: m.twice}
	for _, d := range m.info.Devices {
		if !slices.Contains(merged.Devices, d.ID) {
			merged.Devices = append(merged.Devices, d.ID)
		}
	}
	for _, p := range m.parts {
		merged.Notes = append(merged.Notes, p.notes...)
	}
	return merged, nil
}

// merge is a merge under way.
type merge struct {
	opt     MergeOptions
	parts   []*mergePart
	tables  *mergeTables
	known   mergePoints
	entries []mergeEntry
	twice   int
	points  int

	columns Columns
	seen    gathered // of all results
	names   rowNames // of columns
	info    Info
	header  Header
	devices map[string]*mergeDevice // by identity
	// limits are ceilings by the device's name and power mode.
	limits  map[[2]string]Ceilings
	batches sync.Pool // of *batch, whose memory the next chunk takes
}

// mergePart is a Part that is open.
type mergePart struct {
	Part
	label string // of its machine

	journal  bounded.File // nil: files alone
	headers  []Header
	sessions []Info
	notes    []string
	entries  []mergeEntry
	count    int      // of results
	seen     gathered // of its results

	files *mergeFiles // nil: the journal
}

// header returns the header of the part's run.
func (p *mergePart) header() Header { return p.headers[0] }

// mergeEntry is one result. It refers to the tables by numbers, which order replaces by ranks.
type mergeEntry struct {
	offset   int64 // of the result's text in the journal; the row's index of files
	started  int64 // in ns since 1970
	length   int32 // of the text; 0 for a row
	part     int32
	device   int32
	mode     int32
	problem  int32
	version  int32
	tunables int32
	instance int32
	point    int32 // number in the merged run
	ok       bool
}

// open opens the parts, sorted by their folders.
func (m *merge) open(parts []Part) error {
	seen := map[string]bool{}
	dirs := make([]string, len(parts))
	for i, p := range parts {
		dirs[i] = p.Dir
		full, err := filepath.Abs(p.Dir)
		if err != nil {
			return err
		}
		if full, err = filepath.EvalSymlinks(full); err != nil {
			return fmt.Errorf("%s: there is no such folder; give those that bench run has written", p.Dir)
		}
		if seen[full] {
			return fmt.Errorf("%s is given twice", p.Dir)
		}
		seen[full] = true
	}
	names := ShortNames(dirs)
	for i, p := range parts {
		part := &mergePart{Part: p, label: cmp.Or(p.Name, names[i])}
		m.parts = append(m.parts, part)
	}
	slices.SortFunc(m.parts, func(a, b *mergePart) int { return cmp.Compare(a.Dir, b.Dir) })
	return nil
}

func (m *merge) close() {
	for _, p := range m.parts {
		if p.journal != nil {
			p.journal.Close()
		}
	}
}

// scan reads every part once, several at a time.
func (m *merge) scan() error {
	failed := make([]error, len(m.parts))
	workers.Split(m.opt.Workers, len(m.parts), func(i int) { failed[i] = m.scanPart(int32(i)) })
	if err := errors.Join(failed...); err != nil {
		return err
	}
	total := 0
	for _, p := range m.parts {
		p.count = len(p.entries)
		total += p.count
	}
	m.entries = make([]mergeEntry, 0, total)
	for _, p := range m.parts {
		m.entries = append(m.entries, p.entries...)
		p.entries = nil
	}
	return nil
}

// agree finds what keeps the parts from being one run.
func (m *merge) agree() error {
	first := m.parts[0]
	had := first.header()
	var mixed []string
	for _, p := range m.parts {
		h := p.header()
		switch {
		case h.ConfigHash != had.ConfigHash:
			return fmt.Errorf("%s is of config %s, %s is of %s: merge runs of one config", first.Dir, name(had), p.Dir, name(h))
		case !sameTool(first, p):
			line := fmt.Sprintf("%s was measured by %s, %s by %s, whose algorithms or measuring method may be others", first.Dir, first.build(), p.Dir, p.build())
			if !m.opt.MixTools {
				return fmt.Errorf("%s; --mix-tools merges them all the same", line)
			}
			if mixed == nil {
				mixed = append(mixed, line)
			}
		}
	}
	m.info.Warnings = mixed
	return nil
}

// build names the program that measured the part.
func (p *mergePart) build() string {
	if t := p.tool(); t.Version != "" {
		return "bench version " + t.String()
	}
	return p.header().build()
}

// tool returns the tool that the part's first session names.
func (p *mergePart) tool() Tool {
	if len(p.sessions) == 0 {
		return Tool{Version: p.header().Version}
	}
	return p.sessions[0].Tool
}

// sameTool reports whether two parts were measured in the same way, on whatever
// platform.
func sameTool(a, b *mergePart) bool {
	x, y := a.header(), b.header()
	if x.sameMeasuring(y) || x.Sources != "" && x.Sources == y.Sources {
		return true
	}
	s, t := a.tool(), b.tool()
	return s.Version == t.Version && s.Commit == t.Commit && !s.Modified && !t.Modified && s.Commit != ""
}

// PartsOf returns the runs that the arguments name, each DIR or NAME=DIR.
func PartsOf(args []string) (parts []Part) {
	for _, arg := range args {
		p := Part{Dir: arg}
		if name, dir, ok := strings.Cut(arg, "="); ok && name != "" && !strings.Contains(name, "/") {
			p = Part{Name: name, Dir: dir}
		}
		parts = append(parts, p)
	}
	return parts
}

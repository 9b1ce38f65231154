package record

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework/plan"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/textfile"
)

// Run is all that one run of one config leaves on disk.
type Run struct {
	Info   Info
	Prefix string // of the files' names
	// Axes are what was swept, first slowest.
	Axes    []plan.Axis
	Columns Columns
	// Rows are in the order of the points.
	Rows []Row
	// Results are the source of Rows; nil for a Run that Read took from files.
	Results []Result
	// Rates are those that the table and figures show. No file keeps it.
	Rates Rates
	// Total is the number of planned points if the run is Unfinished; else 0.
	Total int
	// Notes say what of a journal cannot be read, and that another build wrote it;
	// they are among the warnings, too.
	Notes []string
}

// InfoFile is the file that holds Info.
const InfoFile = "run.json"

// infoFormat changes when an older tool can no longer read the files.
const infoFormat = 1

// NewRun summarises results: a row a point, whatever its instances. The later of two
// results for one instance counts.
func NewRun(info Info, prefix string, axes []plan.Axis, results []Result) *Run {
	last := map[[2]int]Result{}
	for _, res := range results {
		last[[2]int{res.Point.ID, res.Point.Instance}] = res
	}
	kept := make([]Result, 0, len(last))
	for _, res := range last {
		kept = append(kept, res)
	}
	slices.SortFunc(kept, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Point.ID, b.Point.ID), cmp.Compare(a.Point.Instance, b.Point.Instance))
	})
	var g gathered
	for i := range kept {
		g.take(&kept[i], kept[i].Point.Device)
	}
	info.Sensors = g.withPeriods(info.Sensors)
	if loaded := librariesOf(results); loaded != nil {
		info.Libraries = loaded
	}
	r := &Run{Info: info, Prefix: prefix, Axes: axes, Columns: columnsOf(kept, &g), Results: kept}
	names := r.Columns.names()
	for from := 0; from < len(kept); {
		res, to := kept[from], from+1
		for to < len(kept) && kept[to].Point.ID == res.Point.ID {
			to++
		}
		r.Rows = append(r.Rows, newRow(kept[from:to], names, info.Limits(res.Point.Device, res.Point.PowerMode)))
		from = to
		if res.Point.Peer && !slices.Contains(r.Info.Peers, res.Point.Version) {
			r.Info.Peers = append(r.Info.Peers, res.Point.Version)
		}
	}
	return r
}

// CheckPrefix refuses what cannot be the beginning of a file's name in a folder.
func CheckPrefix(prefix string) error {
	if name := prefix + "x"; name != filepath.Base(name) || !filepath.IsLocal(name) || strings.ContainsAny(prefix, "\\\x00") || prefix == ".." || prefix == "." {
		return fmt.Errorf("prefix %q: want the beginning of a file's name, without folders", prefix)
	}
	return nil
}

// Axis returns the index in Axes of the axis that sweeps a column, or their number if none does. Configs may
// write --NAME.
func (r *Run) Axis(c Column) int {
	for i, a := range r.Axes {
		if strings.TrimLeft(a.Name, "-") == strings.TrimLeft(c.Name, "-") {
			return i
		}
	}
	return len(r.Axes)
}

// file returns the name of one of the run's files.
func (r *Run) file(kind string) string { return r.Prefix + "_" + kind }

// infoJSON is the content of InfoFile.
type infoJSON struct {
	Format int    `json:"format"`
	Prefix string `json:"prefix"`
	Info
	Axes    []plan.Axis `json:"axes"`
	Columns Columns     `json:"columns"`
}

// Write writes the run's files to the folder of that name, which it makes if needed.
func Write(dir string, r *Run) error {
	d, err := makeFolder(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return WriteIn(d, r)
}

// Read reads back what Write wrote. If a run has not written its files, or never
// will, Read reads the journal: the Run is then Unfinished. So is a resumed run
// whose journal has more results than its files.
func Read(dir string) (*Run, error) {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		if place := bounded.Place(dir); place != dir {
			return nil, fmt.Errorf("%s: there is no such folder; want %s, which is there", dir, place)
		}
		return nil, fmt.Errorf("%s: there is no such folder; give one that bench run has written", dir)
	}
	written, err := readWritten(dir)
	if err != nil {
		return nil, err
	}
	unfinished, failed := readUnfinished(dir)
	switch {
	case written == nil && errors.Is(failed, ErrNoJournal):
		return nil, fmt.Errorf("%s holds no results: there is no %s and no journal of a run; give a folder that bench run has written", dir, InfoFile)
	case written == nil:
		return unfinished, failed
	case failed == nil && unfinished.instances() > written.instances():
		return unfinished, nil
	}
	return written, nil
}

// readWritten reads back what Write wrote; nil where there is no InfoFile.
func readWritten(dir string) (*Run, error) {
	path := filepath.Join(dir, InfoFile)
	var info infoJSON
	err := textfile.ReadJSON(path, &info)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Format != infoFormat {
		return nil, fmt.Errorf("%s: its format is %d, this bench reads format %d", path, info.Format, infoFormat)
	}
	if err := CheckPrefix(info.Prefix); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := &Run{Info: info.Info, Prefix: info.Prefix, Axes: info.Axes, Columns: info.Columns}
	if err := r.readRows(dir); err != nil {
		return nil, err
	}
	for i := range r.Rows {
		r.Rows[i].deriveExecuted() // runs before 1.0 have no such columns
	}
	return r, nil
}

// instances returns how many results the run has.
func (r *Run) instances() (n int) {
	if r.Results != nil {
		return len(r.Results)
	}
	for _, w := range r.Rows {
		n += max(1, int(w.Time.Instances.Int()))
	}
	return n
}

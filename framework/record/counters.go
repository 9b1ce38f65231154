package record

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
)

// The files of counters; a run whose config asks for none has neither.
const (
	countersCSV = "counters.csv"
	kernelsCSV  = "kernel_counters.csv.gz"
)

// Counters are what hardware or system counted of one run of a point, after it was timed
// and in another process.
type Counters struct {
	// Values by the counters' names; one that has no finite value is left out.
	Values map[string]float64 `json:"values,omitempty"`
	// Kernels is how many kernels one run launches; 0: not known.
	Kernels int `json:"kernels,omitempty"`
	// Launches are those of each launch of a kernel, of a run that has several.
	Launches []LaunchCounters `json:"launches,omitempty"`
	// Passes is how many runs it took; each counts a part of the counters.
	Passes int `json:"passes,omitempty"`
	// Seconds is what it took, with preparing.
	Seconds float64 `json:"seconds,omitempty"`
	// Source is what counted, in words.
	Source string `json:"source,omitempty"`
	// Absent says why there are no values, Note why not all.
	Absent string `json:"absent,omitempty"`
	Note   string `json:"note,omitempty"`
}

// LaunchCounters are those of one launch.
type LaunchCounters struct {
	Kernel string             `json:"kernel,omitempty"` // empty where it is not known, as in libraries
	Values map[string]float64 `json:"values"`
}

// Named returns the values by name, without those that are not finite.
func Named(names []string, values []float64) map[string]float64 {
	named := map[string]float64{}
	for i, name := range names {
		if x := values[i]; !math.IsNaN(x) && !math.IsInf(x, 0) {
			named[name] = x
		}
	}
	return named
}

// Counting is how the counters of a row came about.
type Counting struct {
	Source   string `csv:"counters_source" doc:"what counted: the library and the chip, or the kernel's interface"`
	Passes   Count  `csv:"counters_passes" doc:"runs that it took, each with caches flushed and inputs restored; each counts a part"`
	Launches Count  `csv:"counters_launches" doc:"launches of kernels in one run; empty where that is not known"`
	Seconds  Number `csv:"counters_s" doc:"what counting took, with preparing; none of it is in another column"`
	Absent   string `csv:"counters_absent" doc:"why there are none, or not all"`
}

// KernelCounter is one counter of one launch.
type KernelCounter struct {
	Point   int     `csv:"point" doc:"the point's number in the other files"`
	Version string  `csv:"version" doc:"implementation"`
	Launch  int     `csv:"launch" doc:"number of the launch in the run, from 0"`
	Kernel  string  `csv:"kernel" doc:"its kernel; empty where that is not known, as in libraries"`
	Counter string  `csv:"counter" doc:"name of the counter"`
	Value   float64 `csv:"value" doc:"what was counted"`
}

// count sets the row's columns of counters.
func (row *Row) count(c *Counters) {
	if c == nil {
		return
	}
	row.Counters = c.Values
	counting := Counting{Source: c.Source, Passes: known(int64(c.Passes)), Launches: known(int64(c.Kernels)),
		Seconds: positive(c.Seconds), Absent: c.Absent}
	if counting.Absent == "" {
		counting.Absent = c.Note
	}
	row.Counting = RareOf(counting)
}

// IsSet reports whether counting the point was tried.
func (c Counting) IsSet() bool { return c.Source != "" || c.Absent != "" }

// kernelCounters returns the counters of the launches of one point.
func (res Result) kernelCounters() (rows []KernelCounter) {
	if res.Counters == nil {
		return nil
	}
	for i, l := range res.Counters.Launches {
		names := make([]string, 0, len(l.Values))
		for name := range l.Values {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			rows = append(rows, KernelCounter{res.Point.ID, res.Point.Version, i, l.Kernel, name, l.Values[name]})
		}
	}
	return rows
}

// ReadKernelCounters returns the counters of a run's launches. Without r.Results it reads them from the run's
// folder.
func ReadKernelCounters(dir string, r *Run) ([]KernelCounter, error) {
	if r.Results != nil {
		return eachOf(r.Results, Result.kernelCounters), nil
	}
	all, err := readCompressed[KernelCounter](filepath.Join(dir, r.file(kernelsCSV)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return all, err
}

// counterFile returns the CSV file of counters.
func (c Columns) counterFile() csvFile {
	var counters numbers
	for _, column := range c.Counters {
		counters = append(counters, reading(column.Column, column.Name, func(w *Row) *map[string]float64 { return &w.Counters }))
	}
	return csvFile{countersCSV, []section{rare[Counting]{"", func(w *Row) *Rare[Counting] { return &w.Counting }}, counters}}
}

// SectorBytes is what a sector of the caches of NVIDIA's GPUs has: what they and memory exchange at least.
const SectorBytes = 32

// DRAMBytes returns the bytes that one run moved to and from a GPU's memory, by its counters; not
// set if they do not tell.
func (row *Row) DRAMBytes() Number {
	return row.countedBytes("dram__bytes", "dram__bytes_read", "dram__bytes_write", "dram__sectors_read", "dram__sectors_write")
}

// L2Bytes returns the bytes that one run moved to and from the L2 cache.
func (row *Row) L2Bytes() Number {
	return row.countedBytes("lts__t_bytes", "", "", "lts__t_sectors_op_read", "lts__t_sectors_op_write")
}

// countedBytes returns one metric's, or the sum of two, in bytes or in sectors.
func (row *Row) countedBytes(all, read, write, readSectors, writeSectors string) Number {
	of := func(name string) (float64, bool) { x, ok := row.Counters[name+".sum"]; return x, ok }
	if x, ok := of(all); ok {
		return Measured(x)
	}
	for _, pair := range []struct {
		a, b string
		unit float64
	}{{read, write, 1}, {readSectors, writeSectors, SectorBytes}} {
		a, ok := of(pair.a)
		b, also := of(pair.b)
		if ok && also {
			return Measured(pair.unit * (a + b))
		}
	}
	return Number{}
}

// PerByte returns the nominal operations of one run divided by bytes.
func (row *Row) PerByte(bytes Number) Number {
	if !(bytes.Float() > 0) {
		return Number{}
	}
	return row.Work.NominalFLOPs.number().over(bytes)
}

func (r *Run) counted() bool {
	return slices.ContainsFunc(r.Rows, func(w Row) bool { return w.Counting.Get().IsSet() })
}

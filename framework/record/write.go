package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gocarina/gocsv"

	"example.org/bench/internal/safefile"
)

// batchRows is how many rows, or results, are written at once.
const batchRows = 1024

// batch is a sequence of a run's rows and a sequence of lines of its compressed files. The two may be of
// different points.
type batch struct {
	rows    []Row
	samples []Sample
	power   []PowerSample
	latency []Latency
	kernels []KernelCounter
}

// add adds a result's lines of the compressed files.
func (b *batch) add(res Result) {
	b.samples = append(b.samples, res.samples()...)
	b.power = append(b.power, res.powerSamples()...)
	b.latency = append(b.latency, res.histogram()...)
	b.kernels = append(b.kernels, res.kernelCounters()...)
}

// clear empties the batch, which keeps its memory.
func (b *batch) clear() {
	*b = batch{b.rows[:0], b.samples[:0], b.power[:0], b.latency[:0], b.kernels[:0]}
}

// optionalFiles says which of the files a run has that not every run has.
type optionalFiles struct{ rates, counters, power, latency, kernels, stages bool }

// writer writes a run's files as its batches come: a run need not fit into memory. All
// files are written before the first of them has its name.
type writer struct {
	dir    *safefile.Folder
	run    *Run // its Info, Prefix, Axes and Columns
	files  []*runFile
	heads  []section
	tables sync.Pool // of *batchTables
}

// runFile is a CSV file that a writer writes.
type runFile struct {
	pending *safefile.Pending
	out     *bufio.Writer
	zip     *gzip.Writer // nil: the file is not compressed
	// add appends what a batch adds, or the header.
	add func(to *bytes.Buffer, b *batch, t *batchTables, header bool) error
}

// batchTables are the tables of a batch's rows: the columns that all files begin with, and those of one file.
// Both reuse their memory.
type batchTables struct {
	head, own *table
	line      []string
}

// newWriter begins the files of a run and writes their headers. level is gzip's.
func newWriter(dir *safefile.Folder, run *Run, has optionalFiles, level int) (*writer, error) {
	w := &writer{dir: dir, run: run, heads: run.Columns.head()}
	w.tables.New = func() any { return &batchTables{newTable(0), newTable(0), nil} }
	err := w.begin(has, level)
	var headers []bytes.Buffer
	if err == nil {
		headers, err = w.encode(&batch{}, true)
	}
	if err == nil {
		err = w.append(headers)
	}
	if err != nil {
		w.discard()
		return nil, err
	}
	return w, nil
}

func (w *writer) begin(has optionalFiles, level int) error {
	tables := w.run.Columns.files()
	if has.rates {
		tables = append(tables, w.run.Columns.rateFile())
	}
	if has.counters {
		tables = append(tables, w.run.Columns.counterFile())
	}
	for _, f := range tables {
		if _, err := w.file(w.run.file(f.kind), f.add); err != nil {
			return err
		}
	}
	if has.stages {
		if _, err := w.file(w.run.file(stagesCSV), stageLines); err != nil {
			return err
		}
	}
	if _, err := w.file(SummaryFile, summaryLines(w.run.summaryColumns(has.rates))); err != nil {
		return err
	}
	for _, f := range []struct {
		kind string
		has  bool
		add  func(*bytes.Buffer, *batch, *batchTables, bool) error
	}{
		{samplesCSV, true, structLines(func(b *batch) []Sample { return b.samples })},
		{powerSamplesCSV, has.power, structLines(func(b *batch) []PowerSample { return b.power })},
		{latencyCSV, has.latency, structLines(func(b *batch) []Latency { return b.latency })},
		{kernelsCSV, has.kernels, structLines(func(b *batch) []KernelCounter { return b.kernels })},
	} {
		if !f.has {
			continue
		}
		to, err := w.file(w.run.file(f.kind), f.add)
		if err != nil {
			return err
		}
		if to.zip, err = gzip.NewWriterLevel(to.out, level); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) file(name string, add func(*bytes.Buffer, *batch, *batchTables, bool) error) (*runFile, error) {
	pending, err := w.dir.Begin(name)
	if err != nil {
		return nil, err
	}
	f := &runFile{pending: pending, out: bufio.NewWriterSize(pending, 64<<10), add: add}
	w.files = append(w.files, f)
	return f, nil
}

// add appends the rows of a batch to one of the tables.
func (f csvFile) add(to *bytes.Buffer, b *batch, t *batchTables, header bool) error {
	t.own.reset(len(b.rows))
	if err := t.own.add(f.sections, b.rows); err != nil {
		return err
	}
	return t.write(to, header, func(i int) int { return i })
}

// write appends the header, or the lines of own, each behind the head of a row. of returns the row of a line.
func (t *batchTables) write(to *bytes.Buffer, header bool, of func(line int) int) error {
	out := csv.NewWriter(to)
	line := func(head, own []string) error {
		t.line = append(append(t.line[:0], head...), own...)
		return out.Write(t.line)
	}
	if header {
		if err := line(t.head.header, t.own.header); err != nil {
			return err
		}
	}
	for i, own := range t.own.rows {
		if err := line(t.head.rows[of(i)], own); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// structLines appends the structs that a batch has of one kind.
func structLines[T any](of func(*batch) []T) func(*bytes.Buffer, *batch, *batchTables, bool) error {
	return func(to *bytes.Buffer, b *batch, _ *batchTables, header bool) error {
		out := gocsv.NewSafeCSVWriter(csv.NewWriter(to))
		if header {
			return gocsv.MarshalCSV(of(b), out)
		}
		return gocsv.MarshalCSVWithoutHeaders(of(b), out)
	}
}

// encode returns what a batch adds to each file, or the headers. Several threads may call it at the same time.
func (w *writer) encode(b *batch, header bool) ([]bytes.Buffer, error) {
	t := w.tables.Get().(*batchTables)
	defer w.tables.Put(t)
	t.head.reset(len(b.rows))
	if err := t.head.add(w.heads, b.rows); err != nil {
		return nil, err
	}
	texts := make([]bytes.Buffer, len(w.files))
	for i, f := range w.files {
		if err := f.add(&texts[i], b, t, header); err != nil {
			return nil, fmt.Errorf("%s: %w", f.pending.Name(), err)
		}
	}
	return texts, nil
}

// append appends what encode made, in the order of the rows.
func (w *writer) append(texts []bytes.Buffer) error {
	for i, f := range w.files {
		var err error
		if f.zip != nil {
			_, err = f.zip.Write(texts[i].Bytes())
		} else {
			_, err = f.out.Write(texts[i].Bytes())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add appends a batch.
func (w *writer) add(b *batch) error {
	texts, err := w.encode(b, false)
	if err != nil {
		return err
	}
	return w.append(texts)
}

// place gives the files their names, and InfoFile last: it shows that the others exist.
// Between them it removes files of that name that the run has none of.
func (w *writer) place(none []string) error {
	for _, f := range w.files {
		var err error
		if f.zip != nil {
			err = f.zip.Close()
		}
		if err := errors.Join(err, f.out.Flush()); err != nil {
			return err
		}
	}
	for _, f := range w.files {
		if err := f.pending.Place(); err != nil {
			return err
		}
	}
	for _, kind := range none {
		if err := w.dir.Remove(w.run.file(kind)); err != nil {
			return err
		}
	}
	b, err := json.MarshalIndent(infoJSON{infoFormat, w.run.Prefix, w.run.Info, w.run.Axes, w.run.Columns}, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", InfoFile, err)
	}
	return w.dir.Write(InfoFile, bytes.NewReader(append(b, '\n')))
}

// discard removes what is not placed.
func (w *writer) discard() {
	for _, f := range w.files {
		f.pending.Discard()
	}
}

// WriteIn writes the run's files to a folder, each atomically.
func WriteIn(dir *safefile.Folder, r *Run) error {
	has, none := r.optional()
	w, err := newWriter(dir, r, has, gzip.DefaultCompression)
	if err != nil {
		return err
	}
	defer w.discard()
	for rows := range slices.Chunk(r.Rows, batchRows) {
		if err := w.add(&batch{rows: rows}); err != nil {
			return err
		}
	}
	var b batch
	for results := range slices.Chunk(r.Results, batchRows) {
		b.clear()
		for _, res := range results {
			b.add(res)
		}
		if err := w.add(&b); err != nil {
			return err
		}
	}
	return w.place(none)
}

// optional returns the files that the run has, and those that it lacks. Of a run that was read from its files,
// a file with no rows here is neither: it lies there.
func (r *Run) optional() (has optionalFiles, none []string) {
	has.rates = slices.ContainsFunc(r.Rows, func(w Row) bool { return w.Rate.Get().IsSet() })
	has.counters = r.counted()
	has.stages = slices.ContainsFunc(r.Rows, func(w Row) bool { return len(w.Stages) > 0 })
	has.latency = has.rates && r.Results != nil
	for _, res := range r.Results {
		has.power = has.power || res.Energy != nil && len(res.Energy.Samples) > 0
		has.kernels = has.kernels || res.Counters != nil && len(res.Counters.Launches) > 0
	}
	read := r.Results == nil
	for _, f := range []struct {
		kind string
		kept bool
	}{
		{rateCSV, has.rates}, {latencyCSV, has.rates}, {countersCSV, has.counters},
		{kernelsCSV, has.kernels || read && has.counters}, {powerSamplesCSV, has.power}, {stagesCSV, has.stages},
	} {
		if !f.kept {
			none = append(none, f.kind)
		}
	}
	return has, none
}

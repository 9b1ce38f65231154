package record

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/gocarina/gocsv"

	"bench/framework/safefile"
)

// mergeChunk is how many results are converted at once.
const mergeChunk = 2048

// writeFolder writes the merged run to a folder that is not there yet, or is empty:
// whole or not at all. It returns the folder.
func (m *merge) writeFolder(out string) (_ *safefile.Folder, err error) {
	out = filepath.Clean(out)
	above, err := safefile.MakeFolder(filepath.Dir(out))
	if err != nil {
		return nil, fmt.Errorf("make the folder above %s: %w", out, err)
	}
	defer above.Close()
	name := filepath.Base(out)
	partial := fmt.Sprintf(".%s.%d", name, os.Getpid())
	made, err := above.Make(partial)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			above.RemoveAll(partial)
		}
	}()
	err = m.write(made)
	if err == nil {
		err = made.Sync()
	}
	self, failed := made.Info()
	if err := errors.Join(err, failed, made.Close()); err != nil { // Windows renames no open folder
		return nil, err
	}
	if err := above.Rename(partial, name); err != nil {
		return nil, fmt.Errorf("%s cannot become the merged run's folder: %w", out, err)
	}
	folder, err := above.Folder(name)
	if err != nil {
		return nil, err
	}
	err = above.Sync()
	if now, failed := folder.Info(); failed == nil && !os.SameFile(self, now) {
		err = errors.Join(err, fmt.Errorf("%s was replaced while the merged run was written", out))
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// mergeFile is a file of the merged run that grows by pieces.
type mergeFile struct {
	*os.File
	name string
}

// mergePiece is what one chunk adds to each file.
type mergePiece struct {
	texts []bytes.Buffer
	err   error
	done  chan struct{}
}

func (m *merge) write(dir *safefile.Folder) error {
	h := m.header
	h.Format = journalFormat
	run := &Run{Info: m.info, Prefix: h.Prefix, Axes: h.Axes, Columns: m.columns}
	outputs := m.outputs(run)
	m.names = m.columns.names()
	var files []mergeFile
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	var begin mergePiece
	begin.texts = make([]bytes.Buffer, len(outputs))
	for i, o := range outputs {
		f, err := dir.Open(o.name, os.O_CREATE|os.O_EXCL)
		if err != nil {
			return err
		}
		files = append(files, mergeFile{f, o.name})
		if err := o.begin(&begin.texts[i]); err != nil {
			return err
		}
	}
	if err := m.pieces(outputs, &begin, files); err != nil {
		return err
	}
	for _, f := range files {
		if err := f.Sync(); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
	}
	b, err := json.MarshalIndent(infoJSON{infoFormat, run.Prefix, run.Info, run.Axes, run.Columns}, "", "  ")
	if err != nil {
		return err
	}
	return dir.Write(InfoFile, bytes.NewReader(append(b, '\n')))
}

// pieces converts chunks in several threads and writes them in order.
func (m *merge) pieces(outputs []mergeOutput, begin *mergePiece, files []mergeFile) error {
	begin.done = make(chan struct{})
	close(begin.done)
	queue := make(chan *mergePiece, m.opt.Workers)
	slots := make(chan struct{}, m.opt.Workers+1) // pieces that are not written yet
	stop := make(chan struct{})
	var wait sync.WaitGroup
	go func() {
		defer close(queue)
		queue <- begin
		for from := 0; from < len(m.entries); {
			to := min(from+mergeChunk, len(m.entries))
			for to < len(m.entries) && m.entries[to].point == m.entries[to-1].point {
				to++ // a row is of all instances
			}
			select {
			case slots <- struct{}{}:
			case <-stop:
				return
			}
			p := &mergePiece{texts: make([]bytes.Buffer, len(outputs)), done: make(chan struct{})}
			entries := m.entries[from:to]
			wait.Go(func() {
				defer close(p.done)
				p.err = m.convert(entries, outputs, p)
			})
			queue <- p
			from = to
		}
	}()
	var failed error
	for p := range queue {
		<-p.done
		if failed == nil {
			if failed = p.err; failed == nil {
				for i := range files {
					if _, err := files[i].Write(p.texts[i].Bytes()); err != nil && failed == nil {
						failed = fmt.Errorf("write %s: %w", files[i].name, errors.Unwrap(err))
					}
				}
			}
			if failed != nil {
				close(stop)
			}
		}
		if p != begin {
			<-slots
		}
	}
	wait.Wait()
	return failed
}

// mergeOutput is a file of the merged run: how it begins, and what a chunk adds.
type mergeOutput struct {
	name  string
	begin func(*bytes.Buffer) error
	add   func(*bytes.Buffer, *mergeBatch) error
}

// mergeBatch is a chunk of the merged run.
type mergeBatch struct {
	rows    []Row
	head    *table   // of the rows, which all CSV files begin with
	lines   [][]byte // of the merged journal
	latency []Latency
	kernels []KernelCounter
	samples []Sample
	power   []PowerSample
}

// outputs are the files of the merged run.
func (m *merge) outputs(run *Run) []mergeOutput {
	var list []mergeOutput
	tables := m.columns.files()
	journals, power, rates, counted, kernels := true, false, false, false, false
	for _, p := range m.parts {
		journals = journals && p.files == nil
		power, rates = power || p.seen.power, rates || p.seen.rates
		counted, kernels = counted || p.seen.counted, kernels || p.seen.kernels
	}
	if rates {
		tables = append(tables, m.columns.rateFile())
	}
	if counted {
		tables = append(tables, m.columns.counterFile())
	}
	for _, f := range tables {
		list = append(list, mergeOutput{run.file(f.kind),
			func(b *bytes.Buffer) error {
				t, err := f.table(&Run{Prefix: run.Prefix, Columns: run.Columns})
				if err != nil {
					return err
				}
				return csv.NewWriter(b).WriteAll([][]string{t.header})
			},
			func(b *bytes.Buffer, x *mergeBatch) error {
				t, err := f.behind(x.head, &Run{Prefix: run.Prefix, Columns: run.Columns, Rows: x.rows})
				if err != nil {
					return err
				}
				return csv.NewWriter(b).WriteAll(t.rows)
			}})
	}
	samples := zipped(run.file(samplesCSV), func(x *mergeBatch) []Sample { return x.samples })
	samples.add = addSamples
	list = append(list, samples)
	if power {
		list = append(list, zipped(run.file(powerSamplesCSV), func(x *mergeBatch) []PowerSample { return x.power }))
	}
	if rates {
		list = append(list, zipped(run.file(latencyCSV), func(x *mergeBatch) []Latency { return x.latency }))
	}
	if kernels {
		list = append(list, zipped(run.file(kernelsCSV), func(x *mergeBatch) []KernelCounter { return x.kernels }))
	}
	if journals { // files alone do not have all that a journal tells
		list = append(list, mergeOutput{JournalFile,
			func(b *bytes.Buffer) error {
				h := m.header
				h.Format = journalFormat
				for _, l := range []struct {
					kind
					content any
				}{{headerLine, h}, {headerLine, h}, {sessionLine, m.info}} {
					text, err := encodeLine(l.kind, l.content)
					if err != nil {
						return err
					}
					b.Write(text)
				}
				return nil
			},
			func(b *bytes.Buffer, x *mergeBatch) error {
				for _, l := range x.lines {
					b.Write(l)
				}
				return nil
			}})
	}
	return list
}

// zipped is a compressed file of rows. Each chunk is a gzip member of its own, which
// readers take for one stream (RFC 1952, 2.2).
func zipped[T any](name string, of func(*mergeBatch) []T) mergeOutput {
	add := func(b *bytes.Buffer, marshal func(w gocsv.CSVWriter) error) error {
		z, err := gzip.NewWriterLevel(b, gzip.BestSpeed)
		if err != nil {
			return err
		}
		return errors.Join(marshal(gocsv.NewSafeCSVWriter(csv.NewWriter(z))), z.Close())
	}
	return mergeOutput{name,
		func(b *bytes.Buffer) error {
			return add(b, func(w gocsv.CSVWriter) error { return gocsv.MarshalCSV([]T{}, w) })
		},
		func(b *bytes.Buffer, x *mergeBatch) error {
			if len(of(x)) == 0 {
				return nil
			}
			return add(b, func(w gocsv.CSVWriter) error { return gocsv.MarshalCSVWithoutHeaders(of(x), w) })
		}}
}

// addSamples writes the lines that gocsv writes of samples, which are most of a merged
// run, in a tenth of its time.
func addSamples(b *bytes.Buffer, x *mergeBatch) error {
	z, err := gzip.NewWriterLevel(b, gzip.BestSpeed)
	if err != nil || len(x.samples) == 0 {
		return err
	}
	var text []byte
	var version bytes.Buffer
	quoted := csv.NewWriter(&version)
	for i, s := range x.samples {
		if i == 0 || s.Version != x.samples[i-1].Version {
			version.Reset()
			if err := quoted.Write([]string{s.Version, s.Mode}); err != nil { // as a name needs quotation marks
				return err
			}
			quoted.Flush()
			version.Truncate(bytes.LastIndexByte(version.Bytes(), ','))
		}
		text = append(strconv.AppendInt(text, int64(s.Point), 10), ',')
		text = append(strconv.AppendInt(text, int64(s.Instance), 10), ',')
		text = append(append(text, version.Bytes()...), ',')
		text = append(append(text, s.Mode...), ',')
		text = append(strconv.AppendInt(text, int64(s.Index), 10), ',')
		text = append(strconv.AppendFloat(text, s.Time, 'f', -1, 64), '\n')
	}
	_, err = z.Write(text)
	return errors.Join(err, z.Close())
}

// convert reads a chunk's results and adds them to the piece of every file.
func (m *merge) convert(entries []mergeEntry, outputs []mergeOutput, to *mergePiece) error {
	x, ok := m.batches.Get().(*mergeBatch)
	if !ok {
		x = new(mergeBatch)
	}
	defer m.batches.Put(x)
	*x = mergeBatch{x.rows[:0], nil, x.lines[:0], x.latency[:0], x.kernels[:0], x.samples[:0], x.power[:0]}
	for from := 0; from < len(entries); {
		end := from + 1
		for end < len(entries) && entries[end].point == entries[from].point {
			end++
		}
		if err := m.point(entries[from:end], x); err != nil {
			return err
		}
		from = end
	}
	head, err := (&Run{Columns: m.columns, Rows: x.rows}).headTable()
	if err != nil {
		return err
	}
	x.head = head
	for i, o := range outputs {
		if err := o.add(&to.texts[i], x); err != nil {
			return err
		}
	}
	return nil
}

// point adds one point, with its instances.
func (m *merge) point(entries []mergeEntry, x *mergeBatch) error {
	device := m.tables.devices[entries[0].device].name
	if entries[0].length == 0 {
		m.parts[entries[0].part].files.add(entries[0], device, x)
		return nil
	}
	var instances []Result
	for _, e := range entries {
		text, err := m.text(e)
		if err != nil {
			return fmt.Errorf("%s changed while it was merged: %w", m.parts[e.part].Dir, err)
		}
		r, line, err := m.known.renamed(text, int(e.point), device)
		if err != nil {
			return fmt.Errorf("%s changed while it was merged: %w", m.parts[e.part].Dir, err)
		}
		x.lines = append(x.lines, line)
		x.samples = append(x.samples, r.samples()...)
		x.power = append(x.power, r.powerSamples()...)
		x.latency = append(x.latency, r.histogram()...)
		x.kernels = append(x.kernels, r.kernelCounters()...)
		instances = append(instances, r)
	}
	limits, ok := m.limits[[2]string{device, instances[0].Point.PowerMode}]
	if !ok {
		limits = m.limits[[2]string{device, ""}]
	}
	x.rows = append(x.rows, newRow(instances, m.names, limits))
	return nil
}

package record

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"

	"example.org/bench/framework/measure"
	"example.org/bench/internal/textfile"
)

// The compressed files of all samples and readings.
const (
	samplesCSV      = "samples.csv.gz"
	powerSamplesCSV = "power_samples.csv.gz"
)

// Sample is one timed sample.
type Sample struct {
	Point    int     `csv:"point" doc:"the point's number in the other files"`
	Instance int     `csv:"instance" doc:"number of the point's instance, from 0 (measure.repeats)"`
	Version  string  `csv:"version" doc:"implementation"`
	Mode     string  `csv:"mode" doc:"cold (caches flushed before the sample) or hot (back to back)"`
	Index    int     `csv:"index" doc:"number of the sample in its series, in the order taken"`
	Time     float64 `csv:"time_s" doc:"time of one run"`
}

// PowerSample is one reading of one sensor channel.
type PowerSample struct {
	Point   int    `csv:"point" doc:"the point's number in the other files"`
	Version string `csv:"version" doc:"implementation"`
	Time    Number `csv:"time_s" doc:"since the start of the sustained run; negative before it"`
	Sensor  string `csv:"sensor" doc:"whose channel it is"`
	Channel string `csv:"channel" doc:"the channel that was read"`
	Value   Number `csv:"value" doc:"in the channel's unit (run.json: sensors)"`
}

// samples returns the timed samples of one point.
func (res Result) samples() (rows []Sample) {
	add := func(mode string, s *measure.Series) {
		if s == nil {
			return
		}
		rows = slices.Grow(rows, len(s.Samples))
		for i, x := range s.Samples {
			rows = append(rows, Sample{res.Point.ID, res.Point.Instance, res.Point.Version, mode, i, x})
		}
	}
	add("cold", res.Cold)
	add("hot", res.Hot)
	return rows
}

// told rounds a time between two readings of a clock of nanoseconds: less than 0.1 ns is an error of the
// arithmetic.
func told(seconds float64) Number { return Measured(math.Round(seconds*1e10) / 1e10) }

// powerSamples returns the readings of one point.
func (res Result) powerSamples() (rows []PowerSample) {
	if res.Energy == nil {
		return nil
	}
	for _, s := range res.Energy.Samples {
		rows = append(rows, PowerSample{res.Point.ID, res.Point.Version, told(s.Time), s.Sensor, s.Channel, Measured(s.Value)})
	}
	return rows
}

// eachOf returns the rows of every result.
func eachOf[T any](results []Result, rows func(Result) []T) (all []T) {
	for _, res := range results {
		all = append(all, rows(res)...)
	}
	return all
}

// ReadSamples returns the timed samples of a run. Without r.Results it reads them from the run's folder.
func ReadSamples(dir string, r *Run) (*Samples, error) {
	s := &Samples{}
	if r.Results != nil {
		for _, res := range r.Results {
			for _, x := range res.samples() {
				s.add(x)
			}
		}
		s.sort()
		return s, nil
	}
	s.series = make([]placedSeries, 0, len(r.Rows)) // mostly one each
	var n numbering
	err := eachCompressed(filepath.Join(dir, r.file(samplesCSV)), func(x *Sample) error {
		if err := n.check(x, s); err != nil {
			return err
		}
		s.add(*x)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.sort()
	return s, nil
}

// ReadPowerSamples returns the readings of power channels likewise; none if no power was measured.
func ReadPowerSamples(dir string, r *Run) ([]PowerSample, error) {
	if r.Results != nil {
		return eachOf(r.Results, Result.powerSamples), nil
	}
	samples, err := readCompressed[PowerSample](filepath.Join(dir, r.file(powerSamplesCSV)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return samples, err
}

// readCompressed reads a compressed file.
func readCompressed[T any](path string) (rows []T, err error) {
	err = eachCompressed(path, func(row *T) error {
		rows = append(rows, *row)
		return nil
	})
	return rows, err
}

// eachCompressed hands the rows of a compressed file to a function, which may refuse one and
// keeps none.
func eachCompressed[T any](path string, to func(*T) error) error {
	t, err := textfile.OpenTable(path)
	if err != nil {
		return err
	}
	defer t.Close()
	t.Reader().ReuseRecord = true
	header, err := t.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: empty file, want a header line", path)
	}
	if err != nil {
		return err
	}
	columns := columnsOfStruct[T]()
	at := make([]int, len(columns))
	for i, c := range columns {
		at[i] = slices.Index(header, c.name)
	}
	known := textfile.Texts{}
	var row, none T
	v := reflect.ValueOf(&row).Elem()
	for {
		cells, err := t.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		row = none
		for i, c := range columns {
			if at[i] < 0 {
				continue
			}
			if err := setCell(v.FieldByIndex(c.index), cells[at[i]], known); err != nil {
				return fmt.Errorf("%s: line %d: column %s: %w", path, t.Line(), c.name, err)
			}
		}
		if err := to(&row); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, t.Line(), err)
		}
	}
}

// structColumn is a field that is a column.
type structColumn struct {
	name  string
	index []int
}

// columnsOfStruct returns the columns of a struct.
func columnsOfStruct[T any]() (columns []structColumn) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name := f.Tag.Get("csv"); name != "" {
			columns = append(columns, structColumn{name, f.Index})
		}
	}
	return columns
}

// setCell reads a cell of a compressed file, of which there are many: gocsv takes several
// times as long, and takes 010 for 8. An empty cell leaves the zero value.
func setCell(v reflect.Value, cell string, known textfile.Texts) (err error) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(known.Keep(cell))
		return nil
	case reflect.Int, reflect.Int64:
		if cell == "" {
			return nil
		}
		x, err := strconv.ParseInt(cell, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is no whole number", cell)
		}
		v.SetInt(x)
		return nil
	case reflect.Float64:
		if cell == "" {
			return nil
		}
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return fmt.Errorf("%q is no number", cell)
		}
		v.SetFloat(x)
		return nil
	}
	switch x := v.Addr().Interface().(type) {
	case *Number:
		return x.UnmarshalCSV(cell)
	case *Count:
		return x.UnmarshalCSV(cell)
	}
	return nil
}

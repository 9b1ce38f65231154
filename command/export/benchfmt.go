package export

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/lazy"
)

// The units in the benchmark format. Where benchstat knows a unit by a name, it is that name.
const (
	timeUnit     = "sec/op"
	hotUnit      = "hot-sec/op"
	relativeUnit = "relative-time" // of publications that give only speed-ups
	energyUnit   = "J/op"
	powerUnit    = "W"
	flopUnit     = "nominal-flop/op"
	bytesUnit    = "nominal-B/op"
)

// writeBenchmarks writes a line for each sample. Where several processes measured a
// point, it writes a line for each process, with the median of its samples: the samples
// of one process depend on each other.
func writeBenchmarks(w io.Writer, dir string, r *record.Run, _ *record.Tidy) (loss string, err error) {
	samples, err := record.ReadSamples(dir, r)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // a publication has none
		return "", err
	}
	out := benchfmt.NewWriter(w)
	for _, u := range metadata {
		if err := out.Write(&benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: u[0], Key: u[1]}, OrigUnit: u[0], Value: u[2]}); err != nil {
			return "", err
		}
	}
	left := map[record.Status]int{}
	for i := range r.Rows {
		row := &r.Rows[i]
		lines := linesOf(r, row, samples.Of(row.Point))
		if len(lines) == 0 {
			left[row.Status]++
		}
		config := configOf(r, row)
		for n, values := range lines {
			b := &benchfmt.Result{Config: config, Name: nameOf(r, row), Iters: 1, Values: values}
			if values[0].Unit == timeUnit {
				b.Iters = int(max(1, row.Time.Batch.Int()))
			}
			if n == 0 {
				b.Values = append(b.Values, once(row)...)
			}
			if err := out.Write(b); err != nil {
				return "", err
			}
		}
	}
	return leftOut(left), nil
}

// metadata tells benchstat about units: unit, key and value.
var metadata = [][3]string{
	{hotUnit, "better", "lower"}, {relativeUnit, "better", "lower"}, {energyUnit, "better", "lower"}, {"miss-share", "better", "lower"},
	{"latency-p50-sec", "better", "lower"}, {"latency-p99-sec", "better", "lower"}, {"latency-p999-sec", "better", "lower"}, {"latency-worst-sec", "better", "lower"},
	{flopUnit, "assume", "exact"}, {bytesUnit, "assume", "exact"},
}

// linesOf returns the measured values of a point, grouped by line; none where nothing
// was measured.
func linesOf(r *record.Run, row *record.Row, samples iter.Seq[record.SampleSeries]) (lines [][]benchfmt.Value) {
	if row.Status != record.OK {
		return nil
	}
	if row.Rate.Get().IsSet() {
		return [][]benchfmt.Value{latencies(row.Rate.Get())}
	}
	cold, hot := seriesOf(samples, "cold"), seriesOf(samples, "hot")
	if len(cold) == 0 {
		cold, hot = hot, nil
	}
	if len(cold) == 0 && row.Time.Median.IsSet() {
		cold = []float64{row.Time.Median.Float()}
	}
	unit := timeUnit
	if r.Info.RelativeTo != "" {
		unit = relativeUnit
	}
	for i := range max(len(cold), len(hot)) {
		var values []benchfmt.Value
		if i < len(cold) {
			values = append(values, benchfmt.Value{Value: cold[i], Unit: unit})
		}
		if i < len(hot) {
			values = append(values, benchfmt.Value{Value: hot[i], Unit: hotUnit})
		}
		lines = append(lines, values)
	}
	return lines
}

// seriesOf returns the samples of a mode, or the medians of several instances.
func seriesOf(samples iter.Seq[record.SampleSeries], mode string) (series []float64) {
	var instances []int
	by := map[int][]float64{}
	for s := range samples {
		if s.Mode != mode {
			continue
		}
		if by[s.Instance] == nil {
			instances = append(instances, s.Instance)
		}
		by[s.Instance] = append(by[s.Instance], s.Times...)
	}
	if len(instances) == 1 {
		return by[instances[0]]
	}
	for _, i := range instances {
		series = append(series, stats.Median(by[i]))
	}
	return series
}

func latencies(r record.Rate) []benchfmt.Value {
	return set([]benchfmt.Value{
		{Value: r.P50.Float(), Unit: "latency-p50-sec"}, {Value: r.P99.Float(), Unit: "latency-p99-sec"}, {Value: r.P999.Float(), Unit: "latency-p999-sec"},
		{Value: r.Worst.Float(), Unit: "latency-worst-sec"}, {Value: r.MissShare.Float(), Unit: "miss-share"},
	})
}

// once returns the values of which a point has one, however many its samples.
func once(row *record.Row) []benchfmt.Value {
	var counts []benchfmt.Value
	if n := row.Work.NominalFLOPs; n.IsSet() {
		counts = append(counts, benchfmt.Value{Value: float64(n.Int()), Unit: flopUnit})
	}
	if n := row.Memory.NominalBytes; n.IsSet() {
		counts = append(counts, benchfmt.Value{Value: float64(n.Int()), Unit: bytesUnit})
	}
	return append(counts, set([]benchfmt.Value{{Value: row.Energy.Get().Total.Float(), Unit: energyUnit}, {Value: row.Power.Get().Total.Float(), Unit: powerUnit}})...)
}

// set returns the values that are numbers.
func set(values []benchfmt.Value) []benchfmt.Value {
	return slices.DeleteFunc(values, func(v benchfmt.Value) bool { return math.IsNaN(v.Value) })
}

// configOf returns the lines before a point's, as go test writes them. benchstat does not
// compare points that differ in them.
func configOf(r *record.Run, row *record.Row) (config []benchfmt.Config) {
	system, architecture, _ := strings.Cut(r.Info.Tool.Platform, "/")
	key := "cpu"
	if row.Processor == framework.GPU {
		key = "gpu"
	}
	for _, c := range [][2]string{{"goos", system}, {"goarch", architecture}, {key, r.Origin("", row).DeviceName}} {
		if value := strings.Join(strings.Fields(c[1]), " "); value != "" {
			config = append(config, benchfmt.Config{Key: c[0], Value: []byte(value), File: true})
		}
	}
	return config
}

// nameOf returns the benchmark's name of a point: the algorithm, and KEY=VALUE for what
// was swept or chosen.
func nameOf(r *record.Run, row *record.Row) benchfmt.Name {
	first, size := utf8.DecodeRuneInString(row.Algorithm)
	var b strings.Builder
	b.WriteString(escape(string(unicode.ToUpper(first)) + row.Algorithm[size:]))
	part := func(key, value string) { fmt.Fprintf(&b, "/%s=%s", escape(key), escape(value)) }
	for _, c := range r.Columns.Params {
		if v := row.Params.Get(c.Name); v.IsSet() {
			part(c.Column, v.String())
		}
	}
	for _, c := range r.Columns.Tunables {
		if v := row.Tunables.Get(c.Name); v.IsSet() {
			part(c.Column, v.String())
		}
	}
	part("version", row.Version)
	if row.PowerMode != "" {
		part("power_mode", row.PowerMode)
	}
	part("device", row.Device)
	name := b.String()
	if at := processors().FindStringIndex(name); at != nil { // benchstat would read it as GOMAXPROCS
		name = name[:at[0]] + "%2D" + name[at[0]+1:]
	}
	return benchfmt.Name(name)
}

var processors = lazy.Regexp(`-[0-9]+$`)

// escape encodes what would end a name or a part of it as a URL does: %20 for a space.
func escape(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c == '/' || c == '%' || unicode.IsSpace(c) || !unicode.IsPrint(c) {
			for _, x := range []byte(string(c)) {
				fmt.Fprintf(&b, "%%%02X", x)
			}
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

// leftOut says which points have no line.
func leftOut(points map[record.Status]int) string {
	var parts []string
	n := 0
	for _, status := range slices.Sorted(maps.Keys(points)) {
		n += points[status]
		parts = append(parts, fmt.Sprintf("%d %s", points[status], status))
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("points of which no time is recorded are left out: %s", strings.Join(parts, ", "))
}

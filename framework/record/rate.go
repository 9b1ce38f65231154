package record

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/measure"
	"example.org/bench/framework/stats"
)

// The files of points at a rate; a run without such points has none.
const (
	rateCSV    = "rate.csv"
	latencyCSV = "latency.csv.gz"
)

// Rate is a series of runs at a rate. Of several instances, latencies are the geometric
// means of theirs with Student's interval, counts are sums and worst cases the worst.
type Rate struct {
	Hz         Number `csv:"release_hz" doc:"releases per second: what the config asks for, or the highest rate that met its deadlines"`
	Low        Number `csv:"highest_low_hz" doc:"of rate_hz max: the highest rate that met its deadlines"`
	High       Number `csv:"highest_high_hz" doc:"of rate_hz max: the lowest rate that did not; empty if every rate that was tried met them"`
	Trials     Count  `csv:"trials" doc:"of rate_hz max: rates that were tried"`
	Allowed    Number `csv:"allowed_s" doc:"the deadline of each run after its release, in seconds also where deadline_s is period"`
	Releases   Count  `csv:"releases" doc:"releases that count"`
	Unserved   Count  `csv:"unserved" doc:"releases that no run had begun for by the end: the runs fell behind"`
	Misses     Count  `csv:"misses" doc:"releases whose run had not ended at its deadline"`
	MissShare  Number `csv:"miss_share" doc:"misses / releases"`
	MissLow    Number `csv:"miss_share_low" doc:"lower end of the 95 % interval of the probability of a miss"`
	MissHigh   Number `csv:"miss_share_high" doc:"upper end of it"`
	P50        Number `csv:"latency_p50_s" doc:"median time from a release to the end of its run"`
	P50Low     Number `csv:"latency_p50_low_s" doc:"lower end of its 95 % interval; empty where no sample bounds it, as at the other percentiles"`
	P50High    Number `csv:"latency_p50_high_s" doc:"upper end of it"`
	P90        Number `csv:"latency_p90_s" doc:"90th percentile"`
	P90Low     Number `csv:"latency_p90_low_s" doc:"lower end of its interval"`
	P90High    Number `csv:"latency_p90_high_s" doc:"upper end of it"`
	P99        Number `csv:"latency_p99_s" doc:"99th percentile"`
	P99Low     Number `csv:"latency_p99_low_s" doc:"lower end of its interval"`
	P99High    Number `csv:"latency_p99_high_s" doc:"upper end of it"`
	P999       Number `csv:"latency_p999_s" doc:"99.9th percentile"`
	P999Low    Number `csv:"latency_p999_low_s" doc:"lower end of its interval"`
	P999High   Number `csv:"latency_p999_high_s" doc:"upper end of it"`
	Worst      Number `csv:"latency_worst_s" doc:"the longest"`
	Mean       Number `csv:"latency_mean_s" doc:"mean"`
	Wakeup     Number `csv:"wakeup_p50_s" doc:"median time from a release that was waited for to the beginning of its run: the tool's and the system's own, part of the latency"`
	Wakeup99   Number `csv:"wakeup_p99_s" doc:"its 99th percentile"`
	Wakeup999  Number `csv:"wakeup_p999_s" doc:"its 99.9th percentile"`
	WakeWorst  Number `csv:"wakeup_worst_s" doc:"the longest"`
	Waited     Count  `csv:"waited" doc:"releases that were waited for; the others came while the run before was under way"`
	Used       Number `csv:"utilisation" doc:"mean time from the beginning of a run to its end, by the period; beyond 1 the runs fall behind"`
	Throughput Number `csv:"throughput_hz" doc:"runs that ended, per second"`
	Scheduler  string `csv:"scheduler" doc:"scheduling policy and priority in force: fifo 40, or other"`
	Locked     string `csv:"memory_locked" kind:"bool" doc:"true if the process's pages were locked in memory"`
	Slack      Number `csv:"timer_slack_s" doc:"by how much the kernel may delay the timer of a sleeping thread; empty if it may not"`
	Lacking    string `csv:"not_in_force" doc:"what the system did not permit, and why"`
	Instances  Count  `csv:"rate_instances" doc:"instances of the point (measure.repeats)"`
}

// IsSet reports whether the point was measured at a rate.
func (r Rate) IsSet() bool { return r.Hz.IsSet() }

// rateOf summarises the series of each instance; none where there is none.
func rateOf(series []*measure.Released) (r Rate) {
	if len(series) == 0 {
		return r
	}
	first := series[0]
	r = Rate{Hz: Measured(first.Rate), Allowed: Measured(first.Deadline), Scheduler: first.Force.Scheduler, Locked: strconv.FormatBool(first.Force.Locked),
		Slack: positive(first.Force.Slack), Lacking: strings.Join(first.Force.Lacking, "; "), Instances: Counted(int64(len(series)))}
	var low, high, hz []float64
	var trials, releases, unserved, misses, waited int64
	worst, wake, mean, used, throughput := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, x := range series {
		releases, unserved, misses, waited = releases+x.Releases, unserved+x.Unserved, misses+x.Misses, waited+x.Waited
		worst, wake = max(worst, x.Worst), max(wake, x.WorstWakeup)
		share := 1 / float64(len(series))
		mean, used, throughput = mean+share*x.Mean, used+share*x.Utilisation, throughput+share*x.Throughput
		hz = append(hz, x.Rate)
		if h := x.Highest; h != nil {
			trials += int64(h.Trials)
			low = append(low, h.Low)
			high = append(high, h.High)
		}
	}
	r.Releases, r.Unserved, r.Misses, r.Waited = Counted(releases), Counted(unserved), Counted(misses), Counted(waited)
	r.MissShare = Measured(float64(misses) / float64(releases))
	r.MissLow, r.MissHigh = Measured(first.MissLow), Measured(first.MissHigh)
	r.Worst, r.Mean, r.Used, r.Throughput = Measured(worst), Measured(mean), Measured(used), Measured(throughput)
	if waited > 0 {
		r.WakeWorst = Measured(wake)
	}
	if len(low) > 0 {
		r.Trials, r.Low, r.High = Counted(trials), Measured(slices.Min(low)), positive(slices.Max(high))
	}
	if len(series) > 1 {
		// The widest of the instances' intervals: their shares are of one rate, or near it.
		for _, x := range series[1:] {
			r.MissLow, r.MissHigh = Measured(min(r.MissLow.Float(), x.MissLow)), Measured(max(r.MissHigh.Float(), x.MissHigh))
		}
		m, l, h := stats.Instances(hz, stats.Confidence)
		if r.Hz = Measured(m); len(low) > 0 {
			r.Low, r.High = Measured(min(l, r.Low.Float())), Measured(max(h, r.High.Float()))
		}
	}
	for i, to := range [][3]*Number{{&r.P50, &r.P50Low, &r.P50High}, {&r.P90, &r.P90Low, &r.P90High}, {&r.P99, &r.P99Low, &r.P99High}, {&r.P999, &r.P999Low, &r.P999High}} {
		*to[0], *to[1], *to[2] = percentile(series, i, func(x *measure.Released) []measure.Percentile { return x.Latency })
	}
	of := func(x *measure.Released) []measure.Percentile { return x.Wakeup }
	r.Wakeup, _, _ = percentile(series, 0, of)
	r.Wakeup99, _, _ = percentile(series, 2, of)
	r.Wakeup999, _, _ = percentile(series, 3, of)
	return r
}

// percentile returns one of measure.Percentiles with its interval.
func percentile(series []*measure.Released, i int, of func(*measure.Released) []measure.Percentile) (value, low, high Number) {
	var values []float64
	for _, x := range series {
		if p := of(x); i < len(p) {
			values = append(values, p[i].Value)
		}
	}
	switch {
	case len(values) == 0 || len(values) < len(series):
		return
	case len(values) > 1 && slices.Min(values) > 0:
		m, l, h := stats.Instances(values, stats.Confidence)
		return Measured(m), Measured(l), Measured(h)
	}
	p := of(series[0])[i]
	if value = Measured(p.Value); p.Low > 0 {
		low = Measured(p.Low)
	}
	if p.High != nil {
		high = Measured(*p.High)
	}
	return value, low, high
}

// Latency is one bin of a point's histogram.
type Latency struct {
	Point    int     `csv:"point" doc:"the point's number in the other files"`
	Instance int     `csv:"instance" doc:"number of the point's instance, from 0 (measure.repeats)"`
	Version  string  `csv:"version" doc:"implementation"`
	Upper    float64 `csv:"latency_s" doc:"the longest latency of the bin, within a thousandth; the bins ascend"`
	Count    int64   `csv:"count" doc:"releases in it"`
}

// histogram returns the latencies of one point by bins.
func (res Result) histogram() (rows []Latency) {
	if res.Rate == nil {
		return nil
	}
	for _, b := range res.Rate.Histogram {
		rows = append(rows, Latency{res.Point.ID, res.Point.Instance, res.Point.Version, b.Value, b.Count})
	}
	return rows
}

// ReadLatencies returns the histograms of a run's points at a rate. Without r.Results it reads them from the
// run's folder.
func ReadLatencies(dir string, r *Run) ([]Latency, error) {
	if r.Results != nil {
		return eachOf(r.Results, Result.histogram), nil
	}
	all, err := readCompressed[Latency](filepath.Join(dir, r.file(latencyCSV)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return all, err
}

// rateFile returns the CSV file of points at a rate.
func (c Columns) rateFile() csvFile {
	var clocks numbers
	for _, name := range c.Clocks {
		id := "rate_clock_" + identifier(name)
		clocks = append(clocks,
			reading(id+"_before_Hz", name, func(w *Row) *map[string]float64 { return &w.ClocksBefore }),
			reading(id+"_after_Hz", name, func(w *Row) *map[string]float64 { return &w.ClocksAfter }))
	}
	return csvFile{rateCSV, []section{rare[Rate]{"", func(w *Row) *Rare[Rate] { return &w.Rate }}, clocks}}
}

package record

import (
	"errors"
	"fmt"
	"io/fs"

	"example.org/bench/framework/plan"
)

// mergeFiles is a run of which only the files are there.
type mergeFiles struct {
	run     *Run
	samples *Samples
	power   map[int][]PowerSample
	latency map[int][]Latency
	kernels map[int][]KernelCounter
}

// scanFiles reads a run that has no journal.
func (m *merge) scanFiles(p *mergePart, number int32) error {
	run, err := readWritten(p.Dir)
	switch {
	case err != nil:
		return err
	case run == nil:
		return fmt.Errorf("%s holds no results: there is no %s and no %s; give folders that bench run has written", p.Dir, JournalFile, InfoFile)
	case run.Info.Source != "":
		return fmt.Errorf("%s has figures of a publication, %s: merge runs of this tool", p.Dir, run.Info.Source)
	}
	f := &mergeFiles{run: run}
	samples, err := ReadSamples(p.Dir, run)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.samples = samples
	power, err := ReadPowerSamples(p.Dir, run)
	if err != nil {
		return err
	}
	f.power = byPoint(power, func(s PowerSample) int { return s.Point })
	latency, err := ReadLatencies(p.Dir, run)
	if err != nil {
		return err
	}
	f.latency = byPoint(latency, func(s Latency) int { return s.Point })
	kernels, err := ReadKernelCounters(p.Dir, run)
	if err != nil {
		return err
	}
	f.kernels = byPoint(kernels, func(s KernelCounter) int { return s.Point })
	p.files = f
	i := run.Info
	p.sessions = []Info{i}
	p.headers = []Header{{Config: i.Config.Path, ConfigHash: i.Config.Hash, Set: i.Config.Set, Seed: i.Seed, Version: i.Tool.Version,
		Prefix: run.Prefix, Axes: run.Axes, Total: len(run.Rows)}}
	p.seen.ended, p.seen.has.power = i.Ended, len(power) > 0
	p.seen.has.counters, p.seen.has.kernels = run.counted(), len(kernels) > 0
	for _, c := range run.Columns.Counters {
		put(&p.seen.counters, c.Name, true)
	}
	for _, name := range run.Columns.Temperatures {
		put(&p.seen.temperatures, name, true)
	}
	for _, name := range run.Columns.State {
		put(&p.seen.state, name, true)
	}
	for _, name := range run.Columns.Clocks {
		put(&p.seen.clocks, name, true)
	}
	for _, r := range run.Columns.Rails {
		p.seen.rail(r)
	}
	for n := range run.Rows {
		w := &run.Rows[n]
		p.seen.has.rates = p.seen.has.rates || w.Rate.Get().IsSet()
		p.seen.has.stages = p.seen.has.stages || len(w.Stages) > 0
		point := plan.Point{Algorithm: w.Algorithm, Version: w.Version, Processor: w.Processor, PowerMode: w.PowerMode, Params: w.Params.Values(), Tunables: w.Tunables.Values()}
		for _, c := range run.Columns.Params {
			if w.Params.Get(c.Name).IsSet() {
				point.ParamOrder = append(point.ParamOrder, c.Name)
			}
		}
		for _, c := range run.Columns.Tunables {
			if w.Tunables.Get(c.Name).IsSet() {
				point.TunableOrder = append(point.TunableOrder, c.Name)
			}
		}
		e := m.tables.entry(point)
		e.part, e.offset, e.device = number, int64(n), m.tables.device(p, w.Device)
		e.ok, e.started = w.Status == OK, instant(i.Ended)
		p.entries = append(p.entries, e)
	}
	return nil
}

func byPoint[T any](list []T, point func(T) int) map[int][]T {
	m := map[int][]T{}
	for _, x := range list {
		m[point(x)] = append(m[point(x)], x)
	}
	return m
}

// add adds one point to a chunk.
func (f *mergeFiles) add(e mergeEntry, device string, b *batch) {
	row := f.run.Rows[e.offset]
	from, to := row.Point, int(e.point)
	row.Device, row.Point = device, to
	b.rows = append(b.rows, row)
	for s := range f.samples.Of(from) {
		b.samples = s.list(to, b.samples)
	}
	for _, s := range f.power[from] {
		s.Point = to
		b.power = append(b.power, s)
	}
	for _, s := range f.kernels[from] {
		s.Point = to
		b.kernels = append(b.kernels, s)
	}
	for _, s := range f.latency[from] {
		s.Point = to
		b.latency = append(b.latency, s)
	}
}

package profile

import (
	"context"
	"errors"
	"fmt"
	"io"

	"bench/framework/engine"
	"bench/framework/plan"
	"bench/framework/record"
)

// The metrics of section GPU Speed Of Light, and what its units are made of.
const (
	computeShare = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
	memoryShare  = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
	dramShare    = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
	l2Share      = "lts__throughput.avg.pct_of_peak_sustained_elapsed"
	l1Share      = "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"
	duration     = "gpu__time_duration.sum"
	dramBytes    = "dram__bytes.sum"
	l2Sectors    = "lts__t_sectors.sum"
	executed     = "smsp__inst_executed.sum"
	warpsShare   = "sm__warps_active.avg.pct_of_peak_sustained_active"
)

func speedMetrics() []string {
	return []string{computeShare, memoryShare, dramShare, l2Share, l1Share, duration, dramBytes, l2Sectors, executed, warpsShare}
}

// Speed is what the profiler says of one run with cold caches: shares of what the GPU
// could do, each kernel's by its time.
type Speed struct {
	Kernels      int     `json:"kernels"`
	Seconds      float64 `json:"time_s"`
	Compute      float64 `json:"compute"`
	Memory       float64 `json:"memory"` // the largest of the next three and others
	DRAM         float64 `json:"dram"`
	L2           float64 `json:"l2"`
	L1           float64 `json:"l1"`
	Warps        float64 `json:"warps"` // resident, of those that a multiprocessor holds
	DRAMBytes    float64 `json:"dram_bytes"`
	L2Sectors    float64 `json:"l2_sectors"`
	Instructions float64 `json:"instructions"` // of warps
}

// The class by the rule SOLBottleneck of that section.
const (
	BoundByMemory  = "memory"
	BoundByCompute = "compute"
	BoundByLatency = "latency"
)

// Class is that of the profiler's rule: below 60 % of both, latency; else what is larger.
func (s Speed) Class() string {
	switch {
	case s.Compute < 0.6 && s.Memory < 0.6:
		return BoundByLatency
	case s.Memory >= s.Compute:
		return BoundByMemory
	}
	return BoundByCompute
}

func (s *Speed) add(row []string, column map[string]int) error {
	values := map[string]float64{}
	for _, name := range speedMetrics() {
		x, err := cell(row, column, name)
		if err != nil {
			return err
		}
		values[name] = x
	}
	const nano = 1e-9
	t := nano * values[duration]
	all := s.Seconds + t
	for name, to := range map[string]*float64{computeShare: &s.Compute, memoryShare: &s.Memory, dramShare: &s.DRAM, l2Share: &s.L2, l1Share: &s.L1, warpsShare: &s.Warps} {
		if all > 0 {
			*to = (*to*s.Seconds + values[name]/100*t) / all
		}
	}
	s.Kernels++
	s.Seconds = all
	s.DRAMBytes += values[dramBytes]
	s.L2Sectors += values[l2Sectors]
	s.Instructions += values[executed]
	return nil
}

// Speeds runs the points under the profiler, as Counts does, and returns what it says of
// each that ran; keep gets its table, and may be nil. A point that could not be profiled
// has no entry.
func Speeds(ctx context.Context, e *engine.Engine, profiler string, points []plan.Point, keep io.Writer) (map[string]Speed, error) {
	runs, text, ended, err := profiled(ctx, e, profiler, points, speedMetrics(), "all", keep)
	if err != nil {
		return nil, err
	}
	profiles, err := runsOf(text, speedMetrics(), (*Speed).add)
	if err != nil {
		return nil, errors.Join(ended, err)
	}
	found := map[string]Speed{}
	for i, r := range runs {
		if !r.Ran {
			continue
		}
		if len(profiles) == 0 {
			return found, errors.Join(ended, fmt.Errorf("the profiler saw less runs than the %d points that ran", len(runs)))
		}
		if r.Result.Status == record.OK {
			found[points[i].Key()] = profiles[0]
		}
		profiles = profiles[1:]
	}
	return found, ended
}

// Metric is a sum over a run's kernels that Speeds has, too.
type Metric struct {
	Name string
	Of   func(Speed) float64
}

// Compared are the metrics by which other counters are held against the profiler's.
func Compared() []Metric {
	return []Metric{
		{dramBytes, func(s Speed) float64 { return s.DRAMBytes }},
		{l2Sectors, func(s Speed) float64 { return s.L2Sectors }},
		{executed, func(s Speed) float64 { return s.Instructions }},
	}
}

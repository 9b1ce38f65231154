package ncu

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

// Busiest is the class by the counters themselves, of which the rule's memory leaves some
// out: memory where DRAM, the L2 cache or the first-level cache is the busiest and busy for
// 60 %, compute where it is.
func (s Speed) Busiest() string {
	s.Memory = max(s.Memory, s.DRAM, s.L2, s.L1)
	return s.Class()
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

// Metric is a sum over a run's kernels that Speeds has, too.
type Metric struct {
	Name   string
	Of     func(Speed) float64
	Cached bool // it depends on what the caches hold before
}

// Compared are the metrics by which other counters are held against the profiler's.
func Compared() []Metric {
	return []Metric{
		{dramBytes, func(s Speed) float64 { return s.DRAMBytes }, true},
		{l2Sectors, func(s Speed) float64 { return s.L2Sectors }, true},
		{executed, func(s Speed) float64 { return s.Instructions }, false},
	}
}

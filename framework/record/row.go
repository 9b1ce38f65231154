package record

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/stats"
)

// Row is one point as the CSV files keep it: the summary of a Result. The csv tags are the columns, and the
// doc tags their description in docs/csv.md.
type Row struct {
	Key
	Params, Tunables framework.Settings
	// Changed names the tunables that are not the version's defaults. It is of a run just
	// made: no file of the run has it.
	Changed []string
	Outcome
	Conditions
	// Neighbours are those of a GPU's point.
	Neighbours Rare[Neighbours]
	Time       Statistics
	// Hot is set where Time is of the cold series.
	Hot Rare[Statistics]
	Timing
	Verification
	Work   WorkRates
	Memory MemoryRates
	Power  Rare[Power]
	Energy Rare[Energy]
	// Rate is of a point at a rate, which has no Time.
	Rate Rare[Rate]
	// Stages are those of a run that has several, where the config asks for them. NoStages is why there are none: it is
	// of a run just made, of the files the notes have it.
	Stages   []Stage
	NoStages string
	// Counters by name, and how they came about.
	Counters map[string]float64
	Counting Rare[Counting]
	// Doubts are why Power.Total and Energy.Total are missing or not to be
	// trusted, as the table says it. They are of a run just made: of the files
	// power_notes alone has them, by channel.
	Doubts []string
	// Rails by RailColumn.Column, temperatures in degrees Celsius by sensor.
	Rails                               map[string]Rail
	TemperatureBefore, TemperatureAfter map[string]float64
	// State is the machine's clocks and throttling: cells by column.
	State map[string]string
	// Clocks in Hz by name, of a point at a rate.
	ClocksBefore, ClocksAfter map[string]float64
}

// Key begins every row.
type Key struct {
	Algorithm string              `csv:"algorithm" doc:"name of the algorithm, or of the program that ran"`
	Version   string              `csv:"version" doc:"implementation"`
	Processor framework.Processor `csv:"processor" doc:"CPU or GPU"`
	Device    string              `csv:"device" doc:"cpu, cuda:0, …; of a merged run MACHINE:DEVICE"`
	PowerMode string              `csv:"power_mode" doc:"name of the board's power mode; empty if there is none"`
}

// Outcome is how the point ended.
type Outcome struct {
	Status Status `csv:"status" doc:"ok, wrong (answer beyond its error bound, never timed), impossible (a time in which the answer cannot have been written), failed, timeout or skipped"`
	Reason string `csv:"reason" doc:"why the status is not ok"`
	Point  int    `csv:"point" doc:"number of the point in the run; samples refer to it"`
}

// Statistics summarise one series of samples.
type Statistics struct {
	Median    Number `csv:"time_s" doc:"median time of one run"`
	Q1        Number `csv:"time_q1_s" doc:"lower quartile"`
	Q3        Number `csv:"time_q3_s" doc:"upper quartile"`
	Min       Number `csv:"time_min_s" doc:"smallest sample"`
	Max       Number `csv:"time_max_s" doc:"largest sample"`
	Mean      Number `csv:"time_mean_s" doc:"mean of the samples"`
	Stdev     Number `csv:"time_stdev_s" doc:"sample standard deviation; empty below 2 samples"`
	Low       Number `csv:"time_ci_low_s" doc:"lower end of the 95 % confidence interval of the median, which counts that samples resemble each other (docs/measuring.md); empty below 6 samples"`
	High      Number `csv:"time_ci_high_s" doc:"upper end of it"`
	Instances Count  `csv:"instances" doc:"instances of the point, each in a process of its own (measure.repeats); of several, time_s is the geometric mean of their medians, the interval is Student's over them, and the other statistics are of all samples"`
	Samples   Count  `csv:"samples" doc:"samples that count"`
	Batch     Count  `csv:"runs_per_sample" doc:"number of runs averaged in one sample"`
	Dropped   Count  `csv:"dropped_samples" doc:"samples left out because the SM clock was too low"`
	Converged string `csv:"converged" kind:"bool" doc:"true if the stopping rule was satisfied, false otherwise"`
	Stop      string `csv:"stop" doc:"what ended the series, in words"`
	Moved     Number `csv:"level_change" doc:"by which share the level changed while sampling, beyond chance; empty where it did not"`
	Clock     Number `csv:"sm_clock_Hz" doc:"mean SM clock around the samples; empty on a CPU"`
}

// wellKnown is the share within which a median is known well: beyond it a table
// marks it, and a comparison calls it neither better nor worse.
const wellKnown = 0.05

// Doubtful reports whether the median's interval is wider than 5 %, or the level
// changed by more while sampling.
func (s Statistics) Doubtful() bool {
	return s.Half() > wellKnown || math.Abs(s.Moved.Float()) > wellKnown
}

// Hollow reports whether figures show the median as one in doubt: it is doubtful, or did not
// converge.
func (s Statistics) Hollow() bool { return s.Doubtful() || s.Converged == "false" }

// HollowPower reports whether figures show the row's power and energy as in doubt.
func (row *Row) HollowPower() bool { return len(row.Doubts) > 0 || row.Power.Get().Notes != "" }

// Failed reports whether figures mark the row as one that was to be measured and has no
// value: wrong, failed or timed out.
func (row *Row) Failed() bool { return row.Status != OK && row.Status != Skipped }

// SummaryDoubtful is Doubtful of a series whose level moved by a share.
func SummaryDoubtful(s stats.Summary, moved float64) bool {
	return Statistics{Median: Measured(s.Median), Low: Measured(s.Low), High: Measured(s.High), Moved: Measured(moved)}.Doubtful()
}

// Half returns half the width of the interval by the median; NaN without an interval.
func (s Statistics) Half() float64 {
	return stats.Summary{Median: s.Median.Float(), Low: s.Low.Float(), High: s.High.Float()}.Interval()
}

// Conditions are what the timing had of the machine (measure.Conditions).
type Conditions struct {
	Workers   Count  `csv:"worker_threads" doc:"threads that the version computes with; empty on a GPU"`
	CPUs      Number `csv:"worker_cpus" doc:"CPUs that the process's threads had while it was timed, on average"`
	Waiting   Number `csv:"worker_waiting" doc:"how many of its threads waited for a CPU, on average"`
	Others    Number `csv:"others_load" doc:"share of the machine's CPUs that other programs had"`
	Steal     Number `csv:"steal_share" doc:"share of the CPUs that a virtual machine's host gave to others"`
	Registers Number `csv:"canary_registers_s" doc:"time of a fixed loop in registers, mean of before and after: longer where the CPU is shared"`
	Copy      Number `csv:"canary_copy_s" doc:"time of a fixed copy of 2 MiB likewise: longer alone where the memory is shared"`
}

// Verification is the worst check of the answer, and what the point took.
type Verification struct {
	Error   Number `csv:"error" doc:"error of the answer in the check nearest to its bound, or furthest beyond it"`
	Bound   Number `csv:"error_bound" doc:"largest error that passes"`
	Metric  string `csv:"error_metric" doc:"what the error is"`
	How     string `csv:"verification" doc:"how the answer was checked: fast (every element, by identities with random numbers or the problem's definition, and a sample against the reference), full (all of it against the reference), or none"`
	Elapsed Number `csv:"elapsed_s" doc:"wall time of the point, including preparation and verification"`
	Beside  Number `csv:"beside_s" doc:"part of elapsed_s in which nothing was timed, no power was measured and nothing cooled down: inputs, compilation, verification and the tool itself"`
	Check   Number `csv:"verify_s" doc:"part of elapsed_s for the first run and the verification of its answer, with the reference answer where this point is the first to need it"`
	Notes   string `csv:"notes" doc:"remarks of the version, such as what a library chose"`
}

// WorkRates are the counted operations and what follows from them.
type WorkRates struct {
	NominalFLOPs Count  `csv:"nominal_flops" doc:"floating-point operations of one run by the problem's definition, the same for every version"`
	FLOPs        Count  `csv:"flops" doc:"operations that this version executes, counted by hand; empty if unknown (a closed library)"`
	GFLOPPerS    Number `csv:"gflop_per_s" doc:"nominal_flops / time_s, in 10^9 per second"`
	Executed     Number `csv:"executed_gflop_per_s" doc:"flops / time_s, in 10^9 per second: what this version executes, which may be more or less than the problem asks for"`
	FMAShare     Number `csv:"fma_share" doc:"share of the device's measured FMA ceiling (for float64 if the parameter precision is f64) that gflop_per_s reaches"`
	FLOPPerByte  Number `csv:"flop_per_byte" doc:"nominal_flops / nominal_bytes, the roofline's abscissa"`
	Items        Count  `csv:"items" doc:"the algorithm's units of throughput (points, rows, …) in one run"`
	ItemsPerS    Number `csv:"items_per_s" doc:"items / time_s"`
}

// MemoryRates are the counted memory traffic and what follows from it.
type MemoryRates struct {
	NominalBytes Count  `csv:"nominal_bytes" doc:"bytes of one run by the problem's definition: each input read once, each output written once"`
	LoadBytes    Count  `csv:"load_bytes" doc:"bytes that this version requests from memory, counted by hand; empty if unknown"`
	StoreBytes   Count  `csv:"store_bytes" doc:"bytes that this version writes to memory"`
	CopiedIn     Count  `csv:"copied_in_bytes" doc:"bytes that one run from input to answer (timed) copies from the host's memory to a GPU's; empty where nothing is"`
	CopiedOut    Count  `csv:"copied_out_bytes" doc:"bytes that it copies back"`
	GBytePerS    Number `csv:"gbyte_per_s" doc:"nominal_bytes / time_s, in 10^9 bytes per second"`
	LoadRate     Number `csv:"load_gbyte_per_s" doc:"load_bytes / time_s"`
	StoreRate    Number `csv:"store_gbyte_per_s" doc:"store_bytes / time_s"`
	Accessed     Number `csv:"accessed_gbyte_per_s" doc:"(load_bytes + store_bytes) / time_s, caches included"`
	CopyShare    Number `csv:"copy_share" doc:"share of the device's measured copy ceiling that gbyte_per_s reaches"`
}

// Power is the sustained run's power.
type Power struct {
	Total        Number `csv:"power_W" doc:"mean power of the sustained run: the sum of the total channels; where restoring_energy_J is taken off, energy_J / run_time_s"`
	Uncertainty  Number `csv:"power_uncertainty_W" doc:"half the 95 % interval of power_W if the same sensor measured again; as energy_uncertainty_J"`
	Combined     Number `csv:"power_combined_uncertainty_W" doc:"the same with the sensor's calibration; as energy_combined_uncertainty_J"`
	Calibration  string `csv:"calibration" doc:"where the calibration is from; unknown if no document or config states one"`
	Idle         Number `csv:"idle_power_W" doc:"mean power before the sustained run, once it was level"`
	Window       Number `csv:"window_s" doc:"length of the sustained run"`
	Runs         Count  `csv:"runs" doc:"runs of the algorithm in it"`
	Period       Number `csv:"update_period_s" doc:"longest time between fresh readings of a total channel"`
	PerWatt      Number `csv:"gflop_per_s_per_W" doc:"nominal_flops / energy_J, in 10^9: operations per second and watt of the sustained run"`
	BytesPerWatt Number `csv:"gbyte_per_s_per_W" doc:"nominal_bytes / energy_J, in 10^9: bytes per second and watt of the sustained run"`
	Executed     Number `csv:"executed_gflop_per_s_per_W" doc:"flops / energy_J, in 10^9: operations that this version executes per second and watt"`
	Accessed     Number `csv:"accessed_gbyte_per_s_per_W" doc:"(load_bytes + store_bytes) / energy_J, in 10^9"`
	Loaded       Number `csv:"load_gbyte_per_s_per_W" doc:"load_bytes / energy_J, in 10^9"`
	Stored       Number `csv:"store_gbyte_per_s_per_W" doc:"store_bytes / energy_J, in 10^9"`
	Fresh        Count  `csv:"fresh_readings" doc:"new values in the window, from the total channel with the fewest"`
	Notes        string `csv:"power_notes" doc:"doubts about the readings"`
	Absent       string `csv:"absent" doc:"why there is no power"`
}

// Energy is the energy of one run, from the sustained run.
type Energy struct {
	Total       Number `csv:"energy_J" doc:"energy of one run: that of the window divided by its runs, by the energy counters where these counted, else by power integrated over time; less restoring_energy_J"`
	Uncertainty Number `csv:"energy_uncertainty_J" doc:"repeatability: half the 95 % interval of energy_J if the same sensor measured again, which is twice its standard uncertainty: scatter and step of the readings, their update period at the window's edges, gaps between them and runs that beat with them, added up over the total channels; for comparisons on one board. Empty where no reading changed"`
	Combined    Number `csv:"energy_combined_uncertainty_J" doc:"combined uncertainty: the same with the sensor's calibration, for comparisons across devices and for what is quoted; empty where the calibration is unknown"`
	AboveIdle   Number `csv:"energy_above_idle_J" doc:"energy_J minus idle_power_W over the same time"`
	Counter     Number `csv:"energy_counter_J" doc:"energy of one run by energy counters; empty if a total channel has none"`
	Integral    Number `csv:"energy_integral_J" doc:"energy of one run by integrated power; empty if a total channel has none"`
	Divergence  Number `csv:"energy_divergence" doc:"energy_counter_J / energy_integral_J - 1; beyond 0.05 on either side power_notes says so"`
	RunTime     Number `csv:"run_time_s" doc:"time of one run in the sustained run: window_s / runs, less restoring_time_s"`
	EDP         Number `csv:"edp_Js" doc:"energy-delay product: energy_J · run_time_s"`
	Restoring   Number `csv:"restoring_energy_J" doc:"energy of restoring the inputs before one run, measured alone in a window of its own and taken off all energies of this file; empty where a version restores nothing, and in runs from before it was taken off"`
	RestoringU  Number `csv:"restoring_energy_uncertainty_J" doc:"half its 95 % interval, as energy_uncertainty_J, which contains it"`
	RestoringS  Number `csv:"restoring_time_s" doc:"time of restoring them once"`
}

// Rail is one power channel.
type Rail struct {
	Power  Number // mean over the window, W
	Idle   Number // mean before, W
	Energy Number // of one run, J
	// Uncertainty is half the 95 % interval of Energy; none where no reading
	// changed.
	Uncertainty Number
	Combined    Number // with the sensor's calibration; none where that is unknown
}

// rowNames are the parameters and tunables of a run's rows.
type rowNames struct{ params, tunables *[]string }

func (c Columns) names() rowNames {
	return rowNames{columnNames(c.Params), columnNames(c.Tunables)}
}

func columnNames(columns []Column) *[]string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return &names
}

// newRow summarises the instances of a point, at least one. c are the ceilings of its device. The point is not
// ok if an instance is not.
func newRow(instances []Result, names rowNames, c Ceilings) Row {
	r := instances[0]
	for i, x := range instances {
		if x.Status != OK && x.Status != Skipped {
			if r = x; len(instances) > 1 {
				r.Reason = fmt.Sprintf("instance %d of %d: %s", i+1, len(instances), r.Reason)
			}
			instances = []Result{r}
			break
		}
	}
	p := r.Point
	row := Row{
		Key:               Key{p.Algorithm, p.Version, p.Processor, p.Device, p.PowerMode},
		Params:            framework.SettingsOf(p.Params, names.params),
		Tunables:          framework.SettingsOf(p.Tunables, names.tunables),
		Changed:           p.Changed,
		Outcome:           Outcome{r.Status, r.Reason, p.ID},
		Verification:      verification(r),
		TemperatureBefore: r.TemperatureBefore,
		TemperatureAfter:  r.TemperatureAfter,
	}
	row.Conditions, row.Neighbours = conditions(instances), RareOf(neighboursOf(instances))
	var cold, hot []*measure.Series
	var rates []*measure.Released
	for _, x := range instances {
		cold, hot = appendSeries(cold, x.Cold), appendSeries(hot, x.Hot)
		if x.Rate != nil {
			rates = append(rates, x.Rate)
		}
	}
	if row.Rate = RareOf(rateOf(rates)); len(rates) > 0 {
		row.ClocksBefore, row.ClocksAfter = rates[0].Before, rates[0].After
	}
	row.Timing = timing(cold, hot)
	if r.Cold != nil {
		row.Time, row.Hot = statistics(cold), RareOf(statistics(hot))
	} else {
		row.Time = statistics(hot)
	}
	for _, x := range instances[1:] {
		v := verification(x)
		row.Elapsed, row.Beside, row.Check = row.Elapsed.plus(v.Elapsed), row.Beside.plus(v.Beside), row.Check.plus(v.Check)
		if v.share() > row.share() {
			row.Error, row.Bound, row.Metric = v.Error, v.Bound, v.Metric
		}
		row.TemperatureAfter = x.TemperatureAfter
	}
	row.State = stateCells(instances)
	row.rates(r.Work, c)
	row.power(r.Energy)
	row.deriveExecuted()
	row.doubtSharedPower()
	row.count(r.Counters)
	row.stagesOf(r.Stages)
	row.NoStages = r.NoStages
	return row
}

func appendSeries(list []*measure.Series, s *measure.Series) []*measure.Series {
	if s == nil {
		return list
	}
	return append(list, s)
}

// statistics summarises a series of each instance.
func statistics(series []*measure.Series) Statistics {
	if len(series) == 0 {
		return Statistics{}
	}
	var all, medians []float64
	first := series[0]
	x := Statistics{Instances: Counted(int64(len(series))), Batch: known(int64(first.Batch)), Dropped: Counted(0)}
	converged, clock := true, 0.0
	for i, s := range series {
		all = append(all, s.Samples...)
		if len(s.Samples) > 0 {
			medians = append(medians, stats.Median(s.Samples))
		}
		x.Dropped = Counted(x.Dropped.Int() + int64(s.Dropped))
		clock += s.ClockHz / float64(len(series))
		if i == 0 || converged && !s.Converged {
			x.Stop = s.Stop
		}
		converged = converged && s.Converged
	}
	m := stats.Summarize(all)
	if len(series) == 1 {
		x.Moved = positive(first.Moved)
	} else if len(medians) > 1 {
		m.Median, m.Low, m.High = stats.Instances(medians, stats.Confidence)
	}
	x.Median, x.Q1, x.Q3, x.Min, x.Max = Measured(m.Median), Measured(m.Q1), Measured(m.Q3), Measured(m.Min), Measured(m.Max)
	x.Mean, x.Stdev, x.Low, x.High = Measured(m.Mean), Measured(m.Stdev), Measured(m.Low), Measured(m.High)
	x.Samples, x.Converged, x.Clock = Counted(int64(m.Count)), strconv.FormatBool(converged), positive(clock)
	return x
}

// share returns the error divided by its bound; -Inf if nothing was checked.
func (v Verification) share() float64 {
	if !v.Bound.IsSet() || math.IsNaN(v.Error.Float()) {
		return math.Inf(-1)
	}
	return v.Error.Float() / v.Bound.Float()
}

func verification(r Result) Verification {
	v := Verification{How: string(r.Verification), Elapsed: Measured(r.Elapsed), Notes: strings.Join(r.Notes, "; ")}
	if r.Phases != nil {
		v.Beside, v.Check = Measured(r.Beside()), Measured(r.Phases[VerifyPhase])
	}
	worst := math.Inf(-1)
	for _, c := range r.Checks {
		share := c.Error / c.Bound
		if c.Error == 0 {
			share = 0 // whatever the bound, 0 included
		}
		if math.IsNaN(share) {
			share = math.Inf(1)
		}
		if share > worst {
			worst = share
			// NaN and infinite errors stay visible.
			v.Error, v.Bound, v.Metric = numberOf(c.Error), numberOf(c.Bound), c.Metric
		}
	}
	return v
}

func (row *Row) rates(w framework.Work, c Ceilings) {
	const giga = 1e9
	time := row.Time.Median
	f := &row.Work
	f.NominalFLOPs, f.FLOPs, f.Items = known(w.NominalFLOPs), known(w.FLOPs), known(w.Items)
	f.GFLOPPerS = f.NominalFLOPs.number().over(time).per(giga)
	f.FLOPPerByte = f.NominalFLOPs.number().over(known(w.NominalBytes).number())
	f.ItemsPerS = f.Items.number().over(time)
	fma := c.FMA
	if IsDouble(row.Params) {
		fma = c.FMA64
	}
	f.FMAShare = f.GFLOPPerS.over(positive(fma / giga))

	m := &row.Memory
	m.NominalBytes, m.LoadBytes, m.StoreBytes = known(w.NominalBytes), known(w.LoadBytes), known(w.StoreBytes)
	m.CopiedIn, m.CopiedOut = known(w.CopiedIn), known(w.CopiedOut)
	m.GBytePerS = m.NominalBytes.number().over(time).per(giga)
	m.LoadRate = m.LoadBytes.number().over(time).per(giga)
	m.StoreRate = m.StoreBytes.number().over(time).per(giga)
	m.CopyShare = m.GBytePerS.over(positive(c.Copy / giga))
}

// IsDouble reports whether a problem is one of double precision, by its
// parameter "precision".
func IsDouble(params framework.Settings) bool {
	switch params.Get("precision").String() {
	case "f64", "double", "float64", "fp64":
		return true
	}
	return false
}

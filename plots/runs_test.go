package plots

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// synthetic makes runs that look like real ones: times follow a copy ceiling
// with one efficiency per version, and noise.
type synthetic struct {
	results []record.Result
	random  *rand.Rand
}

func newSynthetic() *synthetic { return &synthetic{random: rand.New(rand.NewPCG(1, 2))} }

const (
	copyCeiling = 4.23e12
	elements    = 1 << 26
)

// add appends a point of N elements a transform.
func (s *synthetic) add(version string, n int64, efficiency float64, change func(*record.Result)) {
	bytes := 16.0 * elements
	t := bytes / (copyCeiling * efficiency)
	series := func(t float64) *measure.Series {
		x := make([]float64, 40)
		for i := range x {
			x[i] = t * (1 + 0.02*s.random.ExpFloat64())
		}
		return &measure.Series{Samples: x, Converged: true}
	}
	r := record.Result{
		Point: plan.Point{
			ID: len(s.results), Algorithm: "fft", Version: version, Processor: framework.GPU, Device: "cuda:0",
			Peer: version == "cufft",
			Params: framework.Values{
				"N": framework.IntValue(n), "precision": framework.TextValue("f32"), "direction": framework.TextValue("forward"),
			},
			ParamOrder: []string{"N", "precision", "direction"},
		},
		Status: record.OK,
		Work:   framework.Work{NominalFLOPs: int64(5 * elements * math.Log2(float64(n))), NominalBytes: int64(bytes)},
		Cold:   series(t), Hot: series(t * 0.93),
		Energy: &measure.Energy{Window: 2, Runs: int64(2 / t), Channels: []measure.ChannelEnergy{
			{Sensor: "nvml", Channel: "gpu", Role: "total", Power: 350 + 200*efficiency, Idle: 75, Energy: 2 * (350 + 200*efficiency)},
		}},
	}
	if change != nil {
		change(&r)
	}
	s.results = append(s.results, r)
}

func (s *synthetic) run(axes ...plan.Axis) *record.Run {
	info := record.Info{
		Machine: machine.Facts{CPU: "AMD EPYC 9654 96-Core Processor"},
		Devices: []record.Device{
			{ID: "cuda:0", Facts: &gpu.Facts{Name: "NVIDIA H200"}, Ceilings: record.Ceilings{Copy: copyCeiling, FMA: 6.5e13, FMA64: 3.3e13}},
			{ID: "cpu", Ceilings: record.Ceilings{Copy: 2e11, FMA: 4e12, FMA64: 2e12}},
		},
	}
	return record.NewRun(info, "fft", axes, s.results)
}

func values(from, to int64) (v []framework.Value) {
	for n := from; n <= to; n *= 2 {
		v = append(v, framework.IntValue(n))
	}
	return v
}

var sizes = plan.Axis{Name: "N", Geometric: true, Count: 18}

// withoutTimes turns a result into one that was never timed.
func withoutTimes(status record.Status, reason string) func(*record.Result) {
	return func(r *record.Result) {
		r.Status, r.Reason, r.Cold, r.Hot, r.Energy = status, reason, nil, nil, nil
	}
}

func onCPU(slower float64) func(*record.Result) {
	return func(r *record.Result) {
		r.Point.Device, r.Point.Processor = "cpu", framework.CPU
		r.Cold, r.Energy = nil, &measure.Energy{Absent: "rapl: not readable"}
		for i := range r.Hot.Samples {
			r.Hot.Samples[i] *= slower
		}
	}
}

// runs are the cases that the figures must stay readable in.
func runs() map[string]*record.Run {
	all := map[string]*record.Run{}

	sweep := newSynthetic()
	for _, v := range values(64, 1<<23) {
		n := v.Int()
		fall := 1.0
		if n > 8192 {
			fall = 0.7
		}
		sweep.add("stockham", n, 0.95*math.Sqrt(fall), nil)
		sweep.add("stockham-shared", n, 0.9, func(r *record.Result) {
			switch {
			case n > 1<<20:
				withoutTimes(record.Skipped, "beyond one block")(r)
			case n == 4096:
				withoutTimes(record.Wrong, "relative L2 error 0.3 is above 1e-06")(r)
			case n == 65536:
				withoutTimes(record.Failed, "illegal access")(r)
			}
		})
		sweep.add("cufft", n, 0.97*fall, nil)
		sweep.add("radix-2", n, 0.3*fall, func(r *record.Result) {
			if n == 4096 {
				withoutTimes(record.Timeout, "no result after 60 s")(r)
			}
		})
	}
	all["sweep"] = sweep.run(sizes)

	mixed := newSynthetic()
	for _, v := range values(64, 1<<23) {
		n := v.Int()
		mixed.add("stockham", n, 0.9, nil)
		mixed.add("fftw", n, 0.9, onCPU(80+float64(n)/1e4))
		mixed.add("reference", n, 0.9, func(r *record.Result) {
			onCPU(9000)(r)
			if n > 1<<20 {
				withoutTimes(record.Timeout, "no result after 60 s")(r)
			}
		})
	}
	all["mixed"] = mixed.run(sizes)

	single := newSynthetic()
	single.add("stockham", 4096, 0.95, nil)
	single.add("cufft", 4096, 0.97, nil)
	single.add("a version with quite a long name to be shown in full", 4096, 0.5, nil)
	single.add("broken", 4096, 0.5, withoutTimes(record.Wrong, "NaN"))
	all["single"] = single.run()

	one := newSynthetic()
	one.add("stockham", 4096, 0.95, nil)
	all["one"] = one.run()

	axes := newSynthetic()
	precisions := plan.Axis{Name: "precision", Count: 2}
	f32f64 := []framework.Value{framework.TextValue("f32"), framework.TextValue("f64")}
	for _, p := range f32f64 {
		for _, v := range values(64, 1<<23) {
			for i, name := range []string{"stockham", "cufft", "radix-2"} {
				axes.add(name, v.Int(), 0.95-0.2*float64(i), func(r *record.Result) { r.Point.Params["precision"] = p })
			}
		}
	}
	all["axes"] = axes.run(precisions, sizes)

	panels := newSynthetic()
	for _, p := range f32f64 {
		for _, batch := range []int64{1, 16, 256} {
			for _, v := range values(64, 1<<23) {
				for i, name := range []string{"stockham", "cufft", "radix-2"} {
					panels.add(name, v.Int(), 0.95-0.2*float64(i), func(r *record.Result) {
						r.Point.Params["precision"], r.Point.Params["batch"] = p, framework.IntValue(batch)
						r.Point.ParamOrder = []string{"N", "precision", "batch"}
					})
				}
			}
		}
	}
	all["panels"] = panels.run(sizes, precisions, plan.Axis{Name: "batch"})

	tuning := newSynthetic()
	for _, v := range values(64, 2048) {
		for _, p := range []int64{1, 2, 4, 8} {
			for _, l := range []int64{64, 128, 256} {
				tuning.add("stockham", v.Int(), 0.2+0.1*math.Log2(float64(p*l)/64), func(r *record.Result) {
					r.Point.Tunables = framework.Values{"P": framework.IntValue(p), "L": framework.IntValue(l)}
					r.Point.TunableOrder = []string{"P", "L"}
				})
			}
		}
	}
	all["tuning"] = tuning.run(sizes)

	tunable := newSynthetic()
	for _, p := range []int64{1, 2, 4, 8, 16} {
		tunable.add("stockham", 4096, 0.2+0.1*float64(p)/2, func(r *record.Result) {
			r.Point.Tunables, r.Point.TunableOrder = framework.Values{"P": framework.IntValue(p)}, []string{"P"}
		})
	}
	all["tunable"] = tunable.run(plan.Axis{Name: "P", Tunable: true, Geometric: true, Count: 5})

	linear := newSynthetic()
	for n := int64(100); n <= 2000; n += 100 {
		linear.add("naive", n, 1e-6*float64(2100-n), nil)
		linear.add("blocked", n, 2e-6*float64(2100-n), nil)
	}
	all["linear"] = linear.run(plan.Axis{Name: "N", Unit: "B", Count: 20})

	huge := newSynthetic()
	for e := 0; e <= 16; e++ {
		huge.add("a", 1<<e, math.Pow(10, 4-float64(e)), nil)
		huge.add("b", 1<<e, math.Pow(10, 3.2-float64(e)*0.2), nil)
	}
	all["huge"] = huge.run(plan.Axis{Name: "N", Geometric: true, Count: 17})

	many := newSynthetic()
	for i := range 14 {
		for _, v := range values(64, 1<<23) {
			many.add(fmt.Sprintf("version-%d", i), v.Int(), 0.95-0.06*float64(i), nil)
		}
	}
	all["many"] = many.run(sizes)
	all["names"] = longNames()

	hundreds := newSynthetic()
	for n := int64(1); n <= 200; n++ {
		hundreds.add("stockham", 64*n, 0.9/float64(1+n%7), nil)
	}
	all["hundreds"] = hundreds.run(plan.Axis{Name: "N", Count: 200})

	gaps := newSynthetic()
	for i, v := range values(64, 1<<14) {
		for j, name := range []string{"stockham", "cufft"} {
			gaps.add(name, v.Int(), 0.9-0.3*float64(j), func(r *record.Result) {
				if (i+j)%3 == 0 {
					r.Energy = &measure.Energy{Absent: "the sensor did not answer"}
				}
				if i == 4 { // known badly
					for k := range r.Cold.Samples {
						r.Cold.Samples[k] *= 1 + 0.8*float64(k%5)
					}
					r.Cold.Converged = false
				}
			})
		}
	}
	all["gaps"] = gaps.run(sizes)
	return all
}

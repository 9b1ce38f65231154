package compile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

// since11 are the device functions and specifiers that CUDA 11 brought or later
// releases ("CUDA C++ Programming Guide", editions 10.2 to 12.4). The TX1, the Nano
// and the TX2 end at CUDA 10.2.
var since11 = []string{
	"__ldlu", "__ldcv", "__stwb", "__stcg", "__stcs", "__stwt",
	"__cvta_generic_to_shared", "__cvta_generic_to_global", "__cvta_shared_to_generic",
	"__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync",
	"__pipeline_memcpy_async", "__pipeline_commit", "__pipeline_wait_prior",
	"__builtin_assume", "__builtin_unreachable", "__grid_constant__", "__cluster_dims__",
	"__viaddmax_s32", "__vimax_s32", "__nv_is_extended_device_lambda_closure_type",
}

// oldest makes a source one for the NVRTC of a board before Ampere: C++14, without
// what CUDA 11 brought.
func oldest(src gpu.Source) gpu.Source {
	src.Options = append(slices.DeleteFunc(slices.Clone(src.Options), func(o string) bool { return strings.HasPrefix(o, "--std=") }), "--std=c++14")
	var poison strings.Builder
	for _, name := range since11 {
		fmt.Fprintf(&poison, "#define %s %s_is_since_CUDA_11\n", name, name)
	}
	src.Text = poison.String() + "#line 1\n" + src.Text
	return src
}

// TestOldestRefuses: what an old NVRTC lacks does not compile.
func TestOldestRefuses(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	kernel := func(body string) gpu.Source {
		return gpu.Source{Name: "k.cu", Kernels: []string{"k"}, Text: `extern "C" __global__ void k(float* p) { ` + body + " }"}
	}
	b := &board{facts: boards[0], compiler: compiler}
	if _, err := b.Compile(kernel("*p = __ldcs(p + 1);")); err != nil {
		t.Error(err)
	}
	for _, body := range []string{"__stcg(p, 1.0f);", "*p = __ldcv(p);", "auto f = [p = p] { return *p; }; static_assert(true); if constexpr (true) *p = f();", "*p = __cvta_generic_to_shared(p);"} {
		if _, err := b.Compile(kernel(body)); err == nil {
			t.Errorf("%s: %s compiles", b.facts.Name, body)
		}
	}
	b.facts = boards[3]
	if _, err := b.Compile(kernel("__stcg(p, 1.0f);")); err != nil {
		t.Errorf("%s: %v", b.facts.Name, err)
	}
}

// setting is a value of a tunable.
type setting struct {
	tunable string
	value   int64
}

// companions are values of others that a value needs and random tries rarely have: a
// block of the FFT holds S = P·L points, of which its smallest has the least of all.
var companions = map[setting]map[string]int64{{"S", 64}: {"P": 2, "L": 32, "r": 2}}

// repaired gives a row of random values what depends on each other, for versions whose
// rows would else hardly ever be valid; what is fixed stays.
var repaired = map[string]func(row framework.Values, fixed setting, n int64){
	"multi": func(row framework.Values, fixed setting, n int64) {
		set := func(name string, x int64) {
			if name != fixed.tunable {
				row[name] = framework.IntValue(max(1, x))
			}
		}
		for i := 1; i <= 3; i++ {
			name := func(s string) string { return fmt.Sprint(s, i) }
			if i == 3 && row.Int("N3") == 1 {
				for _, s := range []string{"S", "P", "L", "r"} {
					set(name(s), 1)
				}
				continue
			}
			set(name("P"), max(row.Int(name("P")), row.Int(name("r"))))
			set(name("r"), min(row.Int(name("P")), row.Int(name("r"))))
			set(name("L"), row.Int(name("S"))/row.Int(name("P")))
			set(name("S"), row.Int(name("L"))*row.Int(name("P")))
		}
		set("N2", n/row.Int("N1")/row.Int("N3"))
		set("N1", n/row.Int("N2")/row.Int("N3"))
	},
}

// tries is how many random settings are looked at for each value of a tunable.
const tries = 600

// cover returns settings of a version at a point that it accepts and that together
// have every wanted value that it accepts in one of the settings tried; those values
// are no longer wanted.
func cover(v framework.Version, params framework.Values, facts gpu.Facts, wanted map[setting]bool) (list []framework.Values) {
	random := rand.New(rand.NewPCG(1, 2))
	defaults := framework.Values{}
	if v.Defaults != nil {
		defaults = v.Defaults(params, facts)
	}
	accepted := func(fixed setting) framework.Values {
		for i := range tries {
			row := defaults.Clone()
			for _, t := range v.Tunables {
				x, needed := companions[fixed][t.Name]
				switch {
				case i == 0:
				case i == 1 && needed:
					row[t.Name] = framework.IntValue(x)
				case i > 1 && len(t.Values) > 0 && random.IntN(2) > 0:
					// Half of them: what depends on each other rarely fits otherwise.
					row[t.Name] = framework.IntValue(t.Values[random.IntN(len(t.Values))])
				}
			}
			row[fixed.tunable] = framework.IntValue(fixed.value)
			if repair := repaired[v.Name]; repair != nil && i > 0 {
				repair(row, fixed, params.Int("N"))
			}
			if v.Valid == nil || v.Valid(params, row, facts) == nil {
				return row
			}
		}
		return nil
	}
	for _, t := range v.Tunables {
		for _, x := range t.Values {
			if !wanted[setting{t.Name, x}] {
				continue
			}
			row := accepted(setting{t.Name, x})
			if row == nil {
				continue
			}
			// As many more wanted values as fit into the row.
			for _, u := range v.Tunables {
				for _, y := range u.Values {
					if next := row.Clone(); u.Name != t.Name && wanted[setting{u.Name, y}] && !wanted[setting{u.Name, row.Int(u.Name)}] {
						if next[u.Name] = framework.IntValue(y); v.Valid == nil || v.Valid(params, next, facts) == nil {
							row = next
						}
					}
				}
			}
			for _, u := range v.Tunables {
				delete(wanted, setting{u.Name, row.Int(u.Name)})
			}
			list = append(list, row)
		}
	}
	return list
}

// TestEveryTunableOnTheOldest: whatever a search may try compiles on a TX1.
func TestEveryTunableOnTheOldest(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	b := &board{compiler: compiler, search: true}
	for _, factory := range algorithms.All() {
		wanted := map[string]map[setting]bool{} // by version
		for _, v := range kernels(factory) {
			wanted[v.Name] = map[setting]bool{}
			for _, tunable := range v.Tunables {
				for _, x := range tunable.Values {
					wanted[v.Name][setting{tunable.Name, x}] = true
				}
			}
		}
		for _, point := range append(points(factory.Name), unusual(factory.Name)...) {
			params := complete(factory, point)
			var problem framework.Problem
			for _, v := range kernels(factory) {
				for _, b.facts = range []gpu.Facts{boards[0], boards[2]} {
					if len(wanted[v.Name]) == 0 || v.Supports != nil && v.Supports(params, b.facts) != nil {
						continue
					}
					for _, row := range cover(v, params, b.facts, wanted[v.Name]) {
						if problem == nil {
							problem = newProblem(t, factory, params)
						}
						if err := prepare(b, problem, v, params, row); err != nil {
							t.Errorf("%s %s on %s %v with %v: %v", factory.Name, v.Name, b.facts.Name, params, row, err)
						}
					}
				}
			}
			if problem != nil {
				problem.Close()
			}
		}
		for name, left := range wanted {
			var never []string
			for x := range left {
				never = append(never, fmt.Sprintf("%s=%d", x.tunable, x.value))
			}
			slices.Sort(never)
			if got, want := strings.Join(never, " "), refused[factory.Name+" "+name]; got != want {
				t.Errorf("%s %s: never compiled: %q, want %q", factory.Name, name, got, want)
			}
		}
	}
	t.Logf("%d kernels", b.kernels)
}

// unusual are points of few values at which versions take values of tunables that
// they take at none of the others.
func unusual(algorithm string) []framework.Values {
	switch algorithm {
	case "pattern":
		return []framework.Values{{"N": framework.IntValue(16), "K": framework.IntValue(40)}}
	case "tridiagonal":
		return []framework.Values{{"N": framework.IntValue(8), "batch": framework.IntValue(3)}, {"N": framework.IntValue(32), "batch": framework.IntValue(3)}}
	}
	return nil
}

// refused are the values of tunables that neither a TX1 nor a Xavier takes at these
// points: they want the instructions or the memory of later GPUs, or other sizes.
var refused = map[string]string{
	"fft stockham": "AHEAD=1 AHEAD=2 CHUNK=1048576 CHUNK=131072 CHUNK=2097152 CHUNK=262144 CHUNK=4194304 CHUNK=524288 CHUNK=65536 " +
		"CLUSTER=16 CLUSTER=2 CLUSTER=4 CLUSTER=8 FETCH=1 FETCH=16 FETCH=2 FETCH=4 FETCH=8",
	"pattern v3":         "Z=64",
	"pattern v4":         "Z=64",
	"qr registers":       "BLOCKS=16",
	"scan lookback":      "ASYNC=1",
	"tridiagonal cr":     "S=16 S=16384 S=32 S=8",
	"tridiagonal pcr":    "S=16 S=16384 S=32 S=8",
	"tridiagonal lf":     "S=16384",
	"tridiagonal wm":     "S=16384",
	"tridiagonal thomas": "AHEAD=1 CLUSTER=16 CLUSTER=2 CLUSTER=4 CLUSTER=8",
}

//go:build linux

package faulty

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// tuned is a version to tune: its time depends on two tunables, and some of
// their values misbehave as kernels do. A = 3 and B = 2 are the fastest.
func tuned() framework.Version {
	bad := map[int64]func(int64) error{}
	for i, name := range []string{"error", "panic", "exit", "segfault"} {
		for _, b := range behaviours {
			if b.name == name {
				bad[int64(5+i)] = b.run
			}
		}
	}
	return framework.Version{
		Name: "tuned", Doc: "tunables to search, some of them bad", Processor: framework.CPU,
		Tunables: []framework.Tunable{
			{Name: "A", Doc: "5 to 8 misbehave", Values: []int64{1, 2, 3, 4, 5, 6, 7, 8}},
			{Name: "B", Doc: "4 gives a wrong answer", Values: []int64{1, 2, 3, 4}},
		},
		Defaults: func(framework.Values, gpu.Facts) framework.Values {
			return framework.Values{"A": framework.IntValue(1), "B": framework.IntValue(1)}
		},
		Valid: func(_, v framework.Values, _ gpu.Facts) error {
			if v.Int("A") < 1 || v.Int("B") < 1 {
				return errors.New("A and B are at least 1")
			}
			if v.Int("A") == 4 && v.Int("B") == 1 {
				return errors.New("A = 4 needs B above 1")
			}
			return nil
		},
		New: framework.Typed(func(_ framework.Env, p *problem, v framework.Values) (*algorithm, error) {
			a, b := v.Int("A"), v.Int("B")
			run := func(ms int64) error {
				away := (a-3)*(a-3) + (b-2)*(b-2)
				return pause(time.Duration(ms*(10+10*away)) * 10 * time.Microsecond)
			}
			if bad[a] != nil {
				run = bad[a]
			}
			return &algorithm{run: run, ms: p.params.Int("ms"), wrong: b == 4}, nil
		}),
	}
}

// clocked is a version to tune on a copied tree of a board: the time that it reports depends on a tunable,
// and on the highest frequency that the power mode allows the GPU below BENCH_TREE.
func clocked() framework.Version {
	return framework.Version{
		Name: "clocked", Doc: "as fast as a power mode lets it", Processor: framework.CPU,
		Tunables: []framework.Tunable{{Name: "A", Doc: "3 is the fastest", Values: []int64{1, 2, 3, 4, 5, 6}}},
		Defaults: func(framework.Values, gpu.Facts) framework.Values {
			return framework.Values{"A": framework.IntValue(1)}
		},
		New: framework.Typed(func(_ framework.Env, p *problem, v framework.Values) (*reporting, error) {
			text, err := os.ReadFile(filepath.Join(os.Getenv("BENCH_TREE"), "sys/class/devfreq/17000000.gp10b/max_freq"))
			if err != nil {
				return nil, err
			}
			hz, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
			if err != nil {
				return nil, err
			}
			away := float64(v.Int("A") - 3)
			seconds := float64(p.params.Int("ms")) * (1 + away*away) * 1e6 / hz
			run := func(int64) error { return pause(time.Duration(seconds * float64(time.Second))) }
			return &reporting{algorithm{run: run}, seconds}, nil
		}),
	}
}

// reporting reports the seconds that its runs were to take: no load of the machine's changes them.
type reporting struct {
	algorithm
	seconds float64
}

// Times are those of seven runs.
func (r *reporting) Times() ([]float64, error) {
	for range 7 {
		if err := r.Run(); err != nil {
			return nil, err
		}
	}
	return slices.Repeat([]float64{r.seconds}, 7), nil
}

package experiment_test

import (
	"errors"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

func number(n int64) framework.Value { return framework.IntValue(n) }

// grid runs what its versions support.
func grid() *framework.Factory {
	only := func(word string, most int64) func(framework.Values, gpu.Facts) error {
		return func(p framework.Values, _ gpu.Facts) error {
			if p["layout"].String() != word || p.Int("N") > most {
				return errors.New("not supported")
			}
			return nil
		}
	}
	return &framework.Factory{Name: "grid",
		Params: []framework.Param{
			{Name: "N", Kind: framework.Int, Default: number(8), DefaultGPU: number(80)},
			{Name: "layout", Kind: framework.Text, Default: framework.TextValue("rows"), Choices: []string{"rows", "columns"}},
		},
		Verification: func(string) []framework.Values {
			return []framework.Values{{"N": number(1)}, {"N": number(2)}, {"N": number(1 << 40)}}
		},
		HostBytes: func(p framework.Values) int64 { return 8 * p.Int("N") },
		Versions: []framework.Version{
			{Name: "cpu", Processor: framework.CPU},
			{Name: "tiny", Processor: framework.GPU, Supports: only("rows", 2)},
			{Name: "columns", Processor: framework.GPU, Supports: only("columns", 8)},
			{Name: "rows", Processor: framework.GPU, Supports: only("rows", 8)},
			{Name: "never", Processor: framework.GPU, Supports: only("rows", 0)},
		},
	}
}

// Every version is profiled at the first problem that it supports: the CPU's
// defaults, these with another word, then the largest problem of modest memory.
func TestProfileChoosesAProblemForEachVersion(t *testing.T) {
	x, err := experiment.Open(t.Context(), experiment.Named(grid()), experiment.Options{Facts: plan.AnyGPU(), Processor: "GPU", For: experiment.Profile})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	const want = "grid/tiny@cuda:0 N=2 layout=rows, grid/columns@cuda:0 N=8 layout=columns, grid/rows@cuda:0 N=8 layout=rows"
	if got := keys(x.Plan); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for i, p := range x.Plan.Points {
		if p.ID != i {
			t.Errorf("point %d has ID %d", i, p.ID)
		}
	}
}

// Of problems that verify, those with the words of the defaults come first, and of
// these the largest; one that is refused is passed over, unless all are.
func TestProfileOfVerifiedProblems(t *testing.T) {
	f := grid()
	f.Versions = []framework.Version{{Name: "odd", Processor: framework.GPU, Supports: func(p framework.Values, _ gpu.Facts) error {
		if p.Int("N") > 5 {
			return errors.New("not supported")
		}
		return nil
	}}}
	f.Verification = func(string) []framework.Values {
		return []framework.Values{{"N": number(5), "layout": framework.TextValue("columns")}, {"N": number(3)}, {"N": number(4), "layout": framework.TextValue("rows")}}
	}
	all := errors.New("all are refused")
	refuse := func(p framework.Values) bool { return p.Int("N") == 8 }
	f.Check = func(p framework.Values) error {
		if refuse(p) {
			return all
		}
		return nil
	}
	open := func() (*experiment.Experiment, error) {
		return experiment.Open(t.Context(), experiment.Named(f), experiment.Options{Facts: plan.AnyGPU(), Processor: "GPU", For: experiment.Profile})
	}
	x, err := open()
	if err != nil {
		t.Fatal(err)
	}
	x.Close()
	if got := keys(x.Plan); got != "grid/odd@cuda:0 N=4 layout=rows" {
		t.Error(got)
	}
	refuse = func(framework.Values) bool { return true }
	if _, err := open(); err == nil || !strings.Contains(err.Error(), "all are refused") {
		t.Errorf("%v", err)
	}
}

func parsed(t *testing.T, text string, f *framework.Factory) experiment.Subject {
	t.Helper()
	c, err := config.Parse("x.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return experiment.Subject{Config: c, Factory: f}
}

// Of a config its own points are profiled, but a library's and those that cannot run.
func TestProfileOfAConfig(t *testing.T) {
	f := grid()
	f.Versions = append(f.Versions, framework.Version{Name: "theirs", Processor: framework.GPU, Peer: true})
	s := parsed(t, `{"algorithm": "grid", "sweep_arg": {"N": [2, 3]}}`, f)
	x, err := experiment.Open(t.Context(), s, experiment.Options{Facts: plan.AnyGPU(), Processor: "GPU", For: experiment.Profile})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	const want = "grid/tiny@cuda:0 N=2 layout=rows, grid/rows@cuda:0 N=2 layout=rows, grid/rows@cuda:0 N=3 layout=rows"
	if got := keys(x.Plan); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A problem's values replace the arguments of the same names, and set tunables; a
// fault of one is the plan's.
func TestVerificationProblems(t *testing.T) {
	f := grid()
	f.Versions = []framework.Version{{Name: "tuned", Processor: framework.GPU, Tunables: []framework.Tunable{{Name: "T", Values: []int64{1, 2}}}}}
	f.Verification = func(string) []framework.Values {
		return []framework.Values{{"N": number(5)}, {"layout": framework.TextValue("columns"), "T": number(2)}}
	}
	s := parsed(t, `{"algorithm": "grid", "static_args": {"N": 7}, "sweep_arg": {"layout": ["rows", "columns"]}}`, f)
	s.Config.CUDA = []byte("{}")
	open := func() (*experiment.Experiment, error) {
		return experiment.Open(t.Context(), s, experiment.Options{Facts: plan.AnyGPU(), For: experiment.Verification})
	}
	x, err := open()
	if err != nil {
		t.Fatal(err)
	}
	x.Close()
	const want = "grid/tuned@cuda:0 N=5 layout=rows T=1, grid/tuned@cuda:0 N=7 layout=columns T=2"
	if got := keys(x.Plan); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	f.Check = func(p framework.Values) error {
		if p.Int("N") == 5 {
			return errors.New("N is odd")
		}
		return nil
	}
	if _, err := open(); err == nil || !strings.Contains(err.Error(), "N is odd") {
		t.Errorf("error %v", err)
	}
}

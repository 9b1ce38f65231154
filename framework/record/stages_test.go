package record

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
)

// staged is a point whose run has stages of these milliseconds, each with twice as many joules, of 8 ms in all.
func staged(id int, n int64, milliseconds ...float64) Result {
	r := gpuResult(id, n)
	r.Hot = series(8e-3)
	for i, ms := range milliseconds {
		r.Stages = append(r.Stages, StageResult{Name: string(rune('a' + i)), Launches: i + 1, Timing: StageAlone, Time: series(ms * 1e-3), Energy: joules(2 * ms)})
	}
	r.Energy = joules(16)
	return r
}

func series(x float64) *measure.Series {
	return &measure.Series{Samples: []float64{x, x, x, x, x, x, x}, Batch: 1, Converged: true}
}

// joules is the energy of 10 runs of a second.
func joules(x float64) *measure.Energy {
	return &measure.Energy{Window: 10, Runs: 10, Channels: []measure.ChannelEnergy{{Sensor: "nvml", Channel: "power", Role: framework.Total, Power: x, Energy: 10 * x, Uncertainty: 0.1 * x, Fresh: 50}}}
}

// TestStagesAreKept: shares are of the stages' sums, and stages are the same when they are read and written again; a run
// without any has no file of them.
func TestStagesAreKept(t *testing.T) {
	dir := t.TempDir()
	run := NewRun(Info{}, "p", nil, []Result{staged(0, 1024, 1, 2, 6), gpuResult(1, 2048)})
	w := &run.Rows[0]
	if s := w.Stages[2]; len(w.Stages) != 3 || math.Abs(s.Share.Float()-6./9) > 1e-9 || math.Abs(s.EnergyShare.Float()-6./9) > 1e-9 || s.Energy.Float() != 12 || s.Power.Float() != 12 ||
		s.Whole.Float() != 8e-3 || s.WholeEnergy.Float() != 16 || s.Launches.Int() != 3 || s.Hollow() || s.HollowEnergy() {
		t.Errorf("%+v", w.Stages)
	}
	if time, energy := w.Together(); math.Abs(time.Float()-9./8) > 1e-9 || math.Abs(energy.Float()-18./16) > 1e-9 {
		t.Errorf("together %g, %g", time.Float(), energy.Float())
	}
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "p_"+stagesCSV)
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != 4 || !strings.HasPrefix(string(text), "algorithm,version,processor,device,power_mode,N,") {
		t.Errorf("%s, %v", text, err)
	}
	back, err := Read(dir)
	if err != nil || !reflect.DeepEqual(back.Rows[0].Stages, w.Stages) || back.Rows[1].Stages != nil {
		t.Fatalf("%v, %+v", err, back)
	}
	again := filepath.Join(t.TempDir(), "again")
	if err := Write(again, back); err != nil {
		t.Fatal(err)
	}
	if same, err := os.ReadFile(filepath.Join(again, "p_"+stagesCSV)); err != nil || string(same) != string(text) {
		t.Errorf("%s, %v", same, err)
	}
	if err := Write(dir, NewRun(Info{}, "p", nil, []Result{gpuResult(1, 2048)})); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("stages of an earlier run stay: %v", err)
	}
}

// TestStagesAreMerged from files and from journals; a run of parts without any has no file of them.
func TestStagesAreMerged(t *testing.T) {
	for _, fromFiles := range []bool{true, false} {
		for _, has := range []bool{true, false} {
			dir := t.TempDir()
			part := func(name string, n int64, stages ...float64) string {
				j := board(1, n)
				j.results[0][0].Stages = staged(0, n, stages...).Stages
				path := filepath.Join(dir, name)
				if !fromFiles {
					return j.write(t, path)
				}
				if err := Write(path, NewRun(j.sessions[0], "fft", []plan.Axis{{Name: "N", Count: 1}}, j.results[0])); err != nil {
					t.Fatal(err)
				}
				return path
			}
			dirs := []string{part("a", 64), part("b", 128)}
			if has {
				dirs[1] = part("c", 128, 1, 3)
			}
			out, m := merged(t, MergeOptions{}, dirs...)
			run, err := Read(out)
			if err != nil {
				t.Fatal(err)
			}
			m.Folder.Close()
			_, missing := os.Stat(filepath.Join(out, "fft_"+stagesCSV))
			if (missing == nil) != has {
				t.Errorf("files %v, stages %v: %v", fromFiles, has, missing)
			}
			for _, w := range run.Rows {
				if want := has && w.Params.Get("N").Int() == 128; want != (len(w.Stages) == 2) || want && w.Stages[1].Share.Float() != 0.75 {
					t.Errorf("files %v: N %s has %+v", fromFiles, w.Params.Get("N"), w.Stages)
				}
			}
		}
	}
}

// TestStagesInALongTable: each has a row for its time, and one for its energy.
func TestStagesInALongTable(t *testing.T) {
	long, err := NewRun(Info{}, "p", nil, []Result{staged(0, 1024, 1, 2)}).Long("x")
	if err != nil {
		t.Fatal(err)
	}
	n := len(long.Columns)
	got := map[string]string{}
	for rows, err := range long.Pieces {
		if err != nil {
			t.Fatal(err)
		}
		for _, cells := range rows {
			got[cells[n-5]] = strings.Join(cells[n-4:], " ")
		}
	}
	for name, want := range map[string]string{"stage_b_time": "s 0.002 0.002 0.002", "stage_b_energy": "J 4 3.96 4.04", "stage_a_time": "s 0.001 0.001 0.001"} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

// TestStagesOfNoPoint: a file whose stages are of a point that is not there is refused.
func TestStagesOfNoPoint(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, NewRun(Info{}, "p", nil, []Result{staged(0, 1024, 1, 2)})); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "p_"+stagesCSV)
	if err := os.WriteFile(path, []byte("point,stage,time_s\n7,a,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "p_stages.csv: line 2: there is no point 7 in p_time.csv") {
		t.Errorf("%v", err)
	}
}

// TestTableOfStages: shares stand below the table, those in doubt marked, and why a point has none.
func TestTableOfStages(t *testing.T) {
	doubtful := staged(1, 2048, 4, 4)
	doubtful.Stages[1].Time.Samples[0], doubtful.Stages[1].Time.Samples[6] = 3e-3, 5e-3
	doubtful.Stages[0].Energy = &measure.Energy{Window: 1, Runs: 10, Channels: joules(8).Channels, Restoring: &measure.Restoring{Window: 2, Runs: 10, Channels: joules(9).Channels}}
	none := gpuResult(2, 4096)
	none.NoStages = "no shares: too short"
	run := NewRun(Info{}, "p", nil, []Result{staged(0, 1024, 1, 2, 6), doubtful, none})
	got := Table(run, false, 0)
	for _, want := range []string{"\nshare of each kernel in time (energy), measured alone\n", ", N 1024: a 11 % (11 %), b 22 % (22 %), c 67 % (67 %); sum 112 % of the run (112 %)\n",
		", N 2048: a 50 %, b ~50 %; sum 100 % of the run\n", ", N 4096: no shares: too short"} {
		if !strings.Contains(strings.ReplaceAll(got, "\u00a0", " "), want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

package ncu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
	"example.org/bench/lab/ncu"
)

// idle is an algorithm for GPUs that does nothing.
type idle struct{}

func (idle) PreRun() error                      { return nil }
func (idle) Run() error                         { return nil }
func (idle) Verify() ([]framework.Check, error) { return nil, nil }
func (idle) PostRun() error                     { return nil }
func (idle) Work() framework.Work               { return framework.Work{FLOPs: 1} }
func (idle) Stream() gpu.Stream                 { return 0 }
func (idle) Close()                             {}

func factory(*config.Config) (*framework.Factory, error) {
	return &framework.Factory{Name: "idle",
		NewProblem: func(framework.Env, framework.Values) (framework.Problem, error) { return idle{}, nil },
		Versions: []framework.Version{{Name: "idle", Processor: framework.GPU,
			New: func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
				return idle{}, nil
			}}}}, nil
}

// The stand-in profiler starts this program as its worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "worker" {
		if os.Getenv("DIES") != "" {
			os.Exit(3)
		}
		if err := engine.ServeFiles(os.Args[2], engine.Plugins{Factory: factory}); err != nil {
			panic(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// standIn does what ncu does, but for the profiling: it runs the program and
// writes a table, which $TABLE holds, to its log.
const standIn = `#!/bin/sh
while [ "${1#--}" != "$1" ]; do
	[ "$1" != --log-file ] || log=$2
	case $1 in --csv) shift ;; *) shift 2 ;; esac
done
"$@"
status=$?
cat "$TABLE" >"$log"
exit $status
`

// The points of a version are run once each in a worker that the profiler
// starts, here in the simulator, between the kernels that mark their runs.
func TestSpeedsOfAWorker(t *testing.T) {
	dir := t.TempDir()
	profiler, table := filepath.Join(dir, "ncu"), filepath.Join(dir, "table")
	if err := os.WriteFile(profiler, []byte(standIn), 0o755); err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Config: &config.Config{Algorithm: "idle", Measure: config.DefaultMeasure()}, VerifyOnly: true, Workers: 1})
	good := plan.Point{Algorithm: "idle", Version: "idle", Processor: framework.GPU, Device: "sim"}
	bad := good
	bad.Version = "absent"
	points := []plan.Point{good, bad, good}
	if err := os.WriteFile(table, ncu.Table(40, 70), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TABLE", table)
	list, err := ncu.Speeds(t.Context(), e, profiler, points)
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	if a, b := list[0], list[2]; a.Failed+b.Failed != "" || a.Speed.Memory != 0.4 || b.Speed.Memory != 0.7 {
		t.Errorf("%+v and %+v", a, b)
	}
	if !strings.Contains(list[1].Failed, "no version absent") {
		t.Errorf("an absent version: %+v", list[1])
	}

	t.Setenv("DIES", "1")
	if err := os.WriteFile(table, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	list, err = ncu.Speeds(t.Context(), e, profiler, points)
	if err != nil || len(list) != 3 || !strings.Contains(list[2].Failed, "exit status 3") {
		t.Errorf("a worker that dies: %+v, %v", list, err)
	}
}

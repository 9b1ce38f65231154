package kernel

import (
	"bytes"
	"encoding/json"
	"net"
	"net/rpc"
	"testing"

	"example.org/bench/framework"
)

// keeperOf asks over a connection, as a confined worker does.
type keeperOf struct{ *rpc.Client }

func (k keeperOf) Call(method string, question, answer any) error {
	return k.Client.Call("Problem."+method, question, answer)
}

const keptConfig = `{"algorithm": {"cuda": {"name": "twice", "params": [{"name": "N", "default": 100, "min": 1, "max": 1000}],
	"constants": [{"name": "w", "type": "f64", "size": "3", "fill": {"random": [1, 2]}}],
	"arguments": [{"name": "x", "type": "f64", "size": "N", "fill": {"random": [-1, 1]}}, {"name": "y", "type": "f64", "size": "N", "use": "output"}, {"name": "n", "type": "i32", "value": "N"}],
	"verify": {"c": {"source": "x.c", "function": "twice"}}, "versions": [{"name": "mine", "c": {"source": "x.c", "function": "twice"}}]}}, "sweep_arg": {"N": [10]}}`

const keptSource = "void twice(const double *x, double *y, int n, const double *w) { for (int i = 0; i < n; i++) y[i] = w[1] * x[i]; }\n"

// keptApart keeps an algorithm's problems behind a pipe, until the test ends.
func keptApart(t *testing.T, a *algorithm) (*Kept, keeperOf) {
	t.Helper()
	kept := a.keep(framework.Env{Seed: 7}).(*Kept)
	server := rpc.NewServer()
	if err := server.RegisterName("Problem", kept); err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	go server.ServeConn(ours)
	t.Cleanup(func() { theirs.Close() })
	return kept, keeperOf{rpc.NewClient(theirs)}
}

// TestKeeper: a version whose problem another process keeps has inputs and checks, and neither seed nor
// right answer until it had a wrong one.
func TestKeeper(t *testing.T) {
	path := files(t, map[string]string{"x.json": keptConfig, "x.c": keptSource})
	there, here := built(t, path), built(t, path)
	kept, keeper := keptApart(t, there)
	params := framework.Values{"N": framework.IntValue(10)}
	env := framework.Env{Keeper: keeper, Note: func(string, ...any) {}}
	made, err := here.newProblem(env, params)
	if err != nil {
		t.Fatal(err)
	}
	p := made.(*problem)
	defer p.Close()
	own, err := there.newProblem(framework.Env{Seed: 7}, params)
	if err != nil {
		t.Fatal(err)
	}
	q := own.(*problem)
	if !bytes.Equal(q.inputs[0].data, p.inputs[0].data) || p.seed != 0 {
		t.Errorf("inputs of seed 7 are %v, got %v with seed %d", view[float64](q.inputs[0]), view[float64](p.inputs[0]), p.seed)
	}
	version, err := newCPURun(env, here, here.versions[0], p, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := version.(*cpuRun)
	if err := run.PreRun(); err != nil {
		t.Fatal(err)
	}
	defer run.PostRun()
	var right map[int]Vector
	for set := range 2 {
		if set == 1 {
			first := p.inputs[0].clone()
			if there, err := run.Alternate(); !there || err != nil {
				t.Fatalf("other inputs: %v, %v", there, err)
			}
			if err := run.Use(1); err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(first.data, run.p.inputs[0].data) {
				t.Error("the other inputs are the same")
			}
		}
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		if checks, err := run.Verify(); err != nil || len(checks) != 1 || !checks[0].OK() || run.p.right != nil {
			t.Fatalf("set %d: %v, %v", set, checks, err)
		}
		text, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		if err := keeper.Call("Right", At{text, set}, &right); err == nil {
			t.Errorf("set %d: the right answer is told: %v", set, right)
		}
	}
	if answers, wrong := kept.Judged(); answers != 2 || wrong != "" {
		t.Errorf("%d answers, wrong: %q", answers, wrong)
	}
	view[float64](run.c.vectors[1])[3]++
	checks, err := run.Recheck()
	if err != nil || checks[0].OK() {
		t.Fatalf("a wrong answer: %v, %v", checks, err)
	}
	if list, err := run.Answers(); err != nil || len(list) != 1 || len(list[0].Want.Bytes) != 80 {
		t.Errorf("where it is wrong: %v, %v", list, err)
	}
	if _, wrong := kept.Judged(); wrong == "" {
		t.Error("the keeper calls it right")
	}
}

// TestKeeperIsNotMisled: what a hostile process may ask gets an error.
func TestKeeperIsNotMisled(t *testing.T) {
	kept := built(t, files(t, map[string]string{"x.json": keptConfig, "x.c": keptSource})).keep(framework.Env{Seed: 7}).(*Kept)
	at := At{Params: []byte(`{"N": 10}`)}
	var inputs map[int][]byte
	var content []byte
	var said Checked
	var right map[int]Vector
	var library Built
	for name, err := range map[string]error{
		"no parameters":  kept.Inputs(At{Params: []byte("{")}, &inputs),
		"beyond":         kept.Inputs(At{Params: []byte(`{"N": 0}`)}, &inputs),
		"no constant":    kept.Content(ConstantAt{at, 0, 9}, &content),
		"no list":        kept.Content(ConstantAt{at, -1, 0}, &content),
		"no answer":      kept.Verify(Answers{At: at}, &said),
		"other size":     kept.Verify(Answers{at, map[int]Vector{1: {"f64", 1, make([]byte, 8)}}}, &said),
		"other bytes":    kept.Verify(Answers{at, map[int]Vector{1: {"f64", 10, make([]byte, 8)}}}, &said),
		"other type":     kept.Verify(Answers{at, map[int]Vector{1: {"f32", 10, make([]byte, 40)}}}, &said),
		"no type":        kept.Verify(Answers{at, map[int]Vector{1: {"x", 10, make([]byte, 40)}}}, &said),
		"right at first": kept.Right(at, &right),
		"other version":  kept.Library(Build{at.Params, []byte("{}"), "reference"}, &library),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestKeeperOfStructures: fields are kept, and packed where kernels run.
func TestKeeperOfStructures(t *testing.T) {
	path := files(t, map[string]string{"x.json": structureConfig, "x.cu": structureKernels, "x.c": structureRight})
	there, here := built(t, path), built(t, path)
	kept, keeper := keptApart(t, there)
	d := device(t)
	env := framework.Env{Keeper: keeper, Device: d, Note: func(string, ...any) {}}
	params := framework.IntValues("N", 50)
	made, err := here.newProblem(env, params)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	version, err := newGPURun(env, here, here.versions[0], made.(*problem), framework.IntValues("BLOCK", 32))
	if err != nil {
		t.Fatal(err)
	}
	run := version.(resettingGPU)
	defer run.PostRun()
	if err := run.PreRun(); err != nil {
		t.Fatal(err)
	}
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	if checks, err := run.Verify(); err != nil || len(checks) != 4 || !checks[0].OK() || !checks[3].OK() {
		t.Errorf("%v, %v", checks, err)
	}
	if answers, wrong := kept.Judged(); answers != 1 || wrong != "" {
		t.Errorf("%d answers, wrong: %q", answers, wrong)
	}
}

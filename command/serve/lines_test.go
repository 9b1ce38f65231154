package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"example.org/bench/framework/judge"
)

// fake answers verbs with their command lines, and counts how many run at a time.
func fake(t *testing.T) *Bench {
	var running atomic.Int32
	return &Bench{
		Verb: func(_ context.Context, args []string) (int, string, string) {
			if running.Add(1) > 1 {
				t.Error("two requests are answered at the same time")
			}
			defer running.Add(-1)
			line, _ := json.Marshal(strings.Join(args, " "))
			return len(args), string(line) + "\n" + string(line) + "\n", "one\ntwo\n"
		},
		Task: func(path string) (*judge.Task, error) { return nil, fmt.Errorf("%s:\n no task", path) },
	}
}

// asked gives the responses to lines, by their IDs.
func asked(t *testing.T, b *Bench, lines ...string) map[string]response {
	t.Helper()
	var out bytes.Buffer
	if err := Lines(t.Context(), b, strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	of := map[string]response{}
	for line := range strings.Lines(out.String()) {
		var r response
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		of[string(r.ID)] = r
	}
	return of
}

// TestLines: each request has one response with its ID, whatever is wrong with it.
func TestLines(t *testing.T) {
	for name, c := range map[string]struct{ line, id, want, wrong string }{
		"validate":   {`{"id": 1, "method": "validate", "params": {"config": "c.json"}}`, "1", "validate --json -- c.json", ""},
		"verify":     {`{"id": "a", "method": "verify", "params": {"subject": "fft", "device": "sim", "versions": ["x", "y"], "set": ["N=1,2", "M=3"]}}`, `"a"`, "verify --json --device=sim --versions=x,y --set=N=1,2 --set=M=3 -- fft", ""},
		"why":        {`{"id": 1, "method": "why", "params": {"subject": "run", "against": "P=4"}}`, "1", "why --json --against=P=4 -- run", ""},
		"tune":       {`{"id": 1, "method": "tune", "params": {"config": "c.json", "out": "o", "budget": "7"}}`, "1", "tune --json --out=o --wisdom=none --budget=7 -- c.json", ""},
		"list":       {`{"id": 1, "method": "list"}`, "1", "list --json", ""},
		"doctor":     {`{"id": 1, "method": "doctor", "params": {}}`, "1", "doctor --json", ""},
		"option":     {`{"id": 1, "method": "validate", "params": {"config": "--help"}}`, "1", "validate --json -- --help", ""},
		"input":      {`{"id": 1, "method": "validate", "params": {"config": "-"}}`, "1", "", "want the name of a file"},
		"nothing":    {`{"id": 1, "method": "validate"}`, "1", "", "want the name of a file"},
		"no ID":      {`{"method": "doctor"}`, "null", "doctor --json", ""},
		"method":     {`{"id": 1, "method": "run"}`, "1", "", `no method "run"; want one of judge, validate,`},
		"unknown":    {`{"id": 1, "method": "list", "params": {"subjects": "fft"}}`, "1", "", `unknown field "subjects"`},
		"kind":       {`{"id": 1, "method": "list", "params": {"subject": 7}}`, "1", "", "params: "},
		"unreadable": {`{"id": 1`, "null", "", "not readable"},
		"task":       {`{"id": 1, "method": "judge", "params": {"task": "t.json", "name": "x.cu", "source": "x"}}`, "1", "", "t.json: no task"},
	} {
		t.Run(name, func(t *testing.T) {
			r, ok := asked(t, fake(t), "", c.line)[c.id]
			if !ok || !strings.Contains(r.Error, c.wrong) || (r.Error == "") != (c.wrong == "") || strings.Contains(r.Error, "\n") {
				t.Fatalf("%+v; want an error with %q", r, c.wrong)
			}
			if c.want == "" {
				return
			}
			a, _ := r.Result.(map[string]any)
			output, _ := a["output"].([]any)
			if len(output) != 2 || output[0] != c.want || fmt.Sprint(a["messages"]) != "[one two]" || a["status"].(float64) != float64(len(strings.Fields(c.want))) {
				t.Errorf("%v; want %q", r.Result, c.want)
			}
		})
	}
}

// TestLinesInTurn: requests are answered one at a time, in their order, and one that is wrong
// holds up nobody.
func TestLinesInTurn(t *testing.T) {
	var order []string
	b := fake(t)
	verb := b.Verb
	b.Verb = func(ctx context.Context, args []string) (int, string, string) {
		order = append(order, args[len(args)-1])
		return verb(ctx, args)
	}
	var lines, want []string
	for i := range 40 {
		if i%5 == 3 {
			lines = append(lines, fmt.Sprintf(`{"id": %d, "method": "list", "params": {"nothing": 1}}`, i))
			continue
		}
		lines = append(lines, fmt.Sprintf(`{"id": %d, "method": "list", "params": {"subject": "a%d"}}`, i, i))
		want = append(want, fmt.Sprintf("a%d", i))
	}
	if of := asked(t, b, lines...); len(of) != 40 {
		t.Errorf("%d responses to 40 requests", len(of))
	}
	if strings.Join(order, " ") != strings.Join(want, " ") {
		t.Errorf("answered in the order %v", order)
	}
}

// broken cannot be written to.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

// TestLinesLost: that answers cannot be written is an error.
func TestLinesLost(t *testing.T) {
	if err := Lines(t.Context(), fake(t), strings.NewReader(`{"id": 1, "method": "doctor"}`), broken{}); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("got %v", err)
	}
}

// TestTurn: a place that is given up before its turn lets nobody pass those before it.
func TestTurn(t *testing.T) {
	var q queue
	first, second, third := q.take(), q.take(), q.take()
	if first.waits() || !second.waits() || first.wait(t.Context()) != nil {
		t.Error("the first does not come first")
	}
	second.leave()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if third.wait(ended) == nil || !third.waits() {
		t.Error("the third comes before the first has left")
	}
	first.leave()
	if err := third.wait(t.Context()); err != nil || third.waits() {
		t.Errorf("the third does not come: %v", err)
	}
}

// TestLinesEnd: where the context ends, requests that nobody sends are not waited for.
func TestLinesEnd(t *testing.T) {
	in, silent := io.Pipe()
	defer silent.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Lines(ctx, fake(t), in, io.Discard) }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

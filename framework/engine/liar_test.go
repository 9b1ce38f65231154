package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// lies makes the engine's first worker answer its first request by answer, which
// is given the request's number, and then end. Its next workers are honest.
func (b *bed) lies(answer func(out io.Writer, number uint64)) {
	honest := b.Engine.start
	b.Engine.start = func() (*process, error) {
		b.Engine.start = honest
		b.started++
		in, requests := io.Pipe()
		replies, out := io.Pipe()
		ended, killed := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			var r request
			if line, err := bufio.NewReader(in).ReadBytes('\n'); err == nil && json.Unmarshal(line, &r) == nil {
				answer(out, r.Number)
			}
			out.Close()
		}()
		p := &process{in: requests, out: replies, tail: &tail{}, most: 1 << 20}
		p.end = func() { in.Close(); out.Close(); replies.Close(); closeOnce(killed) }
		p.wait = func() error {
			select {
			case <-ended:
			case <-killed:
			}
			return nil
		}
		return p.follow(), nil
	}
}

func closeOnce(ch chan struct{}) {
	select {
	case <-ch:
	default:
		close(ch)
	}
}

// says makes an answer of a text, in which %d is the request's number.
func says(text string) func(io.Writer, uint64) {
	return func(out io.Writer, number uint64) {
		io.WriteString(out, strings.ReplaceAll(text, "%d", fmt.Sprint(number)))
	}
}

func resultLine(t *testing.T, p plan.Point, status string) string {
	t.Helper()
	b, err := json.Marshal(record.Result{Point: p, Status: record.Status(status)})
	if err != nil {
		t.Fatal(err)
	}
	return `{"number": %d, "result": ` + string(b) + "}\n"
}

// A worker that lies costs its point, with one clear line, and is replaced.
func TestWorkerThatLies(t *testing.T) {
	t.Parallel()
	asked := pointOf("ok", 1)
	other := asked
	other.ID = 7
	flood := func(text string) func(io.Writer, uint64) {
		return func(out io.Writer, number uint64) {
			for line := strings.ReplaceAll(text, "%d", fmt.Sprint(number)); ; {
				if _, err := io.WriteString(out, line); err != nil {
					return
				}
			}
		}
	}
	for name, c := range map[string]struct {
		answer func(io.Writer, uint64)
		status record.Status
		reason string
	}{
		"no JSON":            {says("garbage\n"), record.Failed, "the worker's answer is not readable: invalid character 'g'"},
		"half a line":        {says(`{"number": %d, "result": {"sta`), record.Failed, "the worker process ended"},
		"nothing":            {says(""), record.Failed, "the worker process ended"},
		"progress alone":     {says(`{"number": %d, "phase": "verify"}` + "\n"), record.Failed, "the worker process ended"},
		"an error":           {says(`{"number": %d, "error": "no\nidea"}` + "\n"), record.Failed, "the worker gave no result: no idea"},
		"an empty answer":    {says(`{"number": %d}` + "\n"), record.Failed, "the worker gave no result: "},
		"no number":          {says("{}\n"), record.Failed, "the worker answered request 0, not request 1"},
		"another number":     {says(`{"number": 9, "phase": "verify"}` + "\n"), record.Failed, "the worker answered request 9, not request 1"},
		"no status":          {says(resultLine(t, asked, "")), record.Failed, `the worker's answer is not readable: status is "", want ok, wrong, impossible, failed, timeout or skipped`},
		"a foreign status":   {says(resultLine(t, asked, "skipped")), record.Failed, `the worker gave a result of status "skipped"`},
		"another point":      {says(resultLine(t, pointOf("ok", 2), "ok")), record.Failed, "the worker gave the result of another point: stand-in/ok@cpu N=2"},
		"another ID":         {says(resultLine(t, other, "ok")), record.Failed, "the worker gave the result of another point: stand-in/ok@cpu N=1"},
		"silence":            {func(io.Writer, uint64) { select {} }, record.Timeout, "no result after 0.2 s"},
		"a flood of phases":  {flood(`{"number": %d, "phase": "time"}` + "\n"), record.Timeout, "no result after 0.2 s"},
		"a flood of nothing": {flood("\n"), record.Failed, "the worker's answer is not readable"},
		"a line for ever":    {flood(strings.Repeat("x", 4096)), record.Failed, "the worker's answer has more than 1048576 bytes"},
		"a long error":       {says(`{"number": %d, "error": "` + strings.Repeat("wordy ", 100000) + `"}` + "\n"), record.Failed, "the worker gave no result: wordy wordy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, func(o *Options) {
				if o.VerifyOnly, o.Config.Measure.PointTimeout = true, patience.Seconds(); c.status == record.Timeout {
					o.Config.Measure.PointTimeout = 0.2
				}
			})
			b.lies(c.answer)
			first := b.results(t, asked)[0]
			if first.Status != c.status || !strings.HasPrefix(first.Reason, c.reason) || strings.Contains(first.Reason, "\n") || len(first.Reason) > 5000 {
				t.Errorf("%s: %.200q of %d bytes", first.Status, first.Reason, len(first.Reason))
			}
			b.opt.Config.Measure.PointTimeout = patience.Seconds()
			if next := b.results(t, pointOf("ok", 2))[0]; next.Status != record.OK {
				t.Errorf("the next: %s %s", next.Status, next.Reason)
			}
		})
	}
}

// Answers that come before or after they are asked for answer nothing else.
func TestAnswersOutOfOrder(t *testing.T) {
	b := newBed(t, func(o *Options) { o.VerifyOnly = true })
	b.lies(func(out io.Writer, _ uint64) {
		io.WriteString(out, strings.ReplaceAll(resultLine(t, pointOf("ok", 1), "ok")+resultLine(t, pointOf("ok", 1), "ok"), "%d", "1"))
		select {}
	})
	var got []string
	for _, r := range b.results(t, pointOf("ok", 1), pointOf("ok", 1), pointOf("ok", 2)) {
		got = append(got, string(r.Status)+" "+r.Reason)
	}
	// The second answer may come while the first request is still being written.
	late, early := []string{"ok ", "failed the worker answered request 1, not request 2", "ok "}, []string{"failed the worker answered twice", "ok ", "ok "}
	if !slices.Equal(got, late) && !slices.Equal(got, early) {
		t.Errorf("points %q, want %q or %q", got, late, early)
	}
}

// What takes turns is refused likewise.
func TestTurnsOfAWorkerThatLies(t *testing.T) {
	for answer, reason := range map[string]string{
		"garbage\n":                            "the worker's answer is not readable",
		`{"number": %d}` + "\n":                "the worker gave no result: ",
		`{"number": %d, "result": {"sta`:       "the worker process ended",
		`{"number": %d, "error": "no"}` + "\n": "the worker gave no result: no",
	} {
		b := newBed(t, nil)
		b.lies(says(answer))
		turns, err := b.Turns(t.Context(), Pair{A: pointOf("ok", 1), B: pointOf("ok", 1)})
		if err != nil || turns.Status != record.Failed || !strings.HasPrefix(turns.Reason, reason) {
			t.Errorf("%q: %+v %v", answer, turns, err)
		}
	}
}

// slowly is a request's pipe of which no write is known to have ended before it is closed.
type slowly struct{ closed chan struct{} }

func (s slowly) Write(b []byte) (int, error) { <-s.closed; return len(b), nil }
func (s slowly) Close() error                { closeOnce(s.closed); return nil }

// TestAnswerOfAWorkerThatEnds counts, whatever the parent knows of the request by then.
func TestAnswerOfAWorkerThatEnds(t *testing.T) {
	in := slowly{make(chan struct{})}
	defer in.Close()
	p := &process{in: in, out: io.NopCloser(strings.NewReader(`{"number": 1, "error": "no idea"}` + "\n")), tail: &tail{}, end: func() {}, wait: func() error { return nil }}
	got, err := p.follow().ask(request{}, patience, nil, func(*reply) {})
	if err != nil || got.Error != "no idea" {
		t.Errorf("%+v, %v", got, err)
	}
}

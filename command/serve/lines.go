package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

const (
	// mostLine is the largest length of a request.
	mostLine = 64 << 20
	// mostWaiting is the number of requests that are read before the first is answered.
	mostWaiting = 16
)

// request is a line that is read. ID is returned as it is.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// response is a line that is written: a result, or an error on one line.
type response struct {
	ID     json.RawMessage `json:"id"`
	Result any             `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// Lines answers requests, one on each line, until in ends, and then those that it has read. The error is
// from reading or writing, or that of ctx if it ends.
func Lines(ctx context.Context, b *Bench, in io.Reader, out io.Writer) error {
	defer b.warm()()
	known := map[string]method{}
	for _, m := range methods(b) {
		known[m.name] = m
	}
	var (
		all     queue
		wait    sync.WaitGroup
		mutex   sync.Mutex
		failed  error
		waiting = make(chan struct{}, mostWaiting)
	)
	defer wait.Wait()
	answer := func(r response) {
		mutex.Lock()
		defer mutex.Unlock()
		if r.ID == nil {
			r.ID = json.RawMessage("null")
		}
		line, err := json.Marshal(r)
		if err == nil {
			_, err = out.Write(append(line, '\n'))
		}
		failed = errors.Join(failed, err)
	}
	lines, ended := read(ctx, in)
	for line := range lines {
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			answer(response{Error: fmt.Sprintf("a request that is not readable: %v", err)})
			continue
		}
		m, ok := known[r.Method]
		if !ok {
			answer(response{ID: r.ID, Error: fmt.Sprintf("no method %q; want one of %s", r.Method, names(b))})
			continue
		}
		select {
		case waiting <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		t := all.take()
		wait.Go(func() {
			defer func() { <-waiting }()
			result, err := m.line(ctx, t, r.Params)
			if err != nil {
				answer(response{ID: r.ID, Error: oneLine(err)})
				return
			}
			answer(response{ID: r.ID, Result: result})
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := <-ended; err != nil {
		failed = errors.Join(failed, fmt.Errorf("read a request: %w", err))
	}
	return failed
}

// read returns a channel of the lines of in that are not blank. The other channel gives the reason why
// reading ended, when in or ctx ends. A read that is waiting when ctx ends is abandoned.
func read(ctx context.Context, in io.Reader) (<-chan []byte, <-chan error) {
	lines, ended := make(chan []byte), make(chan error, 1)
	from := make(chan []byte)
	go func() {
		defer close(from)
		s := bufio.NewScanner(in)
		s.Buffer(nil, mostLine)
		for s.Scan() {
			if line := bytes.TrimSpace(s.Bytes()); len(line) > 0 {
				select {
				case from <- bytes.Clone(line):
				case <-ctx.Done():
					return
				}
			}
		}
		ended <- s.Err()
	}()
	go func() {
		defer close(lines)
		for {
			select {
			case line, ok := <-from:
				if !ok {
					return
				}
				select {
				case lines <- line:
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines, ended
}

package engine

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/bench/framework/record"
)

// What comes late by much has stood still; a little is a busy machine's.
func TestStandstill(t *testing.T) {
	var s standstill
	begin := time.Now()
	if got := s.until(begin.Add(time.Hour)); got != 0 {
		t.Errorf("not watched: %v", got)
	}
	s.last = begin
	at, sum := begin, time.Duration(0)
	for _, c := range []struct{ passed, stood time.Duration }{
		{standstillLook, 0}, {standstillLook / 3, 0}, {standstillLook + leastStandstill - 1, 0}, {standstillLook + leastStandstill, leastStandstill},
		{standstillLook, 0}, {standstillLook + time.Minute, time.Minute},
	} {
		at, sum = at.Add(c.passed), sum+c.stood
		if got := s.until(at); got != sum {
			t.Errorf("after %v: %v, want %v", c.passed, got, sum)
		}
	}
}

// The time in which this process did not run does not count against a limit.
func TestStandstillIsNoTimeout(t *testing.T) {
	const limit = 2 * time.Second
	stood.watch()
	out, w := io.Pipe()
	requests, in := io.Pipe()
	go io.Copy(io.Discard, requests)
	ended := make(chan struct{})
	p := &process{in: in, out: out, tail: &tail{}, end: sync.OnceFunc(func() { close(ended); w.Close() }), wait: func() error { <-ended; return nil }}
	// As soon as the limit begins, as if it had not looked for a minute from then on.
	notLook := sync.OnceFunc(func() {
		stood.mutex.Lock()
		defer stood.mutex.Unlock()
		stood.last = time.Now().Add(-time.Minute)
	})
	p.lost = func() time.Duration { notLook(); return 0 }
	time.AfterFunc(3*limit/2, func() { io.WriteString(w, `{"number": 1, "error": "here"}`+"\n") })
	rep, err := p.follow().ask(request{}, limit, nil, func(*reply) {})
	if err != nil || rep.Error != "here" {
		t.Errorf("%+v, %v", rep, err)
	}
	p.kill()
}

// A point that a standstill has hit is measured again, and says so.
func TestPointIsMeasuredAgainAfterAStandstill(t *testing.T) {
	b := newBed(t, func(o *Options) { o.VerifyOnly = true })
	asked := pointOf("ok", 1)
	b.Engine.start = func() (*process, error) {
		requests, in := io.Pipe()
		out, replies := io.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer replies.Close()
			lines := bufio.NewScanner(requests)
			for n := 1; lines.Scan(); n++ {
				status, stood := "timeout", `, "stood_s": 62.3`
				if n > 1 {
					status, stood = "ok", ""
				}
				io.WriteString(replies, strings.Replace(resultLine(t, asked, status), "%d", fmt.Sprint(n, stood), 1))
			}
		}()
		p := &process{in: in, out: out, tail: &tail{}, end: func() { requests.Close() }, wait: func() error { <-ended; return nil }}
		return p.follow(), nil
	}
	r := b.results(t, asked)[0]
	if r.Status != record.OK || !slices.Contains(r.Notes, "measured again: everything stood still for 62 s meanwhile") {
		t.Errorf("%s %s %q", r.Status, r.Reason, r.Notes)
	}
}

package engine

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"bench/framework"
)

// TestBesideReadsAsAsked: the load says when it runs and ends when its input does; a
// bandwidth is never above what was asked, but for its last piece.
func TestBesideReadsAsAsked(t *testing.T) {
	const asked = 20e6 // bytes per second, what any loaded machine reaches
	in, tell := io.Pipe()
	said, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- ServeBeside(in, out, "bandwidth_Bps:20e6") }()
	lines := bufio.NewReader(said)
	if line, err := lines.ReadString('\n'); err != nil || line != "running\n" {
		t.Fatalf("%q, %v", line, err)
	}
	time.Sleep(300 * time.Millisecond)
	tell.Close()
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	got, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
	if err != nil || got <= 0 || got > 1.2*asked {
		t.Errorf("%q bytes per second, %v; asked for %g", line, err, asked)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestParseBeside(t *testing.T) {
	for text, want := range map[string]framework.Beside{
		"none": {}, "": {}, "cpu:2": {CPU: 2}, "bandwidth_Bps:2e9": {Bandwidth: 2e9},
	} {
		if got, err := framework.ParseBeside(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"cpu", "cpu:0", "cpu:1.5", "gpu:1", "bandwidth_Bps:-1", "cpu:2000", "bandwidth_Bps:x"} {
		if _, err := framework.ParseBeside(text); err == nil || !strings.Contains(err.Error(), "want none, cpu:THREADS") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

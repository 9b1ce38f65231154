package external

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/framework"
)

func open(t *testing.T, x framework.ExternalPower, total bool) (framework.Sensor, error) {
	t.Helper()
	s, err := Factory().Open(framework.SensorEnv{External: &x, HasTotal: total})
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, err
}

func read(t *testing.T, s framework.Sensor) float64 {
	t.Helper()
	v := []float64{math.NaN()}
	if err := s.Sample(v); err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func TestProgram(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	s, err := open(t, framework.ExternalPower{Command: []string{"sh", "-c",
		"echo starting; echo 12.5 W; until [ -e " + gate + " ]; do sleep 0.01; done; echo 20; sleep 600"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, s); got != 12.5 {
		t.Errorf("%v W, want 12.5", got)
	}
	if err := os.WriteFile(gate, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); read(t, s) != 20; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%v W after the next line, want 20", read(t, s))
		}
	}
	if c := s.Channels()[0]; c.Role != framework.Total || c.Unit != "W" || c.Counter {
		t.Errorf("channel %+v", c)
	}
	began := time.Now()
	if err := s.Close(); err != nil || time.Since(began) > 5*time.Minute { // half the program's sleep
		t.Errorf("close: %v after %v", err, time.Since(began))
	}
	if err := s.Sample([]float64{0}); err == nil {
		t.Error("a closed sensor gives a reading")
	}
}

func TestProgramThatEnds(t *testing.T) {
	s, err := open(t, framework.ExternalPower{Command: []string{"sh", "-c", "echo 3; exit 4"}}, false)
	if err == nil { // it may have been alive at its first line
		for deadline := time.Now().Add(time.Minute); s.Sample([]float64{0}) == nil; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("a program that ended gives readings")
			}
		}
		err = s.Sample([]float64{0})
	}
	if !strings.Contains(err.Error(), "exit status 4") {
		t.Errorf("error %v does not say the status", err)
	}
}

func TestWhatCannotBe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    framework.ExternalPower
		want string
	}{
		{framework.ExternalPower{}, "no config says where"},
		{framework.ExternalPower{Command: []string{"/no/such/program"}}, "no such file"},
		{framework.ExternalPower{Command: []string{"echo", "on"}}, `"on" is not a number of watts`},
		{framework.ExternalPower{Command: []string{"echo", "-5"}}, "not a number of watts"},
		{framework.ExternalPower{Command: []string{"echo", "4294967295"}}, "not a number of watts"},
		{framework.ExternalPower{Command: []string{"echo", "2147483647"}}, "not a number of watts"},
		{framework.ExternalPower{File: "/no/such/file"}, "no such file"},
		{framework.ExternalPower{File: "/dev/null"}, "no value"},
		{framework.ExternalPower{File: t.TempDir()}, "is a folder"},
		{framework.ExternalPower{File: pipe}, `is a named pipe, no file with a number that is rewritten in place; as a program: "command": ["cat", "` + pipe + `"]`},
		{framework.ExternalPower{Command: []string{"true"}}, "true ended (exit status 0)"},
	} {
		failed := make(chan error, 1)
		go func() {
			_, err := open(t, c.x, false)
			failed <- err
		}()
		select {
		case err := <-failed:
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%+v: %v, want %s", c.x, err, c.want)
			}
		case <-time.After(time.Minute):
			t.Errorf("%+v: no answer within a minute", c.x)
		}
	}
	if _, err := start([]string{"sleep", "60"}, nil, 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "printed no number within") {
		t.Errorf("a silent program: %v", err)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "watts")
	if err := os.WriteFile(path, []byte("7.25\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := open(t, framework.ExternalPower{File: path}, true)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, s); got != 7.25 {
		t.Errorf("%v W, want 7.25", got)
	}
	if err := os.WriteFile(path, []byte("110\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := read(t, s); got != 110 {
		t.Errorf("%v W after it changed, want 110", got)
	}
	if err := os.WriteFile(path, []byte("0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := read(t, s); got != 0 {
		t.Errorf("%v W of what is switched off, want 0", got)
	}
	// Beside a sensor of the total nothing is counted twice.
	if c := s.Channels()[0]; c.Role != framework.Carrier || len(s.Notes()) != 1 {
		t.Errorf("role %s, notes %q", c.Role, s.Notes())
	}
}

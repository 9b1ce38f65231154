package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/sensors"
)

// TestFetchIsMergedOrInterrupted: what a cluster measured is merged, with plots or without;
// a signal ends that at once.
func TestFetchIsMergedOrInterrupted(t *testing.T) {
	dir, err := os.MkdirTemp("", "bench-fetch-") // t.TempDir does not like what an interrupted merge still writes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	config := fileIn(t, "sweep.json", `{"algorithm": "fft", "processor": "CPU", "versions": ["stockham"], "sensors": [], "static_args": {"batch_elements": 1024},
		"sweep_arg": {"N": [64]}, "measure": {"ceilings": false, "min_samples": 5, "min_time_s": 0.01, "timeout_s": 5}}`)
	if status, _, errOut := runIn(t, "run", config, "--quiet", "--out", filepath.Join(dir, "tasks/00000")); status != exitGood {
		t.Fatalf("status %d\n%s", status, errOut)
	}
	if err := os.WriteFile(filepath.Join(dir, "slurm.json"), []byte(`{"tasks": [{"prefix": "sweep", "args": []}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BENCH_PLOTS", "")
	for flag, want := range map[string]bool{"--no-plots=true": false, "--no-plots=false": true} {
		status, out, errOut := runIn(t, "fleet", "fetch", dir, flag)
		plots, err := filepath.Glob(filepath.Join(dir, "sweep/figures/*.png"))
		if status != exitGood || !strings.Contains(out, "sweep: 1 point of 1 device") || err != nil || len(plots) > 0 != want {
			t.Errorf("%s: status %d, %d plots\n%s\n%s", flag, status, len(plots), out, errOut)
		}
	}
	ended, end := context.WithCancel(context.Background())
	end()
	var out, errOut bytes.Buffer
	a := &app{registry: framework.NewRegistry(algorithms.All(), sensors.All()), out: &out, err: &errOut}
	if status := a.run(ended, []string{"fleet", "fetch", dir}); status != exitInterrupted {
		t.Errorf("status %d\n%s\n%s", status, out.String(), errOut.String())
	}
}

// Where a board cannot be asked, its line says why, and so does the status.
func TestStatusOfABoardThatIsNotReached(t *testing.T) {
	dir := t.TempDir()
	ssh := filepath.Join(dir, "ssh")
	if err := os.WriteFile(ssh, []byte("#!/bin/sh\necho no route >&2\nexit 255\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := `{"ssh": ["` + ssh + `"], "folder": ".cache/bench-fleet", "runs": [{"prefix": "sweep"}],
		"boards": [{"host": "there", "name": "there", "job": ".cache/bench-fleet/there-20260101-000000-0123abcd", "sent": true}]}`
	if err := os.WriteFile(filepath.Join(dir, "fleet.json"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := runIn(t, "fleet", "status", dir, "--ssh", ssh)
	if want := "there: the connection failed: no route; sweep: 0 results\n"; status != exitBad || out != want || errOut != "" {
		t.Errorf("status %d, %q, %q; want %d and %q", status, out, errOut, exitBad, want)
	}
}

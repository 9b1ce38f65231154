package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/command/fleet"
	"example.org/bench/framework/record"
)

// results puts a published folder into the sandbox.
func (s *sandbox) results(name string) {
	s.t.Helper()
	to := s.path("in/r")
	if err := os.RemoveAll(to); err != nil {
		s.t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(name)); err != nil {
		s.t.Fatal(err)
	}
}

// attack plants a hostile word into each field of the results and has first read them, alone;
// fields that first takes are then read by all verbs, many at once.
func (s *sandbox) attack(of string, first []string, all [][]string) (count int) {
	s.t.Helper()
	s.changed, s.published = map[string][]byte{}, nil
	entries, err := os.ReadDir(s.path("in/r"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		s.published = append(s.published, e.Name())
	}
	if status, said := s.bench(first...); status != exitGood {
		s.t.Fatalf("%q as it was: %s", first, said)
	}
	s.before = s.outside()
	var taken []field
	list := s.fields(s.path("in/r"))
	for _, f := range list {
		s.plant(f, s.word())
		if status, _ := s.bench(first...); status == exitGood {
			taken = append(taken, f)
		}
		s.check(of + ": " + f.file + " " + f.name)
		s.restore()
		if !strings.Contains(f.name, "prefix") { // which names files
			continue
		}
		for _, word := range s.words {
			for _, args := range all {
				s.plant(f, word)
				s.bench(args...)
				s.check(fmt.Sprintf("%s: %s: %s is %q", of, strings.Join(args, " "), f.name, word))
				s.restore()
			}
		}
	}
	for group := range slices.Chunk(taken, 25) {
		var names []string
		for _, f := range group {
			s.plant(f, s.word())
			names = append(names, f.file+" "+f.name)
		}
		for _, args := range all {
			s.bench(args...)
			s.check(fmt.Sprintf("%s: %s: %q", of, strings.Join(args, " "), names))
		}
		s.restore()
	}
	s.t.Logf("%s: %d fields, of which %d are read", of, len(list), len(taken))
	return len(list)
}

// TestHostileResults: whatever the text fields of a results folder hold, verbs that read it start
// nothing and write nowhere but where they were told.
func TestHostileResults(t *testing.T) {
	published, err := filepath.Abs("../results")
	if err != nil {
		t.Fatal(err)
	}
	s := newSandbox(t)
	r := s.path("in/r")
	config := s.path("in/c.json")
	if err := os.WriteFile(config, []byte(`{"algorithm": "scan", "processor": "CPU", "versions": ["reference"], "output_file_prefix": "s", "sensors": [], "sweep_arg": {"N": [64, 128]},
		"static_args": {"batch_elements": 256}, "measure": {"min_time_s": 0.0001, "min_samples": 3, "noise": 0.9, "timeout_s": 0.01, "cooldown_s": 0, "ceilings": false}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	ofRun := [][]string{{"compare", r, "--csv"}, {"export", r, "--to", "json", "--out", s.path("out/e")}, {"merge", r, "--no-plots", "--out", s.path("out/m")},
		{"history", "add", r, "--file", s.path("out/h.jsonl"), "--revision", "x"}, {"history", "show", "--file", s.path("out/h.jsonl")},
		{"report", r, "-o", s.path("out/report.html")}, {"plot", r, "--csv"}}
	first := []string{"export", r, "--to", "csv", "--out", s.path("out/e")}
	count := 0
	for _, name := range []string{"h100-counters", "h100-energy", "h200-latency-fft-256"} {
		s.results(filepath.Join(published, name))
		count += s.attack(name, first, ofRun)
	}
	os.RemoveAll(r)
	if status, said := s.bench("run", config, "--out", r, "-q"); status != exitGood {
		t.Fatal(said)
	}
	for _, name := range []string{"run.json", "s_time.csv", "s_flops.csv", "s_energy.csv", "s_power.csv", "s_loadstoresize.csv", "s_samples.csv.gz"} {
		os.Remove(filepath.Join(r, name)) // what a killed run leaves is its journal
	}
	count += s.attack("journal", first, append(slices.Clone(ofRun), []string{"run", config, "--out", r, "-q", "--resume"}))
	for name, file := range map[string]string{"epyc-fft-ab": "ab.json", "h100-tune-front": "tune.json"} {
		s.results(filepath.Join(published, name))
		count += s.attack(file, []string{"report", r, "-o", s.path("out/report.html")}, [][]string{{"report", r, "-o", s.path("out/report.html")}, {"transfer", r}, {"compare", r}, {"plot", r}, {"merge", r, "--out", s.path("out/m")}})
	}
	space := filepath.Join(r, "x.csv")
	s.results(filepath.Join(published, "epyc-fft-ab"))
	write(t, space, "a,b,time_ms,status\n1,1,0.5,valid\n1,2,0.75,valid\n2,1,0.125,valid\n2,2,0.25,valid\n")
	for _, name := range []string{"ab.json", "ab.csv", "ab_samples.csv.gz"} {
		os.Remove(filepath.Join(r, name))
	}
	replay := []string{"replay", space, "--budget", "2", "--repeats", "2", "--strategy", "random", "--out", s.path("out/replayed")}
	count += s.attack("recorded space", replay, [][]string{replay, {"report", space, "-o", s.path("out/report.html")}})
	if count < 400 {
		t.Errorf("%d fields, want 400 and more", count)
	}
}

// TestHostileState: so it is with the files of fleets, and verbs that go on with them.
func TestHostileState(t *testing.T) {
	s := newSandbox(t)
	r := s.path("in/r")
	write(t, filepath.Join(r, fleet.File), `{"ssh": ["ssh"], "folder": ".cache/bench-fleet", "configs": ["/c/s.json"], "binaries": ["/b"], "runs": [{"prefix": "s", "args": ["configs/0/s.json"]}], "boards": [
		{"host": "orin1", "name": "orin1", "job": ".cache/bench-fleet/orin1-20260101-000000-0123abcd", "sent": true, "state": {"phase": "running", "status": 0, "reason": "none"}, "fetched": false},
		{"host": "orin2", "name": "orin2", "sent": false, "state": {"phase": "", "status": 0}}]}`)
	write(t, filepath.Join(r, "boards/orin1/s/journal.jsonl"), "{}\n")
	verbs := [][]string{{"fleet", "status", r}, {"fleet", "fetch", r}, {"fleet", "stop", r}, {"fleet", "--resume", "--out", r, "--no-plots"}}
	count := s.attack(fleet.File, verbs[0], verbs)
	for _, verb := range verbs {
		for _, f := range s.fields(r) {
			for range 3 {
				s.plant(f, s.word())
				s.bench(verb...)
				s.check(fmt.Sprint(f.name, verb))
				s.restore()
			}
		}
	}
	if err := os.Remove(filepath.Join(r, fleet.File)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(r, fleet.ArrayFile), `{"program": "`+r+`/slurm/bench", "sbatch": ["--gres=gpu:1"], "tasks": [{"prefix": "s", "args": ["/c/s.json"]}], "scripts": [{"file": "job-1.sh", "tasks": [0], "job": "7"}, {"file": "job-2.sh", "tasks": [0]}], "program_sha256": "x"}`)
	write(t, filepath.Join(r, "slurm/job-2.sh"), "#!/bin/sh\ntouch PWNED\n")
	count += s.attack(fleet.ArrayFile, []string{"fleet", "status", r}, [][]string{{"fleet", "status", r}, {"fleet", "fetch", r, "--no-plots"}, {"fleet", "--slurm", "--resume", "--submit", "--out", r}})
	if count < 15 {
		t.Errorf("%d fields", count)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRunWhoseFolderIsSwapped goes on in the folder that it began in.
func TestRunWhoseFolderIsSwapped(t *testing.T) {
	s := newSandbox(t)
	write(t, s.path("in/c.json"), `{"algorithm": "scan", "processor": "CPU", "versions": ["reference"], "output_file_prefix": "s", "sensors": [], "sweep_arg": {"N": [64, 128, 256]},
		"static_args": {"batch_elements": 256}, "measure": {"min_time_s": 0.1, "min_samples": 30, "noise": 0.0001, "timeout_s": 0.2, "cooldown_s": 0, "ceilings": false}}`)
	out, moved, victim := s.path("out/r"), s.path("out/moved"), s.path("in/victim")
	write(t, filepath.Join(victim, record.InfoFile), "precious")
	swapped := make(chan error, 1)
	go func() {
		for {
			if text, err := os.ReadFile(filepath.Join(out, record.JournalFile)); err == nil && strings.Contains(string(text), `","result":`) {
				break
			}
			time.Sleep(time.Millisecond)
		}
		err := os.Rename(out, moved)
		if err == nil {
			err = os.Symlink(victim, out)
		}
		swapped <- err
	}()
	status, said := s.bench("run", s.path("in/c.json"), "--out", out)
	if err := <-swapped; err != nil {
		t.Fatal(err)
	}
	if status != exitGood || !strings.Contains(said, out+" was renamed meanwhile: its results are in "+moved) || !strings.Contains(said, moved+": CSVs, samples") {
		t.Errorf("status %d\n%s", status, said)
	}
	if run, err := record.Read(moved); err != nil || len(run.Rows) != 3 {
		t.Errorf("%v", err)
	}
	entries, err := os.ReadDir(victim)
	if text, _ := os.ReadFile(filepath.Join(victim, record.InfoFile)); err != nil || len(entries) != 1 || string(text) != "precious" {
		t.Errorf("%v, %v, %q", entries, err, text)
	}
}

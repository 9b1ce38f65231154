package command

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/framework/powermode"
	"example.org/bench/test/tree"
)

// TestHostileInputs: so it is with what predictions learn from, histories, wisdom, jobs on a
// board, and the note of power modes.
func TestHostileInputs(t *testing.T) {
	board := tree.Unpack(t, "../framework/powermode/testdata/jetson-tx2-l4t28.txtar")
	published, err := filepath.Abs("../results/literature")
	if err != nil {
		t.Fatal(err)
	}
	s := newSandbox(t)
	r := s.path("in/r")
	config := s.path("in/c.json")
	write(t, config, `{"algorithm": "scan", "processor": "CPU", "versions": ["parallel"], "output_file_prefix": "t", "sensors": [], "sweep_arg": {"N": [1024]}, "static_args": {"batch_elements": 8192},
		"tunables": {"CHUNK": [16, 32]}, "measure": {"min_time_s": 0.0001, "min_samples": 3, "noise": 0.9, "timeout_s": 0.01, "cooldown_s": 0, "ceilings": false}}`)

	s.results(filepath.Join(published, "rtx2080ti-partition"))
	predict := []string{"predict", r, "--versions", "partition,partition_corrected,recursive", "--sizes", "4500000", "--tunable", "m"}
	count := s.attack("predict", []string{"export", r, "--to", "csv", "--out", s.path("out/e")}, [][]string{predict, append(predict[:len(predict):len(predict)], "--json")})

	h := filepath.Join(r, "h.jsonl")
	s.results(filepath.Join(published, "../h200-latency-fft-256"))
	run := s.path("in/run")
	if err := os.CopyFS(run, os.DirFS(r)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.RemoveAll(r), os.Mkdir(r, 0o777)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if status, said := s.bench("history", "add", run, "--file", h, "--revision", "x"); status != exitGood {
			t.Fatal(said)
		}
	}
	show := []string{"history", "show", "--file", h}
	count += s.attack("history", show, [][]string{show, {"history", "check", "--file", h}, {"history", "add", run, "--file", h, "--revision", "y"}, {"report", h, "-o", s.path("out/report.html")}})

	wisdom := filepath.Join(r, "w.json")
	if err := errors.Join(os.RemoveAll(r), os.Mkdir(r, 0o777)); err != nil {
		t.Fatal(err)
	}
	search := []string{"tune", config, "--out", s.path("out/m"), "--budget", "2", "--strategy", "random", "--confirm", "0", "--wisdom", wisdom, "-q"}
	if status, said := s.bench(search...); status != exitGood {
		t.Fatal(said)
	}
	if _, err := os.Stat(wisdom); err != nil {
		t.Fatal(err)
	}
	use := []string{"plan", config, "--wisdom", wisdom}
	count += s.attack("wisdom", use, [][]string{use, {"run", config, "--out", s.path("out/m"), "--wisdom", wisdom, "-q"}, search})

	os.RemoveAll(r)
	write(t, filepath.Join(r, "job.json"), `{"name": "orin1", "runs": [{"prefix": "s", "args": ["configs/0/s.json"]}]}`)
	write(t, filepath.Join(r, "state.json"), `{"phase": "done", "status": 0, "reason": "none"}`)
	follow := []string{"board", "follow", r, "--once"}
	stdout := os.Stdout
	if os.Stdout, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	count += s.attack("job", follow, [][]string{follow, {"board", "stop", r}})
	os.Stdout.Close()
	os.Stdout = stdout

	os.RemoveAll(r)
	state := powermode.State{Control: "nvpmodel", Root: board, Mode: "3", Files: map[string]string{"sys/devices/system/cpu/cpu1/online": "1"}, GPU: "GPU-x"}
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("STATE_DIRECTORY", r)
	note := powermode.NotePath()
	write(t, note, string(text))
	before := shape(t, board)
	for _, f := range s.fields(r) {
		for _, word := range s.words {
			for _, args := range [][]string{{"modes", "--root", board}, {"modes", "--restore", "--root", board}, {"run", config, "--out", s.path("out/m"), "-q"}} {
				s.changed, s.published = map[string][]byte{}, []string{filepath.Base(note)}
				write(t, note, string(text))
				s.before = s.outside()
				s.plant(f, word)
				s.bench(args...)
				s.check("note: " + f.name + " is " + word)
				count++
			}
		}
	}
	after := shape(t, board)
	for path, is := range after {
		if before[path] != is {
			t.Errorf("%s was %q, and is %q", path, before[path], is)
		}
	}
	if count < 300 {
		t.Errorf("%d fields", count)
	}
	t.Logf("%d fields and words", count)
}

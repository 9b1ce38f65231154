package executable

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/framework/mismatch"
	"example.org/bench/framework/plan"
)

// TestPlaceholders checks that a name in braces stands for its value in arguments and in the program's name,
// so that each build can have a program of its own, and that it is then not passed as an argument.
func TestPlaceholders(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"run_1", "run_4"} {
		script := "#!/bin/sh\necho \"$0 $@\" >>" + folder + "/log; echo '{\"time_s\": 1, \"flops\": 1, \"load_bytes\": 2, \"store_bytes\": 3}'\n"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := config.Parse(filepath.Join(folder, "x.json"), []byte(`{"executable": "./run_{unroll}", "static_args": [["--shape", "{n}x{threads}"], ["--seed", 3]],
		"sweep_arg": {"n": [64]}, "tunables": {"--threads": [2, 8], "unroll": [1, 4]}, "run_arg": {"many": ["--out", "{n}.npy"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(cfg)
	if err != nil || f.Name != "run" || f.Versions[0].Name != "run" {
		t.Fatalf("%+v, %v", f, err)
	}
	if err := f.Versions[0].Available(); err != nil {
		t.Error(err)
	}
	p, err := plan.Make(t.Context(), cfg, f, plan.Machine{NoGPU: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Points) != 4 {
		t.Fatalf("%d points", len(p.Points))
	}
	for _, point := range []plan.Point{p.Points[0], p.Points[3]} {
		a := algorithmOf(t, f, point)
		if err := a.PreRun(); err != nil {
			t.Fatal(err)
		}
		if err := a.Run(); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Times(); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.Join(folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll("DIR/run_1 --shape 64x2 --seed 3\nDIR/run_1 --shape 64x2 --seed 3 --out 64.npy\nDIR/run_4 --shape 64x8 --seed 3\nDIR/run_4 --shape 64x8 --seed 3 --out 64.npy\n", "DIR", folder)
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	cfg.Executable = "./none_{unroll}"
	if err := anyOf(cfg); err == nil || !strings.Contains(err.Error(), "no program ./none_* exists") {
		t.Error(err)
	}
}

// TestAnswersOfPrograms checks that a program's two arrays show where its answer is wrong.
func TestAnswersOfPrograms(t *testing.T) {
	folder := t.TempDir()
	write := func(name, elements string) {
		header := "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"
		text := "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header + elements
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const one, two = "\x00\x00\x80?", "\x00\x00\x00@"
	write("got.npy", one+one+two+one)
	write("right.npy", one+one+one+one)
	path := program(t, `echo '{"time_s": 1, "flops": 1, "load_bytes": 2, "store_bytes": 3, "error": 1, "error_bound": 0.1, "answer": "`+folder+`/got.npy", "right_answer": "`+folder+`/right.npy"}'`)
	run, _ := start(t, parse1(t, `{"executable": "`+path+`", "sweep_arg": {"n": [1]}}`))
	a := run.(*algorithm)
	if err := a.PreRun(); err != nil {
		t.Fatal(err)
	}
	if err := a.Run(); err != nil {
		t.Fatal(err)
	}
	answers, err := a.Answers()
	if err != nil || len(answers) != 1 {
		t.Fatal(answers, err)
	}
	m, err := mismatch.Of(answers[0], nil)
	if err != nil || m.String() != "1 of 4 elements wrong; first answer[2] (row 1, col 0): got 2, want 1" {
		t.Errorf("%v, %v", m, err)
	}
	if err := os.Remove(filepath.Join(folder, "right.npy")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Answers(); err == nil || !strings.Contains(err.Error(), "right.npy: no such file") {
		t.Error(err)
	}
}

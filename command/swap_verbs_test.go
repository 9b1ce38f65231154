package command

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/bench/command/fleet"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/internal/trust"
)

// Configs of points that take milliseconds.
const (
	quickly       = `"measure": {"min_time_s": 0.0001, "min_samples": 3, "noise": 0.9, "timeout_s": 0.01, "cooldown_s": 0, "ceilings": false}`
	quickConfig   = `{"algorithm": "scan", "processor": "CPU", "versions": ["reference"], "output_file_prefix": "s", "sensors": [], "sweep_arg": {"N": [64, 128]}, "static_args": {"batch_elements": 256}, ` + quickly + `}`
	tunableConfig = `{"algorithm": "scan", "processor": "CPU", "versions": ["parallel"], "output_file_prefix": "t", "sensors": [], "sweep_arg": {"N": [1024]}, "static_args": {"batch_elements": 8192},
		"tunables": {"CHUNK": [16, 32, 64]}, ` + quickly + `}`
)

// verbsThatMeasure measure into p/r, and read and write what is there.
func verbsThatMeasure(_ *testing.T, s *sandbox, work, template string, _ bool) part {
	r, config, tunable := filepath.Join(work, "p/r"), s.path("in/c.json"), s.path("in/t.json")
	return part{swaps: 400, pause: 3000, names: swapped, verbs: [][]string{
		{"run", config, "--out", r, "-q"}, {"run", config, "--out", r, "-q", "--resume"}, {"merge", r, "--no-plots", "--out", filepath.Join(work, "p/m")},
		{"export", r, "--to", "csv", "--out", filepath.Join(work, "p/e")}, {"history", "add", r, "--revision", "x", "--file", filepath.Join(work, "p/h.jsonl")},
		{"report", r, "-o", filepath.Join(work, "p/report.html")}, {"plot", r, "--csv"}, {"compare", r, template, "--csv"},
		{"tune", tunable, "--out", filepath.Join(work, "p/t"), "--budget", "2", "--strategy", "random", "--confirm", "0", "--wisdom", filepath.Join(work, "p/w.json"), "-q"},
	}}
}

// verbsOfFleet have two boards measure, and bring what a board and a cluster's tasks have. The
// boards are a stand-in for ssh, which sends what was measured here.
func verbsOfFleet(t *testing.T, s *sandbox, work, template string, mine bool) part {
	architecture := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	if architecture == "" {
		t.Skip("no board is a " + runtime.GOARCH)
	}
	tool, err := json.Marshal(record.ThisTool())
	if err != nil {
		t.Fatal(err)
	}
	journal, err := os.ReadFile(filepath.Join(template, record.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.path("in/tool"), string(tool)+"\n")
	write(t, s.path("in/journal"), string(journal))
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	write(t, s.path("in/board/log"), "measured\n")
	if err := os.CopyFS(s.path("in/board/results/s"), os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.AddFS(os.DirFS(s.path("in/board"))), w.Close()); err != nil {
		t.Fatal(err)
	}
	write(t, s.path("in/archive"), archive.String())
	s.standIn("ssh", fmt.Sprintf(`cd '%s' || exit 1
case "$*" in
*'uname -m') echo %s ;;
*'tar -xf -') exec /bin/cat >/dev/null ;;
*'version --json') exec /bin/cat tool ;;
*'tar -cf - results log') exec /bin/cat archive ;;
*'board follow'*)
	from=0 words="$*"
	case "$words" in *'"s":'*) from="${words##*\"s\":}" from="${from%%%%[!0-9]*}" ;; esac
	if [ "$from" -lt %[3]d ]; then
		echo '{"run":"s","from":'"$from"',"bytes":'$((%[3]d - from))'}'
		/usr/bin/tail -c +$((from + 1)) journal
	fi
	echo '{"state":{"phase":"done","status":0}}' ;;
esac`, s.path("in"), architecture, len(journal)))
	f, tasks := filepath.Join(work, "p/f"), filepath.Join(work, "p/a")
	begun := `{"ssh": ["ssh"], "folder": ".cache/bench-fleet", "configs": [], "runs": [{"prefix": "s", "args": ["configs/0/c.json"]}], "boards": [
		{"host": "a", "name": "a", "job": ".cache/bench-fleet/a-20260101-000000-0123abcd", "sent": true, "state": {"phase": "running", "status": 0}, "fetched": false},
		{"host": "b", "name": "b", "job": ".cache/bench-fleet/b-20260101-000000-0123abcd", "sent": true, "state": {"phase": "", "status": 0}, "fetched": false}]}`
	verbs := [][]string{{"fleet", s.path("in/c.json"), "--hosts", "a,b", "--out", f, "--no-plots", "-q"}, {"fleet", "fetch", f, "--no-plots"}, {"fleet", "--resume", "--out", f, "--no-plots"}, {"fleet", "status", f}, {"fleet", "fetch", tasks, "--no-plots"}}
	made := map[string]string{"what a board measured": filepath.Join(f, "boards/b/s", record.InfoFile), "the boards' runs, merged": filepath.Join(f, "s", record.InfoFile), "a board's log": filepath.Join(f, "boards/a/log")}
	if mine {
		made["a cluster's tasks, merged"] = filepath.Join(tasks, "s", record.InfoFile)
	} else {
		verbs = verbs[:2] // a fleet's file that others can change is refused
	}
	p := part{swaps: 200, pause: 10000, names: fetched, verbs: verbs, undisturbed: len(verbs), done: missing(made)}
	p.before = func(t *testing.T, n int) {
		switch n %= len(verbs); n {
		case 4:
			write(t, filepath.Join(tasks, fleet.ArrayFile), `{"tasks": [{"prefix": "s", "args": []}]}`)
			if err := os.CopyFS(filepath.Join(tasks, "tasks/00000"), os.DirFS(template)); err != nil {
				t.Fatal(err)
			}
		case 1, 2, 3: // the first begins a fleet's run
			write(t, filepath.Join(f, fleet.File), begun)
			write(t, filepath.Join(f, "boards/a/s", record.JournalFile), string(journal[:bytes.IndexByte(journal, '\n')+1]))
		}
	}
	return p
}

// own has caches, wisdom and seals in p, and the programs of the system beside the stand-ins.
func own(t *testing.T, s *sandbox, work string) {
	t.Setenv("PATH", s.path("bin")+":"+s.system)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(work, "p/cache"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(work, "p/config"))
	t.Setenv("STATE_DIRECTORY", filepath.Join(work, "p/state"))
}

// verbsThatKeep write sums, libraries of C functions, wisdom and the key of seals in one's own folder.
func verbsThatKeep(t *testing.T, s *sandbox, work, _ string, _ bool) part {
	own(t, s, work)
	t.Setenv("CC", s.program("gcc"))
	config, tunable, out := s.path("in/f.json"), s.path("in/t.json"), s.path("out/m")
	write(t, s.path("in/f.c"), "void f(float *x) { x[0] = 1; }\n")
	write(t, config, `{"algorithm": {"cuda": {"name": "f", "arguments": [{"name": "x", "type": "f32", "size": "1", "use": "output"}], "verify": {"none": "it computes nothing"},
		"versions": [{"name": "c", "c": {"source": "f.c", "function": "f"}}]}}, "sensors": [], `+quickly+`}`)
	search := []string{"tune", tunable, "--out", out, "--budget", "2", "--strategy", "random", "--confirm", "0", "-q"}
	// The pause: verbs come as far as these, and a compiler to its end between two swaps.
	p := part{swaps: 100, pause: 60000, names: kept, made: "p/cache/bench/*/*", verbs: [][]string{search, {"run", config, "--out", out, "-q"}, {"run", tunable, "--out", out, "-q"}, {"run", config, "--out", out, "-q"}, search, {"doctor"}}}
	p.undisturbed = len(p.verbs)
	p.first = func() { trust.Seal([]byte("x")) } //nolint:errcheck // it may fail, and writes nowhere else
	p.done = missing(map[string]string{"code": filepath.Join(work, "p/cache/bench/c/*.so"), "wisdom": filepath.Join(work, "p/config/bench/wisdom.json")})
	return p
}

// verbsThatCompile have the simulator's compiler and NVRTC write code in one's own folder.
func verbsThatCompile(t *testing.T, s *sandbox, work, _ string, _ bool) part {
	own(t, s, work)
	t.Setenv("CXX", s.program("g++"))
	config, cache, runtimes := s.path("in/k.json"), filepath.Join(work, "p/cache/bench/sim"), s.path("in/runtimes") // the simulator's own library takes longer than a kernel's
	write(t, config, `{"algorithm": {"cuda": {"name": "f", "arguments": [{"name": "x", "type": "f32", "size": "1", "use": "output"}], "verify": {"none": "it computes nothing"},
		"source": "k.cu", "kernels": [{"name": "f", "grid": "1", "block": "1"}]}}, "sensors": [], `+quickly+`}`)
	write(t, s.path("in/k.cu"), "extern \"C\" __global__ void f(float *x) { x[0] = 1; }\n")
	p := part{swaps: 40, pause: 150000, names: compiled, verbs: [][]string{{"verify", config, "--device", "sim"}}, made: "p/cache/bench/*/*"}
	made := map[string]string{"the simulator's code": filepath.Join(cache, "*.so.log")}
	if _, err := nvrtc.Open(); err == nil {
		p.verbs = append(p.verbs, []string{"why", filepath.Join(s.module, "results/h200-latency-fft-256"), "--versions", "stockham"})
		made["NVRTC's code"] = filepath.Join(work, "p/cache/bench/kernels/????????????????????????????????????????????????????????????????")
	} else {
		t.Log(err)
	}
	p.undisturbed = len(p.verbs)
	p.before = func(t *testing.T, _ int) {
		if _, err := os.Stat(runtimes); err == nil {
			if err := os.CopyFS(cache, os.DirFS(runtimes)); err != nil {
				t.Fatal(err)
			}
		}
	}
	done := missing(made)
	p.done = func() string {
		if _, err := os.Stat(runtimes); err == nil {
			return done()
		}
		found, _ := filepath.Glob(filepath.Join(cache, "libbenchsim-*.so")) // of the first verb, undisturbed
		for _, path := range found {
			code, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(runtimes, filepath.Base(path)), string(code))
		}
		return done()
	}
	return p
}

// missing says which files have not been made, by what they are; once made they may go.
func missing(files map[string]string) func() string {
	return func() string {
		for what, pattern := range files {
			if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
				delete(files, what)
			}
		}
		return strings.Join(slices.Sorted(maps.Keys(files)), ", ")
	}
}

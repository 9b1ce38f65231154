package command

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/sensors"
)

// sandbox is a folder in which verbs run in this process: results are in in/r, and out, cwd
// and tmp are what they write to. PATH has stand-ins alone, which leave marks.
type sandbox struct {
	t        *testing.T
	dir      string
	registry *framework.Registry
	words    []string
	planted  int
	before   map[string]string
	changed  map[string][]byte // what files of the results held before a change
	// published are the files of the results, without what verbs wrote there.
	published []string
	allowed   []string // marks of programs that may be started
	system    string   // PATH without the stand-ins
	module    string   // folder of this tree
}

// program is the path of a program of the system.
func (s *sandbox) program(name string) string {
	s.t.Helper()
	for _, folder := range filepath.SplitList(s.system) {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path
		}
	}
	s.t.Fatalf("%s is not in %s", name, s.system)
	return ""
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	module, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	s := &sandbox{t: t, dir: t.TempDir(), module: module, registry: framework.NewRegistry(algorithms.All(), sensors.All()), system: os.Getenv("PATH")}
	for _, sub := range []string{"in", "out", "cwd", "tmp", "bin", "cache", "state"} {
		if err := os.Mkdir(s.path(sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"ssh", "sh", "touch", "git", "sudo", "sbatch", "scancel", "nvcc", "g++", "gcc", "cc", "ncu", "python3", "compute-sanitizer"} {
		// A board that is done, and has nothing to fetch.
		s.standIn(name, "case \"$*\" in *'board follow'*) echo '{\"state\":{\"phase\":\"done\"}}';; *) exit 1;; esac")
	}
	t.Setenv("PATH", s.path("bin"))
	t.Setenv("TMPDIR", s.path("tmp"))
	t.Setenv("XDG_CACHE_HOME", s.path("cache"))
	t.Setenv("STATE_DIRECTORY", s.path("state"))
	t.Chdir(s.path("cwd"))
	s.words = []string{"-oProxyCommand=touch PWNED", "../../outside", "../outside", s.path("outside"), "$(touch PWNED)", ";touch PWNED", "a\ntouch PWNED\nb", "`touch PWNED`", "..", "a/../../../b", "\x1b]0;x\a", "--out=../x"}
	s.before = s.outside()
	return s
}

// standIn puts a program into PATH that leaves a mark and does something.
func (s *sandbox) standIn(name, does string) {
	s.t.Helper()
	script := fmt.Sprintf("#!/bin/sh\necho \"%s $*\" >>'%s'\n%s\n", name, s.path("marks"), does)
	if err := os.WriteFile(s.path("bin/"+name), []byte(script), 0o777); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) path(name string) string { return filepath.Join(s.dir, name) }

// outside is what there is outside of the results and of what was asked for.
func (s *sandbox) outside() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	asked := []string{s.path("in/r"), s.path("out/e"), s.path("out/m"), s.path("out/p"), s.path("out/report.html"), s.path("out/h.jsonl"), s.path("out/replayed"), s.path("cache"), s.path("state"), s.path("marks")}
	err := filepath.WalkDir(s.dir, func(path string, e fs.DirEntry, err error) error {
		if slices.Contains(asked, path) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err == nil && e.Type().IsRegular() {
			var text []byte
			text, err = os.ReadFile(path)
			all[path] = string(text)
		} else {
			all[path] = e.Type().String()
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// bench runs a command line and returns its exit status and what it said.
func (s *sandbox) bench(args ...string) (int, string) {
	s.t.Helper()
	if err := os.RemoveAll(s.path("out/m")); err != nil { // an earlier merged run would be renamed
		s.t.Fatal(err)
	}
	var out bytes.Buffer
	a := &app{registry: s.registry, out: &out, err: &out}
	status := a.run(context.Background(), args)
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "touch PWNED") { // a word's own
			s.t.Errorf("%s: a line of another's: %q", strings.Join(args, " "), out.String())
		}
	}
	return status, out.String()
}

// check is called after verbs that read what.
func (s *sandbox) check(what string) {
	s.t.Helper()
	now := s.outside()
	for path, text := range now {
		if had, ok := s.before[path]; !ok || had != text {
			s.t.Errorf("%s: %s was made or changed", what, path)
		}
	}
	for path := range s.before {
		if _, ok := now[path]; !ok {
			s.t.Errorf("%s: %s was removed", what, path)
		}
	}
	s.before = now
	marks, err := os.ReadFile(s.path("marks"))
	if err == nil {
		os.Remove(s.path("marks"))
	}
	for line := range strings.Lines(string(marks)) {
		if !slices.Contains(s.allowed, line) && !strings.HasPrefix(line, "ssh -o BatchMode=yes -o ServerAliveInterval=15 -T orin1 cd '.cache/bench-fleet/orin1-20260101-000000-0123abcd' && ") ||
			strings.Contains(line, "PWNED") || strings.Contains(line, "outside") {
			s.t.Errorf("%s: started %s", what, line)
		}
	}
}

// word is the next hostile one.
func (s *sandbox) word() string {
	s.planted++
	return s.words[s.planted%len(s.words)]
}

// field changes one value of a file's text; ok is false for a file that has no such field.
type field struct {
	file, name string
	plant      func(text []byte, word string) []byte
}

// fields are all text fields of a results folder's files: JSON's strings, columns of CSVs.
func (s *sandbox) fields(dir string) (all []field) {
	s.t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil || e.IsDir() {
			continue
		}
		switch name := e.Name(); {
		case strings.HasSuffix(name, ".jsonl"):
			// A line of each kind; a journal's have sums.
			seen := map[string]bool{}
			for n, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
				for _, at := range stringsIn(line, nil) {
					if key := generic(at); !seen[key] && at[0] != "crc32c" {
						seen[key] = true
						all = append(all, field{name, fmt.Sprint(n+1, at), func(text []byte, word string) []byte {
							lines := bytes.Split(text, []byte("\n"))
							lines[n] = summed(planted(lines[n], at, word))
							return bytes.Join(lines, []byte("\n"))
						}})
					}
				}
			}
		case strings.HasSuffix(name, ".json"):
			seen := map[string]bool{}
			for _, at := range stringsIn(text, nil) {
				if key := generic(at); !seen[key] {
					seen[key] = true
					all = append(all, field{name, fmt.Sprint(at), func(text []byte, word string) []byte { return planted(text, at, word) }})
				}
			}
		case strings.HasSuffix(name, ".csv"), strings.HasSuffix(name, ".csv.gz"):
			rows := rowsOf(text)
			for column := range rows[0] {
				if len(rows) < 2 {
					break
				}
				if _, err := strconv.ParseFloat(rows[1][column], 64); err == nil && column%7 > 0 {
					continue // of numbers, some: they are read alike
				}
				for row := range 2 {
					all = append(all, field{name, fmt.Sprintf("%s in line %d", rows[0][column], row+1), func(text []byte, word string) []byte {
						rows := rowsOf(text)
						rows[row][column] = word
						var b bytes.Buffer
						csv.NewWriter(&b).WriteAll(rows)
						if !isGzip(text) {
							return b.Bytes()
						}
						var z bytes.Buffer
						w := gzip.NewWriter(&z)
						w.Write(b.Bytes())
						w.Close()
						return z.Bytes()
					}})
				}
			}
		}
	}
	return all
}

func isGzip(text []byte) bool { return bytes.HasPrefix(text, []byte{0x1f, 0x8b}) }

func rowsOf(text []byte) [][]string {
	if isGzip(text) {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			panic(err)
		}
		if text, err = io.ReadAll(z); err != nil {
			panic(err)
		}
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		panic(err)
	}
	return rows
}

// stringsIn are the ways to the strings of a JSON text. A config within, as run.json has it, is
// walked, too: its way goes on behind "»".
func stringsIn(text []byte, way []string) (all [][]string) {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return nil
	}
	var walk func(v any, way []string)
	walk = func(v any, way []string) {
		switch v := v.(type) {
		case string:
			all = append(all, slices.Clone(way))
			if strings.HasPrefix(v, "{") {
				all = append(all, stringsIn([]byte(v), append(slices.Clone(way), "»"))...)
			}
		case []any:
			for i, x := range v {
				walk(x, append(way, strconv.Itoa(i)))
			}
		case map[string]any:
			names := make([]string, 0, len(v))
			for name := range v {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				walk(v[name], append(way, name))
			}
		}
	}
	walk(v, way)
	return all
}

// generic is a way without the numbers of lists' elements.
func generic(way []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(way), func(s string) bool { _, err := strconv.Atoi(s); return err == nil }), "/")
}

// planted is a JSON text with another string.
func planted(text []byte, way []string, word string) []byte {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err)
	}
	var set func(v any, way []string) any
	set = func(v any, way []string) any {
		if len(way) == 0 {
			return word
		}
		switch v := v.(type) {
		case []any:
			i, _ := strconv.Atoi(way[0])
			v[i] = set(v[i], way[1:])
		case map[string]any:
			v[way[0]] = set(v[way[0]], way[1:])
		case string: // a config, unless that is planted already
			if !json.Valid([]byte(v)) {
				return v
			}
			return string(planted([]byte(v), way[1:], word))
		}
		return v
	}
	out, err := json.Marshal(set(v, way))
	if err != nil {
		panic(err)
	}
	return out
}

// summed is a line of a journal with the right sum; any other line as it is.
func summed(line []byte) []byte {
	var of map[string]json.RawMessage
	if json.Unmarshal(line, &of) != nil || of["crc32c"] == nil || len(of) != 2 {
		return line
	}
	for kind, content := range of {
		if kind != "crc32c" {
			body := fmt.Sprintf("%q:%s", kind, content)
			return fmt.Appendf(nil, `{"crc32c":"%08x",%s}`, crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)), body)
		}
	}
	return line
}

// plant writes a change, which restore takes back.
func (s *sandbox) plant(f field, word string) {
	s.t.Helper()
	path := filepath.Join(s.path("in/r"), f.file)
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if s.changed[f.file] == nil {
		s.changed[f.file] = text
	}
	if err := os.WriteFile(path, f.plant(text, word), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) restore() {
	s.t.Helper()
	for file, text := range s.changed {
		if err := os.WriteFile(filepath.Join(s.path("in/r"), file), text, 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	s.changed = map[string][]byte{}
	entries, err := os.ReadDir(s.path("in/r"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries { // what a verb has written there
		if !slices.Contains(s.published, e.Name()) {
			if err := os.RemoveAll(filepath.Join(s.path("in/r"), e.Name())); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// Package cheats_test tests the program with kernels that cheat a benchmark, and with honest ones.
package cheats_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	// What the program consists of: after a change of it, go test does not show an
	// earlier result.
	_ "example.org/bench/algorithms"
	_ "example.org/bench/command"
	_ "example.org/bench/sensors"
	"example.org/bench/test/program"
)

// cheat is an entry of cheats.json.
type cheat struct {
	Name    string   `json:"name"`
	File    string   `json:"file"`
	Config  string   `json:"config"`
	Version string   `json:"version"` // of the config
	Kind    string   `json:"kind"`
	Shows   []string `json:"shows"` // where a check can find it: cpu, gpu, sim
	By      string   `json:"by"`    // what finds it, or should
	Caught  bool     `json:"caught"`
	Inputs  string   `json:"inputs"` // the kind of inputs by which a task finds it out; empty: none
	// KeptAway is set where the sandbox of a judgement has not what it needs, so that it computes there.
	KeptAway bool `json:"kept_away"`
	// NotCompiled is set where no compiler takes what it has, or a judgement refuses it.
	NotCompiled bool `json:"not_compiled"`
	// Judged is set where a judgement alone catches it: by the baseline beside it, or by its sandbox.
	Judged bool `json:"judged"`
}

// honest is an entry of honest.json: a config, or an algorithm of the program's.
type honest struct {
	Config    string   `json:"config"`
	Algorithm string   `json:"algorithm"`
	Versions  []string `json:"versions"` // that are honest; absent: all
	Count     int      `json:"count"`    // of them
	Runs      []string `json:"runs"`     // where: cpu, sim; empty: on a GPU alone
}

// What there has to be.
const (
	leastCheats = 60
	leastHonest = 150
)

// short says that each kind is tried once, instead of all cheats.
var short = os.Getenv("BENCH_CHEATS") != "all"

var bench string // the built program

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bench-cheats")
	if err != nil {
		panic(err)
	}
	bench = filepath.Join(dir, "bin", "bench")
	if err := program.Build("cmd/bench", "", bench); err != nil {
		panic(err)
	}
	cache, err := os.UserCacheDir() // of compiled kernels
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	os.Setenv("BENCH_PLOTS", "none")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"} {
		os.Setenv(name, dir)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

func index[T any](t *testing.T, path string) (list []T) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return list
}

// outcome is what the program reports about a version.
type outcome struct{ status, reason string }

// start runs the program, for as long as a whole algorithm takes on a loaded machine; exit status 1 is that a point is not ok.
func start(t *testing.T, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bench, args...)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 || cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("%v: %v\n%s", args, err, errors.String())
	}
	return out
}

// verified returns the outcomes of versions of a config, or of an algorithm, checked on a device.
func verified(t *testing.T, what, device string, versions []string) map[string]outcome {
	t.Helper()
	args := []string{"verify", what, "--device", device, "--json"}
	if versions != nil {
		args = append(args, "--versions", strings.Join(versions, ","))
	}
	var list []struct {
		Versions []struct {
			Version  string
			OK, Bad  int
			Because  []string `json:"skipped_because"`
			Failures []struct{ Status, Reason string }
		}
	}
	if err := json.Unmarshal(start(t, args...), &list); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	of := map[string]outcome{}
	for _, a := range list {
		for _, v := range a.Versions {
			switch {
			case v.Bad > 0:
				of[v.Version] = outcome{v.Failures[0].Status, v.Failures[0].Reason}
			case v.OK > 0:
				of[v.Version] = outcome{"ok", ""}
			default:
				of[v.Version] = outcome{"skipped", strings.Join(v.Because, "; ")}
			}
		}
	}
	return of
}

// timed returns the outcomes of a config's C functions in a run that times them.
func timed(t *testing.T, config string, versions []string) map[string]outcome {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", config, "--processor", "CPU", "--out", out, "--quiet"}
	if versions != nil {
		args = append(args, "--versions", strings.Join(versions, ","))
	}
	start(t, args...)
	files, err := filepath.Glob(filepath.Join(out, "*_time.csv"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: times in %v, %v", config, files, err)
	}
	f, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows, %v", config, len(rows), err)
	}
	version, status, reason := slices.Index(rows[0], "version"), slices.Index(rows[0], "status"), slices.Index(rows[0], "reason")
	of := map[string]outcome{}
	for _, row := range rows[1:] {
		if have, ok := of[row[version]]; !ok || have.status == "ok" {
			of[row[version]] = outcome{row[status], row[reason]}
		}
	}
	return of
}

// outcomes returns the outcomes of the cheats of one config.
func outcomes(t *testing.T, list []cheat) map[string]outcome {
	t.Helper()
	var versions []string
	for _, c := range list {
		versions = append(versions, c.Version)
	}
	if strings.HasSuffix(list[0].File, ".c") {
		return timed(t, list[0].Config, versions)
	}
	return verified(t, list[0].Config, "sim", versions)
}

// TestCheats checks that a cheat marked as caught is caught and that one not marked passes, so that the
// list says what the program can do. A worker that a cheat's threads or patches end has caught nothing,
// and is tried again.
func TestCheats(t *testing.T) {
	all := index[cheat](t, "cheats.json")
	by, tried := map[string][]cheat{}, map[string]bool{}
	for _, c := range all {
		kind := c.Kind + filepath.Ext(c.File)
		if short && tried[kind] {
			continue
		}
		tried[kind] = true
		by[c.Config] = append(by[c.Config], c)
	}
	var table strings.Builder
	for _, config := range slices.Sorted(maps.Keys(by)) {
		have := outcomes(t, by[config])
		for _, c := range by[config] {
			o, ok := have[c.Version]
			for tries := 1; tries < 3 && strings.Contains(o.reason, "worker process died"); tries++ {
				o = outcomes(t, []cheat{c})[c.Version]
			}
			fmt.Fprintf(&table, "%-32s %-8s %.160s\n", c.Name, o.status, o.reason)
			switch caught := o.status != "ok"; {
			case !ok:
				t.Errorf("%s: no outcome", c.Name)
			case c.Judged && !caught: // TestJudgeCheats has it beside a baseline
			case caught && !c.Caught:
				t.Errorf("%s is %s (%s): caught now, which cheats.json should say", c.Name, o.status, o.reason)
			case !caught && c.Caught:
				t.Errorf("%s is ok: cheats.json says that it is caught, by %s", c.Name, c.By)
			case o.status == "failed" && strings.Contains(o.reason, "compile ") && !c.NotCompiled:
				t.Errorf("%s does not compile: %s", c.Name, o.reason)
			}
		}
	}
	t.Logf("name → status\n%s", table.String())
}

// TestHonest checks that nothing honest is refused, wrong or skipped where its config has it run.
func TestHonest(t *testing.T) {
	var table strings.Builder
	check := func(where, what string, versions []string, have map[string]outcome) {
		t.Helper()
		if len(have) == 0 {
			t.Errorf("%s %s: no outcome", where, what)
		}
		for _, v := range slices.Sorted(maps.Keys(have)) {
			o := have[v]
			fmt.Fprintf(&table, "%-4s %-40s %-20s %-8s %.160s\n", where, what, v, o.status, o.reason)
			// A library's version, which this machine lacks or the simulator does not run.
			if o.status == "skipped" && (versions == nil || !slices.Contains(versions, v)) {
				continue
			}
			if o.status != "ok" {
				t.Errorf("%s %s, %s is %s: %s", where, what, v, o.status, o.reason)
			}
		}
	}
	for i, h := range index[honest](t, "honest.json") {
		if short && i%9 != 0 || short && h.Algorithm != "" {
			continue
		}
		what := h.Algorithm + h.Config
		for _, where := range h.Runs {
			switch {
			case where == "sim":
				check(where, what, h.Versions, verified(t, what, "sim", h.Versions))
			case h.Config == "":
				check(where, what, h.Versions, verified(t, what, "cpu", nil))
			default:
				check(where, what, h.Versions, timed(t, what, h.Versions))
			}
		}
	}
	t.Logf("where, what, version, status\n%s", table.String())
}

// Each source of a cheat is in the index once, and begins with what it does and what should find it; each
// version of a config is a cheat or honest.
func TestIndex(t *testing.T) {
	all := index[cheat](t, "cheats.json")
	if len(all) < leastCheats {
		t.Errorf("%d cheats; want %d", len(all), leastCheats)
	}
	named, versions := map[string]bool{}, map[string]bool{}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if named[c.File] || len(c.Shows) == 0 || c.By == "" {
			t.Errorf("%s is incomplete, or twice in cheats.json", c.Name)
		}
		named[c.File], versions[c.Config+" "+c.Version] = true, true
		if !strings.Contains(string(readme), "| "+c.Kind+" |") {
			t.Errorf("README.md has no row of kind %s, of %s", c.Kind, c.Name)
		}
		text, err := os.ReadFile(c.File)
		if err != nil {
			t.Error(err)
			continue
		}
		head := strings.Join(strings.Fields(strings.ReplaceAll(comment.FindString(string(text)), "\n//", "\n")), " ")
		if !strings.Contains(head, ": "+c.By) {
			t.Errorf("%s begins with %q, not with what finds it: %s", c.File, head, c.By)
		}
	}
	files, err := filepath.Glob("cheats/*/*.c*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !named[f] && filepath.Base(f) != "honest.cu" && filepath.Base(f) != "honest.c" {
			t.Errorf("%s is not in cheats.json", f)
		}
	}
	count := 0
	for _, h := range index[honest](t, "honest.json") {
		count += h.Count
		if h.Algorithm != "" {
			var list struct{ Versions []any }
			if err := json.Unmarshal(start(t, "list", h.Algorithm, "--json"), &list); err != nil || len(list.Versions) != h.Count {
				t.Errorf("honest.json: %s has count %d; want %d, %v", h.Algorithm, h.Count, len(list.Versions), err)
			}
			continue
		}
		of := configVersions(t, h.Config)
		if n := len(of); h.Versions == nil && n != h.Count || h.Versions != nil && len(h.Versions) != h.Count {
			t.Errorf("honest.json: %s has count %d; want %d, of %d versions", h.Config, h.Count, len(h.Versions), n)
		}
		for _, v := range of {
			if filepath.Dir(h.Config) == "cheats" && v != "honest" && !versions[h.Config+" "+v] {
				t.Errorf("%s, %s is neither honest nor in cheats.json", h.Config, v)
			}
		}
	}
	if count < leastHonest {
		t.Errorf("%d honest versions; want %d", count, leastHonest)
	}
}

// comment is what a source begins with.
var comment = regexp.MustCompile(`^(?:(?://.*\n)+|/\*(?s:.*?)\*/)`)

// configVersions are the names of a config's versions; of one without a list the only one has none.
func configVersions(t *testing.T, path string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Algorithm struct {
			Cuda struct{ Versions []struct{ Name string } }
		}
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, v := range c.Algorithm.Cuda.Versions {
		names = append(names, v.Name)
	}
	if names == nil {
		names = []string{""}
	}
	return names
}

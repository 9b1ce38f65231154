package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/sensors"
	"example.org/bench/test/faulty"
	"example.org/bench/test/tree"
)

// row is a line of a table of docs/json.md.
type row struct{ key, meaning string }

// tables are those of docs/json.md, by section.
func tables(t *testing.T) map[string][]row {
	text, err := os.ReadFile("../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]row{}
	section := ""
	line := regexp.MustCompile("^\\| `([^`]+)` \\| [^|]* \\| (.+) \\|$")
	for l := range strings.Lines(string(text)) {
		l = strings.TrimSuffix(l, "\n")
		if name, ok := strings.CutPrefix(l, "## "); ok {
			section = name
			all[section] = nil
		} else if m := line.FindStringSubmatch(l); m != nil {
			all[section] = append(all[section], row{m[1], m[2]})
		} else if strings.HasPrefix(l, "| `") {
			t.Errorf("docs/json.md: no row of three cells: %s", l)
		}
	}
	return all
}

// What prints JSON has a section.
func TestEveryDocumentHasASection(t *testing.T) {
	all := tables(t)
	for name, c := range verbs() {
		if section := "bench " + name; c.Flags().Lookup("json") != nil && all[section] == nil {
			t.Errorf("docs/json.md: no section %s", section)
		}
	}
}

// documented are patterns of a section's keys, with those of the sections that its
// rows lead to.
func documented(all map[string][]row, section, prefix string) (patterns []*regexp.Regexp) {
	lead := regexp.MustCompile(`\(#([\w-]+)\)`)
	for _, r := range all[section] {
		key := prefix + r.key
		patterns = append(patterns, regexp.MustCompile("^"+strings.ReplaceAll(regexp.QuoteMeta(key), "NAME", ".+")+"$"))
		if m := lead.FindStringSubmatch(r.meaning); m != nil {
			for other := range all {
				if strings.ReplaceAll(strings.ToLower(other), " ", "-") == m[1] {
					patterns = append(patterns, documented(all, other, key+".")...)
				}
			}
		}
	}
	return patterns
}

// printedKeys are the keys of a JSON value.
func printedKeys(v any, path string, add func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			printedKeys(x, strings.TrimPrefix(path+"."+k, "."), add)
		}
	case []any:
		for _, x := range v {
			printedKeys(x, path+"[]", add)
		}
	}
	if path != "" && !strings.HasSuffix(path, "]") {
		add(strings.TrimPrefix(path, "[]."))
	}
}

// What every verb prints is what its table says.
func TestPrintedKeysAreDocumented(t *testing.T) {
	t.Setenv("BENCH_TEST_AS", "faulty") // of the workers
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const quick = `"sensors": [], "measure": {"ceilings": false, "min_time_s": 0.001, "min_samples": 5, "noise": 0.5, "timeout_s": 5, "cooldown_s": 0}`
	config := file("fft.json", twoSizes)
	timed := file("timed.json", `{"algorithm": "faulty", "versions": ["good", "slower"], "sweep_arg": {"ms": [1]}, `+quick+`}`)
	tuned := file("tuned.json", `{"algorithm": "faulty", "versions": ["tuned"], `+quick+`, "tunables": {"A": [1, 2], "B": [1, 2]}}`)
	space, other := file("a.csv", "X,time_ms,status\n1,2,valid\n2,1,valid\n3,,invalid\n"), file("b.csv", "X,time_ms,status\n1,1,valid\n2,2,valid\n3,3,valid\n")
	board := tree.Unpack(t, "../framework/powermode/testdata/jetson-tx2-l4t28.txtar")
	search := filepath.Join(dir, "search")
	// The published task, with matrices and times that are a test's.
	if err := os.CopyFS(filepath.Join(dir, "judge"), os.DirFS("../configs/judge")); err != nil {
		t.Fatal(err)
	}
	product := filepath.Join(dir, "judge", "product.json")
	task, err := os.ReadFile(product)
	if err != nil {
		t.Fatal(err)
	}
	file("judge/product.json", strings.NewReplacer(`[128, 256]`, `[20, 30]`, `{ "N": 193 }`, `{ "N": 25 }`, `"min_time_s": 0.1`, `"min_time_s": 0.01`).Replace(string(task)))
	all := tables(t)
	for _, c := range []struct {
		section string
		args    []string
		least   int // keys that are printed
	}{
		{"bench plan", []string{"plan", config, "--device", "cpu"}, 16},
		{"bench plan", []string{"plan", config, "--device", "jetson-tx1"}, 18},
		{"bench validate", []string{"validate", config, file("wrong.json", `{"algorithm": "fft", "swep": {}}`)}, 4},
		{"bench list", []string{"list"}, 20},
		{"bench list", []string{"list", "scan"}, 18},
		{"bench verify", []string{"verify", timed, file("bad.json", `{"algorithm": "faulty", "versions": ["wrong"]}`), "--device", "cpu"}, 18},
		{"bench ab", []string{"ab", timed, "--versions", "good,slower", "--device", "cpu", "--repeats", "3", "--out", filepath.Join(dir, "ab")}, 60},
		{"bench run", []string{"run", timed, file("bad.json", `{"algorithm": "faulty", "versions": ["wrong"], `+quick+`}`), "--processor", "CPU", "--out", filepath.Join(dir, "run")}, 24},
		{"bench judge", []string{"judge", product, "../configs/judge/product.c"}, 30},
		{"bench judge", []string{"judge", "../configs/judge/transpose.json", file("empty.cu", "")}, 12},
		{"bench compare", []string{"compare", "../results/literature/tx1-speedup", "../results/literature/tx2-speedup", "--by", "version", "--gate", "5%"}, 22},
		{"bench compare", []string{"compare", "../results/literature/tx2-mode0", "../results/literature/tx2-mode1", "--by", "power_mode"}, 16},
		{"bench tune", []string{"tune", tuned, "--device", "cpu", "--strategy", "exhaustive", "--wisdom", "none", "--out", search, "--confirm", "1"}, 20},
		{"bench tune --strategy analytical", []string{"tune", config, "--set", "N=1024", "--versions", "stockham", "--strategy", "analytical", "--device", "jetson-tx1"}, 14},
		{"bench replay", []string{"replay", space, "--budget", "2", "--repeats", "2"}, 14},
		{"bench import", []string{"import", "../tuning/exchange/testdata/ktt.json", "--out", filepath.Join(dir, "spaces")}, 9},
		{"bench export", []string{"export", "--to", "t1", space, "--out", filepath.Join(dir, "t1")}, 2},
		{"bench transfer", []string{"transfer", space, other}, 6},
		{"bench transfer --forecast", []string{"transfer", "../results/literature/tx1-speedup", "--forecast", "--known", "../results/tuning-transfer/transfer.csv"}, 10},
		{"bench transfer --reference", []string{"transfer", "--reference", search, search}, 8},
		{"bench predict", []string{"predict", "../results/literature/rtxa5000-partition", "--sizes", "300000", "--tunable", "m"}, 13},
		{"bench sensors", []string{"sensors", "--root", tree.Unpack(t, "../sensors/ina3221/testdata/jetson-orin-l4t35.txtar")}, 10},
		{"bench energy", []string{"energy", "--device", "cpu", "--sensors", "", "--limit", "0.3", "--out", filepath.Join(dir, "energy"), "--", "true"}, 20},
		{"bench modes", []string{"modes", "--root", board}, 14},
		{"bench doctor", []string{"doctor", "--root", board}, 5},
		{"bench history check", []string{"history", "check", "--file", grown(t)}, 28},
		{"bench history check", []string{"history", "show", "--file", grown(t)}, 28},
		{"bench version", []string{"version"}, 3},
	} {
		var out, errOut bytes.Buffer
		a := &app{registry: framework.NewRegistry(append(algorithms.All(), faulty.Factory()), sensors.All()), out: &out, err: &errOut}
		verb := 1
		if c.args[0] == "history" { // its verbs have the flags
			verb = 2
		}
		args := slices.Concat(c.args[:verb], []string{"--json"}, c.args[verb:])
		a.run(t.Context(), args)
		printed := map[string]bool{}
		d := json.NewDecoder(&out)
		for {
			var v any
			err := d.Decode(&v)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v\n%s", args, err, &errOut)
			}
			printedKeys(v, "", func(key string) { printed[key] = true })
		}
		patterns := documented(all, c.section, "")
		for key := range printed {
			if strings.Contains(key, "config.experiment.") { // a config's own, in docs/config.md
				continue
			}
			if !slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(key) }) {
				t.Errorf("%q: %s is printed, and not in section %s of docs/json.md", args, key, c.section)
			}
		}
		if len(printed) < c.least {
			t.Errorf("%q: %d keys, want %d or more\n%s", args, len(printed), c.least, &errOut)
		}
	}
}

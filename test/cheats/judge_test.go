package cheats_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// said is what bench judge says of a candidate.
type said struct{ Verdict, Reason, Kind, Line string }

// tasks makes a task of a config of cheats for each version under judgement, beside copies of its
// sources; the baseline is its honest version.
type tasks struct{ folder string }

func newTasks(t *testing.T) tasks {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("cheats")); err != nil {
		t.Fatal(err)
	}
	return tasks{folder}
}

// of is the task in which a candidate takes the place of a version, as quick as one can be; it is verified
// on kinds of inputs too.
func (k tasks) of(t *testing.T, config, version string, inputs ...string) string {
	t.Helper()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	// The honest version is judged against itself by another name.
	cuda := c["algorithm"].(map[string]any)["cuda"].(map[string]any)
	versions := cuda["versions"].([]any)
	for _, v := range versions {
		if v := v.(map[string]any); v["name"] == "honest" {
			again := maps.Clone(v)
			again["name"] = "again"
			cuda["versions"] = append(versions, again)
		}
	}
	judge := map[string]any{"version": version, "baseline": "again", "repeats": 3}
	if inputs != nil {
		judge["inputs"] = inputs
	}
	c["judge"] = judge
	if sweep := c["sweep_arg"].(map[string]any); config == "cheats/order.json" {
		// The simulator does not end the square of the larger size in its time, and then it says nothing.
		sweep["N"] = sweep["N"].([]any)[:1]
	}
	if text, err = json.Marshal(c); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(k.folder, strings.TrimSuffix(filepath.Base(config), ".json")+"-"+version+".json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// judge judges a file by a task, with more flags.
func (k tasks) judge(t *testing.T, task, candidate string, more ...string) (s said) {
	t.Helper()
	args := append([]string{"judge", task, candidate, "--json"}, more...)
	if strings.HasSuffix(candidate, ".cu") {
		args = append(args, "--device", "sim")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bench, args...)
	var errorText strings.Builder
	cmd.Stderr = &errorText
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 3) {
		// A baseline that the candidate's threads disturb is no verdict for the candidate.
		return said{"none", errorText.String(), "", ""}
	}
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out, errorText.String())
	}
	return s
}

// A candidate that cheats is never faster nor verified where the list says that it is caught on this side of a GPU,
// and what it is caught by has a kind, or is a wrong answer.
func TestJudgeCheats(t *testing.T) {
	k := newTasks(t)
	tried := map[string]bool{}
	var table strings.Builder
	for _, c := range index[cheat](t, "cheats.json") {
		kind := c.Kind + filepath.Ext(c.File)
		if short && tried[kind] || !c.Caught {
			continue
		}
		tried[kind] = true
		task := k.of(t, c.Config, c.Version)
		s := k.judge(t, task, c.File)
		for range 2 {
			// What is kept from cheating is as fast as the baseline, which a judgement may miss once in a hundred.
			if !c.KeptAway || s.Verdict != "faster" {
				break
			}
			s = k.judge(t, task, c.File)
		}
		fmt.Fprintf(&table, "%-32s %-8s %-12s %-20s %.160s\n", c.Name, s.Verdict, s.Kind, s.Line, s.Reason)
		switch s.Verdict {
		case "cheats":
			if s.Kind == "" {
				t.Errorf("%s cheats, and nothing says how: %s", c.Name, s.Reason)
			}
		case "wrong", "timeout", "none":
		case "does not compile", "refused":
			if !c.NotCompiled {
				t.Errorf("%s is %s: %s", c.Name, s.Verdict, s.Reason)
			}
		case "unknown", "same", "slower":
			if !c.KeptAway {
				t.Errorf("%s is %s: %s", c.Name, s.Verdict, s.Reason)
			}
		default:
			t.Errorf("%s is %s: %s", c.Name, s.Verdict, s.Reason)
		}
	}
	t.Logf("name, verdict, kind, line, reason\n%s", table.String())
}

// The honest version of each config of cheats is neither refused nor wrong nor a cheat.
func TestJudgeHonest(t *testing.T) {
	k := newTasks(t)
	configs := map[string]string{}
	for _, c := range index[cheat](t, "cheats.json") {
		if c.Kind == "early" { // a task without drawn inputs is refused
			continue
		}
		configs[c.Config] = filepath.Join("cheats", strings.TrimSuffix(filepath.Base(c.Config), ".json"), "honest"+filepath.Ext(c.File))
	}
	for i, config := range slices.Sorted(maps.Keys(configs)) {
		file := configs[config]
		if _, err := os.Stat(file); short && i%3 != 0 && filepath.Ext(file) != ".c" || err != nil {
			continue
		}
		s := k.judge(t, k.of(t, config, "honest"), file)
		right := []string{"verified"}
		if filepath.Ext(file) == ".c" {
			right = []string{"same", "unknown", "faster", "slower"} // of a loaded machine
		}
		if !slices.Contains(right, s.Verdict) {
			t.Errorf("%s is %s: %s %s", file, s.Verdict, s.Kind, s.Reason)
		}
	}
}

// A candidate that is fitted to the inputs of a config is wrong where the task lists the kind of others, and is told
// neither kind nor number; without that it passes (TestCheats). The honest version of the config is right to all of
// those.
func TestJudgeInputs(t *testing.T) {
	k := newTasks(t)
	kinds := map[string][]string{}
	for _, c := range index[cheat](t, "cheats.json") {
		if c.Inputs == "" {
			continue
		}
		if c.Caught {
			t.Errorf("%s is caught without its inputs", c.Name)
		}
		honest := strings.TrimSuffix(c.File, c.Version+filepath.Ext(c.File)) + "honest" + filepath.Ext(c.File)
		if _, err := os.Stat(honest); err == nil && filepath.Ext(c.File) == ".cu" {
			kinds[c.Config+" "+honest] = append(kinds[c.Config+" "+honest], c.Inputs)
		}
		// Of some seeds one is wrong where the task's own inputs have an answer of nearly nothing, before its kind is tried.
		s := k.judge(t, k.of(t, c.Config, c.Version, c.Inputs), c.File, "--seed", "1")
		if s.Verdict != "wrong" || !strings.HasPrefix(s.Reason, "at a hidden problem: ") {
			t.Errorf("%s with inputs %s is %s: %s", c.Name, c.Inputs, s.Verdict, s.Reason)
		}
	}
	for at, inputs := range kinds {
		config, file, _ := strings.Cut(at, " ")
		slices.Sort(inputs)
		if s := k.judge(t, k.of(t, config, "honest", slices.Compact(inputs)...), file); s.Verdict != "verified" {
			t.Errorf("%s with inputs %v is %s: %s", file, inputs, s.Verdict, s.Reason)
		}
	}
	if len(kinds) < 4 {
		t.Errorf("cheats of %d configs are fitted to inputs", len(kinds))
	}
}

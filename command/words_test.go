package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/sensors"
)

// everyCommand is each verb, and each below it, by its words.
func everyCommand() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	var add func(c *cobra.Command, words string)
	add = func(c *cobra.Command, words string) {
		for _, below := range c.Commands() {
			if !below.Hidden && below.Name() != "completion" {
				name := strings.TrimSpace(words + " " + below.Name())
				all[name] = below
				add(below, name)
			}
		}
	}
	add((&app{registry: framework.NewRegistry(algorithms.All(), sensors.All())}).root(), "")
	return all
}

// TestNumberOfArguments: a missing argument is named, and a superfluous one quoted, with what
// the verb takes; no message is of the library that reads command lines.
func TestNumberOfArguments(t *testing.T) {
	few, many := 0, 0
	for words, c := range everyCommand() {
		if c.Args == nil {
			continue
		}
		args := strings.Fields(words)
		if c.Args(c, nil) != nil && words != "energy" {
			few++
			refuses(t, args, " is missing: want bench "+words+" ")
		}
		if given := []string{"a", "b", "surplus"}; c.Args(c, given) != nil && c.Name() != "history" && c.Name() != "help" {
			many++
			refuses(t, append(args, given...), "is one argument too many: want bench "+words)
		}
	}
	if few < 15 || many < 8 {
		t.Errorf("%d verbs take an argument at least, %d two at most", few, many)
	}
	refuses(t, []string{"ab", "a", "b", "surplus"}, `"surplus" is one argument too many: want bench ab CONFIG [CONFIG], as in: bench ab `)
	refuses(t, []string{"help", "rum"}, `"rum" is not a verb; did you mean "run"?`, "; the topics are csv and json")
	refuses(t, []string{"help", "csv", "json"}, `"csv" is not a verb`)
	refuses(t, []string{"history", "shwo"}, `"shwo" is none of add, check, show; did you mean "show"?`)
}

// TestTopics: help prints each reference whole and without marks, and the help of a verb as before.
func TestTopics(t *testing.T) {
	name := regexp.MustCompile("(?m)^(?:## |\\| `)([^`|\n]+)")
	for _, topic := range []string{"csv", "json"} {
		page, err := os.ReadFile(filepath.Join("..", "docs", topic+".md"))
		if err != nil {
			t.Fatal(err)
		}
		status, out, errOut := runIn(t, "help", topic)
		if status != exitGood || errOut != "" || strings.ContainsAny(out, "`|") || strings.Contains(out, "](") || strings.Contains(out, "---") {
			t.Errorf("help %s: status %d\n%s%.2000s", topic, status, errOut, out)
		}
		if linked := map[string]string{"csv": "(its format (docs/journal.md))", "json": "writes run.json and the CSVs of docs/csv.md,"}[topic]; !strings.Contains(out, linked) {
			t.Errorf("help %s: no %s", topic, linked)
		}
		found := name.FindAllStringSubmatch(string(page), -1)
		for _, m := range found {
			if !strings.Contains(out, "\n"+m[1]+"\n") && !strings.Contains(out, "\n  "+m[1]) {
				t.Errorf("help %s: no %s", topic, m[1])
			}
		}
		if len(found) < 150 {
			t.Errorf("%s: %d names", topic, len(found))
		}
		if _, help, _ := runIn(t, "help", "help"); !strings.Contains(help, "bench help "+topic+" ") {
			t.Errorf("help help: no %s in\n%s", topic, help)
		}
	}
	_, want, _ := runIn(t, "version", "--help")
	if status, got, _ := runIn(t, "help", "version"); status != exitGood || got != want {
		t.Errorf("help version: status %d\n%s", status, got)
	}
}

// TestValuesOfFlags: each flag says what it wants where its value is missing or of another type.
func TestValuesOfFlags(t *testing.T) {
	refuses(t, []string{"run", "x.json", "--seed"}, "--seed needs a value: seed of the random inputs")
	refuses(t, []string{"run", "x.json", "--seed", "-1"}, `--seed "-1": want a whole number of 0 or more`)
	refuses(t, []string{"run", "x.json", "--repeats", "2.5"}, `--repeats "2.5": want a whole number`)
	refuses(t, []string{"run", "x.json", "--resume=x"}, `--resume "x": want true or false, or the flag alone`)
	refuses(t, []string{"energy", "--limit", "x", "true"}, `--limit "x": want a number`)
	refuses(t, []string{"tune", "x.json", "--budget", "x"}, `--budget "x": want a number of evaluations, `)
	refuses(t, []string{"run", "-z"}, "unknown shorthand flag: 'z' in -z; bench run --help lists what there is")
}

// TestWordsOfFlags: a word in another case, or mistyped, is refused by every flag of words with
// the one that was meant.
func TestWordsOfFlags(t *testing.T) {
	config := fileIn(t, "c.json", `{"algorithm": "scan"}`)
	for _, c := range []struct{ args, meant string }{
		{"run " + config + " --processor cpu", "CPU"},
		{"run " + config + " --device CPU", "cpu"},
		{"plan " + config + " --device Jetson-TX1", "jetson-tx1"},
		{"run " + config + " --verify FAST", "fast"},
		{"run " + config + " --versions Reference", "reference"},
		{"compare a b --by Version", "version"},
		{"tune " + config + " --device cpu --objective TIME", "time"},
		{"tune " + config + " --device cpu --strategy Best", "best"},
		{"new a --template C", "c"},
		{"export --to CSV a", "csv"},
		{"energy --sensors NVML true", "nvml"},
	} {
		refuses(t, strings.Fields(c.args), `did you mean "`+c.meant+`"?`)
	}
}

// TestNearConfigs: a name that is no config's names the one that was meant.
func TestNearConfigs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{"mine/mine.json", "configs/fft.json", "configs/scan.json", "empty/x.txt"} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`{"algorithm": "scan"}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"run fft", "fft: no such file; did you mean configs/fft.json?"},
		{"run ftt.json", "did you mean configs/fft.json?"},
		{"run configs/ftt.json", "did you mean configs/fft.json?"},
		{"run mine", "mine: this is a folder; did you mean mine/mine.json?"},
		{"run empty", "empty: this is a folder; want an experiment file such as"},
		{"run nothinglikeit", "nothinglikeit: no such file; want an experiment file such as"},
		{"verify mine", `no algorithm "mine"; did you mean the config mine/mine.json?`},
		{"list skan", `no algorithm "skan"; did you mean "scan"? algorithms: `},
		{"verify nothinglikeit", "or want a config, whose name ends in .json: bench new makes one"},
		{"compare nowhere", "nowhere: there is no such folder"},
		{"plot nowhere", "nowhere: there is no such folder"},
		{"export --to csv mine --out m.csv", "--out m.csv is a folder, and its files have names of their own: want one without the ending .csv"},
		{"run mine/mine.json --out m.json", "--out m.json is a folder"},
		{"merge mine configs --out m.csv", "--out m.csv is a folder"},
	} {
		refuses(t, strings.Fields(c.args), c.want)
	}
}

// TestProgramThatIsNotThere is no mistake of a config, and the config is not called good.
func TestProgramThatIsNotThere(t *testing.T) {
	config := fileIn(t, "p.json", `{"executable": "./none", "sweep_arg": {"--n": [1, 2]}}`)
	status, out, errOut := runIn(t, "validate", config)
	if want := config + ": no mistake in its keys, but none of its 2 points runs here: program ./none does not exist"; status != exitGood || !strings.HasPrefix(out, want) || errOut != "" {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	status, out, _ = runIn(t, "validate", "--json", config)
	if status != exitGood || !strings.Contains(out, `"good": false`) || !strings.Contains(out, `"absent": "program ./none`) {
		t.Errorf("status %d\n%s", status, out)
	}
}

// TestReasonFirst: where nothing can be written, that is the only thing said; a processor that
// was asked for leaves nothing to say of the other.
func TestReasonFirst(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no wisdom
	config := fileIn(t, "c.json", `{"algorithm": "scan", "static_args": {"N": 16, "batch_elements": 16}, "output_file_prefix": "c", "sensors": [],
		"measure": {"ceilings": false, "min_time_s": 0.001, "min_samples": 3, "timeout_s": 1}}`)
	file := fileIn(t, "file", "")
	status, out, errOut := runIn(t, "run", config, "--out", filepath.Join(file, "x"))
	if status != exitBad || out != "" || strings.Count(errOut, "\n") != 1 {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if _, _, errOut := runIn(t, "plan", config, "--processor", "CPU"); errOut != "" {
		t.Errorf("of a run on the CPU:\n%s", errOut)
	}
}

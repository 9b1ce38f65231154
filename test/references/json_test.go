// Package references writes docs/json.md from the types that the program prints with --json:
// a key's meaning is the comment of its field.
package references

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"example.org/bench/analysis/bound"
	"example.org/bench/analysis/sanitizer"
	"example.org/bench/analysis/why"
	"example.org/bench/command/board"
	"example.org/bench/command/inspect"
	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/history"
	"example.org/bench/framework/judge"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/powermode"
	"example.org/bench/framework/record"
	"example.org/bench/tuning/analytical"
	"example.org/bench/tuning/exchange"
	"example.org/bench/tuning/knn"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/search"
)

var update = flag.Bool("update", false, "write docs/json.md from the code")

const introduction = `# What ` + "`--json`" + ` prints

Written by ` + "`make references`" + ` from the code.

Every verb that prints facts prints them as JSON with ` + "`--json`" + `: one document, or one object per line where this page says so. Standard error has
what a person should know besides. A verb that makes files alone has none. ` + "`bench run`" + ` writes [run.json](#run) and the CSVs of [csv.md](csv.md), and with ` + "`--json`" + ` prints a run in short.

The tables have every key. ` + "`a.b`" + ` is key ` + "`b`" + ` of object ` + "`a`" + `, ` + "`a[]`" + ` are the elements of a list, and ` + "`NAME`" + ` stands for any name. A row that leads to
another table has all of its keys. Quantities are in base units; a number without a unit is a count or a ratio. A key without a value is
absent, or null where the meaning names null. Times of day are RFC 3339.
`

// section is a table of the page: of a document, or of a part of several.
type section struct {
	name, text string // Markdown
	of         any
}

var sections = []section{
	{"bench plan", "A list, an object for each config.", experiment.Planned{}},
	{"bench validate", "A list, an object for each config.", experiment.Validated{}},
	{"bench list", "A list of algorithms; with an argument, that one alone.", framework.Description{}},
	{"bench run", "An object for each config, a line each, when its points are done. [csv.md](csv.md) has the meanings at length.", record.RunReport{}},
	{"bench verify", "A list, an object for each algorithm and device where something was checked.", experiment.Tally{}},
	{"bench verify --sanitize", "A list, an object for each algorithm and tool.", sanitizer.Checked{}},
	{"bench ab", "One object; `--out` keeps it as ab.json.", experiment.Turns{}},
	{"bench judge", "One object. [judging.md](judging.md) says what the verdicts mean.", judge.Judgement{}},
	{"bench compare", "One object.", compare.Comparison{}},
	{"bench tune", "One object per line, one for each version at each sweep point; also of `--strategy analytical --compiled`, which measures nothing. The objective's unit is s, J or J·s.", search.TaskReport{}},
	{"bench tune --strategy analytical", "One object per line, one for each point, for a described device: the literature's model ([tuning.md](tuning.md)).", analytical.Row{}},
	{"bench replay", "One object per line, one for each strategy.", replay.Summary{}},
	{"bench replay --score", "One object per line, one for each space and strategy, then one for each strategy that has all spaces, the best first.", replay.Scored{}},
	{"bench import", "One object per line, one for each file.", exchange.Imported{}},
	{"bench export", "One object per line, one for each file written.", exchange.Exported{}},
	{"bench transfer", "One object per line, one for each pair of spaces.", recorded.Transfer{}},
	{"bench transfer --forecast", "One object per line, one for each space.", recorded.Forecast{}},
	{"bench transfer --reference", "One object per line, one for each version.", search.Quality{}},
	{"bench why", "One object per line, for each point.", why.Explained{}},
	{"Why", "What bounds a point, and what would make it faster ([how](why.md)).", bound.Why{}},
	{"bench predict", "One object per line, one for each run and tunable.", knn.Prediction{}},
	{"bench energy", "One object.", record.EnergyReport{}},
	{"bench history check", "One object; `bench history show` prints the same. Values are in the metric's unit.", history.Check{}},
	{"bench sensors", "One object. With `--watch` one line per second instead: `time`, and for each sensor the values of its channels by name, null for no reading.", inspect.SensorList{}},
	{"bench modes", "One object.", powermode.Overview{}},
	{"bench doctor", "One object.", inspect.Examination{}},
	{"bench board", "Of a FILE.zip, one object.", board.Shown{}},
	{"bench version", "One object.", record.Tool{}},
	{"Point", "A version at a sweep point.", plan.Point{}},
	{"Machine", "A computer.", machine.Facts{}},
	{"Run", "What run.json, and ab.json under `info`, say besides the figures.", record.Info{}},
	{"Channel", "A quantity that a sensor reads.", framework.Channel{}},
	{"History line", "A line of the file of `bench history`: the result of a point in a run.", history.Entry{}},
}

// shared are the types that have a section of their own, where others lead to.
var shared = map[reflect.Type]string{
	reflect.TypeFor[bound.Why](): "Why", reflect.TypeFor[plan.Point](): "Point", reflect.TypeFor[record.Info](): "Run", reflect.TypeFor[framework.Channel](): "Channel",
	reflect.TypeFor[record.Tool](): "bench version", reflect.TypeFor[machine.Facts](): "Machine",
}

// alike are types that marshal by themselves, as others do.
var alike = map[reflect.Type]reflect.Type{reflect.TypeFor[experiment.Worst](): reflect.TypeFor[framework.Check]()}

// jsonDocument is the page; its test fails of a key without a meaning.
func jsonDocument(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString(introduction)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| key | unit | meaning |\n|---|---|---|\n", s.name, s.text)
		of := table{source: comments{}, printed: map[string]bool{}}
		of.add(reflect.TypeOf(s.of), "", "")
		for _, r := range of.rows {
			if r.meaning == "" {
				t.Errorf("%s: key %s has no meaning: %s has no comment", s.name, r.key, r.field)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.key, r.unit, strings.ReplaceAll(r.meaning, "|", `\|`))
		}
	}
	return b.Bytes()
}

func TestJSONDocument(t *testing.T) {
	const path = "../../docs/json.md"
	want := jsonDocument(t)
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the code says: make references", path)
	}
}

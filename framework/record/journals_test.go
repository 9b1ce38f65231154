package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

// frozen are the journals of every format that was ever written. They are never
// written anew; what the folder's name ends with is what its journal shows.
func frozen(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob("testdata/journals/*/" + JournalFile)
	if err != nil || len(list) < 9 {
		t.Fatalf("%q, %v", list, err)
	}
	return list
}

// readFile holds a frozen journal's summary.
const readFile = "read.txt"

// summary is what a reader gets of a journal.
func summary(run *Run) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %q, %d axes\n", run.Prefix, run.Unfinished(), len(run.Axes))
	for _, n := range run.Notes {
		if before, _, ok := strings.Cut(n, ", this is bench version"); ok { // which of them differs
			n = before
		}
		fmt.Fprintln(&b, n)
	}
	for i, r := range run.Rows {
		res := run.Results[i]
		fmt.Fprintf(&b, "%s: %s %q, %d checks", res.Point.Key(), r.Status, r.Reason, len(res.Checks))
		for i, series := range []*measure.Series{res.Cold, res.Hot} {
			if series != nil {
				fmt.Fprintf(&b, ", %s %v s", []string{"cold", "hot"}[i], series.Samples)
			}
		}
		if e := res.Energy; e != nil {
			fmt.Fprintf(&b, ", power %q of %d channels", e.Absent, len(e.Channels))
		}
		fmt.Fprintln(&b)
	}
	return b.Bytes()
}

// Every journal ever written is read as it was.
func TestFrozenJournals(t *testing.T) {
	for _, path := range frozen(t) {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			run, err := ReadJournal(dir)
			if err != nil {
				t.Fatal(err)
			}
			got := summary(run)
			want, err := os.ReadFile(filepath.Join(dir, readFile))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v, read is\n%s\nwant\n%s", err, got, want)
			}
			// The same as CSVs, and the plots' samples.
			out := t.TempDir()
			if err := Write(out, run); err != nil {
				t.Fatal(err)
			}
			back, err := Read(out)
			if err != nil || len(back.Rows) != len(run.Rows) {
				t.Errorf("%+v, %v", back, err)
			}
			// And in the way of --resume.
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(out, JournalFile), text, 0o666); err != nil {
				t.Fatal(err)
			}
			h, results, j, err := OpenJournal(out)
			if err != nil || len(results) < len(run.Rows) {
				t.Fatalf("%d results, %v", len(results), err)
			}
			j.Close()
			if err := h.CanResume(h); err != nil {
				t.Error(err)
			}
		})
	}
}

// No member that a journal has is forgotten by today's program.
func TestFrozenMembers(t *testing.T) {
	for _, path := range frozen(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for number, line := range bytes.Split(text, []byte("\n")) {
			k, content, err := decodeLine(line)
			if err != nil {
				continue
			}
			var into any
			switch k {
			case headerLine:
				into = new(Header)
			case sessionLine:
				into = new(Info)
			case resultLine:
				into = new(Result)
			default:
				into = new(started)
			}
			if err := json.Unmarshal(content, into); err != nil {
				t.Fatalf("%s:%d: %v", path, number+1, err)
			}
			again, err := json.Marshal(into)
			if err != nil {
				t.Fatal(err)
			}
			var had, have any
			if err := json.Unmarshal(content, &had); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(again, &have); err != nil {
				t.Fatal(err)
			}
			if c, ok := had.(map[string]any)["config"].(map[string]any); ok && k == sessionLine && c["text"] != nil {
				// What was a string stays one, except that JSON without space is JSON.
				c["experiment"] = c["text"]
				if c["text"] == "{}" {
					c["experiment"] = map[string]any{}
				}
				delete(c, "text")
			}
			if place := forgotten(had, have, ""); place != "" {
				t.Errorf("%s:%d: %s%s is forgotten or altered", path, number+1, k, place)
			}
		}
	}
}

// forgotten is a place of had that is not in have, or empty.
func forgotten(had, have any, place string) string {
	switch x := had.(type) {
	case map[string]any:
		y, ok := have.(map[string]any)
		if !ok {
			return place
		}
		for name, v := range x {
			w, ok := y[name]
			if !ok {
				return place + "." + name
			}
			if at := forgotten(v, w, place+"."+name); at != "" {
				return at
			}
		}
		return ""
	case []any:
		y, ok := have.([]any)
		if !ok || len(x) != len(y) {
			return place
		}
		for i := range x {
			if at := forgotten(x[i], y[i], fmt.Sprintf("%s.%d", place, i)); at != "" {
				return at
			}
		}
		return ""
	}
	if !reflect.DeepEqual(had, have) {
		return place
	}
	return ""
}

// A result's every member is in one of the frozen journals. A member that is added
// needs a journal more, which -update writes; no other is changed.
func TestFrozenJournalsHaveEveryMember(t *testing.T) {
	list := frozen(t)
	missing := membersMissing(t, list)
	if *update && len(missing) > 0 {
		dir := fmt.Sprintf("testdata/journals/%d-members-%d", journalFormat, len(list))
		mustCreate(t, dir, filled())
		run, err := ReadJournal(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, readFile), summary(run), 0o666); err != nil {
			t.Fatal(err)
		}
		missing = membersMissing(t, frozen(t))
	}
	for _, place := range missing {
		t.Errorf("%s is in none: go test ./framework/record -update adds a journal", place)
	}
}

func membersMissing(t *testing.T, list []string) (missing []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, path := range list {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := parseJournal(text)
		if err != nil || len(c.results) == 0 {
			t.Fatal(err)
		}
		for _, r := range c.results {
			members(reflect.ValueOf(r), "", seen)
		}
	}
	for place, set := range seen {
		if !set {
			missing = append(missing, place)
		}
	}
	return missing
}

// filled is a result whose every member is set.
func filled() Result {
	r := gpuResult(8, 4096)
	r.StateBefore, r.StateAfter = stateAt(306e6, 612e6, 1), stateAt(306e6, 612e6, 2)
	fill(reflect.ValueOf(&r).Elem())
	r.Status, r.Point.Processor = OK, framework.GPU
	r.Rate.Before, r.Rate.After = map[string]float64{"GPU": 306e6}, map[string]float64{"GPU": 1300.5e6}
	r.Counters.Values = map[string]float64{"dram__bytes.sum": 3.5e9, "lts__t_sector_hit_rate.pct": 12.5}
	r.Counters.Launches[0].Values = map[string]float64{"dram__bytes.sum": 3.5e9}
	return r
}

// fill sets what is not set, but in maps.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem())
	case reflect.Struct:
		if v.Type().PkgPath() == "time" || v.NumField() == 0 || !v.Type().Field(0).IsExported() {
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Float32, reflect.Float64:
		if v.IsZero() {
			v.SetFloat(1.5)
		}
	case reflect.Int, reflect.Int64, reflect.Int32:
		if v.IsZero() {
			v.SetInt(7)
		}
	case reflect.Uint, reflect.Uint64, reflect.Uint32:
		if v.IsZero() {
			v.SetUint(7)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		if v.IsZero() {
			v.SetString("text")
		}
	}
}

// members notes which of a value's members are set somewhere.
func members(v reflect.Value, place string, seen map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			members(v.Elem(), place, seen)
		} else {
			members(reflect.New(v.Type().Elem()).Elem(), place, seen)
		}
	case reflect.Struct:
		if v.Type().PkgPath() == "time" || v.NumField() == 0 || !v.Type().Field(0).IsExported() {
			seen[place] = seen[place] || !v.IsZero()
			return
		}
		for i := range v.NumField() {
			members(v.Field(i), place+"."+v.Type().Field(i).Name, seen)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			if v.Len() == 0 {
				members(reflect.New(v.Type().Elem()).Elem(), place, seen)
			}
			for i := range v.Len() {
				members(v.Index(i), place, seen)
			}
			return
		}
		seen[place] = seen[place] || v.Len() > 0
	default:
		seen[place] = seen[place] || !v.IsZero()
	}
}

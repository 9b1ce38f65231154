package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"example.org/bench/framework/record"
	"example.org/bench/test/cells"
)

// exported returns the file to which a run's folder is written.
func exported(t *testing.T, dir, to string) string {
	t.Helper()
	r, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, _, err := Write(dir, r, to, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// CSV and JSON hold the same cells; lab/readers holds Parquet against both.
func TestTablesAgree(t *testing.T) {
	dir := cells.Run(t, 1)
	f, err := os.Open(exported(t, dir, "csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(exported(t, dir, "json"))
	if err != nil {
		t.Fatal(err)
	}
	var objects []map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&objects); err != nil {
		t.Fatal(err)
	}
	if len(objects) != 3 || len(table) != 4 {
		t.Fatalf("%d and %d rows", len(objects), len(table)-1)
	}
	seen := map[string]string{}
	for i, header := range table[0] {
		for row, line := range table[1:] {
			cell, value := line[i], objects[row][header]
			switch v := value.(type) {
			case nil:
				if cell != "" && cell != "NaN" {
					t.Errorf("%s: %q, and null in JSON", header, cell)
				}
			case bool:
				if strconv.FormatBool(v) != cell {
					t.Errorf("%s: %q and %v", header, cell, v)
				}
			case json.Number:
				a, _ := strconv.ParseFloat(cell, 64)
				b, _ := v.Float64()
				if a != b {
					t.Errorf("%s: %q and %v", header, cell, v)
				}
			case string:
				if v != cell {
					t.Errorf("%s: %q and %q", header, cell, v)
				}
			}
			seen[header] += cell + ";"
		}
	}
	for column, want := range map[string]string{"N": "64;1152921504606846976;64;", "reason": ";\"NaN\",\\nµ;;", "error": ";NaN;;", "power_W": "30;;;", "P": "2.5;;;",
		"converged": "true;;true;", "nominal_flops": "320;5764607523034234880;320;", "started": "2023-11-14T22:13:20Z;2023-11-14T22:13:20Z;2023-11-14T22:13:20Z;"} {
		if seen[column] != want {
			t.Errorf("%s: %q, want %q", column, seen[column], want)
		}
	}
}

// TestLongTable: a row for each value, with what is alike of a point on all of its rows.
func TestLongTable(t *testing.T) {
	const folder = "../../results/h100-fft-peers/full-cache"
	run, err := record.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	file, _, err := Write(folder, run, "csv", out, true)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	want := 0
	for i := range run.Rows {
		w := &run.Rows[i]
		for _, x := range []record.Number{w.Time.Median, w.Hot.Get().Median, w.Work.GFLOPPerS, w.Memory.GBytePerS, w.Energy.Get().Total, w.Power.Get().Total} {
			if x.IsSet() {
				want++
			}
		}
	}
	got := 0
	for _, r := range rows[1:] {
		switch r[at["quantity"]] {
		case "time", "hot_time", "nominal_operations", "nominal_bytes", "energy", "power":
			got++
		}
		if r[at["quantity"]] == "time" && (r[at["unit"]] != "s" || !(number(t, r[at["low"]]) <= number(t, r[at["value"]]) && number(t, r[at["value"]]) <= number(t, r[at["high"]]))) {
			t.Errorf("a time is %q", r)
		}
	}
	if got != want || got == 0 {
		t.Errorf("%d values, want %d", got, want)
	}
	w := &run.Rows[0]
	for _, r := range rows[1:] {
		if r[at["point"]] == strconv.Itoa(w.Point) && r[at["quantity"]] == "nominal_bytes" {
			if x := number(t, r[at["value"]]); math.Abs(x/(1e9*w.Memory.GBytePerS.Float())-1) > 1e-12 || number(t, r[at["low"]]) > x {
				t.Errorf("the rate of bytes is %q, want %v", r, w.Memory.GBytePerS.Float())
			}
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

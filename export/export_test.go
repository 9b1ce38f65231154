package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"bench/framework/record"
	"bench/test/cells"
)

// exported is the file that a run's folder is written as.
func exported(t *testing.T, dir, to string) string {
	t.Helper()
	r, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, _, err := Write(dir, r, to, t.TempDir())
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

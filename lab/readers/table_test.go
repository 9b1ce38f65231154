// Package readers reads what bench exports with other programs and libraries: Parquet's and pandas's
// readers, and benchstat.
package readers

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"strconv"
	"testing"

	reader "github.com/parquet-go/parquet-go"

	"example.org/bench/command/export"
	"example.org/bench/framework/record"
	"example.org/bench/test/cells"
)

// exported exports a run's folder and returns the file.
func exported(t *testing.T, dir, to string) string {
	t.Helper()
	r, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, _, err := export.Write(dir, r, to, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// CSV, JSON and Parquet hold the same cells.
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
	p, err := os.Open(exported(t, dir, "parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	rows := make([]reader.Row, 4)
	n, err := reader.NewReader(p).ReadRows(rows)
	if err != nil && err != io.EOF || n != 3 || len(objects) != 3 || len(table) != 4 {
		t.Fatalf("%d, %d and %d rows, %v", n, len(objects), len(table)-1, err)
	}
	seen := map[string]string{}
	for i, header := range table[0] {
		for row, line := range table[1:] {
			cell, value, typed := line[i], objects[row][header], rows[row][i]
			switch v := value.(type) {
			case nil:
				if cell != "" && cell != "NaN" {
					t.Errorf("%s: %q, and null in JSON", header, cell)
				}
			case bool:
				if strconv.FormatBool(v) != cell || typed.Boolean() != v {
					t.Errorf("%s: %q, %v and %v", header, cell, v, typed)
				}
			case json.Number:
				a, _ := strconv.ParseFloat(cell, 64)
				b, _ := v.Float64()
				exact := typed.Kind() == reader.Int64 && strconv.FormatInt(typed.Int64(), 10) == cell && cell == v.String() || typed.Kind() == reader.Double && typed.Double() == a
				if a != b || !exact {
					t.Errorf("%s: %q, %v and %v", header, cell, v, typed)
				}
			case string:
				if v != cell || string(typed.ByteArray()) != cell {
					t.Errorf("%s: %q, %q and %q", header, cell, v, typed)
				}
			}
			if typed.IsNull() != (cell == "") {
				t.Errorf("%s: %q, and %v in Parquet", header, cell, typed)
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

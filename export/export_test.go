package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	reader "github.com/parquet-go/parquet-go"

	"bench/framework"
	"bench/framework/measure"
	"bench/framework/plan"
	"bench/framework/record"
)

// point is a result whose times are by the factor longer than 1 ms, 1.001 ms and so on.
func point(id int, version string, n int64, factor float64) record.Result {
	s := &measure.Series{Batch: 4, Converged: true}
	for i := range 12 {
		s.Samples = append(s.Samples, 1e-3*factor*(1+1e-3*float64(i*5%12)))
	}
	return record.Result{
		Point: plan.Point{ID: id, Algorithm: "fft", Version: version, Processor: framework.CPU, Device: "cpu",
			Params: framework.Values{"N": framework.IntValue(n)}, ParamOrder: []string{"N"}},
		Status: record.OK, Hot: s, Work: framework.Work{NominalFLOPs: 5 * n, NominalBytes: 16 * n},
	}
}

// run has points whose cells are hard to write, and leaves its files in a folder.
func run(t *testing.T, factor float64) string {
	t.Helper()
	measured := point(0, "stockham", 64, factor)
	measured.Point.Tunables, measured.Point.TunableOrder = framework.Values{"P": framework.FloatValue(2.5)}, []string{"P"}
	measured.Energy = &measure.Energy{Window: 2, Runs: 1000, Channels: []measure.ChannelEnergy{{Sensor: "rapl", Channel: "package", Role: "total", Power: 30, Energy: 60}}}
	wrong := point(1, "a b/c", 1<<60, factor)
	wrong.Status, wrong.Reason, wrong.Hot = record.Wrong, "\"NaN\",\nµ", nil
	wrong.Checks = []framework.Check{{Metric: "error", Error: math.NaN(), Bound: 1}}
	info := record.Info{Tool: record.Tool{Version: "v1", Platform: "linux/amd64"}, Started: time.Unix(1700000000, 0)}
	info.Machine.CPU = "a  CPU"
	dir := filepath.Join(t.TempDir(), "fft")
	if err := record.Write(dir, record.NewRun(info, "fft", nil, []record.Result{measured, wrong, point(2, "fftw", 64, 2*factor)})); err != nil {
		t.Fatal(err)
	}
	return dir
}

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

// CSV, JSON and Parquet hold the same cells.
func TestTablesAgree(t *testing.T) {
	dir := run(t, 1)
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
		for row, cells := range table[1:] {
			cell, value, typed := cells[i], objects[row][header], rows[row][i]
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

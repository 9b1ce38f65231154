package record

import (
	"path/filepath"
	"strconv"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

// tidied is a run's table as cells by column, after each was read as its kind.
func tidied(t *testing.T, r *Run, name string) (kinds map[string]CellKind, rows []map[string]string) {
	t.Helper()
	table, err := r.Tidy(name)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for rows, err := range table.Pieces {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	kinds = map[string]CellKind{}
	for i, c := range table.Columns {
		if _, twice := kinds[c.Name]; twice {
			t.Errorf("%s is there twice", c.Name)
		}
		kinds[c.Name] = c.Kind
		for j, row := range all {
			if i == 0 {
				rows = append(rows, map[string]string{})
			}
			rows[j][c.Name] = row[i]
			var err error
			switch {
			case row[i] == "":
			case c.Kind == IntCell:
				_, err = strconv.ParseInt(row[i], 10, 64)
			case c.Kind == FloatCell:
				_, err = strconv.ParseFloat(row[i], 64)
			case c.Kind == BoolCell:
				_, err = strconv.ParseBool(row[i])
			}
			if err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
	return kinds, rows
}

// The table has each column of the CSV files once, with its cells.
func TestTidyHasTheFilesColumns(t *testing.T) {
	run, dir := testRun(), t.TempDir()
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	kinds, rows := tidied(t, back, "fft")
	of := map[string]bool{}
	for _, f := range back.Columns.files() {
		header, want := cells(t, filepath.Join(dir, back.file(f.kind)))
		for _, column := range header {
			of[column] = true
			for i := range want {
				if got, ok := rows[i][column]; !ok || got != want[i][column] {
					t.Errorf("%s: row %d, column %s is %q, want %q", f.kind, i, column, got, want[i][column])
				}
			}
		}
	}
	for column := range kinds {
		if _, own := map[string]bool{"run": true, "machine": true, "device_name": true, "driver": true, "tool": true, "started": true, "relative_to": true}[column]; !own && !of[column] {
			t.Errorf("%s is in no file", column)
		}
	}
	for column, want := range map[string]CellKind{"time_s": FloatCell, "samples": IntCell, "converged": BoolCell, "hot_converged": BoolCell, "N": IntCell, "precision": TextCell,
		"point": IntCell, "status": TextCell, "ina3221_VDD_IN_power_W": FloatCell, "temperature_GPU_therm_before_degC": FloatCell, "nominal_flops": IntCell, "run": TextCell} {
		if kind, ok := kinds[column]; !ok || kind != want {
			t.Errorf("%s is of kind %d, %v; want %d", column, kind, ok, want)
		}
	}
	for column, want := range map[string]CellKind{"clock_GPU_max_Hz": FloatCell, "clock_GPU_governor": TextCell, "throttle_events_oc1": FloatCell, "cooling_x_before": FloatCell,
		"fan_pwm_after": FloatCell, alarmColumn: TextCell, pinnedColumn: TextCell, throttleColumn: TextCell} {
		if got := stateCellKind(column); got != want {
			t.Errorf("%s is of kind %d, want %d", column, got, want)
		}
	}
}

// A run at a rate has those columns, too; others have not.
func TestTidyOfARate(t *testing.T) {
	kinds, _ := tidied(t, testRun(), "fft")
	if _, ok := kinds["release_hz"]; ok {
		t.Error("a run without a rate has release_hz")
	}
	r := testResult(0)
	r.Hot, r.Rate = nil, &measure.Released{Rate: 60, Releases: 10}
	kinds, rows := tidied(t, NewRun(Info{}, "fft", nil, []Result{r}), "fft")
	if kinds["memory_locked"] != BoolCell || kinds["releases"] != IntCell || rows[0]["release_hz"] != "60" {
		t.Errorf("%v", rows[0])
	}
}

func TestOrigin(t *testing.T) {
	r := testRun()
	r.Info.Name, r.Info.Machine.Board, r.Info.Machine.CPU = "desk", "a board", "a CPU"
	r.Info.Devices = append(r.Info.Devices, Device{ID: "cpu"})
	_, rows := tidied(t, r, "fft")
	if got := rows[0]; got["run"] != "fft" || got["machine"] != "desk" || got["device_name"] != "a CPU" || got["started"] != "2025-03-01T12:00:00Z" || got["tool"] == "" {
		t.Errorf("%v", got)
	}
	r.Info.Name = ""
	if got := r.Origin("x", &r.Rows[0]).Machine; got != "a board" {
		t.Errorf("the machine is %q", got)
	}
}

// Parameters keep their names where Origin has one of them.
func TestTidyNamesAreUnique(t *testing.T) {
	r := testResult(0)
	r.Point.Params = framework.Values{"run": framework.IntValue(3), "tool": framework.TextValue("saw")}
	r.Point.ParamOrder = []string{"run", "tool"}
	_, rows := tidied(t, NewRun(Info{}, "fft", nil, []Result{r}), "name")
	if got := rows[0]; got["run"] != "3" || got["tool"] != "saw" || got["run_2"] != "name" || got["tool_2"] != "" {
		t.Errorf("%v", got)
	}
}

// tidyWhole makes all of a run's table.
func tidyWhole(r *Run) error {
	table, err := r.Tidy("r")
	if err != nil {
		return err
	}
	for _, err := range table.Pieces {
		if err != nil {
			return err
		}
	}
	return nil
}

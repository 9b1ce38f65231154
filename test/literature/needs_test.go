package literature

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/bench/test/figures"
	"example.org/bench/test/published"
)

// quantities are what a figure of the study of embedded GPUs shows, and the columns that it takes: rates
// are of what a version executes, loads and stores (its section 3.1.3).
var quantities = map[string]string{
	"time": "time_s", "power": "power_W", "energy": "energy_J", "speed-up": "time_s",
	"FLOPS": "flops time_s", "throughput": "load_bytes store_bytes time_s",
	"FLOPS per watt": "flops energy_J", "throughput per watt": "load_bytes store_bytes energy_J",
}

// panels are those of that study's figures, as they are printed.
var panels = map[string]string{
	"Figure 1": "v1 to v3: time, power, energy",
	"Figure 2": "v1 to v3: FLOPS, throughput, FLOPS per watt",
	"Figure 3": "v1 to v8: FLOPS, throughput, power, energy, speed-up",
	"Figure 4": "v1 to v4: FLOPS, time",
	"Figure 5": "v1 to v4: power, energy, FLOPS per watt",
	"Figure 6": "v1 to v4: FLOPS, time",
	"Figure 7": "v1 to v4: power, energy, FLOPS per watt",
	"Figure 8": "v1 to v4: FLOPS per watt, throughput per watt, time, energy",
	"Figure 9": "v4: FLOPS per watt, throughput per watt",
}

// A need is what the runs that a row names hold: for each of points, conditions as of figures.Where, a
// point with all columns. Those of one run are together in one folder.
type need struct {
	columns string
	points  []string
	one     bool
}

// each returns conditions with NAME= each of the values.
func each[V any](points []string, name string, values ...V) (list []string) {
	for _, p := range points {
		for _, v := range values {
			list = append(list, fmt.Sprintf("%s %s=%v", p, name, v))
		}
	}
	return list
}

var everywhere = []string{""}

// needs are those of the tables and figures that were measured, by source and number.
func needs() map[string]map[string]need {
	var sizes []int64
	for _, row := range table1 {
		sizes = append(sizes, row.n)
	}
	ms := []int{4, 5, 8, 10, 16, 20, 32, 35, 40, 64, 80, 100, 125, 250, 500, 625, 1000, 1250}
	sized := need{"time_s", each(each(everywhere, "N", sizes...), "m", ms...), false}
	both := each(each(everywhere, "precision", "f64", "f32"), "N", recursionSizes...)
	recursion := need{"time_s", slices.Concat(each(each(both, "R", 0), "m", 32, 64, 125, 250, 500, 625, 1000), each(each(both, "R", 1, 2, 3, 4), "m", 32, 64, 125, 250, 1000)), false}
	recursion.points = append(recursion.points, each(each([]string{"R=4"}, "N", recursionSizes...), "m", 500, 625, 1000, 1250)...) // as the source takes the m_i
	versions := func(names ...string) need { return need{"time_s", each(everywhere, "version", names...), false} }
	fft := func(from, to int) (sizes []int) {
		for ; from <= to; from *= 2 {
			sizes = append(sizes, from)
		}
		return sizes
	}
	return map[string]map[string]need{
		"Performance Tuning for GPU-Embedded Systems": {
			"Fig. 2": versions("lf", "ks", "cr", "pcr", "wm"),
			"Fig. 5": versions("cr", "pcr", "lf", "wm", "cusparse_strided"),
			"Fig. 6": versions("lf", "ks", "cub", "cub_bykey"),
			"Fig. 7": {"time_s", each(each(everywhere, "version", "stockham", "cufft"), "N", fft(64, 4096)...), false},
			"Fig. 8": {"time_s", each(each(everywhere, "version", "stockham", "multi", "cooperative", "cufft"), "N", fft(8192, 8388608)...), false},
		},
		"ML-Based Optimum Sub-system Size": {
			"TABLE 1": sized, "TABLE 3": sized,
			"Figure 1": {"sm__warps_active.avg.pct_of_peak_sustained_active", each(everywhere, "m", 32, 1000), false},
			"Figure 4": recursion, "TABLE 2": recursion,
			"TABLE 4": {"time_s", each(each(each(everywhere, "precision", "f32"), "N", sizes...), "m", ms...), false},
		},
		"Auto-testing efficiency": {
			"Table 4": {"time_s", each(each(everywhere, "K", 3000), "version", "v0", "v1", "v2", "v3", "v4"), true},
		},
	}
}

// missing returns the first need that the folders do not meet; empty if there is none.
func missing(t *testing.T, n need, folders []string) string {
	t.Helper()
	var all [][]figures.Row
	for _, f := range folders {
		for _, name := range append([]string{f}, published.Below("../..", f)...) {
			if rows, err := figures.Read(name); err == nil {
				all = append(all, rows)
			}
		}
	}
	if !n.one {
		all = [][]figures.Row{slices.Concat(all...)}
	}
	lack := "no points at all"
	for _, rows := range all {
		if lack = lacks(n, rows); lack == "" {
			return ""
		}
	}
	return lack
}

func lacks(n need, rows []figures.Row) string {
	columns := strings.Fields(n.columns)
	for _, p := range n.points {
		if !slices.ContainsFunc(figures.Where(rows, p), func(r figures.Row) bool {
			return !slices.ContainsFunc(columns, func(c string) bool { return r[c] == "" })
		}) {
			return fmt.Sprintf("no point of %q with %s", strings.TrimSpace(p), n.columns)
		}
	}
	return ""
}

var fromTo = regexp.MustCompile(`v(\d)(?: to v(\d))?: (.*)$`)

// TestRowsHoldWhatTheySay: each figure of the study of embedded GPUs is said to show what it shows, and
// the runs that a row names have the points and columns that it takes.
func TestRowsHoldWhatTheySay(t *testing.T) {
	checked := map[string]bool{}
	for _, row := range sourceRows(t) {
		for source, list := range needs() {
			if n, ok := list[row.number]; ok && strings.HasPrefix(row.source, source) {
				checked[source+row.number] = true
				if lack := missing(t, n, row.folders); lack != "" {
					t.Errorf("%s, %s: the runs have %s", row.source, row.number, lack)
				}
			}
		}
		panel, ok := panels[row.number]
		if !ok || !strings.HasPrefix(row.source, "Auto-testing") {
			continue
		}
		checked[row.number] = true
		if !strings.HasSuffix(row.shows, ", "+panel) {
			t.Errorf("%s is said to show %q, want … %s", row.number, row.shows, panel)
			continue
		}
		m := fromTo.FindStringSubmatch(panel)
		first, last := m[1], m[1]
		if m[2] != "" {
			last = m[2]
		}
		for v := first[0]; v <= last[0]; v++ {
			for _, q := range strings.Split(m[3], ", ") {
				columns, ok := quantities[q]
				if !ok {
					t.Fatalf("%s: no columns are known for %q", row.number, q)
				}
				if lack := missing(t, need{columns, []string{fmt.Sprintf("version=v%c", v)}, false}, row.folders); lack != "" {
					t.Errorf("%s, %s: the runs have %s", row.number, q, lack)
				}
			}
		}
	}
	want := len(panels)
	for _, list := range needs() {
		want += len(list)
	}
	if len(checked) != want {
		t.Errorf("%d rows are checked, want %d: %v", len(checked), want, checked)
	}
}

// Each benchmark's space of block sizes is whole on both devices.
func TestWholeSpaces(t *testing.T) {
	for _, device := range []string{"h100", "h200"} {
		spaces, err := filepath.Glob("../../results/" + device + "-iterml-whole/*.csv.gz")
		if err != nil || len(spaces) != 11 {
			t.Errorf("%s: %d spaces, want 11, %v", device, len(spaces), err)
		}
		for _, s := range spaces {
			rows, err := figures.Table(s)
			if err != nil || len(rows) != 7262 {
				t.Errorf("%s: %d points, want 7262, %v", s, len(rows), err)
			}
		}
	}
}

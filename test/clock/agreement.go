package clock

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/gocarina/gocsv"
)

// Reading is a median of one tool.
type Reading struct {
	Kernel  string  `csv:"kernel"`
	Mode    string  `csv:"mode"` // cold or hot
	Median  float64 `csv:"median_s"`
	Samples int     `csv:"samples"`
}

// Agreement compares both tools' medians with each other.
type Agreement struct {
	Kernel     string  `csv:"kernel"`
	Mode       string  `csv:"mode"`
	Control    float64 `csv:"control_s"`
	Bench      float64 `csv:"bench_s"`
	Difference float64 `csv:"difference_s"` // bench minus control
	Relative   float64 `csv:"difference_ratio"`
	Tolerance  float64 `csv:"tolerance_s"`
	Agree      bool    `csv:"agree"`
}

// tolerance is the largest difference at which two medians agree: 1 % above
// 50 us and 0.3 us below; tighter for two cases that have goals of their own,
// 10 % for an empty kernel back to back and 0.5 % for 5 ms.
func tolerance(kernel, mode string, control float64) float64 {
	switch {
	case kernel == "empty" && mode == "hot":
		return 0.10 * control
	case kernel == "5 ms":
		return 0.005 * control
	case control > 50e-6:
		return 0.01 * control
	}
	return 0.3e-6
}

// compare pairs the tools' readings by kernel and mode, in control's order;
// where a tool has several of a pair, its median of them counts.
func compare(control, bench []Reading) ([]Agreement, error) {
	type key struct{ kernel, mode string }
	gather := func(readings []Reading) (map[key][]float64, []key) {
		values, order := map[key][]float64{}, []key(nil)
		for _, r := range readings {
			k := key{r.Kernel, r.Mode}
			if values[k] == nil {
				order = append(order, k)
			}
			values[k] = append(values[k], r.Median)
		}
		return values, order
	}
	c, order := gather(control)
	b, other := gather(bench)
	if len(order) == 0 || len(order) != len(other) {
		return nil, fmt.Errorf("the control has %d kernels and modes, bench %d", len(order), len(other))
	}
	var rows []Agreement
	for _, k := range order {
		if b[k] == nil {
			return nil, fmt.Errorf("bench has no reading of %s %s", k.kernel, k.mode)
		}
		x, y := middle(c[k]), middle(b[k])
		t := tolerance(k.kernel, k.mode, x)
		rows = append(rows, Agreement{
			Kernel: k.kernel, Mode: k.mode, Control: x, Bench: y, Difference: y - x, Relative: y/x - 1,
			Tolerance: t, Agree: math.Abs(y-x) <= t,
		})
	}
	return rows, nil
}

// middle is the median.
func middle(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// writeCSV and writeTable write the rows, the table as Markdown in
// microseconds.
func writeCSV(w io.Writer, rows []Agreement) error { return gocsv.Marshal(rows, w) }

func writeTable(w io.Writer, rows []Agreement) error {
	text := "| kernel | mode | control (µs) | bench (µs) | difference (µs) | difference (%) | tolerance (µs) | agree |\n" +
		"|---|---|---:|---:|---:|---:|---:|---|\n"
	for _, r := range rows {
		agree := "yes"
		if !r.Agree {
			agree = "**no**"
		}
		text += fmt.Sprintf("| %s | %s | %.3f | %.3f | %+.3f | %+.2f | %.3f | %s |\n", r.Kernel, r.Mode,
			r.Control*1e6, r.Bench*1e6, r.Difference*1e6, 100*r.Relative, r.Tolerance*1e6, agree)
	}
	_, err := io.WriteString(w, text)
	return err
}

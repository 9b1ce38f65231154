package compare

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
)

// WriteCSV writes one line per metric, point and level, in base units.
func (c *Comparison) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	head := append([]string{"metric"}, c.Factors...)
	head = append(head, "level", "baseline", "value", "value_low", "value_high", "samples", "instances",
		"ratio", "ratio_low", "ratio_high", "p", "p_adjusted", "verdict", "gate", "front")
	explained := false
	c.ratios(func(_ Metric, _ Cell, r *Ratio) { explained = explained || r.Because != nil })
	if explained {
		head = append(head, "because")
	}
	w.Write(head)
	for _, t := range c.Tables {
		for _, cell := range t.Cells {
			p := c.Points[cell.Point]
			row := append([]string{t.Metric.Name}, p.Factors...)
			row = append(row, cell.Level, p.Baseline, exact(&cell.Value), exact(cell.Low), exact(cell.High), count(cell.Samples), count(cell.Instances))
			if r := cell.Ratio; r != nil {
				row = append(row, exact(&r.Value), exact(r.Low), exact(r.High), exact(r.P), exact(r.Adjusted), string(r.Verdict), string(r.Gate))
			} else {
				row = append(row, "", "", "", "", "", "", "")
			}
			row = append(row, front(p, cell.Level))
			if explained {
				because := ""
				if r := cell.Ratio; r != nil && r.Because != nil {
					because = r.Because.Text(r.Value)
				}
				row = append(row, because)
			}
			w.Write(row)
		}
	}
	w.Flush()
	return w.Error()
}

// count formats n, and 0 as "".
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// front returns "true" or "false" if the point has a front, else "".
func front(p Point, level string) string {
	if p.Front == nil {
		return ""
	}
	return strconv.FormatBool(slices.Contains(p.Front, level))
}

func exact(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

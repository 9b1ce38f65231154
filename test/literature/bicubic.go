package literature

import (
	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// bicubicRatio is the only figure of bicubic interpolation that uppsala prints:
// section 6.2.2, v2 "about twice as fast" as v1 for every number of rows. Its
// plots have no numbers.
const bicubicRatio = 2.0

// bicubic is v1 and v2 on the TX2 in the sweep over rows (2048 columns, factors
// 8 and 2), both bases.
func bicubic() printedRun {
	var rows []record.Row
	for _, basis := range []string{"hermite", "bspline"} {
		for i, version := range []string{"v1", "v2"} {
			w := gpuRow("bicubic", version)
			w.Params = framework.SettingsOf(framework.Values{
				"cols": framework.IntValue(2048), "row_factor": framework.IntValue(8), "column_factor": framework.IntValue(2),
				"basis": framework.TextValue(basis),
			}, nil)
			w.Time.Median = record.Measured([]float64{1, 1 / bicubicRatio}[i])
			w.Verification.Notes = "section 6.2.2; v2 published as about twice as fast as v1; means of 50 runs"
			rows = append(rows, w)
		}
	}
	r := newRun(uppsala, "bicubic", tx2, rows, []string{"cols", "row_factor", "column_factor", "basis"}, nil)
	r.Info.RelativeTo = "v1"
	r.Info.Warnings = []string{"the source gives one ratio in words: time_s is in units of the time of v1 for the same rows, 256 to 2048, not seconds"}
	return printedRun{"tx2-bicubic", r}
}

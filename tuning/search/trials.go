package search

import (
	"bench/framework/safefile"
	"bench/framework/stats"
	"bytes"
	"encoding/csv"
	"math"
	"path/filepath"
	"slices"
	"strconv"
)

// writeTrials writes every evaluation in the order made.
func (s *Search) writeTrials(dir string) error {
	header := []string{"evaluation", "algorithm", "version", "processor", "device"}
	var params, tunables []string
	for _, r := range s.Trials {
		for _, n := range r.Result.Point.ParamOrder {
			if !slices.Contains(params, n) {
				params = append(params, n)
			}
		}
		for _, n := range r.Result.Point.TunableOrder {
			if !slices.Contains(tunables, n) {
				tunables = append(tunables, n)
			}
		}
	}
	header = slices.Concat(header, params, tunables, []string{"status", "reason", "time_s", "time_ci_low_s", "time_ci_high_s", "converged", "energy_J", "edp_Js", "cost", "best", "elapsed_s"})
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write(header)
	count := map[*Version]int{}
	for _, r := range s.Trials {
		count[r.Version]++
		p := r.Result.Point
		row := []string{strconv.Itoa(count[r.Version]), p.Algorithm, p.Version, string(p.Processor), p.Device}
		for _, n := range params {
			row = append(row, p.Params[n].String())
		}
		for _, n := range tunables {
			row = append(row, p.Tunables[n].String())
		}
		row = append(row, string(r.Result.Status), r.Result.Reason)
		row = append(row, trialNumbers(r)...)
		w.Write(append(row, strconv.FormatBool(r.Best), formatted(r.Result.Elapsed)))
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return safefile.Write(filepath.Join(dir, TrialsFile), &out)
}

// trialNumbers are time with its interval and whether it converged, energy, EDP
// and cost.
func trialNumbers(r Trial) []string {
	cells := make([]string, 7)
	if series := seriesOf(r.Result); series != nil && len(series.Samples) > 0 {
		m := stats.Summarize(series.Samples)
		cells[0], cells[1], cells[2] = formatted(m.Median), formatted(m.Low), formatted(m.High)
		cells[3] = strconv.FormatBool(series.Converged)
	}
	if r.Result.Energy != nil && r.Result.Energy.Absent == "" {
		for i, objective := range []Objective{Energy, EDP} {
			if x, err := objective.cost(r.Result); err == nil {
				cells[4+i] = formatted(x)
			}
		}
	}
	if r.OK {
		cells[6] = formatted(r.Cost)
	}
	return cells
}

func formatted(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

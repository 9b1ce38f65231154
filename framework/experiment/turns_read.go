package experiment

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"example.org/bench/framework/compare"
	"example.org/bench/internal/textfile"
)

// same is the share within which versions are called the same if a file of an earlier bench has no verdict.
const same = 0.01

// ReadTurns reads what bench ab, this or an earlier one, left in a folder.
func ReadTurns(dir string) (*Turns, error) {
	var all Turns
	if err := textfile.ReadJSON(filepath.Join(dir, TurnsFile), &all); err != nil {
		return nil, err
	}
	return &all, judgeAgain(dir, &all)
}

// judgeAgain fills in what a file of an earlier bench names otherwise, from the ratios
// of ab.csv.
func judgeAgain(dir string, all *Turns) error {
	lacking := func(p *Pair) bool {
		return p.Result != nil && p.Result.Effect == nil && p.A.Version != p.B.Version
	}
	if !slices.ContainsFunc(all.Pairs, lacking) {
		return nil
	}
	path := filepath.Join(dir, "ab.csv")
	rows, _, err := textfile.ReadTable(path)
	if err != nil {
		return err
	}
	at := func(row []string, name string) string {
		if i := slices.Index(rows[0], name); i >= 0 && i < len(row) {
			return row[i]
		}
		return ""
	}
	var judged []*compare.Turns
	for _, p := range all.Pairs {
		if !lacking(p) {
			continue
		}
		var control, treatment []float64
		for _, row := range rows[1:] {
			ratio, err := strconv.ParseFloat(at(row, "ratio"), 64)
			switch {
			case at(row, "problem") != p.Name:
			case err != nil:
				return fmt.Errorf("%s: ratio is %q, no number", path, at(row, "ratio"))
			case at(row, "kind") == "control":
				control = append(control, ratio)
			default:
				treatment = append(treatment, ratio)
			}
		}
		if len(control) != len(treatment) {
			return fmt.Errorf("%s: %d repeats of A/A and %d of B/A at %s, want as many", path, len(control), len(treatment), p.Name)
		}
		if p.Result, err = compare.TurnsOf(control, treatment, nil, nil); err != nil {
			return fmt.Errorf("%s: %s: %w", path, p.Name, err)
		}
		judged = append(judged, p.Result)
	}
	compare.JudgeTurns(judged, same)
	return nil
}

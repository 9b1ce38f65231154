package replay

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"example.org/bench/internal/linux"
	"example.org/bench/internal/textfile"
	"example.org/bench/tuning"
)

// Searches are the runs of one strategy of another program on one space.
type Searches struct {
	Space, Strategy string
	// Runs are the costs of each run's evaluations in order, NaN for an invalid one. Ends is when each ended,
	// in seconds from the run's beginning; nil if unknown.
	Runs, Ends [][]float64
}

var runsHeader = []string{"space", "strategy", "run", "evaluation", "time_ms"}

// runSeconds is an optional last column: the seconds of an evaluation, with those that the search took to
// choose it.
const runSeconds = "seconds"

// mostLeftOut bounds the rows that a file may leave out.
const mostLeftOut = 1 << 24

// ReadSearches reads the evaluations of another program, plain or gzip: a header of space, strategy, run,
// evaluation and time_ms (empty if invalid), then a row per evaluation in the order of the runs. Rows that
// are no better than the best before may be left out; the seconds of the next row then count from the row
// before.
func ReadSearches(paths []string) (all []Searches, err error) {
	for _, path := range paths {
		list, err := readSearchesOf(path)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func readSearchesOf(path string) ([]Searches, error) {
	f, err := linux.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := readSearches(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, tuning.Brief(err))
	}
	return all, nil
}

func readSearches(in io.Reader) ([]Searches, error) {
	rows, err := textfile.NewTable(in, "")
	if err != nil {
		return nil, err
	}
	header, err := rows.Read()
	if err != nil && err != io.EOF {
		return nil, err
	}
	clocked := slices.Equal(header, append(slices.Clone(runsHeader), runSeconds))
	if !clocked && !slices.Equal(header, runsHeader) {
		return nil, fmt.Errorf("the header is %v; want %v", header, runsHeader)
	}
	var all []Searches
	run, leftOut := "", 0
	for {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		line := rows.Line()
		at := slices.IndexFunc(all, func(s Searches) bool { return s.Space == row[0] && s.Strategy == row[1] })
		if at < 0 {
			at, run = len(all), ""
			all = append(all, Searches{Space: row[0], Strategy: row[1]})
		}
		s := &all[at]
		if at < len(all)-1 {
			return nil, fmt.Errorf("line %d: %s on %s again; want its rows together", line, row[1], row[0])
		}
		if len(s.Runs) == 0 || row[2] != run {
			s.Runs, run = append(s.Runs, nil), row[2]
			if clocked {
				s.Ends = append(s.Ends, nil)
			}
		}
		last := &s.Runs[len(s.Runs)-1]
		number, err := strconv.Atoi(row[3])
		if least := len(*last) + 1; err != nil || number < least {
			return nil, fmt.Errorf("line %d: evaluation %q of run %s; want %d or more", line, row[3], row[2], least)
		}
		if leftOut += number - 1 - len(*last); leftOut > mostLeftOut {
			return nil, fmt.Errorf("line %d: evaluation %s of run %s: more than %d rows are left out", line, row[3], row[2], mostLeftOut)
		}
		for len(*last) < number-1 {
			*last = append(*last, math.NaN())
		}
		cost := math.NaN()
		if row[4] != "" {
			ms, err := strconv.ParseFloat(row[4], 64)
			if cost = ms / 1e3; err != nil || !(cost > 0) || math.IsInf(ms, 0) {
				return nil, fmt.Errorf("line %d: time_ms is %q; want a positive number, or nothing where invalid", line, row[4])
			}
		}
		*last = append(*last, cost)
		if clocked {
			took, err := strconv.ParseFloat(row[5], 64)
			if err != nil || !(took >= 0) || math.IsInf(took, 0) {
				return nil, fmt.Errorf("line %d: seconds is %q; want 0 or more", line, row[5])
			}
			ends := &s.Ends[len(s.Ends)-1]
			if n := len(*ends); n > 0 {
				took += (*ends)[n-1]
			}
			for len(*ends) < number { // those left out had ended by then
				*ends = append(*ends, took)
			}
		}
	}
	if len(all) == 0 {
		return nil, errNoRuns
	}
	return all, nil
}

package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/record"
)

// ReadRuns reads results folders with their samples, if they have any. It names each by the
// shortest distinct part of its path.
func ReadRuns(dirs []string) ([]Run, error) {
	var runs []Run
	names := record.ShortNames(dirs)
	for i, dir := range dirs {
		r, err := record.Read(dir)
		if err != nil {
			return nil, err
		}
		samples, err := record.ReadSamples(dir, r)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		runs = append(runs, Run{Name: names[i], Run: r, Samples: samples})
	}
	return runs, nil
}

// ReadSides reads the folders of each side. Runs of one side are instances of one level.
func ReadSides(sides [][]string) ([]Run, error) {
	dirs := slices.Concat(sides...)
	seen := map[string]bool{}
	for _, d := range dirs {
		if d = filepath.Clean(d); seen[d] {
			return nil, fmt.Errorf("%s is given twice: each run counts as instances of its own", d)
		}
		seen[filepath.Clean(d)] = true
	}
	runs, err := ReadRuns(dirs)
	if err != nil {
		return nil, err
	}
	at := 0
	for _, side := range sides {
		level := sideName(runs[at : at+len(side)])
		for range side {
			runs[at].Level = level
			at++
		}
	}
	return runs, nil
}

// ReadAround reads the folders. If dash is not negative, those before it are the first side, the
// baseline, and the rest the second. Only a comparison by run has sides.
func ReadAround(dirs []string, dash int, by Dimension) ([]Run, error) {
	if dash < 0 {
		return ReadRuns(dirs)
	}
	first, second := dirs[:dash], dirs[dash:]
	switch {
	case by != ByRun:
		return nil, fmt.Errorf("-- parts the runs of two sides, and --by %s compares no sides", by)
	case len(first) == 0 || len(second) == 0:
		return nil, errors.New("-- has no run on one side; want those of the baseline before it and the others behind")
	}
	for _, d := range second {
		if strings.HasPrefix(d, "-") {
			return nil, fmt.Errorf("%s is after --, where only runs may be: give flags before it", d)
		}
	}
	return ReadSides([][]string{first, second})
}

// ParseShare parses a share such as "5%", "5 %" or "0.05".
func ParseShare(s string) (float64, error) {
	digits, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err == nil && percent {
		x /= 100
	}
	if err != nil || !(x >= 0) || x >= 1 {
		return 0, fmt.Errorf("%q is not a share from 0%% to below 100%%, such as 5%% or 0.05", s)
	}
	return x, nil
}

// sideName returns the first and the last run's name.
func sideName(runs []Run) string {
	if last := len(runs) - 1; last > 0 {
		return runs[0].Name + " to " + runs[last].Name
	}
	return runs[0].Name
}

// Package figures holds the figures of pages against the published runs that they are of, and fills
// them in anew: go test ./test/figures -update.
package figures

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/textfile"
	"example.org/bench/test/published"
)

// root is the tree's folder.
const root = "../.."

// A Row is one point of a run, or one trial of a search: the columns of all its tables by name.
type Row map[string]string

// runs are those read already, by folder.
var runs = map[string][]Row{}

// Read returns the points of results/NAME, which are ok: of its tables together, or of trials.csv.
func Read(name string) ([]Row, error) {
	if rows, ok := runs[name]; ok {
		return rows, nil
	}
	dir, points := published.Path(root, name), ""
	for _, file := range bounded.Names(dir) {
		if filepath.Dir(file) == dir && (strings.HasSuffix(file, "_time.csv") || points == "" && strings.HasPrefix(filepath.Base(file), "trials.csv")) {
			points = file
		}
	}
	if points == "" {
		return nil, fmt.Errorf("results/%s has neither points nor trials", name)
	}
	var all []Row
	for _, table := range []string{"_time", "_flops", "_loadstoresize", "_power", "_energy", "_rate", "_counters"} {
		file := strings.Replace(points, "_time.csv", table+".csv", 1)
		if file == points && table != "_time" {
			break // of trials there is one
		}
		if err := join(&all, file); err != nil && (table != "_rate" && table != "_counters" || !errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
	}
	var good []Row
	for _, r := range all {
		if r["status"] == "ok" {
			if _, renamed := r["runs_per_sample"]; renamed { // a column of runs had the parameter's name before
				r["param_batch"] = r["batch"]
			}
			good = append(good, r)
		}
	}
	runs[name] = good
	return good, nil
}

// Table returns the lines of one CSV file, which may be compressed.
func Table(file string) (rows []Row, err error) {
	err = join(&rows, file)
	return rows, err
}

func join(all *[]Row, file string) error {
	lines, _, err := textfile.ReadTable(file)
	if err != nil {
		return err
	}
	for i, line := range lines[1:] {
		if i == len(*all) {
			*all = append(*all, Row{})
		}
		for c, name := range lines[0] {
			(*all)[i][name] = line[c]
		}
	}
	return nil
}

// Where returns the rows in which each condition holds: NAME=VALUE, separated by blanks.
func Where(rows []Row, conditions string) (found []Row) {
next:
	for _, r := range rows {
		for _, c := range strings.Fields(conditions) {
			name, value, _ := strings.Cut(c, "=")
			if r[name] != value {
				continue next
			}
		}
		found = append(found, r)
	}
	return found
}

// Num is the number in a column; NaN if there is none.
func (r Row) Num(column string) float64 {
	x, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

var number = regexp.MustCompile(`-?\d+(\.\d+)?`)

// Agree compares the numbers that a text prints with values, in order: each must be the value rounded
// to as many decimals. It returns the text with the values in the places of those that are not.
func Agree(printed string, values []float64) (filled string, err error) {
	places := number.FindAllStringIndex(printed, -1)
	if len(places) != len(values) {
		return printed, fmt.Errorf("%q has %d numbers, want %d: %.6g", printed, len(places), len(values), values)
	}
	filled, end := "", 0
	for i, at := range places {
		text := printed[at[0]:at[1]]
		decimals := 0
		if _, after, ok := strings.Cut(text, "."); ok {
			decimals = len(after)
		}
		x, e := strconv.ParseFloat(text, 64)
		if e != nil {
			return printed, e
		}
		const half = 0.5 + 1e-6 // of the last decimal
		if math.IsNaN(values[i]) || math.Abs(x-values[i]) > half*math.Pow(10, -float64(decimals)) {
			err = fmt.Errorf("%q prints %s, the run has %.6g", printed, text, values[i])
			text = strconv.FormatFloat(values[i], 'f', decimals, 64)
		}
		filled += printed[end:at[0]] + text
		end = at[1]
	}
	return filled + printed[end:], err
}

// A Page is a file of Markdown by lines.
type Page struct {
	Name  string
	Lines []string
}

// Open reads a page of the tree.
func Open(name string) (*Page, error) {
	text, err := os.ReadFile(filepath.Join(root, name))
	return &Page{name, strings.Split(string(text), "\n")}, err
}

// Write writes it again.
func (p *Page) Write() error {
	return os.WriteFile(filepath.Join(root, p.Name), []byte(strings.Join(p.Lines, "\n")), 0o644)
}

var rule = regexp.MustCompile(`^\|[-: |]+\|$`)

// Table returns the number of the first line, below that which contains after, that is a table's
// heading; -1 if there is none.
func (p *Page) Table(after string) int {
	for i := range p.Lines {
		if !strings.Contains(p.Lines[i], after) {
			continue
		}
		for ; i+1 < len(p.Lines); i++ {
			if strings.HasPrefix(p.Lines[i], "|") && rule.MatchString(p.Lines[i+1]) {
				return i
			}
		}
	}
	return -1
}

// Tables returns the lines of all tables' headings.
func (p *Page) Tables() (lines []int) {
	for i := range p.Lines[:len(p.Lines)-1] {
		if strings.HasPrefix(p.Lines[i], "|") && rule.MatchString(p.Lines[i+1]) {
			lines = append(lines, i)
		}
	}
	return lines
}

// Cells splits a table's line; what surrounds a cell stays in it.
func Cells(line string) []string {
	parts := strings.Split(line, "|")
	return parts[1 : len(parts)-1]
}

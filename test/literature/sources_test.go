package literature

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// printed are the tables and figures of each source, as they are numbered there.
func printed() map[string][]string {
	numbered := func(format string, n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(format, i+1))
		}
		return all
	}
	return map[string][]string{
		"Performance Tuning for GPU-Embedded Systems: Machine-Learning-Based and Analytical Model-Driven Tuning Methodologies": append(numbered("Fig. %d", 8), "Table I", "Table II"),
		"Iterative Machine Learning (IterML) for Effective Parameter Pruning and Tuning in Accelerators":                       append(numbered("Figure %d", 11), numbered("Table %d", 3)...),
		"ML-Based Optimum Sub-system Size for the GPU Implementation of the Tridiagonal Partition Method":                      append(numbered("Figure %d", 6), numbered("TABLE %d", 4)...),
		"Auto-testing efficiency of signal processing algorithms on embedded GPUs":                                             append(numbered("Figure %d", 9), numbered("Table %d", 5)...),
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// A sourceRow is one of results/literature/README.md.
type sourceRow struct {
	source, number, shows string
	folders               []string // in results, that are published
	line                  string
}

// sourceRows returns the rows of the tables by source.
func sourceRows(t *testing.T) (rows []sourceRow) {
	t.Helper()
	text, err := os.ReadFile("../../results/literature/README.md")
	if err != nil {
		t.Fatal(err)
	}
	source := ""
	for _, line := range strings.Split(string(text), "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			source = name
		}
		cells := strings.Split(line, "|")
		if len(cells) != 7 || strings.TrimSpace(cells[1]) == "" || strings.HasPrefix(cells[1], "---") {
			continue
		}
		r := sourceRow{source: source, number: strings.TrimSpace(cells[1]), shows: strings.TrimSpace(cells[2]), line: line}
		for _, q := range quoted.FindAllStringSubmatch(cells[4], -1) {
			r.folders = append(r.folders, q[1])
		}
		if strings.TrimSpace(cells[5]) == "" {
			t.Errorf("%s, %s: nothing says whether it agrees", source, r.number)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestSources: results/literature/README.md has every table and figure of the sources, once, and
// the configs and folders that it names exist.
func TestSources(t *testing.T) {
	exists := func(parts ...string) bool {
		found, err := filepath.Glob(filepath.Join(append([]string{"../.."}, parts...)...))
		return err == nil && len(found) > 0
	}
	rows := map[string][]string{}
	for _, r := range sourceRows(t) {
		rows[r.source] = append(rows[r.source], r.number)
		for _, q := range quoted.FindAllStringSubmatch(r.line, -1) {
			for _, word := range strings.Fields(q[1]) {
				if strings.HasPrefix(word, "configs/") && !exists(word) {
					t.Errorf("%s is not there: %s", word, r.line)
				}
			}
		}
		for _, f := range r.folders {
			if !exists("results", f) && !exists("results", f+".zip") && !exists("results/literature", f) {
				t.Errorf("results/%s is not there: %s", f, r.line)
			}
		}
	}
	for name, want := range printed() {
		got := slices.Sorted(slices.Values(rows[name]))
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
}

//go:build linux

package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// measured is what a verb took at a number of rows.
type measured struct {
	verb string
	rows int
	cost
	before *measured // the next smaller number of rows; nil for the smallest
}

// growth measures the verbs at a list of numbers of rows, prints a table after each, and
// writes it to out.csv and out.md, unless out is empty.
func growth(bench, dir, list, only, out string) error {
	sizes, err := numbers(list)
	if err != nil {
		return err
	}
	if bench, err = filepath.Abs(bench); err != nil {
		return err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "bench-scale-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	before := map[string]*measured{}
	var all []*measured
	for _, rows := range sizes {
		at := filepath.Join(dir, fmt.Sprint(rows))
		// In a process of its own: what a process takes counts from the fork that begins it.
		if text, err := exec.Command("/proc/self/exe", "-fill", at, "-rows", fmt.Sprint(rows), "-only", only).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
		for _, v := range verbs {
			if !strings.HasPrefix(v.name, only) {
				continue
			}
			c, err := costOf(bench, at, v.args)
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			m := &measured{v.name, rows, c, before[v.name]}
			before[v.name] = m
			all = append(all, m)
			fmt.Println(strings.Join(m.cells(), "\t"))
			if err := publish(out, all); err != nil {
				return err
			}
		}
		if err := os.RemoveAll(at); err != nil {
			return err
		}
	}
	fmt.Println()
	return markdown(os.Stdout, all)
}

// numbers are the numbers of rows of a list, ascending.
func numbers(list string) (sizes []int, err error) {
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 100 || len(sizes) > 0 && n <= sizes[len(sizes)-1] {
			return nil, fmt.Errorf("-verbs %s: want ascending numbers of rows from 100, separated by commas", list)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

var columns = []string{"verb", "rows", "cpu_s", "memory_GiB", "cpu_ratio", "memory_ratio", "n_log_n_ratio", "refused"}

// cells are those of a table's row. The ratios are to the next smaller number of rows, and
// what it would be of n·log n.
func (m *measured) cells() []string {
	cells := []string{m.verb, fmt.Sprint(m.rows), fmt.Sprintf("%.2f", m.seconds), fmt.Sprintf("%.3f", float64(m.bytes)/(1<<30)), "", "", "", m.refused}
	if m.before != nil && m.refused == "" && m.before.refused == "" {
		cells[4] = fmt.Sprintf("%.1f", m.seconds/m.before.seconds)
		cells[5] = fmt.Sprintf("%.1f", float64(m.bytes)/float64(m.before.bytes))
		cells[6] = fmt.Sprintf("%.1f", nLogN(m.rows)/nLogN(m.before.rows))
	}
	return cells
}

func nLogN(n int) float64 { return float64(n) * math.Log(float64(n)) }

// publish writes the table to the files.
func publish(out string, all []*measured) error {
	if out == "" {
		return nil
	}
	var table, page bytes.Buffer
	w := csv.NewWriter(&table)
	if err := w.Write(columns); err != nil {
		return err
	}
	for _, m := range all {
		if err := w.Write(m.cells()); err != nil {
			return err
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	if err := markdown(&page, all); err != nil {
		return err
	}
	if err := os.WriteFile(out+".csv", table.Bytes(), 0o666); err != nil {
		return err
	}
	return os.WriteFile(out+".md", page.Bytes(), 0o666)
}

// markdown prints the table, with the rows of a verb below each other.
func markdown(w io.Writer, all []*measured) error {
	var b strings.Builder
	b.WriteString("| verb | rows | processor time | memory | time, × | memory, × | n·log n, × |\n|---|---|---|---|---|---|---|\n")
	for _, v := range verbs {
		for _, m := range all {
			if m.verb != v.name {
				continue
			}
			c := m.cells()
			for i := range c {
				c[i] = strings.ReplaceAll(c[i], "|", "\\|")
			}
			if m.refused != "" {
				fmt.Fprintf(&b, "| %s | %s | refused: %s | %s GiB | | | |\n", c[0], c[1], c[7], c[3])
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %s s | %s GiB | %s | %s | %s |\n", c[0], c[1], c[2], c[3], c[4], c[5], c[6])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

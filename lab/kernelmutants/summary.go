package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// count is of one kind.
type count struct {
	all, run                                 int
	named, right, wrong, rounding, same, bad int
}

// summarise writes README.md of the mutants in the table.
func (t *table) summarise(c campaign, all, chosen []mutant, unmade, points int) error {
	rows, err := t.rows()
	if err != nil {
		return err
	}
	by := map[kind]*count{}
	for _, k := range kinds {
		by[k] = &count{}
	}
	for _, m := range all {
		by[m.Kind].all++
	}
	isChosen := map[string]bool{}
	for _, m := range chosen {
		isChosen[m.id()] = true
	}
	refusals, files := 0, map[string]bool{}
	var bad []string
	for _, r := range rows {
		if !isChosen[r["mutant"]] {
			continue
		}
		n := by[kind(r["kind"])]
		files[r["file"]] = true
		n.run++
		if r["right_line"] == "true" {
			n.right++
		}
		switch outcome(r["outcome"]) {
		case named:
			n.named++
		case wrong:
			n.wrong++
		case rounding:
			n.rounding++
		case unchanged, unreached:
			n.same++
		case refused:
			refusals++
			n.run--
			n.all--
		case ended:
			n.bad++
			bad = append(bad, fmt.Sprintf("`%s` in %s:%s (%s)", r["became"], r["file"], r["line"], r["report"]))
		default:
			return fmt.Errorf("%s: outcome %q", r["mutant"], r["outcome"])
		}
	}
	var b bytes.Buffer
	sum := count{}
	var lines strings.Builder
	for _, k := range kinds {
		n := by[k]
		fmt.Fprintln(&lines, n.row(string(k)))
		sum.all += n.all
		sum.run += n.run
		sum.named += n.named
		sum.right += n.right
		sum.wrong += n.wrong
		sum.rounding += n.rounding
		sum.same += n.same
		sum.bad += n.bad
	}
	fmt.Fprintf(&b, `# Mutants of kernels

`+"`make kernel-mutants`"+` (%s) makes one mistake at a time in %d files with kernels of the project and of PolyBench, and runs each
in the simulator with all checks at the problems of the project's own verification, up to %d KiB of host memory, and with other values of each tunable at the first of them. %d of %d mutants
were run: up to %s of each file and kind, drawn by seed %d, at up to %d problems each. %d drawn do not compile and are left out. %d mutants of code that no point compiles
were not made. `+"[mutants.csv](mutants.csv)"+` has each with what was reported.

| kind | mutants | run | change an answer or are named | found | by name | with the right line | answer refused | within the tolerance | unchanged |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
%s%s

- *By name*: the simulator reports a mistake. *With the right line*: the report has a line of the statement that was changed, or of one that uses the variable
  which that computes; of a bound, a line that it governs; of a barrier, a race in its function; of an initialisation, a line with the variable; of a shrunk
  array, its name, or a line with it. Warnings of the compiler beside a wrong answer count.
- *Answer refused*: nothing is named at any point, and the answer is wrong.
- *Within the tolerance*: another answer at one point at least, by as little as the order of additions makes.
- *Unchanged*: the same bytes at the points that were tried, and no report. They are equivalent there; other points may tell some of them apart.
- No false report: without a mutant all %d points of these kernels, problems and tunables, are right, with no report.
- Shares are of those that change an answer or are named.
`, strings.TrimSpace(c.command()), len(files), lightBytes>>10, sum.run, sum.all, c.most(), c.seed, c.points, refusals, unmade, lines.String(), sum.row("all"), points)
	for _, line := range bad {
		fmt.Fprintf(&b, "- The process ended without a verdict: %s.\n", line)
	}
	return os.WriteFile(filepath.Join(t.folder, "README.md"), b.Bytes(), 0o666)
}

func (n count) row(name string) string {
	found := n.named + n.wrong
	changed := found + n.rounding + n.bad
	return fmt.Sprintf("| %s | %d | %d | %d | %s | %s | %s | %d | %d | %d |", name, n.all, n.run, changed, share(found, changed), share(n.named, changed), share(n.right, changed), n.wrong, n.rounding, n.same)
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d (%.0f %%)", n, 100*float64(n)/float64(of))
}

func (c campaign) command() string {
	return fmt.Sprintf("`lab/run kernelmutants -each %d -seed %d -points %d`", c.each, c.seed, c.points)
}

func (c campaign) most() string {
	if c.each == 0 {
		return "all"
	}
	return fmt.Sprint(c.each)
}

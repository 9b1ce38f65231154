// Features shows what a search gains from columns beside the tunables: hardware counters of the same
// points at another size, those at this size, and the time by bench why's model. It replays searches that
// measured every point with counters.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"example.org/bench/algorithms"
	"example.org/bench/algorithms/kernel"
	"example.org/bench/analysis/why"
	"example.org/bench/command"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/sensors"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/strategy"
)

const usage = `usage: features compare SEARCH RUN CONFIG
	SEARCH is a folder of bench tune that measured every point of two sizes N with
	counters, RUN one of bench run of the same GPU with ceilings, CONFIG what both ran.
	Anything else is bench's.`

const repeats = 200

func main() {
	if len(os.Args) < 2 || os.Args[1] != "compare" {
		command.Main(algorithms.All(), sensors.All()) // its workers are this program too
		return
	}
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if err := compare(os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "features:", err)
		os.Exit(1)
	}
}

// trial is a row of trials.csv.
type trial map[string]string

func compare(search, measured, path string) error {
	trials, err := read(filepath.Join(search, "trials.csv"))
	if err != nil {
		return err
	}
	model, err := modelled(trials, measured, path)
	if err != nil {
		return err
	}
	sizes := slices.Sorted(maps.Keys(trials))
	if len(sizes) != 2 {
		return fmt.Errorf("%s: %d sizes, want two", search, len(sizes))
	}
	var counters []string
	for name := range trials[sizes[0]][0] {
		if strings.Contains(name, "__") {
			counters = append(counters, name)
		}
	}
	slices.Sort(counters)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SPACE\tCOLUMNS\tSTANDARD 1\tSTANDARD 2")
	for i, size := range sizes {
		other := byPoint(trials[sizes[1-i]])
		of := func(from map[string]trial, name string) column {
			return func(t trial) float64 { return number(from[pointOf(t)][name]) }
		}
		own := byPoint(trials[size])
		var here, there []column
		for _, c := range counters {
			here, there = append(here, of(own, c)), append(there, of(other, c))
		}
		elsewhere, err := space(trials[sizes[1-i]], nil)
		if err != nil {
			return err
		}
		byModel := func(t trial) float64 { return model[size+" "+pointOf(t)] }
		var foretold []trial
		for _, t := range trials[size] {
			t = maps.Clone(t)
			t["time_s"] = strconv.FormatFloat(byModel(t), 'g', -1, 64)
			foretold = append(foretold, t)
		}
		lesson, err := space(foretold, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s N=%s\tin the model's order\t%d\t\n", filepath.Base(search), size, inOrder(trials[size], byModel))
		for _, v := range []struct {
			name    string
			columns []column
			from    []*recorded.Space
		}{
			{"tunables", nil, nil},
			{"model", []column{byModel}, nil},
			{"counters of the other size", there, nil},
			{"counters of this size", here, nil},
			{"time of the other size", []column{of(other, "time_s")}, nil},
			{"--from the other size", nil, []*recorded.Space{elsewhere}},
			{"--from the model", nil, []*recorded.Space{lesson}},
		} {
			s, err := space(trials[size], v.columns)
			if err != nil {
				return err
			}
			r, err := replay.Run(context.Background(), []*recorded.Space{s}, *strategy.Find("best"), replay.Options{Repeats: repeats, Seed: 1, From: v.from})
			if err != nil {
				return err
			}
			sum := r.Summary()
			fmt.Fprintf(w, "%s N=%s\t%s\t%d\t%d\n", filepath.Base(search), size, v.name, *sum.Standard1, *sum.Standard2)
		}
	}
	return w.Flush()
}

// column is a number of a point that the search knows before it is measured.
type column func(trial) float64

func read(path string) (map[string][]trial, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	all := map[string][]trial{}
	for _, row := range rows[1:] {
		t := trial{}
		for i, name := range rows[0] {
			t[name] = row[i]
		}
		all[t["N"]] = append(all[t["N"]], t)
	}
	return all, nil
}

func pointOf(t trial) string { return t["X"] + " " + t["Y"] }

func byPoint(list []trial) map[string]trial {
	all := map[string]trial{}
	for _, t := range list {
		all[pointOf(t)] = t
	}
	return all
}

// inOrder is how many points come first in an order, up to one of 95 % of the optimum.
func inOrder(list []trial, by column) int {
	list = slices.DeleteFunc(slices.Clone(list), func(t trial) bool { return t["status"] != "ok" })
	slices.SortStableFunc(list, func(a, b trial) int { return cmp.Compare(by(a), by(b)) })
	least := slices.MinFunc(list, func(a, b trial) int { return cmp.Compare(number(a["time_s"]), number(b["time_s"])) })
	return 1 + slices.IndexFunc(list, func(t trial) bool { return number(t["time_s"]) <= number(least["time_s"])/0.95 })
}

func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return x
}

// space has the points with further columns, in eighths of an octave.
func space(list []trial, columns []column) (*recorded.Space, error) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	head := []string{"X", "Y"}
	for i := range columns {
		head = append(head, fmt.Sprintf("column%d", i))
	}
	w.Write(append(head, "time_ms", "status"))
	for _, t := range list {
		row := []string{t["X"], t["Y"]}
		for _, c := range columns {
			row = append(row, strconv.Itoa(int(math.Round(8*math.Log2(max(1e-9, c(t)))))))
		}
		if t["status"] == "ok" {
			row = append(row, strconv.FormatFloat(1e3*number(t["time_s"]), 'g', -1, 64), "valid")
		} else {
			row = append(row, "", "invalid")
		}
		w.Write(row)
	}
	w.Flush()
	return recorded.Read(&text, "space", nil)
}

// modelled are the times by bench why's model, by size and point.
func modelled(trials map[string][]trial, measured, path string) (map[string]float64, error) {
	run, err := record.Read(measured)
	if err != nil {
		return nil, err
	}
	c, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	factory, err := kernel.New(c)
	if err != nil {
		return nil, err
	}
	first := run.Rows[0]
	run.Rows = nil
	for _, list := range trials {
		for _, t := range list {
			if t["status"] != "ok" {
				continue
			}
			r := first
			for name, to := range map[string]*framework.Settings{"N": &r.Params, "X": &r.Tunables, "Y": &r.Tunables} {
				x, err := strconv.ParseInt(t[name], 10, 64)
				if err != nil {
					return nil, err
				}
				*to = to.With(name, framework.IntValue(x))
			}
			r.Point = len(run.Rows) + 1
			r.Time.Median = record.Measured(number(t["time_s"]))
			run.Rows = append(run.Rows, r)
		}
	}
	times := map[string]float64{}
	err = why.Explain(context.Background(), experiment.Subject{Config: c, Factory: factory}, run, why.Options{}, func(e why.Explained) {
		p := e.Point
		times[p.Params["N"].String()+" "+p.Tunables["X"].String()+" "+p.Tunables["Y"].String()] = e.Why.Model
	})
	if err == nil && len(times) == 0 {
		err = errors.New("the model has no time")
	}
	return times, err
}

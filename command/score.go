package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"text/tabwriter"

	"bench/framework/safefile"
	"bench/tuning"
	"bench/tuning/recorded"
	"bench/tuning/replay"
)

// score compares strategies, and what other programs evaluated, by the community's score;
// every file is a space by itself.
func (a *app) score(ctx context.Context, spaces []*recorded.Space, strategies []tuning.Info, o replay.Options, f replayFlags) error {
	var others []replay.Searches
	for _, path := range f.runs {
		list, err := replay.ReadSearches(path)
		if err != nil {
			return usageError(fmt.Errorf("--runs: %w", err))
		}
		others = append(others, list...)
	}
	var all []replay.Scored
	for _, space := range spaces {
		scale, err := replay.NewScale(space)
		if err != nil {
			return usageError(fmt.Errorf("--score: %w", err))
		}
		for _, s := range strategies {
			o.Budget = scale.Last
			r, err := replay.Run(ctx, []*recorded.Space{space}, s, o)
			if errors.Is(err, context.Canceled) {
				return &statusError{exitInterrupted, err}
			}
			if err != nil {
				return &statusError{exitBad, err}
			}
			all = append(all, replay.Scored{Space: space.Name, Strategy: s.Name, Budget: scale.Last, Repeats: o.Repeats, Score: scale.Score(r.Costs)})
		}
		for _, s := range others {
			if s.Space == space.Name {
				all = append(all, replay.Scored{Space: space.Name, Strategy: s.Strategy, Budget: scale.Last, Repeats: len(s.Runs), Score: scale.Score(s.Runs)})
			}
		}
	}
	totals := replay.Totals(all)
	out := f.out
	if out == "" && !f.json {
		out = filepath.Join("results", "score")
	}
	if out != "" {
		if err := writeScores(all, out); err != nil {
			return &statusError{exitBad, err}
		}
	}
	if f.json {
		return errors.Join(printLines(a, all), printLines(a, totals))
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "strategy\tmean\t")
	for _, s := range spaces {
		fmt.Fprintf(w, "%s\t", s.Name)
	}
	fmt.Fprintln(w)
	for _, t := range totals {
		fmt.Fprintf(w, "%s\t%.3f\t", t.Strategy, t.Score)
		for _, s := range spaces {
			for _, x := range all {
				if x.Space == s.Name && x.Strategy == t.Strategy {
					fmt.Fprintf(w, "%.3f\t", x.Score)
				}
			}
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func writeScores(all []replay.Scored, dir string) error {
	table := [][]string{{"space", "strategy", "budget", "repeats", "score"}}
	for _, s := range all {
		table = append(table, []string{s.Space, s.Strategy, strconv.Itoa(s.Budget), strconv.Itoa(s.Repeats), strconv.FormatFloat(s.Score, 'g', 6, 64)})
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(table); err != nil {
		return err
	}
	if err := safefile.MkdirAll(dir); err != nil {
		return err
	}
	return safefile.Write(filepath.Join(dir, "score.csv"), &b)
}

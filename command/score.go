package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
)

// score compares strategies, and what other programs evaluated, by the community's score. Each file is a
// separate space.
func (a *app) score(ctx context.Context, spaces []*recorded.Space, strategies []tuning.Info, o replay.Options, f replayFlags) error {
	others, err := replay.ReadSearches(f.runs)
	if err != nil {
		return usageError(fmt.Errorf("--runs: %w", err))
	}
	scales, err := replay.NewScales(spaces, replay.Axis(f.score))
	if err != nil {
		return usageError(fmt.Errorf("--score: %w", err))
	}
	all, ours, err := replay.ScoreAll(ctx, spaces, scales, strategies, others, o)
	if err != nil {
		return stopped(err)
	}
	out := f.out
	if out == "" && !f.json {
		out = filepath.Join("results", "score")
	}
	if out != "" {
		if err := replay.WriteScores(all, ours, out); err != nil {
			return failure(err)
		}
	}
	if f.json {
		return errors.Join(printLines(a, all), printLines(a, replay.Totals(all)))
	}
	_, err = fmt.Fprint(a.out, replay.ScoresText(all, spaces))
	return err
}

// Package figures finds the figures that can be drawn of any verb's results.
package figures

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/command/interrupt"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/history"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/plots"
	"example.org/bench/plots/picture"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/search"
)

// Wanted reports whether a verb that measures, merges or replays also draws, which BENCH_PLOTS=none
// prevents.
func Wanted() bool { return os.Getenv("BENCH_PLOTS") != "none" }

// Draw draws a verb's figures for a medium into its folder of results, until ctx ends, if they are
// wanted.
func Draw(ctx context.Context, m plots.Medium, folder *safefile.Folder, all func() plots.Figures) ([]string, error) {
	if !Wanted() {
		return nil, nil
	}
	files, err := interrupt.Await(ctx, func() ([]string, error) { return m.Write(all(), folder) })
	if errors.Is(err, engine.ErrInterrupted) {
		err = fmt.Errorf("plots: %w; bench plot %s draws them", err, folder)
	}
	return files, err
}

// recentRuns is the number of last runs whose changes count in a history, as in bench history show.
const recentRuns = 10

// IsRun reports whether a path is for record.Read, as it is unless it holds other results. record.Read refuses
// what it does not know and says what would be right.
func IsRun(path string) bool {
	for _, k := range kinds {
		if k.holds(path) {
			return false
		}
	}
	return true
}

// kind is a kind of results other than runs.
type kind struct {
	holds func(path string) bool
	of    func(path string) (plots.Figures, error)
}

var kinds = []kind{
	{has(experiment.TurnsFile), turns},
	{has(search.ReportFile), search.FiguresOf},
	{has(replay.SummaryFile), replay.FiguresOf},
	{isFile(history.IsFile), course},
	{isFile(compare.IsFile), func(path string) (plots.Figures, error) {
		c, err := compare.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return plots.Comparison(c), nil
	}},
	{pictures("compare_*.svg"), func(path string) (plots.Figures, error) {
		return nil, fmt.Errorf("%s holds pictures of bench compare, without their data; want bench compare RUN… --plots FOLDER --for MEDIUM, or a file that bench compare --json printed", path)
	}},
	{has("score.csv"), func(path string) (plots.Figures, error) {
		return nil, fmt.Errorf("%s holds the scores of bench replay --score, of which there are no figures; want a folder that bench replay has written without --score", path)
	}},
}

// Of returns the figures of results other than a run's.
func Of(path string) (plots.Figures, error) {
	for _, k := range kinds {
		if !k.holds(path) {
			continue
		}
		all, err := k.of(path)
		if err == nil && len(all) == 0 {
			err = fmt.Errorf("%s holds nothing that can be drawn: nothing in it was measured", path)
		}
		return all, err
	}
	return nil, fmt.Errorf("%s holds no results", path)
}

// Missing says which figures a verb drew for which its folder has no data; it is empty if there are none.
func Missing(path string) string {
	if !has(replay.SummaryFile)(path) || !pictures("front-*.svg")(path) && !pictures(filepath.Join("*", "front-*.svg"))(path) {
		return ""
	}
	return path + " does not hold the recorded spaces that the fronts are of: bench replay SPACE --objective time,energy --for MEDIUM draws these"
}

// Into opens the folder that gets the figures' folder: out, or else the results' own folder, the folder of a
// results' file, or the folder of an archive's name beside it. The caller closes it.
func Into(path, out string) (*safefile.Folder, error) {
	switch {
	case out != "":
		return safefile.MakeFolder(out)
	case bounded.Folder(path) != path:
		return safefile.MakeFolder(bounded.Folder(path))
	case isFile(func(string) bool { return true })(path):
		return safefile.OpenFolder(filepath.Dir(path))
	}
	return safefile.OpenFolder(path)
}

// has returns a function that accepts a folder with that file and without a run's.
func has(name string) func(string) bool {
	return func(path string) bool {
		there := func(name string) bool {
			i, err := bounded.Stat(filepath.Join(path, name))
			return err == nil && i.Mode().IsRegular()
		}
		return there(name) && !there(record.InfoFile)
	}
}

func isFile(is func(string) bool) func(string) bool {
	return func(path string) bool {
		i, err := bounded.Stat(path)
		return err == nil && i.Mode().IsRegular() && is(path)
	}
}

func pictures(pattern string) func(string) bool {
	return func(path string) bool {
		found, _ := filepath.Glob(filepath.Join(escaped(path), pattern)) // an archive has none
		return len(found) > 0 && !has(record.JournalFile)(path) && !has(record.InfoFile)(path)
	}
}

// escaped returns a pattern that matches only the path.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func turns(dir string) (plots.Figures, error) {
	all, err := experiment.ReadTurns(dir)
	if err != nil {
		return nil, err
	}
	return plots.Turns(picture.TurnsOf(all)), nil
}

func course(path string) (plots.Figures, error) {
	f, err := history.Read(path)
	if err != nil {
		return nil, err
	}
	return plots.History(f.Check(recentRuns)), nil
}

package search

import (
	"errors"
	"io/fs"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// ReadFinished returns the results of a run, or of a search the best of each sweep point as such results. knn
// learns from them.
func ReadFinished(dir string) (*record.Run, error) {
	r, err := Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return record.Read(dir)
	}
	if err != nil {
		return nil, err
	}
	run := &record.Run{Prefix: dir}
	for _, t := range r.Tasks {
		if len(t.Tunables) > 0 {
			run.Rows = append(run.Rows, record.Row{Key: record.Key{Algorithm: t.Algorithm, Version: t.Version, Processor: t.Processor, PowerMode: t.PowerMode},
				Params: framework.SettingsOf(t.Params, nil), Tunables: framework.SettingsOf(t.Tunables, nil), Outcome: record.Outcome{Status: record.OK}})
		}
	}
	return run, nil
}

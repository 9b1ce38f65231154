package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"bench/framework/experiment"
	"bench/framework/record"
	"bench/tuning/search"
)

// modelSpaces writes the model's times of the tunables at every point of a run.
func (a *app) modelSpaces(ctx context.Context, arg string, s experiment.Subject, run *record.Run, f whyFlags) error {
	written := 0
	err := search.ModelledSpaces(ctx, s, run, f.versions, func(m search.Modelled) error {
		what := strings.TrimSpace(m.Version + " " + m.Settings)
		if m.Space == nil {
			a.warn("%s: no time by the model: %s", what, m.Missing)
			return nil
		}
		if err := m.WriteFile(f.space); err != nil {
			return &statusError{exitBad, err}
		}
		written++
		cost, _ := m.Optimum()
		fmt.Fprintf(a.out, "%s: %d of %d points, the best takes %.4g µs by the model: %s\n", what, m.Space.Space.Len(), m.Points, 1e6*cost,
			filepath.Join(f.space, m.Name+".csv.gz"))
		if m.Missing != "" {
			a.note("%s: others have no time by the model: %s", what, m.Missing)
		}
		return nil
	})
	if err == nil && written == 0 {
		err = fmt.Errorf("no version has a time by the model")
	}
	if status := (*statusError)(nil); errors.As(err, &status) {
		return err
	}
	return explainError(arg, err)
}

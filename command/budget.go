package command

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"bench/tuning"
)

// budget is how long a search may go on: --budget's number of evaluations, a time, or auto.
type budget struct {
	text        string
	evaluations int // 0: as many as there are points
	limit       time.Duration
	patience    *tuning.Patience
}

// autoBudget is the --budget that ends a search when improvement is unlikely.
const autoBudget = "auto"

// mostEvaluations is more than a space has points.
const mostEvaluations = 1 << 50

// String, Set and Type implement pflag.Value.
func (b *budget) String() string { return b.text }

func (b *budget) Type() string { return "N|TIME|auto" }

func (b *budget) Set(text string) error {
	n, err := strconv.Atoi(text)
	limit, notTime := time.ParseDuration(text)
	switch {
	case text == autoBudget:
		*b = budget{text: text, patience: &tuning.Patience{Least: patienceLeast, Share: patienceShare, Gain: patienceGain}}
	case err == nil && n >= 1:
		*b = budget{text: text, evaluations: min(n, mostEvaluations)}
	case err == nil:
		return errors.New("want at least 1 evaluation")
	case notTime == nil && limit > 0:
		*b = budget{text: text, limit: limit}
	default:
		return fmt.Errorf("want a number of evaluations, a time such as 60s or 10m, or %s", autoBudget)
	}
	return nil
}

// A search with --budget auto ends when its best has not become better by more than
// patienceGain in as many evaluations as patienceLeast, and as a patienceShare of those
// before: docs/tuning.md says how far from the optimum that ended.
const (
	patienceLeast = 60
	patienceShare = 1.0
	patienceGain  = 0.01
)

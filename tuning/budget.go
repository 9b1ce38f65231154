package tuning

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Budget is how long a search may go on: a number of evaluations, a time, or auto. Budget is a flag's value
// (pflag.Value).
type Budget struct {
	Text        string // as it was given
	Evaluations int    // 0: as many as there are points
	Limit       time.Duration
	Patience    *Patience
}

// AutoBudget is the text of a budget that ends a search when improvement is unlikely.
const AutoBudget = "auto"

// mostEvaluations is more than a space has points.
const mostEvaluations = 1 << 50

// String returns the text that was given.
func (b *Budget) String() string { return b.Text }

// Type returns the forms of a budget, for a flag's help.
func (b *Budget) Type() string { return "N|TIME|auto" }

// Set reads a text such as 200, 60s or auto.
func (b *Budget) Set(text string) error {
	n, err := strconv.Atoi(text)
	limit, notTime := time.ParseDuration(text)
	switch {
	case text == AutoBudget:
		*b = Budget{Text: text, Patience: &Patience{Least: patienceLeast, Share: patienceShare, Gain: patienceGain}}
	case err == nil && n >= 1:
		*b = Budget{Text: text, Evaluations: min(n, mostEvaluations)}
	case err == nil:
		return errors.New("want at least 1 evaluation")
	case notTime == nil && limit > 0:
		*b = Budget{Text: text, Limit: limit}
	default:
		return fmt.Errorf("want a number of evaluations, a time such as 60s or 10m, or %s", AutoBudget)
	}
	return nil
}

// A search with the budget auto ends when its best has not become better by more than patienceGain in as many
// evaluations as patienceLeast, and as a patienceShare of those before. docs/tuning.md says how far from the
// optimum that ended.
const (
	patienceLeast = 60
	patienceShare = 1.0
	patienceGain  = 0.01
)

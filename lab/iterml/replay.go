package iterml

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// Models are IterML's, as its figures order them.
var Models = []string{"cart", "knn", "svm", "rf", "mlp"}

// Replayed is one line of replay.jsonl: the quality of one strategy on one
// space, with so many points picked in each iteration.
type Replayed struct {
	Pick      int    `json:"pick"`
	Space     string `json:"space"`
	Strategy  string `json:"strategy"`
	Repeats   int    `json:"repeats"`
	Standard1 *int   `json:"standard1_evaluations"`
	Standard2 *int   `json:"standard2_evaluations"`
	// Median and Low, the 5th percentile, are fractions of the optimum after
	// Evaluations in the mean.
	Median      float64 `json:"median"`
	Low         float64 `json:"p05"`
	Evaluations float64 `json:"mean_evaluations"`
}

// ReadReplays reads replay.jsonl, which tools/iterml-replay writes.
func ReadReplays(path string) ([]Replayed, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []Replayed
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r Replayed
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, len(all)+1, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// Samples are the fewest with which a strategy reaches each standard on a
// space, over the points picked in each iteration, with that number; 0 where it
// does not.
func Samples(all []Replayed, space, strategy string) (standard [2]int, pick [2]int) {
	for _, r := range all {
		if r.Space != space || r.Strategy != strategy {
			continue
		}
		for i, n := range []*int{r.Standard1, r.Standard2} {
			if n != nil && (standard[i] == 0 || *n < standard[i]) {
				standard[i], pick[i] = *n, r.Pick
			}
		}
	}
	return standard, pick
}

// Bayesian is the search with the stop rule of the literature; ok is false where
// there is none.
func Bayesian(all []Replayed, space string) (Replayed, bool) {
	i := slices.IndexFunc(all, func(r Replayed) bool { return r.Space == space && r.Strategy == "bo" })
	if i < 0 {
		return Replayed{}, false
	}
	return all[i], true
}

// Normalised are a model's samples divided by random's, one for each space, for
// standard 1 or 2; spaces where either does not reach it are left out.
func Normalised(all []Replayed, model string, standard int) []float64 {
	var list []float64
	for _, b := range Benchmarks {
		s, _ := Samples(all, b, "iterml-"+model)
		r, _ := Samples(all, b, "random")
		if s[standard-1] > 0 && r[standard-1] > 0 {
			list = append(list, float64(s[standard-1])/float64(r[standard-1]))
		}
	}
	slices.Sort(list)
	return list
}

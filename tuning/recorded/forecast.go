package recorded

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/stats"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/textfile"
	"example.org/bench/tuning"
)

// Settings of a forecast.
const (
	// forecastShare is the probability of a forecast's interval; each tail has half of the rest.
	forecastShare = 0.8
	// leastPairs is the number of pairs that an interval of that probability needs on either side. From so
	// many pairs of one kernel on, only these count.
	leastPairs = 9
	// mostPairs bounds the pairs that are read: each is forecast by all others.
	mostPairs = 10000
)

// Pair is the share of a device's optimum that another device's best keeps, for one kernel.
type Pair struct {
	Kernel   string // the names of its parameters
	From, To string // spaces
	Share    float64
}

// Forecast is the share of the optimum that the best of a space keeps on a device where nothing has run.
type Forecast struct {
	From       string            `json:"from"`            // space whose best is taken
	Parameters []string          `json:"parameters"`      // names
	Settings   []float64         `json:"settings"`        // the best of "from", in that order
	Words      map[string]string `json:"words,omitempty"` // what settings stand for, by parameter, if these are words
	Outlook
	// Checked is how many known pairs were forecast in the same way, each from pairs without its own target
	// device.
	Checked int     `json:"checked"`
	Covered float64 `json:"covered"` // share of these that were in their intervals
}

// Outlook is what known pairs say of a new one.
type Outlook struct {
	Pairs  int     `json:"pairs"`         // that are known and count
	Others bool    `json:"other_kernels"` // true: of other kernels too, as fewer than nine are of this one
	Median float64 `json:"median"`        // share of the optimum that is kept
	// Low and High hold the share of a new pair with a probability of 80 %, if the new pair differs from the
	// known ones as these differ from each other.
	Low  float64 `json:"low"`  // lower end of an interval of 80 % for a new pair
	High float64 `json:"high"` // upper end
}

// kernelOf names a kernel by its parameters.
func kernelOf(parameters []string) string {
	return strings.Join(slices.Sorted(slices.Values(parameters)), " ")
}

// deviceOf returns the device in the name of a space, KERNEL-DEVICE; else the name.
func deviceOf(space string) string {
	if i := strings.LastIndex(space, "-"); i >= 0 {
		return space[i+1:]
	}
	return space
}

// PairsOf returns the measured pairs of transfers.
func PairsOf(transfers []Transfer) (pairs []Pair) {
	for _, t := range transfers {
		if !t.Missing {
			pairs = append(pairs, Pair{kernelOf(t.Parameters), t.From, t.To, t.Performance})
		}
	}
	return pairs
}

// outlook returns what pairs say of another pair of a kernel: the pairs of that kernel if there are enough,
// or else all.
func outlook(pairs []Pair, kernel string) Outlook {
	var own, all []float64
	for _, p := range pairs {
		if all = append(all, p.Share); p.Kernel == kernel {
			own = append(own, p.Share)
		}
	}
	o := Outlook{Others: len(own) < leastPairs}
	if o.Others {
		own = all
	}
	slices.Sort(own)
	o.Pairs = len(own)
	o.Median, o.Low, o.High = math.NaN(), 0, 1
	if o.Pairs > 0 {
		o.Median = stats.Quantile(own, 0.5)
	}
	// A new value is as likely between any two of n neighbouring values.
	if k := int(float64(o.Pairs+1) * (1 - forecastShare) / 2); k >= 1 {
		o.Low, o.High = own[k-1], own[o.Pairs-k]
	}
	return o
}

// check forecasts each pair from those in which its target device has no part. If others is set, it leaves
// out those of its kernel too.
func check(pairs []Pair, others bool) (checked int, covered float64) {
	type target struct{ device, kernel string }
	known := map[target]Outlook{} // by the pairs that a target has no part in
	in := 0
	for _, p := range pairs {
		to := target{deviceOf(p.To), p.Kernel}
		o, ok := known[to]
		if !ok {
			o = outlook(slices.DeleteFunc(slices.Clone(pairs), func(q Pair) bool {
				return deviceOf(q.From) == to.device || deviceOf(q.To) == to.device || others && q.Kernel == to.kernel
			}), to.kernel)
			known[to] = o
		}
		if o.Pairs < leastPairs || o.Others != others {
			continue
		}
		if checked++; o.Low <= p.Share && p.Share <= o.High {
			in++
		}
	}
	if checked > 0 {
		covered = float64(in) / float64(checked)
	}
	return checked, covered
}

// Forecasts returns forecasts for the best of spaces on a device where nothing has run, by known pairs.
func Forecasts(spaces []*Space, known []Pair) ([]Forecast, error) {
	if len(known) < leastPairs {
		return nil, fmt.Errorf("%d pairs of devices are known; a forecast with an interval of %.0f %% needs %d", len(known), 100*forecastShare, leastPairs)
	}
	var all []Forecast
	for _, s := range spaces {
		best := s.best()
		if best < 0 {
			return nil, noValidPoint(s)
		}
		f := Forecast{From: s.Name, Parameters: parameterNames(s.Space), Words: s.words(best)}
		for d := range f.Parameters {
			f.Settings = append(f.Settings, s.Space.Value(best, d))
		}
		f.Outlook = outlook(known, kernelOf(f.Parameters))
		f.Checked, f.Covered = check(known, f.Others)
		all = append(all, f)
	}
	return all, nil
}

// words returns what a point's values stand for.
func (r *Space) words(point int) map[string]string {
	words := map[string]string{}
	for d, p := range r.Space.Parameters {
		if p.Labels != nil {
			words[p.Name] = p.Labels[r.Space.Indexes(point)[d]]
		}
	}
	if len(words) == 0 {
		return nil
	}
	return words
}

// ReadPairs reads transfer.csv, which has known pairs.
func ReadPairs(path string) ([]Pair, error) {
	f, err := bounded.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	pairs, err := readPairs(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, tuning.Brief(err))
	}
	return pairs, nil
}

func readPairs(in io.Reader) (pairs []Pair, _ error) {
	rows, err := textfile.NewTable(in, "")
	if err != nil {
		return nil, err
	}
	header, err := rows.Read()
	if err != nil && err != io.EOF {
		return nil, err
	}
	if n := len(header); n < 4 || header[0] != "from" || header[1] != "to" || header[n-1] != "performance" {
		return nil, errors.New("not the transfer.csv of bench transfer: want the columns from, to, those of parameters, and performance")
	}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return pairs, nil
		}
		if err != nil {
			return nil, err
		}
		line := rows.Line()
		last := len(row) - 1
		if row[last] == "" {
			continue // not measured there
		}
		share, err := strconv.ParseFloat(row[last], 64)
		if err != nil || !(share >= 0 && share <= 1) {
			return nil, fmt.Errorf("line %d: performance is %q; want a number from 0 to 1", line, row[last])
		}
		var names []string
		for i := 2; i < last; i++ {
			if row[i] != "" {
				names = append(names, header[i])
			}
		}
		if len(pairs) == mostPairs {
			return nil, fmt.Errorf("line %d: more than %d measured pairs, the most that are read", line, mostPairs)
		}
		pairs = append(pairs, Pair{kernelOf(names), row[0], row[1], share})
	}
}

// Kernels groups spaces by their parameters, in the order of the first of each.
func Kernels(spaces []*Space) (groups [][]*Space) {
	for _, s := range spaces {
		at := slices.IndexFunc(groups, func(g []*Space) bool { return slices.Equal(parameterNames(g[0].Space), parameterNames(s.Space)) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], s)
	}
	return groups
}

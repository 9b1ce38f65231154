package exchange

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/expression"
	"example.org/bench/framework/plan"
	"example.org/bench/internal/safefile"
	"example.org/bench/tuning"
)

// Judge is how the program judges a config with kernels of its own.
type Judge struct {
	Make     func(*config.Config) (*framework.Factory, error)
	Validate func(context.Context, *config.Config) error // as bench validate does
}

// ImportKernel writes the kernel of the T1 file at path as a config to a new file. If
// t1 is named, that is the T1 file, and path has results, the best of which becomes the
// defaults.
// The config is one that bench validate finds good, and its conditions say what the
// file's say in Python; where they do not, note is given the difference.
// The error is an experiment.RunError where all was well but the disk.
func ImportKernel(ctx context.Context, path, t1, configPath string, judge Judge, note Note) error {
	if _, err := os.Lstat(configPath); err == nil {
		return fmt.Errorf("%s exists; want another name", configPath)
	}
	told := func(format string, args ...any) { note(path+": "+format, args...) }
	results, err := Open(path, nil)
	switch {
	case t1 != "" && err != nil: // a T4 file is read with its T1 file alone
		if results, err = openNoted(path, t1, note); err != nil {
			return err
		}
	case t1 == "" && err == nil && len(results.Results) > 0:
		return fmt.Errorf("%s has results, and no kernel's file and arguments; want the T1 file that has these, and this one beside it: bench import %[1]s --t1 T1 --config CONFIG", path)
	}
	k, study, err := convertKernel(cmp.Or(t1, path), configPath, told)
	if err != nil {
		return err
	}
	if t1 != "" {
		if err := k.takeBest(results); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	written := false
	for _, g := range k.generated {
		if err := g.write(); err != nil {
			return &experiment.RunError{Err: err}
		}
		defer func() {
			if !written {
				os.Remove(g.path)
			}
		}()
		told("%s holds numbers that the file computes", g.path)
	}
	m := kernelImport{path: configPath, kernel: k, study: study, judge: judge, note: told}
	text, err := m.finish(ctx)
	if err != nil {
		return fmt.Errorf("%s: no config was written: %w", path, err)
	}
	if err := safefile.Write(configPath, bytes.NewReader(text)); err != nil {
		return &experiment.RunError{Err: err}
	}
	written = true
	return nil
}

// takeBest makes the fastest of the results the tunables' defaults.
func (k *kernelCode) takeBest(results *Study) error {
	var best *Result
	for i, r := range results.Results {
		if r.Failure == OK && (best == nil || r.Time < best.Time) {
			best = &results.Results[i]
		}
	}
	if best == nil {
		return errors.New("none of its results has a time")
	}
	for i := range k.Tunables {
		t := &k.Tunables[i]
		at := results.parameter(t.Name)
		if at < 0 {
			return fmt.Errorf("its results have no parameter %s, which the T1 file has", t.Name)
		}
		v := written(best.Values[at])
		if !slices.Contains(t.Values, v) {
			return fmt.Errorf("its best result has %s = %s, which is none of the T1 file's values", t.Name, best.Values[at])
		}
		t.Default = asDefault(v)
	}
	return nil
}

// kernelImport is a config in the making.
type kernelImport struct {
	path   string // of the config
	kernel *kernelCode
	study  *Study
	judge  Judge
	note   Note
}

// finish is the text of the config with defaults that run.
func (m *kernelImport) finish(ctx context.Context) ([]byte, error) {
	d, err := m.study.Declaration()
	if err != nil {
		return nil, err
	}
	space, errSpace := d.Enumerate(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if errSpace != nil {
		m.note("the points were not enumerated (%v): its defaults stay, and only some of its combinations were compared with the config's", errSpace)
	}
	if err := m.compare(d, space); err != nil {
		return nil, err
	}
	if err := m.chooseDefaults(space); err != nil {
		return nil, err
	}
	text, err := m.kernel.text()
	if err != nil {
		return nil, err
	}
	c, err := config.Parse(m.path, text)
	if err == nil {
		err = m.judge.Validate(ctx, c)
	}
	return text, err
}

// text is the config as a file holds it.
func (k *kernelCode) text() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(kernelConfig{map[string]kernelCode{k.key: *k}})
	return out.Bytes(), err
}

// validity is what a kernel's version says of tunables: nil where they run.
func (m *kernelImport) validity(k *kernelCode) (func(framework.Values) error, error) {
	text, err := k.text()
	if err != nil {
		return nil, err
	}
	c, err := config.Parse(m.path, text)
	if err != nil {
		return nil, err
	}
	f, err := m.judge.Make(c)
	if err != nil {
		return nil, err
	}
	facts := plan.AnyGPU()
	return func(tunables framework.Values) error { return f.Versions[0].Valid(nil, tunables, *facts) }, nil
}

// mostCompared bounds the combinations, and the valid points, at which conditions are compared.
const mostCompared = 1 << 13

// compare evaluates the config's conditions and the file's at the same combinations: all
// of them, or a sample, and at valid points besides.
func (m *kernelImport) compare(d tuning.Declaration, space *tuning.Space) error {
	if len(m.study.Conditions) == 0 {
		return nil
	}
	conditions := *m.kernel // and no limits of launches
	conditions.Kernels = []kernelLaunch{{Name: m.kernel.Kernels[0].Name, Grid: []string{"1"}, Block: []string{"1"}}}
	valid, err := m.validity(&conditions)
	if err != nil {
		return err
	}
	var bound []*expression.Bound
	for _, c := range d.Constraints {
		b, err := c.Bind(d.Parameters)
		if err != nil {
			return err
		}
		bound = append(bound, b)
	}
	compared, different, example := 0, 0, ""
	for values := range combinations(d.Parameters, space) {
		python := !slices.ContainsFunc(bound, func(b *expression.Bound) bool { return !b.Holds(values) })
		tunables := framework.Values{}
		for i, p := range d.Parameters {
			tunables[p.Name] = p.Setting(slices.Index(p.Values, values[i]))
		}
		compared++
		if err := valid(tunables); (err == nil) != python {
			if different++; different == 1 {
				example = fmt.Sprintf("%s holds in Python: %t, in the config: %t", describe(d.Parameters, values), python, err == nil)
			}
		}
	}
	if different > 0 {
		m.note("the config's constraints differ from the file's conditions at %d of %d combinations compared; %s", different, compared, example)
	}
	return nil
}

// combinations are all of the parameters' values, or a sample of them, the same every
// time, and then a sample of a space's points.
func combinations(parameters []tuning.Parameter, space *tuning.Space) func(yield func([]float64) bool) {
	return func(yield func([]float64) bool) {
		values := make([]float64, len(parameters))
		all := 1
		for _, p := range parameters {
			all = min(all*len(p.Values), mostCompared+1)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for n := range min(all, mostCompared) {
			for i, p := range parameters {
				at := random.IntN(len(p.Values))
				if all <= mostCompared {
					n, at = n/len(p.Values), n%len(p.Values)
				}
				values[i] = p.Values[at]
			}
			if !yield(values) {
				return
			}
		}
		if space == nil || all <= mostCompared {
			return
		}
		step := (space.Len() + mostCompared - 1) / mostCompared
		for point := 0; point < space.Len(); point += step {
			for i := range parameters {
				values[i] = space.Value(point, i)
			}
			if !yield(values) {
				return
			}
		}
	}
}

// describe lists the values that parameters have.
func describe(parameters []tuning.Parameter, values []float64) string {
	var parts []string
	for i, p := range parameters {
		parts = append(parts, fmt.Sprintf("%s = %s", p.Name, p.Setting(slices.Index(p.Values, values[i]))))
	}
	return strings.Join(parts, ", ")
}

// chooseDefaults leaves the file's defaults where they run. Else they become the valid
// point that changes the fewest of them.
func (m *kernelImport) chooseDefaults(space *tuning.Space) error {
	valid, err := m.validity(m.kernel)
	if err != nil || space == nil {
		return err
	}
	own := framework.Values{}
	values := make([]float64, len(m.kernel.Tunables))
	for i, t := range m.kernel.Tunables {
		at := 0
		if t.Default != nil {
			at = slices.IndexFunc(t.Values, func(x any) bool { return asDefault(x) == t.Default })
		}
		p := space.Parameters[i]
		own[t.Name], values[i] = p.Setting(at), p.Values[at]
	}
	why := valid(own)
	if why == nil {
		return nil
	}
	chosen := nearestValid(space, values, valid)
	if chosen < 0 {
		return fmt.Errorf("none of its %d points runs: %w", space.Len(), why)
	}
	from := describe(space.Parameters, values)
	for i := range m.kernel.Tunables {
		at := space.Indexes(chosen)[i]
		m.kernel.Tunables[i].Default, values[i] = asDefault(m.kernel.Tunables[i].Values[at]), space.Value(chosen, i)
	}
	m.note("the defaults %s do not run (%v); the config's are %s", from, why, describe(space.Parameters, values))
	return nil
}

// asDefault is a tunable's value as its default.
func asDefault(value any) any {
	if word, is := value.(string); is {
		return expression.Quoted(word)
	}
	return value
}

// nearestValid is the first of the points that differ from values in the fewest
// parameters and run, or -1.
func nearestValid(space *tuning.Space, values []float64, valid func(framework.Values) error) int {
	changes := make([]int, space.Len())
	order := make([]int, space.Len())
	for point := range order {
		order[point] = point
		for i, x := range values {
			if space.Value(point, i) != x {
				changes[point]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(changes[a], changes[b]) })
	for _, point := range order {
		if valid(space.Tunables(point)) == nil {
			return point
		}
	}
	return -1
}

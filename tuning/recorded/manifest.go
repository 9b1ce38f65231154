package recorded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/expression"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/textfile"
	"example.org/bench/tuning"
)

// Manifest describes recorded spaces by name.
type Manifest map[string]*ManifestEntry

// ManifestEntry is what a manifest says of one space, as far as replays and
// exports need it.
type ManifestEntry struct {
	// File is the file of the recorded space, beside the manifest.
	File           string
	Kernel, Device string
	// ProblemSize is as written; nil if missing.
	ProblemSize any
	// Parameters are the declared values, in order.
	Parameters map[string][]float64
	// Labels are the words that the values 0, 1, … of a parameter stand for.
	Labels map[string][]string
	// Constraints are Python expressions over the parameters, which hold for
	// every point.
	Constraints []string
	// Remark stands in place of constraints that are not given as expressions.
	Remark string
	// Configs counts the rows, Valid and Invalid those of either status; nil if the manifest does not say.
	Configs, Valid, Invalid *float64
	// OptimumMilliseconds is the least time; nil if the manifest does not say.
	OptimumMilliseconds *float64

	fault error    // why the entry cannot be used
	odd   []string // remarks about keys that only describe
}

// manifestShape is what ReadManifest asks for.
const manifestShape = `want an object of spaces by name, each an object with file, parameters {NAME: [values]} and constraints [expressions]`

// ReadManifest reads a manifest's JSON file. It ignores unknown keys.
func ReadManifest(path string) (Manifest, error) {
	text, err := textfile.Read(path)
	if err != nil {
		return nil, err
	}
	var spaces map[string]json.RawMessage
	if err := bounded.Unmarshal(text, &spaces); err != nil || spaces == nil {
		if json.Valid(text) {
			return nil, fmt.Errorf("%s: the file holds %s; %s", path, jsonKind(text), manifestShape)
		}
		return nil, fmt.Errorf("%s: %w; %s", path, err, manifestShape)
	}
	m := Manifest{}
	for _, name := range slices.Sorted(maps.Keys(spaces)) {
		e, err := readEntry(spaces[name])
		if err != nil {
			e.fault = fmt.Errorf("%s: %w", path, tuning.Brief(fmt.Errorf("%s: %w", name, err)))
		}
		m[name] = e
	}
	return m, nil
}

func readEntry(text json.RawMessage) (*ManifestEntry, error) {
	e := &ManifestEntry{}
	var fields map[string]json.RawMessage
	if err := bounded.Unmarshal(text, &fields); err != nil || fields == nil {
		return e, fmt.Errorf("the space is %s; want an object with file, parameters {NAME: [values]} and constraints [expressions]", jsonKind(text))
	}
	if rest := fields["constraints"]; rest != nil && bounded.Unmarshal(rest, &e.Remark) == nil {
		delete(fields, "constraints")
	}
	for _, f := range []struct {
		key, want string
		into      any
		needed    bool // by a search or an export
	}{
		{"file", "a file's name", &e.File, true},
		{"parameters", "an object with a list of numbers for each parameter", &e.Parameters, true},
		{"labels", "an object with a list of words for a parameter", &e.Labels, true},
		{"constraints", "a list of Python expressions", &e.Constraints, true},
		{"kernel", "a name", &e.Kernel, false}, {"device", "a name", &e.Device, false},
		{"problem_size", "a JSON value", &e.ProblemSize, false},
		{"configs", "a number", &e.Configs, false}, {"valid", "a number", &e.Valid, false}, {"invalid", "a number", &e.Invalid, false},
		{"optimum_ms", "a number", &e.OptimumMilliseconds, false},
	} {
		value, given := fields[f.key]
		if !given || bounded.Unmarshal(value, f.into) == nil {
			continue
		}
		err := fmt.Errorf("%s is %s; want %s", f.key, jsonKind(value), f.want)
		if f.needed {
			return e, err
		}
		e.odd = append(e.odd, "the manifest's "+tuning.Brief(err).Error())
	}
	return e, nil
}

// jsonKind names the kind of a JSON value, and shows a short value.
func jsonKind(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return "empty"
	}
	kind, known := map[byte]string{'{': "an object", '[': "a list", '"': "a text", 't': "a truth", 'f': "a truth", 'n': "null"}[text[0]]
	if !known {
		kind = "a number"
	}
	if len(text) > 40 || bytes.ContainsRune(text, '\n') || kind == "null" {
		return kind
	}
	return kind + " " + string(text)
}

// entry returns the entry of a space's name, or else of its file; nil if there is none.
func (m Manifest) entry(name, file string) *ManifestEntry {
	if e := m[name]; e != nil {
		return e
	}
	for _, e := range m {
		if e != nil && e.File == file {
			return e
		}
	}
	return nil
}

// values returns the values of a parameter; nil if the manifest does not say.
func (e *ManifestEntry) values(parameter string) ([]float64, error) {
	if e == nil || len(e.Parameters[parameter]) == 0 {
		return nil, nil
	}
	values := e.Parameters[parameter]
	seen := make(map[float64]bool, len(values))
	for _, v := range values {
		if seen[v] {
			return nil, fmt.Errorf("manifest: %s lists %v twice", parameter, v)
		}
		seen[v] = true
	}
	return values, nil
}

// parametersOf compares the declared parameters with the columns. note is what the manifest leaves open;
// empty for nothing.
func (e *ManifestEntry) parametersOf(columns []string) (note string, err error) {
	for _, name := range slices.Sorted(maps.Keys(e.Parameters)) {
		if !slices.Contains(columns, name) {
			return "", fmt.Errorf("manifest: %s is not a column of the file, which has %s", name, strings.Join(columns, ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Labels)) {
		if words, values := len(e.Labels[name]), len(e.Parameters[name]); words != values {
			return "", fmt.Errorf("manifest: %s has %s and %s; want a label for each value", name, terminal.Count(words, "label"), terminal.Count(values, "value"))
		}
		for i, v := range slices.Sorted(slices.Values(e.Parameters[name])) {
			if v != float64(i) {
				return "", fmt.Errorf("manifest: %s has labels, which stand for the values 0, 1 and so on, and its values are %v", name, e.Parameters[name])
			}
		}
	}
	var open []string
	for _, name := range columns {
		if len(e.Parameters[name]) == 0 {
			open = append(open, name)
		}
	}
	if len(open) > 0 {
		note = "the manifest declares no values of " + strings.Join(open, ", ") + ": they are in ascending order"
	}
	return note, nil
}

// contradictions returns where a space that was read differs from its manifest entry: counts, optimum, and
// constraints, which hold for every valid point. The file is searched all the same.
func (e *ManifestEntry) contradictions(r *Space) (notes []string) {
	notes = slices.Clone(e.odd)
	valid := 0
	for _, c := range r.Costs {
		if c == c {
			valid++
		}
	}
	for _, n := range []struct {
		key, what string
		said      *float64
		got       int
	}{
		{"configs", "rows", e.Configs, len(r.Costs)}, {"valid", "valid rows", e.Valid, valid}, {"invalid", "invalid rows", e.Invalid, len(r.Costs) - valid},
	} {
		if n.said != nil && *n.said != float64(n.got) {
			notes = append(notes, fmt.Sprintf("the manifest's %s is %v, and the file has %d %s", n.key, *n.said, n.got, n.what))
		}
	}
	const rounding = 1e-6 // of the times, as the file writes them
	if optimum, ok := r.Optimum(); ok && e.OptimumMilliseconds != nil && !(math.Abs(*e.OptimumMilliseconds-optimum*1e3) <= rounding*optimum*1e3) {
		notes = append(notes, fmt.Sprintf("the manifest's optimum_ms is %v, and the least time of the file is %v", *e.OptimumMilliseconds, optimum*1e3))
	}
	return append(notes, e.violated(r)...)
}

// violated returns the constraints that valid rows violate, or that cannot be read.
func (e *ManifestEntry) violated(r *Space) (notes []string) {
	parameters := slices.Clone(r.Space.Parameters)
	for i := range parameters {
		parameters[i].Labels = e.Labels[parameters[i].Name]
	}
	point := make([]float64, len(parameters))
	for _, text := range e.Constraints {
		c, err := tuning.ParsePythonConstraint(text)
		var bound *expression.Bound
		if err == nil {
			bound, err = c.Bind(parameters)
		}
		if err != nil {
			notes = append(notes, tuning.Brief(fmt.Errorf("the manifest has a constraint that is none: %w", err)).Error())
			continue
		}
		for i, cost := range r.Costs {
			for d := range point {
				point[d] = r.Space.Value(i, d)
			}
			if cost == cost && !bound.Holds(point) {
				notes = append(notes, fmt.Sprintf("row %d is valid and violates the manifest's constraint %s", i+1, text))
				break
			}
		}
	}
	return notes
}

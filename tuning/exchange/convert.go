package exchange

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/search"
)

// Note is given the remarks about a file.
type Note = func(format string, args ...any)

// NameOf names the study of a file: without folder and extensions.
func NameOf(path string) string {
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".json", ".csv", bounded.ZipEnding} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// openNoted reads a file of another tuner with what a T1 file, where one is
// named, declares of it.
func openNoted(path, t1 string, note Note) (*Study, error) {
	told := func(path string, s *Study) {
		for _, n := range s.Notes {
			note("%s: %s", path, n)
		}
	}
	var declared *Study
	if t1 != "" {
		var err error
		if declared, err = OpenT1(t1); err != nil {
			return nil, err
		}
		told(t1, declared)
	}
	s, err := Open(path, declared)
	if err == nil {
		told(path, s)
	}
	return s, err
}

// errManifest and errT1 refuse a description that would be ignored.
var (
	errManifest = errors.New("a manifest describes recorded spaces (.csv, .csv.gz), and this is none; leave --manifest out")
	errT1       = errors.New("a T1 file declares the parameters of a T4 file, and this is none; leave --t1 out")
)

// OpenAny reads what can be exported, by name: the sweep points of a search's
// folder, a recorded space, or a file of another tuner. A T1 file or a manifest
// that does not apply to it is an error.
func OpenAny(path, t1, manifest string, note Note) (map[string]*Study, error) {
	info, err := bounded.Stat(path)
	folder := err == nil && info.IsDir()
	space := !folder && strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".csv")
	switch {
	case manifest != "" && !space:
		return nil, fmt.Errorf("%s: %w", path, errManifest)
	case t1 != "" && (folder || space):
		return nil, fmt.Errorf("%s: %w", path, errT1)
	case folder:
		return FromSearch(path)
	case space:
		r, err := recorded.OpenAll([]string{path}, manifest, note)
		if err != nil {
			return nil, err
		}
		return map[string]*Study{NameOf(path): FromRecorded(r[0])}, nil
	}
	s, err := openNoted(path, t1, note)
	return map[string]*Study{NameOf(path): s}, err
}

// Comparable groups what can be compared with each other: recorded spaces
// together, those of the folders of searches by sweep point, and so the versions of runs.
func Comparable(paths []string, manifest string, note Note) (map[string][]*recorded.Space, error) {
	groups := map[string][]*recorded.Space{}
	var files, words []string
	for _, path := range paths {
		if info, err := bounded.Stat(path); err != nil || !info.IsDir() {
			files = append(files, path)
			continue
		}
		if search.Teaches(path) {
			spaces, err := versionsOf(path, &words)
			if err != nil {
				return nil, err
			}
			for name, r := range spaces {
				groups[name] = append(groups[name], r)
			}
			continue
		}
		studies, err := FromSearch(path)
		if err != nil {
			return nil, err
		}
		for name, s := range studies {
			r, err := s.Recorded(name + " " + path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			groups[name] = append(groups[name], r)
		}
	}
	switch {
	case len(files) > 0:
		var err error
		if groups[""], err = recorded.OpenAll(files, manifest, note); err != nil {
			return nil, err
		}
	case manifest != "":
		return nil, fmt.Errorf("%s: %w", strings.Join(paths, ", "), errManifest)
	}
	return groups, nil
}

// Imported is what a file of another tuner holds.
type Imported struct {
	Name           string              `json:"name"`             // of the recorded space
	Kernel         string              `json:"kernel"`           // as the file says
	Device         string              `json:"device,omitempty"` // as the file says
	Parameters     []string            `json:"parameters"`       // names
	Values         map[string][]string `json:"values"`           // by parameter, as text
	Conditions     int                 `json:"conditions"`       // constraints of a T1 file
	Configurations int                 `json:"configurations"`   // in the file; of a T1 file, that may be tried
	Valid          int                 `json:"valid"`            // of those
	Declared       bool                `json:"declared"`         // true: a T1 file, which has no results

	study *Study
	space *recorded.Space // nil: Declared
}

// Text is what was imported of a file with results, in a line; of a declared space it has its
// parameters too, a line each.
func (x *Imported) Text() string {
	if !x.Declared {
		return fmt.Sprintf("%s: %s on %s, %s, %s, %d of them valid\n", x.Name, x.Kernel, cmp.Or(x.Device, "an unknown device"),
			terminal.Count(len(x.Parameters), "parameter"), terminal.Count(x.Configurations, "configuration"), x.Valid)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %s, %s\n", x.Name, x.Kernel, terminal.Count(len(x.Parameters), "parameter"), terminal.Count(x.Conditions, "condition"), terminal.Count(x.Valid, "valid point"))
	for _, p := range x.Parameters {
		fmt.Fprintf(&b, "  %s: %s\n", p, strings.Join(x.Values[p], " "))
	}
	return b.String()
}

// Import reads a file of another tuner.
func Import(ctx context.Context, path, t1 string, note Note) (*Imported, error) {
	s, err := openNoted(path, t1, note)
	if err != nil {
		return nil, err
	}
	x := &Imported{Name: NameOf(path), Kernel: s.Kernel, Device: s.Device, Values: map[string][]string{}, Conditions: len(s.Conditions), study: s}
	for _, p := range s.Parameters {
		x.Parameters = append(x.Parameters, p.Name)
		for _, v := range p.Values {
			x.Values[p.Name] = append(x.Values[p.Name], v.String())
		}
	}
	if x.Declared = len(s.Results) == 0; x.Declared {
		err = x.enumerate(ctx)
	} else {
		err = x.record()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

func (x *Imported) enumerate(ctx context.Context) error {
	d, err := x.study.Declaration()
	if err != nil {
		return err
	}
	space, err := d.Enumerate(ctx)
	if err == nil {
		x.Configurations, x.Valid = space.Len(), space.Len()
	}
	return err
}

func (x *Imported) record() (err error) {
	if x.space, err = x.study.Recorded(x.Name); err != nil {
		return err
	}
	x.Configurations = x.space.Space.Len()
	for _, c := range x.space.Costs {
		if c == c { // no NaN
			x.Valid++
		}
	}
	return nil
}

// WriteImported writes the recorded spaces of those that have one, with a
// manifest that declares the order of the values. It returns how many there are.
func WriteImported(dir string, all []*Imported) (int, error) {
	if !slices.ContainsFunc(all, func(x *Imported) bool { return !x.Declared }) {
		return 0, nil
	}
	d, err := safefile.MakeFolder(dir)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	manifest := map[string]any{}
	for _, x := range all {
		if x.Declared {
			continue
		}
		if err := x.space.WriteFile(d); err != nil {
			return 0, err
		}
		manifest[x.Name] = x.study.ManifestEntry(x.space)
	}
	text, err := json.MarshalIndent(manifest, "", " ")
	if err != nil {
		return 0, err
	}
	return len(manifest), d.Write("manifest.json", bytes.NewBuffer(append(text, '\n')))
}

var writers = map[string]func(io.Writer, *Study) error{"kernel-tuner": WriteCache, "t1": WriteT1, "t4": WriteT4}

// Formats are those that Export writes.
func Formats() []string { return slices.Sorted(maps.Keys(writers)) }

// Exported is a file that was written.
type Exported struct {
	Name string `json:"name"` // of the search or space
	File string `json:"file"` // that was written
	// Loss says what the format cannot hold.
	Loss string `json:"loss,omitempty"`
}

// Export writes studies in a format to a folder.
func Export(ctx context.Context, studies map[string]*Study, format, dir string) ([]Exported, error) {
	d, err := safefile.MakeFolder(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var all []Exported
	for _, name := range slices.Sorted(maps.Keys(studies)) {
		var out bytes.Buffer
		if err := writers[format](&out, studies[name]); err != nil {
			return all, err
		}
		file := name + "." + format + ".json"
		x := Exported{Name: name, File: d.Path(file)}
		if err := d.Write(file, &out); err != nil {
			return all, err
		}
		if format == "t1" { // the others declare no space
			x.Loss = studies[name].Loss(ctx)
		}
		all = append(all, x)
	}
	return all, nil
}

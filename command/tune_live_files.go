package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"bench/framework/safefile"
	"bench/tuning/exchange"
	"bench/tuning/expression"
	"bench/tuning/recorded"
)

// tuneFiles does what needs no search: import, export, transfer and Φ.
func (a *app) tuneFiles(args []string, f tuneFlags, l liveFlags) error {
	asked := 0
	for _, yes := range []bool{l.imports, l.export != "", l.transfer, l.phi != ""} {
		if yes {
			asked++
		}
	}
	switch {
	case asked != 1:
		return usageError(errors.New("--import, --export, --transfer and --phi are asked for one at a time"))
	case len(args) == 0:
		return usageError(errors.New("which files?"))
	case l.imports:
		return a.importFiles(args, f, l)
	case l.export != "":
		return a.exportFiles(args, f, l)
	case l.transfer:
		return a.transfers(args, f)
	}
	return a.phi(args, f, l)
}

// studyName names a file's study: without folder and extensions.
func studyName(path string) string {
	name := filepath.Base(path)
	for _, ext := range []string{".gz", ".json", ".csv"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// readStudy reads a file of another tuner.
func (a *app) readStudy(path, t1 string) (*exchange.Study, error) {
	var declared *exchange.Study
	if t1 != "" {
		text, err := readMaybeGzip(t1)
		if err != nil {
			return nil, err
		}
		if declared, err = exchange.ReadT1(text); err != nil {
			return nil, fmt.Errorf("%s: %w", t1, err)
		}
		for _, n := range declared.Notes {
			fmt.Fprintf(a.err, "%s: %s\n", t1, n)
		}
	}
	text, err := readMaybeGzip(path)
	if err != nil {
		return nil, err
	}
	s, err := exchange.Read(text, declared)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(a.err, "%s: %s\n", path, n)
	}
	return s, nil
}

// importFiles writes each file as a recorded space, with a manifest that
// declares the order of the values.
func (a *app) importFiles(paths []string, f tuneFlags, l liveFlags) error {
	dir := f.out
	if dir == "" {
		dir = filepath.Join("results", "import-"+studyName(paths[0]))
	}
	manifest := map[string]any{}
	for _, path := range paths {
		s, err := a.readStudy(path, l.t1)
		if err != nil {
			return usageError(err)
		}
		if len(s.Results) == 0 { // a T1 file
			if err := a.declared(path, s); err != nil {
				return usageError(err)
			}
			continue
		}
		r, err := s.Recorded(studyName(path))
		if err != nil {
			return usageError(fmt.Errorf("%s: %w", path, err))
		}
		if err := writeRecorded(dir, r); err != nil {
			return &statusError{exitBad, err}
		}
		manifest[r.Name] = manifestEntry(s, r)
		valid := 0
		for _, c := range r.Costs {
			if c == c {
				valid++
			}
		}
		fmt.Fprintf(a.out, "%s: %s on %s, %d parameters, %d configurations, %d of them valid\n", r.Name, s.Kernel, orUnknown(s.Device), len(s.Parameters), r.Space.Len(), valid)
	}
	if len(manifest) == 0 {
		return nil
	}
	text, err := json.MarshalIndent(manifest, "", " ")
	if err == nil {
		err = safefile.Write(filepath.Join(dir, "manifest.json"), bytes.NewBuffer(append(text, '\n')))
	}
	if err != nil {
		return &statusError{exitBad, err}
	}
	fmt.Fprintf(a.out, "%s: recorded spaces and manifest.json\n", dir)
	return nil
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown device"
	}
	return s
}

// declared prints the space that a T1 file declares.
func (a *app) declared(path string, s *exchange.Study) error {
	d, err := s.Declaration()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	space, err := d.Enumerate(context.Background())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(a.out, "%s: %s, %d parameters, %d conditions, %d valid points\n", studyName(path), s.Kernel, len(s.Parameters), len(s.Conditions), space.Len())
	for _, p := range s.Parameters {
		var words []string
		for _, v := range p.Values {
			words = append(words, v.String())
		}
		fmt.Fprintf(a.out, "  %s: %s\n", p.Name, strings.Join(words, " "))
	}
	return nil
}

func manifestEntry(s *exchange.Study, r *recorded.Space) map[string]any {
	values, labels := map[string][]float64{}, map[string][]string{}
	for i, p := range r.Space.Parameters {
		values[p.Name] = p.Values
		words := slices.ContainsFunc(s.Parameters[i].Values, func(v expression.Value) bool { return v.IsWord })
		for _, v := range s.Parameters[i].Values {
			if words {
				labels[p.Name] = append(labels[p.Name], v.String())
			}
		}
	}
	e := map[string]any{"file": r.Name + ".csv.gz", "kernel": s.Kernel, "device": s.Device, "parameters": values, "constraints": s.Conditions}
	if len(labels) > 0 {
		e["labels"] = labels
	}
	return e
}

func writeRecorded(dir string, r *recorded.Space) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		return err
	}
	return safefile.Write(filepath.Join(dir, r.Name+".csv.gz"), &out)
}

// exporters by the name of the format.
var exporters = map[string]func(io.Writer, *exchange.Study) error{
	"kernel-tuner": exchange.WriteCache, "t1": exchange.WriteT1, "t4": exchange.WriteT4,
}

func (a *app) exportFiles(paths []string, f tuneFlags, l liveFlags) error {
	ctx := context.Background()
	write := exporters[l.export]
	if write == nil {
		return usageError(fmt.Errorf("--export %q is none of %s", l.export, strings.Join(slices.Sorted(maps.Keys(exporters)), ", ")))
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("results", "export-"+studyName(paths[0]))
	}
	for _, path := range paths {
		named, err := a.studies(path, l.t1, f.manifest)
		if err != nil {
			return usageError(err)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return &statusError{exitBad, err}
		}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			var out bytes.Buffer
			if err := write(&out, named[name]); err != nil {
				return &statusError{exitBad, err}
			}
			file := filepath.Join(dir, name+"."+l.export+".json")
			if err := safefile.Write(file, &out); err != nil {
				return &statusError{exitBad, err}
			}
			fmt.Fprintln(a.out, file)
			if l.export != "t1" {
				continue // only T1 declares a space
			}
			if loss := named[name].Loss(ctx); loss != "" {
				fmt.Fprintf(a.err, "%s: %s\n", name, loss)
			}
		}
	}
	return nil
}

// studies are what an export is made from, by name: the folder of a search, a
// recorded space, or a file of another tuner.
func (a *app) studies(path, t1, manifest string) (map[string]*exchange.Study, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return searchStudies(path)
	}
	name := studyName(path)
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".csv") {
		r, err := a.openSpaces([]string{path}, manifest)
		if err != nil {
			return nil, err
		}
		return map[string]*exchange.Study{name: recordedStudy(r[0])}, nil
	}
	s, err := a.readStudy(path, t1)
	return map[string]*exchange.Study{name: s}, err
}

// transfers prints the published portability tables' form for recorded
// spaces, and for the sweep points that the folders of searches have in common.
func (a *app) transfers(paths []string, f tuneFlags) error {
	if err := distinct(paths); err != nil {
		return usageError(err)
	}
	groups, err := a.transferGroups(paths, f.manifest)
	if err != nil {
		return usageError(err)
	}
	var all []recorded.Transfer
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		list, err := recorded.Transfers(groups[name])
		if err != nil {
			return usageError(err)
		}
		all = append(all, list...)
	}
	if f.out != "" {
		if err := writeTransfers(all, f.out); err != nil {
			return &statusError{exitBad, err}
		}
	}
	if f.json {
		e := json.NewEncoder(a.out)
		for _, t := range all {
			if err := e.Encode(t); err != nil {
				return &statusError{exitBad, err}
			}
		}
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "BEST OF\tON\t%s\tPERFORMANCE\n", strings.Join(all[0].Parameters, "\t"))
	for _, t := range all {
		fmt.Fprintf(w, "%s\t%s", t.From, t.To)
		for _, v := range t.Settings {
			fmt.Fprintf(w, "\t%g", v)
		}
		fmt.Fprintf(w, "\t%s\n", t.Text())
	}
	return w.Flush()
}

// writeTransfers writes transfer.csv: from, to, a column a parameter, and
// performance, which is empty where it was not measured and 0 where it does not run.
func writeTransfers(all []recorded.Transfer, dir string) error {
	var names []string
	for _, t := range all {
		for _, n := range t.Parameters {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	table := [][]string{slices.Concat([]string{"from", "to"}, names, []string{"performance"})}
	for _, t := range all {
		row := make([]string, len(names)+3)
		row[0], row[1] = t.From, t.To
		for i, v := range t.Settings {
			row[2+slices.Index(names, t.Parameters[i])] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		if !t.Missing {
			row[len(row)-1] = strconv.FormatFloat(t.Performance, 'g', 6, 64)
		}
		table = append(table, row)
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(table); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return safefile.Write(filepath.Join(dir, "transfer.csv"), &out)
}

// transferGroups are the spaces to compare: recorded spaces together, and
// those of searches by sweep point.
func (a *app) transferGroups(paths []string, manifest string) (map[string][]*recorded.Space, error) {
	groups := map[string][]*recorded.Space{}
	var files []string
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			files = append(files, path)
			continue
		}
		studies, err := searchStudies(path)
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
	if len(files) > 0 {
		var err error
		if groups[""], err = a.openSpaces(files, manifest); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

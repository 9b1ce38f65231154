package board

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
)

// show checks a file and describes it. It unpacks the file to the folder, if one is named.
func (p Program) show(file, folder string, asJSON bool) error {
	if folder != "" {
		if _, err := os.Lstat(folder); err == nil {
			return p.Refuse(fmt.Errorf("%s is there already; want the name of a new folder, --out", folder))
		}
	}
	f, err := Read(file)
	if err != nil {
		return p.Refuse(err)
	}
	defer f.Close()
	if asJSON {
		e := json.NewEncoder(terminal.Whole(p.Out))
		e.SetIndent("", "  ")
		err = e.Encode(f.shown())
	} else {
		_, err = io.WriteString(p.Out, f.Text(terminal.PaletteOf(p.Out)))
	}
	if err != nil || folder == "" {
		return p.Fail(err)
	}
	if err := safefile.WriteFiles(folder, f.files); err != nil {
		return p.Fail(fmt.Errorf("unpack: %w", err))
	}
	p.note("%s: unpacked; bench report %s shows a run, bench doctor --root %s the machine", folder,
		filepath.Join(folder, runsFolder, f.Runs[0]), filepath.Join(folder, machineFolder))
	return nil
}

// Shown is a file in JSON.
type Shown struct {
	Board   string             `json:"board"`   // the machine's name: its board's, or of its GPUs and its CPU
	Kind    string             `json:"kind"`    // "real", "guest", "emulated", or "copied files" where power, clocks and modes are a copied tree's
	Digest  string             `json:"digest"`  // SHA-256 of SHA256SUMS, hexadecimal
	Machine machine.Facts      `json:"machine"` // that measured
	Results []record.RunReport `json:"results"` // by run; their folders are those in the file
	Description
}

func (f *File) shown() Shown {
	s := Shown{Board: f.Board, Kind: f.Kind, Digest: f.Digest, Machine: f.Facts, Description: f.Description}
	for i, run := range f.Measured {
		r := record.RunReportOf(run, path.Join(runsFolder, f.Runs[i]))
		var ended []record.Result // files have only the status of these
		for _, w := range run.Rows {
			ended = append(ended, record.Result{Status: w.Status})
		}
		r.Good = record.Good(ended)
		s.Results = append(s.Results, r)
	}
	return s
}

// Text describes the machine, and what the file's runs found.
func (f *File) Text(colours terminal.Palette) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("board", "%s (%s)", f.Board, f.Kind)
	line("CPU", "%s", f.Facts.CPU)
	for _, gpu := range f.GPUs() {
		line("GPU", "%s", gpu)
	}
	line("system", "%s, Linux %s", f.Facts.OS, f.Facts.Kernel)
	line("measured", "%s by bench %s", f.Made.UTC().Format("2006-01-02 15:04 UTC"), f.Tool)
	if len(f.Modes) > 0 {
		line("power modes", "%s", strings.Join(f.Modes, ", "))
	}
	line("digest", "%s", f.Digest)
	for _, n := range f.Notes {
		line("note", "%s", n)
	}
	for i, run := range f.Measured {
		count := map[record.Status]int{}
		for _, w := range run.Rows {
			count[w.Status]++
		}
		line(f.Runs[i], "%s, %d ok", terminal.Count(len(run.Rows), "point"), count[record.OK])
		samples, err := record.ReadSamples(f.RunFolder(f.Runs[i]), run)
		if err != nil {
			continue // Read has read them
		}
		b.WriteString(compare.OfRun(compare.Run{Run: run, Samples: samples}).Line(colours))
	}
	return b.String()
}

// GPUs names the GPUs that points ran on, with their drivers.
func (f *File) GPUs() (names []string) {
	for _, d := range f.gpus() {
		if d.Driver != "" {
			names = append(names, d.Facts.Name+", driver "+d.Driver)
			continue
		}
		names = append(names, d.Facts.Name)
	}
	return slices.Compact(names)
}

// gpuNames returns the names of those GPUs without the drivers.
func (f *File) gpuNames() (names []string) {
	for _, d := range f.gpus() {
		names = append(names, d.Facts.Name)
	}
	return slices.Compact(names)
}

// gpus returns the GPUs of all runs.
func (f *File) gpus() (list []record.Device) {
	for _, run := range f.Measured {
		for _, d := range run.Info.Devices {
			if d.Facts != nil {
				list = append(list, d)
			}
		}
	}
	return list
}

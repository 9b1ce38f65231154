package framework

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Text returns a list of the algorithms with their versions.
func (r *Registry) Text() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, n := range r.Names() {
		f := r.Algorithm(n)
		fmt.Fprintf(w, "%s\t%s\n", n, f.Doc)
		fmt.Fprintf(w, "\tversions: %s\n", strings.Join(versionNames(f), ", "))
	}
	w.Flush()
	return b.String()
}

// Text returns the algorithm's parameters, versions, tunables and formulas as tables.
func (f *Factory) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Doc)
	if f.Source != "" {
		fmt.Fprintf(&b, "Source: %s\n", f.Source)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nPARAMETER\tDEFAULT\tRANGE\tMEANING")
	for _, p := range f.Params {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Name, defaults(p), p.Range(), withUnit(p.Doc, p.Unit))
	}
	fmt.Fprintln(w, "\nVERSION\tRUNS ON\t\tMEANING")
	for _, v := range f.Versions {
		peer := ""
		if v.Peer {
			peer = "peer"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", v.Name, runsOn(&v), peer, v.Doc)
	}
	tunables := false
	for _, v := range f.Versions {
		for _, t := range v.Tunables {
			if !tunables {
				fmt.Fprintln(w, "\nTUNABLE\tOF VERSION\tVALUES\tMEANING")
				tunables = true
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.Name, v.Name, strings.Join(t.Texts(), " "), t.Doc)
		}
	}
	if len(f.Formulas) > 0 {
		fmt.Fprintln(w, "\nCOUNT\tFORMULA")
		for _, c := range f.Formulas {
			fmt.Fprintf(w, "%s\t%s\n", c.Name, c.Text)
		}
	}
	w.Flush()
	return b.String()
}

func defaults(p Param) string {
	d := p.Default.String()
	if p.DefaultGPU.IsSet() {
		d += " (GPU " + p.DefaultGPU.String() + ")"
	}
	return d
}

func withUnit(doc, unit string) string {
	if unit == "" {
		return doc
	}
	return doc + " [" + unit + "]"
}

// runsOn says where a version runs: a GPU is one of CUDA where nothing else is said.
func runsOn(v *Version) string {
	switch {
	case v.Portable:
		return string(v.Processor) + ", OpenCL"
	case v.OpenCL:
		return "OpenCL"
	}
	return string(v.Processor)
}

func versionNames(f *Factory) []string {
	var names []string
	for _, v := range f.Versions {
		names = append(names, v.Name+" ("+runsOn(&v)+")")
	}
	return names
}

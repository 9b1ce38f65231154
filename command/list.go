package command

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bench/framework"
)

func (a *app) listCommand() *cobra.Command {
	var f choices
	cmd := &cobra.Command{
		Use:   "list [ALGORITHM | CONFIG]",
		Short: "Show algorithms; for one, its versions, parameters, tunables and counted formulas",
		Long: `List shows what this program has built in, or the algorithm that a config defines.

EXIT STATUS
  0    listed
  1    the output cannot be written
  2    bad config or usage, or no such algorithm`,
		Example: `  bench list
  bench list fft
  bench list configs/polybench/gemm.json      the algorithm that a config defines`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if f.json {
					all := []framework.Description{}
					for _, name := range a.registry.Names() {
						all = append(all, a.registry.Algorithm(name).Describe())
					}
					return a.printJSON(all)
				}
				return a.listAll()
			}
			s, err := a.named(c.Context(), args[0], f)
			if err != nil {
				return err
			}
			if f.json {
				return a.printJSON(s.Factory.Describe())
			}
			return a.listOne(s.Factory)
		},
	}
	f.flag(cmd, "json")
	return cmd
}

func (a *app) listAll() error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, n := range a.registry.Names() {
		f := a.registry.Algorithm(n)
		fmt.Fprintf(w, "%s\t%s\n", n, f.Doc)
		fmt.Fprintf(w, "\tversions: %s\n", strings.Join(versionNames(f), ", "))
	}
	fmt.Fprintf(w, "\nany program\t\"executable\": \"PATH\" in a config runs a program as the algorithm\n")
	fmt.Fprintf(w, "any kernel\t\"algorithm\": {\"cuda\": …} in a config runs kernels of a .cu file; bench new makes an example\n")
	return w.Flush()
}

func versionNames(f *framework.Factory) []string {
	var names []string
	for _, v := range f.Versions {
		names = append(names, v.Name+" ("+string(v.Processor)+")")
	}
	return names
}

func (a *app) listOne(f *framework.Factory) error {
	fmt.Fprintf(a.out, "%s: %s\n", f.Name, f.Doc)
	if f.Source != "" {
		fmt.Fprintf(a.out, "Source: %s\n", f.Source)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
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
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", v.Name, v.Processor, peer, v.Doc)
	}
	tunables := false
	for _, v := range f.Versions {
		for _, t := range v.Tunables {
			if !tunables {
				fmt.Fprintln(w, "\nTUNABLE\tOF VERSION\tVALUES\tMEANING")
				tunables = true
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.Name, v.Name, numbers(t.Values), t.Doc)
		}
	}
	if len(f.Formulas) > 0 {
		fmt.Fprintln(w, "\nCOUNT\tFORMULA")
		for _, c := range f.Formulas {
			fmt.Fprintf(w, "%s\t%s\n", c.Name, c.Text)
		}
	}
	return w.Flush()
}

func defaults(p framework.Param) string {
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

func numbers(values []int64) string {
	s := make([]string, len(values))
	for i, v := range values {
		s[i] = fmt.Sprint(v)
	}
	return strings.Join(s, " ")
}

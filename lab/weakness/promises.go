package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"example.org/bench/analysis/bound"
)

// promises is the folder of the configs of Changed.
const promises = "test/weakness/promises"

// Changed are the configs in test/weakness/promises: each has a kernel before and after a change, of which bench
// why says what it gains under one of these names.
var Changed = []Weakness{
	{"accumulators", []string{"independent-work"}},
	{"ahead", []string{"memory-parallelism"}},
	{"alias", []string{"registers"}},
	{"bounds", []string{"spills"}},
	{"coefficients", []string{"constants"}},
	{"fields", []string{"coalesce"}},
	{"footprint", []string{"occupancy"}},
	{"fused", []string{"fuse-launches"}},
	{"halfs", []string{"half-precision"}},
	{"inexact", []string{"approximate"}},
	{"lastwave", []string{"fill-waves"}},
	{"logistic", []string{"single-precision"}},
	{"longrows", []string{"larger-grid"}},
	{"mix", []string{"wider-accesses"}},
	{"moreblocks", []string{"larger-grid"}},
	{"pad", []string{"bank-conflicts"}},
	{"parity", []string{"divergence"}},
	{"private", []string{"fewer-atomics"}},
	{"registers", []string{"occupancy"}},
	{"relax", []string{"fuse-launches"}},
	{"root", []string{"single-precision"}},
	{"rowsums", []string{"coalesce"}},
	{"scale", []string{"wider-accesses"}},
	{"shuffles", []string{"shuffles"}},
	{"squares", []string{"fewer-atomics"}},
	{"stages", []string{"bank-conflicts"}},
	{"steps512", []string{"shuffles"}},
	{"threshold", []string{"wider-accesses"}},
	{"tiles", []string{"reuse"}},
	{"tinyblocks", []string{"fewer-blocks"}},
	{"window", []string{"reuse"}},
	{"wrap", []string{"divisions"}},
}

// Corrects tells whether the promise of this change may be corrected by what the model says of both kernels:
// for the half whose name's SHA-256 is odd.
func (p Weakness) Corrects() bool { return sha256.Sum256([]byte(p.Name))[0]%2 == 1 }

// Promised is what is promised for the change, and whether anything is.
func (p Weakness) Promised(w bound.Why) (gain float64, promised bool) {
	gain = 1
	for _, name := range p.Changes {
		if g, ok := w.Gains[name]; ok {
			gain, promised = max(gain, g), true
		}
	}
	return gain, promised
}

// asPromised is how far what was gained may be from what was promised, and sign the gain or loss that is none.
const (
	asPromised = 1.5
	sign       = 1.03
)

// judgePromises prints what is promised for every change by the kernel before it, and what it gained.
func judgePromises(ctx context.Context, folder string, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KERNEL\tCHANGE\tHALF\tCLASS\tBEFORE\tMODEL\tAFTER\tMODEL\tPROMISED\tGAINED\tWITHIN 1.5\tSIGN")
	var right, wrong, all [2]int
	var errs []error
	for _, p := range Changed {
		list, err := explainedBy(ctx, filepath.Join(folder, p.Name))
		errs = append(errs, err)
		half, name := 0, "judges"
		if p.Corrects() {
			half, name = 1, "corrects"
		}
		all[half]++
		before, after := of(list, "before"), of(list, "after")
		if before == nil || after == nil {
			fmt.Fprintf(w, "%s\t%s\t%s\tnot measured\n", p.Name, p.Changes[0], name)
			continue
		}
		gain, promised := p.Promised(before.Why)
		gained := before.Why.Time / after.Why.Time
		within, same := "no", "right"
		if promised && gained < gain*asPromised && gain < gained*asPromised {
			within = "yes"
			right[half]++
		}
		if gain > sign && gained < 1/sign {
			same = "wrong"
			wrong[half]++
		}
		said := "nothing"
		if promised {
			said = fmt.Sprintf("%.2f", gain)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.4g µs\t%.4g µs\t%.4g µs\t%.4g µs\t%s\t%.2f\t%s\t%s\n", p.Name, p.Changes[0], name, before.Why.Title(), 1e6*before.Why.Time, 1e6*before.Why.Model,
			1e6*after.Why.Time, 1e6*after.Why.Model, said, gained, within, same)
	}
	w.Flush()
	for half, name := range []string{"judge", "may correct the model"} {
		fmt.Fprintf(out, "of %d changes that %s %d gained within a factor of %.1f of what was promised, %d are of the wrong sign\n", all[half], name, right[half], asPromised, wrong[half])
	}
	return errors.Join(errs...)
}

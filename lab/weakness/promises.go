package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"example.org/bench/analysis/bound"
)

// promises, changes, blind and blind2 are the folders of the configs of Changed, Judged, Blind and Blind2.
const (
	promises = "test/weakness/promises"
	changes  = "test/weakness/changes"
	blind    = "test/weakness/blind"
	blind2   = "test/weakness/blind2"
)

// Changed are the configs in test/weakness/promises: each has a kernel before and after a change, of which bench
// why says what it gains under one of these names. What they gained corrects the model.
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

// Judged are those in test/weakness/changes. What they promise was published before they were measured
// (results/h200-weakness/promised.txt); since then what they gained corrects the model.
var Judged = []Weakness{
	{"above", []string{"fewer-atomics"}},
	{"bins", []string{"fewer-atomics"}},
	{"box7", []string{"reuse"}},
	{"dequant", []string{"constants"}},
	{"estrin", []string{"independent-work"}},
	{"euler", []string{"fuse-launches"}},
	{"filters", []string{"spills"}},
	{"gradient", []string{"fewer-blocks"}},
	{"halfdot", []string{"half-precision"}},
	{"lengths", []string{"divergence"}},
	{"lens", []string{"approximate"}},
	{"manhattan", []string{"reuse"}},
	{"particles", []string{"coalesce"}},
	{"peaks", []string{"larger-grid"}},
	{"pendulum", []string{"single-precision"}},
	{"rowscan", []string{"bank-conflicts"}},
	{"running", []string{"shuffles"}},
	{"samples", []string{"wider-accesses"}},
	{"scratch", []string{"occupancy"}},
	{"strided", []string{"memory-parallelism"}},
}

// Blind are those in test/weakness/blind, by which nothing is corrected. They were written when the model was done, and what
// they promise was published before they were measured (results/h200-weakness/promised-blind.txt).
var Blind = []Weakness{
	{"activations", []string{"fuse-launches"}},
	{"bitcounts", []string{"larger-grid"}},
	{"branches", []string{"divergence"}},
	{"coordinates", []string{"divisions"}},
	{"crowns", []string{"shuffles"}},
	{"gains", []string{"coalesce"}},
	{"gathers", []string{"occupancy"}},
	{"generators", []string{"fuse-launches"}},
	{"gram", []string{"reuse"}},
	{"horner", []string{"single-precision"}},
	{"inverted", []string{"wider-accesses"}},
	{"lastround", []string{"fill-waves"}},
	{"marked", []string{"fewer-atomics"}},
	{"minima", []string{"fewer-atomics"}},
	{"palette", []string{"constants"}},
	{"polyhash", []string{"independent-work"}},
	{"ranks", []string{"memory-parallelism"}},
	{"rolled", []string{"smaller-code"}},
	{"roots16", []string{"half-precision"}},
	{"shifts", []string{"fewer-blocks"}},
	{"softsigns", []string{"approximate"}},
	{"sorted40", []string{"spills"}},
	{"stripes", []string{"bank-conflicts"}},
	{"syncwarps", []string{"fewer-barriers"}},
	{"tallies", []string{"registers"}},
	{"taps64", []string{"reuse"}},
	{"turned", []string{"coalesce"}},
}

// Blind2 are those in test/weakness/blind2, which were written before the model had seen any of them, for a second
// judgement. A change that the model has no name for has the nearest: an unrolled loop that of loads or of work at once, a
// quotient taken out of a loop that of approximate ones.
var Blind2 = []Weakness{
	{"backproject", []string{"memory-parallelism"}},
	{"blockmatch", []string{"reuse"}},
	{"census", []string{"memory-parallelism", "independent-work"}},
	{"cgupdate", []string{"fuse-launches"}},
	{"chacha", []string{"smaller-code"}},
	{"collisions", []string{"divergence"}},
	{"geodetic", []string{"single-precision"}},
	{"hadamard", []string{"bank-conflicts"}},
	{"hough", []string{"fewer-atomics"}},
	{"lattice", []string{"coalesce"}},
	{"lu32", []string{"approximate"}},
	{"matched", []string{"wider-accesses"}},
	{"smoothed", []string{"coalesce"}},
	{"stereo", []string{"half-precision"}},
	{"tracks", []string{"spills"}},
	{"upsample", []string{"divisions"}},
	{"voices", []string{"constants"}},
}

// judging are the sets that judge without correcting, by their folder.
var judging = map[string][]Weakness{blind: Blind, blind2: Blind2}

// allChanged are those of all sets.
var allChanged = slices.Concat(Changed, Judged, Blind, Blind2)

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
	fmt.Fprintln(w, "KERNEL\tCHANGE\tCLASS\tBEFORE\tMODEL\tAFTER\tMODEL\tPROMISED\tGAINED\tWITHIN 1.5\tSIGN")
	var right, wrong, all int
	var errs []error
	for _, p := range allChanged {
		run := filepath.Join(folder, p.Name)
		if _, err := os.Stat(run); err != nil { // of another set
			continue
		}
		list, err := explainedBy(ctx, run)
		errs = append(errs, err)
		all++
		before, after := of(list, "before"), of(list, "after")
		if before == nil || after == nil {
			fmt.Fprintf(w, "%s\t%s\tnot measured\t\t\t\t\t\t\t\t\n", p.Name, p.Changes[0])
			continue
		}
		gain, promised := p.Promised(before.Why)
		gained := before.Why.Time / after.Why.Time
		within, same := "no", "right"
		if promised && gained < gain*asPromised && gain < gained*asPromised {
			within = "yes"
			right++
		}
		if gain > sign && gained < 1/sign {
			same = "wrong"
			wrong++
		}
		said := "nothing"
		if promised {
			said = fmt.Sprintf("%.2f", gain)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.4g µs\t%.4g µs\t%.4g µs\t%.4g µs\t%s\t%.2f\t%s\t%s\n", p.Name, p.Changes[0], before.Why.Title(), 1e6*before.Why.Time, 1e6*before.Why.Model,
			1e6*after.Why.Time, 1e6*after.Why.Model, said, gained, within, same)
	}
	w.Flush()
	fmt.Fprintf(out, "of %d changes %d gained within a factor of %.1f of what was promised, %d are of the wrong sign\n", all, right, asPromised, wrong)
	return errors.Join(errs...)
}

// Neonmodel prints what the NEON kernels cost by LLVM's models of two cores,
// beside FFTW's codelets and OpenBLAS's kernels, and how many instructions they
// execute under QEMU. lab/neon-model fetches what it needs.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	var s sources
	flag.StringVar(&s.mca, "mca", "llvm-mca-19", "llvm-mca of LLVM 17 or later")
	flag.StringVar(&s.objdump, "objdump", "llvm-objdump-19", "llvm-objdump")
	flag.StringVar(&s.program, "bench", "bench-arm64", "the program for arm64")
	flag.StringVar(&s.fftwf, "fftwf", "libfftw3f.a", "FFTW for arm64, float32, from Debian's libfftw3-dev")
	flag.StringVar(&s.fftw, "fftw", "libfftw3.a", "the same, float64")
	flag.StringVar(&s.openblas, "openblas", "libopenblas.a", "OpenBLAS for arm64, from Debian's libopenblas-pthread-dev")
	var e emulator
	flag.StringVar(&e.qemu, "qemu", "qemu-aarch64-static", "QEMU's user emulation of arm64, which counts the instructions that are executed")
	flag.StringVar(&e.root, "root", "/usr/aarch64-linux-gnu", "folder of an arm64 C library for it")
	flag.Parse()
	e.program = s.program
	if err := tables(os.Stdout, s, &e); err != nil {
		fmt.Fprintln(os.Stderr, "neonmodel:", err)
		os.Exit(1)
	}
}

// sources are the programs and libraries.
type sources struct{ mca, objdump, program, fftwf, fftw, openblas string }

// cores are the models, with OpenBLAS's name of each core.
var cores = []struct{ cpu, name, openblas string }{
	{"cortex-a57", "Cortex-A57", "CORTEXA57"},
	{"neoverse-n1", "Neoverse N1", "NEOVERSEN1"},
}

func tables(w io.Writer, s sources, e *emulator) error {
	ours, err := disassemble(s.objdump, s.program)
	if err != nil {
		return err
	}
	var models []*model
	for _, core := range cores {
		m := &model{program: s.mca, core: core.cpu, name: core.name}
		models = append(models, m)
		if err := fftTable(w, m, s, ours); err != nil {
			return err
		}
		if err := qrTable(w, m, s, ours, core.openblas); err != nil {
			return err
		}
		if err := elementTable(w, m, ours); err != nil {
			return err
		}
	}
	return executed(w, e, models[0], ours)
}

func fftTable(w io.Writer, m *model, s sources, ours map[string][]instruction) error {
	for _, precision := range []struct {
		name, suffix, library string
		lanes                 int
	}{{"float32", "F32", s.fftwf, 4}, {"float64", "F64", s.fftw, 2}} {
		theirs, err := disassemble(s.objdump, precision.library)
		if err != nil {
			return err
		}
		f := &fftw{theirs, precision.lanes / 2}
		our := &stockham{ours, precision.suffix, precision.lanes}
		fmt.Fprintf(w, "\n%s, FFT, %s, cycles an element (instructions an element)\n\n| N | ours | FFTW, least | ours / FFTW |\n|---:|---:|---:|---:|\n", m.name, precision.name)
		for n := 64; n <= 4096; n *= 2 {
			a, err := our.transform(m, n)
			if err != nil {
				return err
			}
			b, err := f.least(m, n)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "| %d | %.2f (%.1f) | %.2f (%.1f) | %.2f |\n", n, a.cycles, a.instructions, b.cycles, b.instructions, a.cycles/b.cycles)
		}
	}
	return nil
}

func qrTable(w io.Writer, m *model, s sources, ours map[string][]instruction, core string) error {
	fmt.Fprintf(w, "\n%s, QR, float32, cycles a multiply-add of the inner loop\n\n| | function | what | cycles |\n|---|---|---|---:|\n", m.name)
	var cycles []float64
	for _, line := range qrLines(core) {
		code, ok := ours[line.name]
		if !ok {
			theirs, err := disassemble(s.objdump, s.openblas, line.name)
			if err != nil {
				return err
			}
			code = theirs[line.name]
		}
		// The model lets a store's new address wait for the data it stores, which no
		// core does and which OpenBLAS's loops depend on: theirs count without any
		// waiting.
		cost := m.cycles
		if !ok {
			cost = m.least
		}
		c, found, err := best(code, cost)
		if err != nil {
			return fmt.Errorf("%s: %w", line.name, err)
		}
		if !found {
			return fmt.Errorf("%s has no loop with multiply-adds", line.name)
		}
		cycles = append(cycles, c)
		fmt.Fprintf(w, "| %s | `%s` | %s | %.3f |\n", line.who, line.name, line.what, c)
	}
	pair, err := m.between(ours["example.org/bench/algorithms/qr.applyNEON.abi0"])
	if err != nil {
		return err
	}
	for _, n := range []int{64, 128} {
		a, b := panelled(n, cycles[0], cycles[1], cycles[2], pair), unblocked(n, cycles[3], cycles[4])
		fmt.Fprintf(w, "\nR and Q of %d·%d: ours %.0f cycles (%.0f a pair of columns outside the loops), sgeqr2 and sorg2r %.0f: %.2f\n", n, n, a, pair, b, a/b)
	}
	return nil
}

func elementTable(w io.Writer, m *model, ours map[string][]instruction) error {
	fmt.Fprintf(w, "\n%s, the other kernels\n\n| algorithm | kernel | of | cycles | instructions |\n|---|---|---|---:|---:|\n", m.name)
	for _, e := range elements {
		l, err := e.loop(ours)
		if err != nil {
			return err
		}
		c, err := m.perElement(l, e.per)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | `%s` | %s | %.2f | %.2f |\n", e.algorithm, e.function, e.what, c.cycles, c.instructions)
	}
	return nil
}

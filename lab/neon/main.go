// Neon writes the assembly of the NEON kernels: values get registers, and
// instructions an order for a Cortex-A57.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// files are what is written, by path from the project's root.
func files() map[string]string {
	return map[string]string{
		"algorithms/fft/stockham_cpu_neon_f32_arm64.s": fftFile(s4),
		"algorithms/fft/stockham_cpu_neon_f64_arm64.s": fftFile(d2),
		"algorithms/qr/parallel_arm64.s":               qrFile(),
		"algorithms/pattern/parallel_arm64.s":          patternFile(),
		"algorithms/bicubic/parallel_arm64.s":          bicubicFile(),
		"algorithms/scan/parallel_arm64.s":             scanFile(),
		"algorithms/tridiagonal/parallel_arm64.s":      tridiagonalFile(),
	}
}

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	for name, text := range files() {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "neon:", err)
			os.Exit(1)
		}
	}
}

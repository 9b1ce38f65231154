package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// emulator is QEMU's user emulation with an arm64 C library, and the program that
// it runs.
type emulator struct{ qemu, root, program string }

// Lines of QEMU's log of executed blocks. traced is written before each: the second
// of the four numbers is the address. stopped follows where a signal was waiting, so
// that the block was not executed; it is traced again later.
var (
	traced  = regexp.MustCompile(`^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/`)
	stopped = regexp.MustCompile(`^Stopped execution of TB chain before \S+ \[([0-9a-f]+)\]`)
)

// executions reads how often each address was executed, from a log of blocks of
// one instruction.
func executions(log io.Reader, counts map[int64]int) error {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		m, change := traced.FindSubmatch(lines.Bytes()), 1
		if m == nil {
			m, change = stopped.FindSubmatch(lines.Bytes()), -1
		}
		if m == nil {
			return fmt.Errorf("no line of QEMU's log: %q", lines.Text())
		}
		address, err := strconv.ParseInt(string(m[1]), 16, 64)
		if err != nil {
			return err
		}
		counts[address] += change
	}
	return lines.Err()
}

// verify lets one version of an algorithm calculate, and counts how often each
// instruction of its NEON kernels was executed.
func (e *emulator) verify(code map[string][]instruction, algorithm, version string, arguments map[string]any) (map[int64]int, error) {
	folder, err := os.MkdirTemp("", "neonmodel-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	config := filepath.Join(folder, "executed.json")
	text, err := json.Marshal(map[string]any{"algorithm": algorithm, "versions": []string{version}, "static_args": arguments})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(config, text, 0o644); err != nil {
		return nil, err
	}
	var ranges []string
	for name, f := range code {
		if strings.HasPrefix(name, "example.org/bench/algorithms/"+algorithm+".") && strings.Contains(name, "NEON") && strings.HasSuffix(name, ".abi0") {
			ranges = append(ranges, fmt.Sprintf("0x%x+0x%x", f[0].address, f[len(f)-1].address+4-f[0].address))
		}
	}
	cmd := exec.Command(e.qemu, "-L", e.root, e.program, "verify", "--device", "cpu", "--quiet", config)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH=", "BENCH_WORKER_PREFIX="+strings.Join([]string{e.qemu, "-L", e.root,
		"-singlestep", "-d", "exec,nochain", "-dfilter", strings.Join(ranges, ","), "-D", filepath.Join(folder, "log.%d")}, " "))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s with %v: %w: %s", algorithm, arguments, err, out)
	}
	logs, err := filepath.Glob(filepath.Join(folder, "log.*"))
	if err != nil {
		return nil, err
	}
	counts := map[int64]int{}
	for _, name := range logs {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		err = executions(f, counts)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return counts, nil
}

// sum is how many instructions of a function were executed, and how many
// multiply-adds they made.
func sum(f []instruction, counts map[int64]int) (instructions, multiplyAdds int) {
	for i, x := range f {
		instructions += counts[x.address]
		multiplyAdds += counts[x.address] * loop(f[i:i+1]).multiplyAdds()
	}
	return instructions, multiplyAdds
}

// times is how often a loop was gone through.
func (l loop) times(counts map[int64]int) int { return counts[l[0].address] }

// executed prints the instructions that the kernels executed under QEMU beside
// those of their loops alone.
func executed(w io.Writer, e *emulator, m *model, code map[string][]instruction) error {
	if err := executedFFT(w, e, m, code); err != nil {
		return err
	}
	if err := executedQR(w, e, code); err != nil {
		return err
	}
	fmt.Fprint(w, "\nExecuted under QEMU, the other kernels, instructions\n\n| algorithm | kernel | of | executed | of the loop |\n|---|---|---|---:|---:|\n")
	known := map[string]map[int64]int{}
	for _, x := range elements {
		key := fmt.Sprint(x.algorithm, x.arguments)
		counts := known[key]
		if counts == nil {
			var err error
			if counts, err = e.verify(code, x.algorithm, "parallel", x.arguments); err != nil {
				return err
			}
			known[key] = counts
		}
		l, err := x.loop(code)
		if err != nil {
			return err
		}
		if l.times(counts) == 0 {
			return fmt.Errorf("%s of %s was not executed with %v", x.function, x.algorithm, x.arguments)
		}
		n, _ := sum(code[x.name()], counts)
		fmt.Fprintf(w, "| %s | `%s` | %s | %.2f | %.2f |\n", x.algorithm, x.function, x.what,
			float64(n)/float64(l.times(counts)*x.per), float64(len(l))/float64(x.per))
	}
	return nil
}

func executedFFT(w io.Writer, e *emulator, m *model, code map[string][]instruction) error {
	fmt.Fprint(w, "\nExecuted under QEMU, FFT, instructions an element\n\n| N | float32 | of the loops | float64 | of the loops |\n|---:|---:|---:|---:|---:|\n")
	for n := 64; n <= 4096; n *= 2 {
		fmt.Fprintf(w, "| %d |", n)
		for _, s := range []*stockham{{code, "F32", 4}, {code, "F64", 2}} {
			counts, err := e.verify(code, "fft", "stockham", map[string]any{"N": n, "batch_elements": 4 * n, "precision": strings.ToLower(s.suffix)})
			if err != nil {
				return err
			}
			total, elements := 0, 0
			for name, f := range code {
				if !strings.HasPrefix(name, "example.org/bench/algorithms/fft.") || !strings.HasSuffix(name, "NEON"+s.suffix+".abi0") {
					continue
				}
				instructions, _ := sum(f, counts)
				total += instructions
				// Both write the output, eight elements of each lane at a time.
				if strings.Contains(name, ".scatter8") || strings.Contains(name, ".store8") {
					elements += loops(f)[0].times(counts) * 8 * s.lanes
				}
			}
			if elements == 0 {
				return fmt.Errorf("FFT, N = %d: no kernel was executed", n)
			}
			c, err := s.transform(m, n)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, " %.1f | %.1f |", float64(total)/float64(elements), c.instructions)
		}
		fmt.Fprintln(w)
	}
	return nil
}

func executedQR(w io.Writer, e *emulator, code map[string][]instruction) error {
	fmt.Fprint(w, "\nExecuted under QEMU, QR, instructions a multiply-add\n\n| kernel | 64·64 | 128·128 | of the loop |\n|---|---:|---:|---:|\n")
	var sizes []map[int64]int
	for _, n := range []int{64, 128} {
		counts, err := e.verify(code, "qr", "parallel", map[string]any{"m": n, "n": n, "batch": 1})
		if err != nil {
			return err
		}
		sizes = append(sizes, counts)
	}
	for _, line := range qrLines("") {
		f, ok := code[line.name]
		if !ok {
			continue
		}
		fmt.Fprintf(w, "| `%s` |", line.name)
		for _, counts := range sizes {
			instructions, multiplyAdds := sum(f, counts)
			fmt.Fprintf(w, " %.3f |", float64(instructions)/float64(multiplyAdds))
		}
		least := 0.0
		for _, l := range loops(f) {
			if n := float64(len(l)) / float64(l.multiplyAdds()); least == 0 || n < least {
				least = n
			}
		}
		fmt.Fprintf(w, " %.3f |\n", least)
	}
	return nil
}

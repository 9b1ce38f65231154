package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// instruction is one line of a disassembly.
type instruction struct {
	address int64
	text    string // as an assembler takes it
	target  int64  // of a branch; -1 for others
}

// loop is the instructions from a backward branch's target to the branch.
type loop []instruction

var (
	functionLine    = regexp.MustCompile(`^[0-9a-f]+ <(.+)>:$`)
	instructionLine = regexp.MustCompile(`^\s*([0-9a-f]+):\s+(\S.*)$`)
	symbol          = regexp.MustCompile(`\s*<[^>]*>`)
	branch          = regexp.MustCompile(`^(b|b\.\w+|cbn?z|tbn?z)\s.*?(0x[0-9a-f]+)$`)
	page            = regexp.MustCompile(`^(adrp?\s+\w+),.*$`)
)

// disassemble gives the functions of an object, an archive or a program, by
// name.
func disassemble(objdump, file string, symbols ...string) (map[string][]instruction, error) {
	args := []string{"-d", "--no-show-raw-insn"}
	if len(symbols) > 0 {
		args = append(args, "--disassemble-symbols="+strings.Join(symbols, ","))
	}
	cmd := exec.Command(objdump, append(args, file)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w: %s", cmd, err, stderr.Bytes())
	}
	return functions(out), nil
}

// functions reads llvm-objdump's output.
func functions(listing []byte) map[string][]instruction {
	list := map[string][]instruction{}
	name := ""
	lines := bufio.NewScanner(bytes.NewReader(listing))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if m := functionLine.FindStringSubmatch(line); m != nil {
			name = m[1]
			continue
		}
		m := instructionLine.FindStringSubmatch(line)
		if m == nil || name == "" {
			continue
		}
		address, err := strconv.ParseInt(m[1], 16, 64)
		if err != nil {
			continue
		}
		text := strings.Join(strings.Fields(strings.Split(symbol.ReplaceAllString(m[2], ""), "//")[0]), " ")
		i := instruction{address: address, text: text, target: -1}
		if b := branch.FindStringSubmatch(text); b != nil {
			i.target, _ = strconv.ParseInt(b[2], 0, 64)
			i.text = strings.TrimSuffix(text, b[2]) + "#4"
		}
		// Where an address lies does not matter to a model of the core.
		if a := page.FindStringSubmatch(i.text); a != nil {
			i.text = a[1] + ", #0"
		}
		list[name] = append(list[name], i)
	}
	return list
}

// loops are a function's, in the order of their branches.
func loops(f []instruction) []loop {
	at := map[int64]int{}
	var list []loop
	for i, x := range f {
		at[x.address] = i
		if first, ok := at[x.target]; ok && x.target <= x.address {
			list = append(list, f[first:i+1])
		}
	}
	return list
}

// longest is the loop of most instructions.
func longest(f []instruction) loop {
	var best loop
	for _, l := range loops(f) {
		if len(l) > len(best) {
			best = l
		}
	}
	return best
}

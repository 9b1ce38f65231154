package sim

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
)

var (
	column = regexp.MustCompile(`:\d+$`)
	quotes = strings.NewReplacer("‘", "'", "’", "'")
)

// guardBytes lie on both sides of a __shared__ variable, and before one of the device:
// more than a row of most tiles.
const guardBytes = 128

// constantSection begins the names of the sections that cpp/cuda.h gives __constant__
// variables.
const constantSection = "bench_constant."

// guardFile rewrites a file by guard.
func guardFile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, guard(text), 0o600)
}

// guard puts room between the variables in what g++ -S wrote, so that what lies next
// to one is none ("Using as": .section, .zero).
func guard(text []byte) []byte {
	room := fmt.Sprintf("\t.zero\t%d\n", guardBytes)
	var out bytes.Buffer
	out.Grow(len(text) + len(text)/16)
	section, align, object := "", "", ""
	behind := false // the next line is a __shared__ variable's content
	for line := range bytes.Lines(text) {
		word := strings.TrimRight(string(line[:min(len(line), 1024)]), "\n")
		switch {
		case strings.HasPrefix(word, "\t.section\t"):
			section, _, _ = strings.Cut(word[len("\t.section\t"):], ",")
			align = ""
		case word == "\t.text" || word == "\t.data" || word == "\t.bss":
			section, align = word[1:], ""
		case strings.HasPrefix(word, "\t.align") || strings.HasPrefix(word, "\t.p2align"):
			align = word + "\n"
		case strings.HasPrefix(word, "\t.type\t") && strings.HasSuffix(word, "object"):
			object, _, _ = strings.Cut(word[len("\t.type\t"):], ",")
		case object != "" && word == object+":":
			shared := section == ".tbss" || strings.HasPrefix(section, ".tbss.")
			if shared || section == ".data" || strings.HasPrefix(section, ".data.") && !strings.HasPrefix(section, ".data.rel") || strings.HasPrefix(section, constantSection) {
				out.WriteString(room)
				out.WriteString(align)
			}
			behind = shared
			out.Write(line)
			object, align = "", ""
			continue
		}
		out.Write(line)
		if behind {
			out.WriteString(room)
			behind = false
		}
	}
	return out.Bytes()
}

// warned are the warnings of g++ about local variables that are read before they are
// written, e.g. "mine.cu:12: 'sum' may be used uninitialized", and the log without them.
func warned(log string) (reads []string, rest string) {
	var kept strings.Builder
	in := bufio.NewScanner(strings.NewReader(log))
	in.Buffer(nil, len(log)+1)
	skip := false
	for in.Scan() {
		line := in.Text()
		place, text, ok := strings.Cut(line, ": warning: ")
		if ok && strings.Contains(text, "uninitialized]") {
			text, _, _ = strings.Cut(text, " [-W")
			reads = append(reads, column.ReplaceAllString(place, "")+": "+quotes.Replace(text))
			skip = true
			continue
		}
		if skip && strings.Contains(line, ": note: ") {
			continue
		}
		skip = false
		kept.WriteString(line + "\n")
	}
	return reads, kept.String()
}

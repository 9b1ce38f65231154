package sim

import (
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// mostCalls is the largest number of calls that are named for one place.
const mostCalls = 3

// line returns the place in a kernel's source, e.g. "scan.cu:12", of the instruction at offset in a
// library, and the calls of the functions that were inlined there, e.g. "sum.cuh:7 (called in
// scan.cu:12)". For an instruction from the simulator's headers it is the place where the kernel called
// it. It is empty if the library does not say.
func line(library string, offset uint64) string {
	f, err := elf.Open(library)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := f.DWARF()
	if err != nil {
		return ""
	}
	r := data.Reader()
	unit, err := r.SeekPC(offset)
	if err != nil || unit == nil {
		return ""
	}
	lines, err := data.LineReader(unit)
	if err != nil || lines == nil {
		return ""
	}
	at, ok := entryOf(lines, offset)
	if !ok {
		return ""
	}
	place, inside := at.Line, at.File
	files := lines.Files()
	calls := callsAround(data, r, offset)
	outer := func() bool { // moves on to the surrounding call
		if len(calls) == 0 {
			return false
		}
		c := calls[len(calls)-1]
		calls = calls[:len(calls)-1]
		if c.file < 0 || c.file >= len(files) || files[c.file] == nil {
			return false
		}
		inside, place = files[c.file], c.line
		return true
	}
	for isOwn(inside.Name) {
		if !outer() {
			return ""
		}
	}
	text := fmt.Sprintf("%s:%d", path.Base(inside.Name), place)
	last, verb := text, " (called in "
	for n := 0; n < mostCalls && outer() && !isOwn(inside.Name); {
		if at := fmt.Sprintf("%s:%d", path.Base(inside.Name), place); at != last {
			text += verb + at
			last, verb = at, ", that in "
			n++
		}
	}
	if strings.Contains(text, "(") {
		text += ")"
	}
	return text
}

// entryOf returns the line table's entry of an instruction. LineReader.SeekPC stops at a sequence that
// lies behind the instruction, and g++ does not sort sequences by address.
func entryOf(lines *dwarf.LineReader, pc uint64) (dwarf.LineEntry, bool) {
	var at, next dwarf.LineEntry
	for known := false; ; known = !next.EndSequence {
		if err := lines.Next(&next); err != nil {
			return at, false
		}
		if known && at.Address <= pc && pc < next.Address {
			return at, true
		}
		at = next
	}
}

// span is struct Span of cpp/runtime.h: a range of offsets in a library, without the last.
type span struct{ low, high uint64 }

// spansOf returns the instructions of lines, such as "bfs.cu:30", in a library; nil if the library does
// not say.
func spansOf(library string, places []string) (spans []span) {
	if len(places) == 0 {
		return nil
	}
	f, err := elf.Open(library)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := f.DWARF()
	if err != nil {
		return nil
	}
	for r := data.Reader(); ; r.SkipChildren() {
		unit, err := r.Next()
		if err != nil || unit == nil {
			return spans
		}
		lines, err := data.LineReader(unit)
		if err != nil || lines == nil {
			continue
		}
		var at, next dwarf.LineEntry
		for known := false; lines.Next(&next) == nil; at, known = next, !next.EndSequence {
			if known && at.File != nil && slices.Contains(places, fmt.Sprintf("%s:%d", path.Base(at.File.Name), at.Line)) {
				spans = append(spans, span{at.Address, next.Address})
			}
		}
	}
}

type call struct{ file, line int }

// callsAround returns the inlined calls that contain offset, outermost first.
func callsAround(data *dwarf.Data, r *dwarf.Reader, offset uint64) []call {
	var calls []call
	for {
		e, err := r.Next()
		if err != nil || e == nil || e.Tag == dwarf.TagCompileUnit {
			return calls
		}
		ranges, err := data.Ranges(e)
		if err != nil {
			return calls
		}
		in := false
		for _, span := range ranges {
			in = in || offset >= span[0] && offset < span[1]
		}
		switch {
		case !in && len(ranges) > 0:
			r.SkipChildren()
		case in && e.Tag == dwarf.TagInlinedSubroutine:
			file, _ := e.Val(dwarf.AttrCallFile).(int64)
			line, _ := e.Val(dwarf.AttrCallLine).(int64)
			calls = append(calls, call{int(file), int(line)})
		}
	}
}

// isOwn reports whether a source file is one of the simulator's headers.
func isOwn(name string) bool {
	_, err := fs.Stat(cpp, "cpp/"+path.Base(name))
	return err == nil
}

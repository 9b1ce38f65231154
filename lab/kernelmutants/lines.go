package main

import (
	"debug/dwarf"
	"debug/elf"
	"os"
	"path"
	"strings"
)

// loaded adds the kernel libraries that this process has loaded.
func loaded(list map[string]bool) error {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return err
	}
	for _, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) == 6 && strings.HasSuffix(f[5], ".so") && strings.Contains(f[5], "/bench/sim/") && !strings.Contains(f[5], "libbenchsim") {
			list[f[5]] = true
		}
	}
	return nil
}

// linesOf adds the lines, by file name, of which a library has instructions.
func linesOf(library string, lines map[string]map[int]bool) error {
	f, err := elf.Open(library)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := f.DWARF()
	if err != nil {
		return err
	}
	add := func(file *dwarf.LineFile, line int) {
		if file == nil {
			return
		}
		name := path.Base(file.Name)
		if lines[name] == nil {
			lines[name] = map[int]bool{}
		}
		lines[name][line] = true
	}
	r := data.Reader()
	var files []*dwarf.LineFile
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			return err
		}
		switch e.Tag {
		case dwarf.TagCompileUnit:
			l, err := data.LineReader(e)
			if err != nil || l == nil {
				return err
			}
			var at dwarf.LineEntry
			for l.Next(&at) == nil {
				add(at.File, at.Line)
			}
			files = l.Files()
		case dwarf.TagInlinedSubroutine:
			file, _ := e.Val(dwarf.AttrCallFile).(int64)
			line, _ := e.Val(dwarf.AttrCallLine).(int64)
			if int(file) < len(files) {
				add(files[file], int(line))
			}
		}
	}
}

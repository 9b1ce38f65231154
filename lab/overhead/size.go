//go:build linux

package main

import (
	"cmp"
	"debug/elf"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"example.org/bench/framework"
)

// size prints what the program's file consists of, without symbols and debugging
// information, which a release does not have: sections, and the modules with most code
// and data by the symbol table. Function and line tables are of all modules.
func size(bench string) {
	f, err := elf.Open(bench)
	check(err)
	defer f.Close()
	sections := map[string]uint64{}
	var total uint64
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS {
			sections[s.Name] += s.Size
			total += s.Size
		}
	}
	symbols, err := f.Symbols()
	check(err)
	modules := map[string]uint64{}
	for _, s := range symbols {
		if i := int(s.Section); i > 0 && i < len(f.Sections) && f.Sections[i].Type != elf.SHT_NOBITS {
			modules[module(s.Name)] += s.Size
		}
	}
	const mebi = 1 << 20
	fmt.Printf("| the program's file, stripped | MiB |\n|---|---:|\n| all | %.1f |\n", float64(total)/mebi)
	for _, s := range []struct{ name, says string }{{".text", "code"}, {".gopclntab", "tables of functions and lines"},
		{".noptrdata", "data, fonts among them"}, {".rodata", "constants and types"}} {
		fmt.Printf("| %s | %.1f |\n", s.says, float64(sections[s.name])/mebi)
	}
	largest := slices.SortedFunc(maps.Keys(modules), func(a, b string) int { return cmp.Compare(modules[b], modules[a]) })
	for _, m := range largest[:10] {
		fmt.Printf("| of code and data: %s | %.1f |\n", m, float64(modules[m])/mebi)
	}
	fmt.Println()
}

// ours is the path of the program's module.
var ours = path.Dir(reflect.TypeFor[framework.Value]().PkgPath())

// module is the module of a symbol, "Go's library" where it has none.
func module(symbol string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(symbol, "type:"), ".eq.")
	name = strings.TrimLeft(name, "*[]0123456789.")
	parts := strings.Split(name, "/")
	last := len(parts) - 1
	parts[last], _, _ = strings.Cut(parts[last], ".")
	switch {
	case strings.HasPrefix(name, ours+"/") || strings.HasPrefix(name, "main."):
		return "bench"
	case last > 0 && strings.Contains(parts[0], "."):
		return strings.Join(parts[:min(len(parts), 3)], "/")
	}
	return "Go's library and runtime"
}

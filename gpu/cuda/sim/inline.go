package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/internal/lazy"
)

// cType returns the C++ type for a type of PTX, or "".
func cType(ptx string) string {
	return map[string]string{
		"b8": "unsigned char", "u8": "unsigned char", "s8": "signed char", "b16": "unsigned short", "u16": "unsigned short", "s16": "short",
		"b32": "unsigned", "u32": "unsigned", "s32": "int", "b64": "unsigned long long", "u64": "unsigned long long", "s64": "long long",
		"f32": "float", "f64": "double", "f16": "bench_sim::ptx::Half", "bf16": "bench_sim::ptx::BFloat", "f16x2": "bench_sim::ptx::Half2", "bf16x2": "bench_sim::ptx::BFloat2",
	}[ptx]
}

var (
	numbered  = lazy.Regexp(`^%(\d+)$`)
	hexFloat  = lazy.Regexp(`^0([fFdD])([0-9a-fA-F]+)$`)
	special   = lazy.Regexp(`^%(?:(tid|ntid|ctaid|nctaid)\.([xyz])|(laneid|warpid|nwarpid|smid|lanemask_(?:lt|le|gt|ge|eq)|clock|clock64|globaltimer|globaltimer_lo))$`)
	addressed = lazy.Regexp(`^\[\s*([^\s+\]]+)\s*(?:\+\s*(-?\w+))?\s*\]$`)
)

// operand returns the C++ expression of an operand as it is: an lvalue, a constant, or a special register.
func (a *inlined) operand(text string) (string, bool) {
	if m := numbered().FindStringSubmatch(text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n < len(a.operands) {
			return a.operands[n], true
		}
		return "", false
	}
	name := strings.TrimPrefix(text, "%")
	if a.registers[name] != "" {
		return register(name), true
	}
	if m := special().FindStringSubmatch(text); m != nil {
		if m[3] != "" {
			return "bench_sim::" + m[3] + "()", true
		}
		return "bench_sim::" + m[1] + "()." + m[2], true
	}
	if m := hexFloat().FindStringSubmatch(text); m != nil {
		if strings.ToLower(m[1]) == "f" {
			return "__int_as_float(0x" + m[2] + ")", true
		}
		return "__longlong_as_double(0x" + m[2] + ")", true
	}
	if _, err := strconv.ParseInt(strings.TrimSuffix(text, "U"), 0, 64); err == nil {
		return "(" + text + ")", true
	}
	if _, err := strconv.ParseUint(strings.TrimSuffix(text, "U"), 0, 64); err == nil {
		return "(" + text + "u)", true
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return "(" + text + ")", true
	}
	return "", false
}

// value returns the C++ expression of an operand as a value of a type.
func (a *inlined) value(text, of string) (string, bool) {
	if text, is := strings.CutPrefix(text, "!"); is {
		x, ok := a.value(text, of)
		return "!" + x, ok
	}
	if strings.HasPrefix(text, "{") { // the parts of a larger one
		parts := split(strings.Trim(text, "{} "))
		var list []string
		for _, p := range parts {
			x, ok := a.operand(p)
			if !ok {
				return "", false
			}
			list = append(list, x)
		}
		return fmt.Sprintf("bench_sim::ptx::joined<%s>(%s)", of, strings.Join(list, ", ")), true
	}
	x, ok := a.operand(text)
	return fmt.Sprintf("bench_sim::ptx::as<%s>(%s)", of, x), ok
}

// put returns the assignment of a value to an operand, which may be the parts of it.
func (a *inlined) put(to, value string) string {
	if to == "_" {
		return "(void)" + value
	}
	if strings.HasPrefix(to, "{") {
		var list []string
		for _, p := range split(strings.Trim(to, "{} ")) {
			x, ok := a.operand(p)
			if !ok {
				return ""
			}
			list = append(list, x)
		}
		return fmt.Sprintf("bench_sim::ptx::part(%s, %s)", value, strings.Join(list, ", "))
	}
	x, ok := a.operand(to)
	if !ok {
		return ""
	}
	return fmt.Sprintf("bench_sim::ptx::put(%s, %s)", x, value)
}

// pointer returns the C++ pointer for an address operand.
func (a *inlined) pointer(text, of string, isShared bool) (string, bool) {
	m := addressed().FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	x, ok := a.value(m[1], "unsigned long long")
	if isShared {
		x = fmt.Sprintf("bench_sim::ptx::as<unsigned long long>(bench_sim_shared_place(%s", x)
	}
	if m[2] != "" {
		x += " + " + m[2]
	}
	if isShared {
		x += "))"
	}
	return fmt.Sprintf("reinterpret_cast<%s*>(%s)", of, x), ok
}

// neutral are modifiers that the simulator need not follow: how results are rounded where it has one way, and hints
// of caches.
var neutral = map[string]bool{"rn": true, "ftz": true, "approx": true, "full": true, "aligned": true, "sync": true, "uni": true, "cta": true, "weak": true,
	"ca": true, "cg": true, "cs": true, "cv": true, "lu": true, "wb": true, "wt": true, "nc": true, "param": true, "noftz": true}

// plain are instructions whose result is a function of cpp/ptx.h, by name and modifiers, with the number of their sources.
var plain = map[string]int{
	"add": 2, "sub": 2, "mul": 2, "mul.lo": 2, "mul.hi": 2, "mul.wide": 2, "mad.lo": 3, "mad.hi": 3, "mad.wide": 3, "fma": 3, "mad": 3, "div": 2, "rem": 2, "min": 2, "max": 2,
	"and": 2, "or": 2, "xor": 2, "not": 1, "neg": 1, "abs": 1, "shl": 2, "shr": 2, "popc": 1, "clz": 1, "brev": 1, "bfe": 3, "bfi": 4, "prmt": 3, "lop3": 4, "sad": 3, "cnot": 1, "bfind": 1,
	"shf.l.wrap": 3, "shf.l.clamp": 3, "shf.r.wrap": 3, "shf.r.clamp": 3, "rcp": 1, "sqrt": 1, "rsqrt": 1, "ex2": 1, "lg2": 1, "sin": 1, "cos": 1, "tanh": 1, "copysign": 2, "add.sat": 2, "sub.sat": 2, "mul.sat": 2, "fma.sat": 3,
}

// counts are sources that are 32 bits whatever the type is, by instruction: shifts, and places of bits.
var counts = map[string][]int{"shl": {1}, "shr": {1}, "bfe": {1, 2}, "bfi": {2, 3}, "shf.l.wrap": {2}, "shf.l.clamp": {2}, "shf.r.wrap": {2}, "shf.r.clamp": {2}}

// instruction returns the C++ for one instruction, or "" where there is none.
func (a *inlined) instruction(opcode string, args []string) string {
	words := strings.Split(opcode, ".")
	name := words[0]
	var mods, kinds []string
	for _, w := range words[1:] {
		switch {
		case cType(w) != "" || w == "pred" || w == "tf32":
			kinds = append(kinds, w)
		case !neutral[w] && !strings.HasPrefix(w, "L1::") && !strings.HasPrefix(w, "L2::"):
			mods = append(mods, w)
		}
	}
	if code, known := a.effect(name, words, mods, kinds, args); known {
		return code
	}
	if len(kinds) == 0 || len(args) == 0 {
		return ""
	}
	key := strings.Join(append([]string{name}, mods...), ".")
	of := cType(kinds[len(kinds)-1])
	n, known := plain[key]
	if !known || of == "" || len(args) != n+1 {
		return ""
	}
	wide := of
	if name == "mad" && slices.Contains(mods, "wide") {
		wide = map[string]string{"unsigned": "unsigned long long", "int": "long long", "unsigned short": "unsigned", "short": "int"}[of]
	}
	var list []string
	for i, arg := range args[1:] {
		as := of
		switch {
		case slices.Contains(counts[key], i), key == "lop3" && i == 3:
			as = "unsigned"
		case i == 2:
			as = wide
		}
		x, ok := a.value(arg, as)
		if !ok || as == "" {
			return ""
		}
		list = append(list, x)
	}
	return a.put(args[0], fmt.Sprintf("bench_sim::ptx::%s(%s)", strings.ReplaceAll(key, ".", "_")+"_", strings.Join(list, ", ")))
}

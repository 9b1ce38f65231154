package sim

import (
	"fmt"
	"slices"
	"strings"
)

// effect returns the C++ for an instruction that is more than a function of its sources. Where it is one of those, but not in a
// known form, the code is empty.
func (a *inlined) effect(name string, words, mods, kinds, args []string) (code string, known bool) {
	has := func(w string) bool { return slices.Contains(words, w) }
	kind := ""
	if len(kinds) > 0 {
		kind = kinds[len(kinds)-1]
	}
	of := cType(kind)
	switch name {
	case "membar", "fence":
		switch {
		case strings.HasPrefix(strings.Join(mods, "."), "proxy"), has("mbarrier_init"):
			return "(void)0", true
		case has("cta"):
			return "__threadfence_block()", true
		case has("sys"):
			return "__threadfence_system()", true
		}
		return "__threadfence()", true
	case "bar", "barrier":
		switch {
		case len(args) == 1 && has("warp"):
			if mask, ok := a.value(args[0], "unsigned"); ok {
				return "__syncwarp(" + mask + ")", true
			}
		case len(args) == 1 && args[0] == "0" && has("sync"):
			return "__syncthreads()", true
		case has("cluster") && has("arrive"):
			return "(void)0", true // the wait that follows waits for all
		case has("cluster") && has("wait"):
			return "bench_cluster_sync()", true
		}
		return "", true
	case "prefetch", "prefetchu", "discard", "applypriority", "griddepcontrol", "pragma", "setmaxnreg":
		return "(void)0", true
	case "createpolicy":
		if len(args) == 0 {
			return "", true
		}
		return a.put(args[0], "0ull"), true
	case "nanosleep":
		if x, ok := a.value(args[0], "unsigned"); ok {
			return "__nanosleep(" + x + ")", true
		}
	case "trap":
		return "__trap()", true
	case "brkpt":
		return "(void)0", true
	case "activemask":
		return a.put(args[0], "__activemask()"), true
	case "mov":
		if len(args) == 2 && kind == "pred" {
			of = "bool"
		}
		if x, ok := a.value(args[len(args)-1], of); ok && of != "" && len(args) == 2 {
			return a.put(args[0], x), true
		}
	case "cvta":
		if x, ok := a.value(args[len(args)-1], "unsigned long long"); ok && len(args) == 2 {
			switch {
			case has("to") && (has("shared") || has("shared::cta")):
				x = "bench_sim_shared_offset(reinterpret_cast<const void*>(" + x + "))"
			case has("shared") || has("shared::cta"):
				x = "bench_sim::ptx::as<unsigned long long>(bench_sim_shared_place(" + x + "))"
			}
			return a.put(args[0], x), true
		}
	case "cvt":
		return a.convert(words, kinds, args), true
	case "setp", "set":
		return a.compare(name, mods, kinds, args), true
	case "selp":
		if len(args) == 4 && of != "" {
			x, ok := a.value(args[1], of)
			y, also := a.value(args[2], of)
			p, too := a.value(args[3], "bool")
			if ok && also && too {
				return a.put(args[0], fmt.Sprintf("(%s ? %s : %s)", p, x, y)), true
			}
		}
	case "ld", "ldu", "st":
		return a.access(name, has, of, args), true
	case "atom", "red":
		return a.atomic(name, has, mods, of, args), true
	case "cp":
		return a.copy(has, args), true
	case "shfl":
		return a.shuffle(mods, args), true
	case "vote":
		if len(args) == 3 && len(mods) > 0 {
			p, ok := a.value(args[1], "bool")
			mask, also := a.value(args[2], "unsigned")
			function := map[string]string{"all": "__all_sync(%s, %s) != 0", "any": "__any_sync(%s, %s) != 0", "uni": "__uni_sync(%s, %s) != 0", "ballot": "__ballot_sync(%s, %s)"}[mods[0]]
			if ok && also && function != "" {
				return a.put(args[0], "("+fmt.Sprintf(function, mask, p)+")"), true
			}
		}
	case "match":
		if len(args) == 3 && has("any") && of != "" {
			x, ok := a.value(args[1], of)
			mask, also := a.value(args[2], "unsigned")
			if ok && also {
				return a.put(args[0], fmt.Sprintf("__match_any_sync(%s, %s)", mask, x)), true
			}
		}
	case "redux":
		if len(args) == 3 && len(mods) == 1 && of != "" {
			x, ok := a.value(args[1], of)
			mask, also := a.value(args[2], "unsigned")
			if ok && also {
				return a.put(args[0], fmt.Sprintf("__reduce_%s_sync(%s, %s)", mods[0], mask, x)), true
			}
		}
	case "dp4a", "dp2a":
		return a.dot(name, mods, kinds, args), true
	case "vabsdiff4":
		if len(args) == 4 && has("add") && has("u32") {
			x, ok := a.value(args[1], "unsigned")
			y, also := a.value(args[2], "unsigned")
			z, too := a.value(args[3], "unsigned")
			return condition(ok && also && too, a.put(args[0], fmt.Sprintf("(__vsadu4(%s, %s) + %s)", x, y, z))), true
		}
	case "ldmatrix":
		return a.loadMatrix(has, args), true
	case "mma":
		return a.multiply(words, args), true
	default:
		return "", false
	}
	return "", true
}

// convert translates cvt.
func (a *inlined) convert(words, kinds, args []string) string {
	if len(kinds) != 2 || len(args) < 2 {
		return ""
	}
	to, from := cType(kinds[0]), cType(kinds[1])
	if kinds[0] == "tf32" {
		x, ok := a.value(args[1], "float")
		if !ok {
			return ""
		}
		return a.put(args[0], "bench_sim::ptx::tf32("+x+")")
	}
	round := "0"
	for _, w := range words {
		if n := map[string]string{"rni": "1", "rzi": "2", "rmi": "3", "rpi": "4", "rz": "", "rm": "", "rp": "", "rs": ""}[w]; n != "" {
			round = n
		} else if w == "rz" || w == "rm" || w == "rp" || w == "rs" || w == "relu" || w == "satfinite" {
			return ""
		}
	}
	if to == "" || from == "" {
		return ""
	}
	x, ok := a.value(args[1], from)
	if len(args) == 3 { // two numbers into one register, the first above
		y, also := a.value(args[2], from)
		return condition(ok && also, a.put(args[0], fmt.Sprintf("bench_sim::ptx::packed<%s>(%s, %s)", to, y, x)))
	}
	saturated := "false"
	if slices.Contains(words, "sat") {
		saturated = "true"
	}
	return condition(ok, a.put(args[0], fmt.Sprintf("bench_sim::ptx::converted<%s, %s, %s>(%s)", to, round, saturated, x)))
}

func condition(ok bool, code string) string {
	if !ok {
		return ""
	}
	return code
}

// compare translates setp and set.
func (a *inlined) compare(name string, mods, kinds, args []string) string {
	of := ""
	if len(kinds) > 0 {
		of = cType(kinds[len(kinds)-1])
	}
	if len(mods) == 0 || len(mods) > 2 || of == "" || len(args) < 3 {
		return ""
	}
	function := map[string]string{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}[mods[0]]
	x, ok := a.value(args[1], of)
	y, also := a.value(args[2], of)
	code := fmt.Sprintf("(%s %s %s)", x, function, y)
	if len(mods) == 2 {
		p, too := "", false
		if len(args) == 4 {
			p, too = a.value(args[3], "bool")
		}
		operator := map[string]string{"and": "&", "or": "|", "xor": "^"}[mods[1]]
		code, also = fmt.Sprintf("bool(%s %s %s)", code, operator, p), also && too && operator != ""
	} else if len(args) != 3 {
		return ""
	}
	if !ok || !also || function == "" {
		return ""
	}
	if name == "set" {
		to := cType(kinds[0])
		return condition(len(kinds) == 2 && to != "", a.put(args[0], fmt.Sprintf("(%s ? bench_sim::ptx::set_<%s>() : %s(0))", code, to, to)))
	}
	if p, q, two := strings.Cut(args[0], "|"); two {
		return fmt.Sprintf("{ const bool bench_ptx_p = %s; %s; %s; }", code, a.put(p, "bench_ptx_p"), a.put(q, "!bench_ptx_p"))
	}
	return a.put(args[0], code)
}

// access translates ld and st.
func (a *inlined) access(name string, has func(string) bool, of string, args []string) string {
	if of == "" || len(args) < 2 || has("shared::cluster") {
		return ""
	}
	at, value := args[1], args[0]
	if name == "st" {
		at, value = value, at
	}
	p, ok := a.pointer(at, of, has("shared") || has("shared::cta"))
	if !ok {
		return ""
	}
	strong := "false"
	if has("volatile") || has("relaxed") || has("acquire") || has("release") {
		strong = "true"
	}
	parts := []string{value}
	if has("v2") || has("v4") {
		parts = split(strings.Trim(value, "{} "))
		if has("v2") != (len(parts) == 2) || has("v4") != (len(parts) == 4) {
			return ""
		}
		p = fmt.Sprintf("bench_sim::ptx::vector_at<%d>(%s)", len(parts), p)
	}
	var list []string
	for i, part := range parts {
		target := fmt.Sprintf("bench_ptx_at[%d]", i)
		if name == "st" {
			x, ok := a.value(part, of)
			if !ok {
				return ""
			}
			list = append(list, fmt.Sprintf("bench_sim::ptx::store<%s>(%s, %s)", strong, "&"+target, x))
			continue
		}
		code := a.put(part, fmt.Sprintf("bench_sim::ptx::load<%s>(%s)", strong, "&"+target))
		if code == "" {
			return ""
		}
		list = append(list, code)
	}
	before, behind := "", ""
	if has("release") {
		before = "__threadfence(); "
	}
	if has("acquire") {
		behind = " __threadfence();"
	}
	return fmt.Sprintf("{ %sconst auto bench_ptx_at = %s; %s;%s }", before, p, strings.Join(list, "; "), behind)
}

// atomic translates atom and red.
func (a *inlined) atomic(name string, has func(string) bool, mods []string, of string, args []string) string {
	if name == "red" {
		args = append([]string{"_"}, args...)
	}
	if len(args) < 3 || of == "" {
		return ""
	}
	if of == "long long" {
		of = map[bool]string{true: of, false: "unsigned long long"}[has("min") || has("max")]
	}
	function := ""
	for _, m := range mods {
		if f := map[string]string{"add": "atomicAdd", "min": "atomicMin", "max": "atomicMax", "and": "atomicAnd", "or": "atomicOr", "xor": "atomicXor", "exch": "atomicExch", "cas": "atomicCAS", "inc": "atomicInc", "dec": "atomicDec"}[m]; f != "" {
			function = f
		}
	}
	p, ok := a.pointer(args[1], of, has("shared") || has("shared::cta"))
	for _, arg := range args[2:] {
		x, also := a.value(arg, of)
		p, ok = p+", "+x, ok && also
	}
	if !ok || function == "" || (function == "atomicCAS") != (len(args) == 4) {
		return ""
	}
	code := a.put(args[0], function+"("+p+")")
	if has("release") || has("acq_rel") {
		code = "__threadfence(); " + code
	}
	if has("acquire") || has("acq_rel") {
		code += "; __threadfence()"
	}
	return "{ " + code + "; }"
}

// copy translates cp.async, which is done at once.
func (a *inlined) copy(has func(string) bool, args []string) string {
	switch {
	case !has("async") || has("bulk") || has("mbarrier"):
		return ""
	case has("commit_group") || has("wait_group") || has("wait_all"):
		return "(void)0" // each copy was done at once
	case len(args) < 3:
		return ""
	}
	to, ok := a.pointer(args[0], "char", true)
	from, also := a.pointer(args[1], "const char", false)
	bytes, too := a.value(args[2], "unsigned")
	taken := bytes
	if len(args) > 3 {
		var n bool
		taken, n = a.value(args[3], "unsigned")
		too = too && n
	}
	return condition(ok && also && too, fmt.Sprintf("bench_sim::ptx::copy(%s, %s, %s, %s)", to, from, bytes, taken))
}

// shuffle translates shfl.sync.
func (a *inlined) shuffle(mods, args []string) string {
	if len(mods) != 1 || len(args) != 5 {
		return ""
	}
	to, valid, _ := strings.Cut(args[0], "|")
	var list []string
	for _, arg := range args[1:] {
		x, ok := a.value(arg, "unsigned")
		if !ok {
			return ""
		}
		list = append(list, x)
	}
	mode := map[string]string{"up": "0", "down": "1", "bfly": "2", "idx": "3"}[mods[0]]
	code := a.put(to, fmt.Sprintf("bench_sim::ptx::shuffle<%s>(%s, bench_ptx_valid)", mode, strings.Join(list, ", ")))
	if mode == "" || code == "" {
		return ""
	}
	if valid != "" {
		code += "; " + a.put(valid, "bench_ptx_valid")
	}
	return "{ bool bench_ptx_valid; " + code + "; }"
}

// dot translates dp4a and dp2a.
func (a *inlined) dot(name string, mods, kinds, args []string) string {
	if len(kinds) != 2 || len(args) != 4 || kinds[0] != kinds[1] {
		return ""
	}
	of := cType(kinds[0])
	var list []string
	for _, arg := range args[1:] {
		x, ok := a.value(arg, of)
		if !ok {
			return ""
		}
		list = append(list, x)
	}
	function := "__" + name
	if name == "dp2a" {
		if len(mods) != 1 {
			return ""
		}
		function += "_" + mods[0]
	}
	return a.put(args[0], fmt.Sprintf("%s(%s)", function, strings.Join(list, ", ")))
}

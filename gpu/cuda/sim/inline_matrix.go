package sim

import (
	"fmt"
	"strings"
)

// loadMatrix translates ldmatrix of 16-bit elements.
func (a *inlined) loadMatrix(has func(string) bool, args []string) string {
	if len(args) != 2 || !has("m8n8") || !has("b16") {
		return ""
	}
	to := split(strings.Trim(args[0], "{} "))
	p, ok := a.pointer(args[1], "const void", true)
	if !ok || has("x2") != (len(to) == 2) || has("x4") != (len(to) == 4) {
		return ""
	}
	list := ""
	for i, r := range to {
		list += a.put(r, fmt.Sprintf("bench_ptx_r[%d]", i)) + "; "
	}
	transposed := map[bool]string{true: "true", false: "false"}[has("trans")]
	return fmt.Sprintf("{ unsigned bench_ptx_r[%d]; bench_sim::load_matrices<%d, %s>(bench_ptx_r, %s); %s}", len(to), len(to), transposed, p, list)
}

// multiply translates mma.sync.
func (a *inlined) multiply(words, args []string) string {
	if len(words) < 10 || len(args) != 4 || words[4] != "row" || words[5] != "col" {
		return ""
	}
	var m, n, k int
	if got, _ := fmt.Sscanf(words[3], "m%dn%dk%d", &m, &n, &k); got != 3 {
		return ""
	}
	types := words[len(words)-4:]
	names := map[string]string{"f16": "F16", "bf16": "BF16", "tf32": "TF32", "s8": "S8", "u8": "U8", "f32": "F32", "s32": "S32", "f64": "F64"}
	x, y, sum := names[types[1]], names[types[2]], names[types[0]]
	if x == "" || y == "" || sum == "" || types[0] != types[3] {
		return ""
	}
	code := "{ "
	for i, name := range []string{"d", "a", "b", "c"} {
		of := "unsigned"
		if i == 0 || i == 3 {
			of = map[string]string{"f32": "float", "s32": "int", "f64": "double"}[types[0]]
			if of == "" {
				of = "unsigned"
			}
		} else if types[1] == "f64" {
			of = "double"
		}
		parts := []string{args[i]}
		if strings.HasPrefix(args[i], "{") {
			parts = split(strings.Trim(args[i], "{} "))
		}
		if i == 0 {
			code += fmt.Sprintf("%s bench_ptx_d[%d]; ", of, len(parts))
			continue
		}
		var list []string
		for _, p := range parts {
			x, ok := a.value(p, of)
			if !ok {
				return ""
			}
			list = append(list, x)
		}
		code += fmt.Sprintf("%s bench_ptx_%s[] = {%s}; ", of, name, strings.Join(list, ", "))
	}
	code += fmt.Sprintf("bench_sim::multiply_matrices<%d, %d, %d, bench_sim::%s, bench_sim::%s, bench_sim::%s>(bench_ptx_d, bench_ptx_a, bench_ptx_b, bench_ptx_c); ", m, n, k, x, y, sum)
	for i, r := range split(strings.Trim(args[0], "{} ")) {
		code += a.put(r, fmt.Sprintf("bench_ptx_d[%d]", i)) + "; "
	}
	return code + "}"
}

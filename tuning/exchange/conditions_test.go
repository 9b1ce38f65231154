package exchange

import (
	"reflect"
	"strings"
	"testing"

	"example.org/bench/framework/expression"
)

func TestConditions(t *testing.T) {
	fixed := map[string]expression.Value{"N": {Number: 64}, "gap": {Number: -2}, "none": {Number: 0}, "mode": {Word: "inclusive", IsWord: true}}
	tunables := map[string]bool{"S": true, "P": true, "L": true, "D": false}
	for text, want := range map[string][]string{
		"S * N == 32 * P * L":                  {"S * 64 == 32 * P * L"},
		"S <= 6 and P + L > N":                 {"S <= 6", "P + L > 64"},
		"S <= 6 && (P == 1 || !(L > 2))":       {"S <= 6", "P == 1 or not L > 2"},
		"32 <= S * P <= 1024":                  {"32 <= S * P", "S * P <= 1024"},
		"N == 64 ? S > 1 : P > 1":              {"S > 1 if 64 == 64 else P > 1"},
		"S * (P + gap) - (L - 1) > 2 ^ P":      {"S * (P + -2) - (L - 1) > 2 ** P"},
		"(S < P) == (P < L)":                   {"(S < P) == (P < L)"},
		"S % (P * L) == 0":                     {"S % (P * L) == 0"},
		"floor(S / 3) == ceil(P / L)":          {"S / 3 // 1 == -(-(P / L) // 1)"},
		"ceildiv(S + P, P * L) > 2":            {"-(-(S + P) // (P * L)) > 2"},
		"min(S, P) in [1, 2] or max(S) in [N]": {"min(S, P) in [1, 2] or S in [64]"},
		"S not in [1]":                         {"not S in [1]"},
		"mode == 'inclusive' and S > 1":        {"S > 1"},
		"mode in ['x', 'y'] or S > 1":          {"False or S > 1"},
		"mode == 'x' or S > 1":                 {"False or S > 1"},
		"mode != 'inclusive' or S > 1":         {"False or S > 1"},
		"none ^ S < 1 and min(S, P) ^ 2 > 3":   {"0 ** S < 1", "min(S, P) ** 2 > 3"},
		"gap ^ S < 1":                          {"(-2) ** S < 1"},
		"0 % S == 0":                           {"0 % S == 0"},
		"N < 100":                              nil, // always so here
		"BLOCKS > 1 and S > 1":                 nil, // about another version
	} {
		got, err := Conditions(text, fixed, tunables)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"S > 1 and (S - P) % 4 == 0": "(S - P) % 4 == 0",
		"S > 1 and D % 4 == 0":       "D % 4 == 0",
	} {
		got, err := Conditions(text, fixed, tunables)
		if err == nil || !strings.Contains(err.Error(), want) || len(got) != 1 {
			t.Errorf("%s: %q, %v; want the first half, and an error with %s", text, got, err, want)
		}
	}
}

// TestConditionsAgree: what is written means in Python what it means in expr.
func TestConditionsAgree(t *testing.T) {
	names := []string{"S", "P", "L"}
	for _, text := range []string{
		"S * 2 - (P - L) > 4", "S - P - L == -1", "S / (P * L) >= 1 / 2", "S / P * L >= 2", "-S ** 2 + P < L ** 2 ** 1", "2 ^ S % 3 == P",
		"(S < P) == (P < L)", "not (S == P) and (L > 1 or S > 2)", "S > 2 ? P > 1 : L in [2, 3]", "floor(S / 2) + ceil(P / 2) == L", "ceildiv(S, P) == L", "ceildiv(S + L, P + 5) < 0", "abs(S - P) <= L < 3",
		"S not in [P, L] || max(S, P, L) - min(S, P) < 2", "(S > 1 ? P : L) > 2", "!(S > 1) or -(P - L) > 0", "(S ** P) ** L > 8", "S ** (P + L) > 8", "(S > 1 or P > 1) and L > 1", "L > 1 && (S > 1 || P > 1)", "(S < P) != (P < L)", "abs(S - P) % 2 == 0",
		"(S > 1 ? P > 1 : L > 1) ? S > 2 : P > 2", "S > 1 ? (P > 1 ? L > 1 : L > 2) : L > 3",
	} {
		e, err := expression.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Conditions(text, nil, map[string]bool{"S": true, "P": true, "L": true})
		if err != nil {
			t.Error(err)
			continue
		}
		variable := func(name string) (expression.Variable, bool) {
			for i, n := range names {
				if n == name {
					return expression.Variable{Slot: i}, true
				}
			}
			return expression.Variable{}, false
		}
		bind := func(e *expression.Expression, err error) *expression.Bound {
			if err != nil {
				t.Fatal(err)
			}
			b, err := e.Bind(variable)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		whole := bind(e, nil)
		for i := range 64 {
			v := []float64{float64(1 + i%4), float64(1 + i/4%4), float64(1 + i/16)}
			all := true
			for _, c := range list {
				all = all && bind(expression.ParsePython(c)).Holds(v)
			}
			if all != whole.Holds(v) {
				t.Fatalf("%s at %v: %v, and %q %v", text, v, whole.Holds(v), list, all)
			}
		}
	}
}

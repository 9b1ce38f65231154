package kernel

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

var sample = settings(gpu.Facts{WarpSize: 32, ComputeMajor: 9}, framework.Values{
	"N": framework.IntValue(1000), "X": framework.IntValue(32), "a": framework.FloatValue(0.5), "t": framework.TextValue("f64"),
})

func TestExpressionsOfWholeNumbers(t *testing.T) {
	for text, want := range map[string]int64{
		"N": 1000, "2*N*N": 2000000, "ceil(N/X)": 32, "ceildiv(N, X)": 32, "ceildiv(0, X)": 0, "N/8": 125, "N % X": 8,
		"t == 'f64' ? 8 : 4": 8, "min(N, X)": 32, "max(N, 2*N)": 2000, "log2(X)": 5, "2**10": 1024, "a*N": 500, "-N + 1": -999,
		"device.warp_size*2": 64, "device.compute": 90, "N - X": 968, "4e3": 4000, "9223372036854775807 - 0": math.MaxInt64,
		// % and ceildiv take whole results of what computes with floats
		"N % floor(X*X/7)": 124, "N % 2**3": 0, "N % ((X*X)/4)": 232, "-N % (X/2)": -8, "N % round(X/3)": 10, "X % log2(8)": 2, "ceildiv(N/2, X)": 16,
		"ceildiv(N, ceil(X/3))": 91, "ceildiv(ceil(N/3), 2**3)": 42, "2 * (15 / 2 % 1)": 1, "(N > 1 ? 7 : X/2) % 4": 3,
		"min(N, X/2) + 1": 17, "max(1, X/2) % 3 == 1 ? N : X": 1000, "max(9007199254740993, 9007199254740992)": 9007199254740993, "min(X)": 32, "max(N % 2**3, 1)": 1, "-(X/2) % 5": -1, "abs(X/2) % 5": 1,
		// whole numbers keep all their digits
		"3**35": 50031545098999707, "3^35": 50031545098999707, "2**53+1": 1<<53 + 1, "2**62 - 1 + 2**62": math.MaxInt64, "(0-2)**63": math.MinInt64, "(0-1)**N": 1, "(-1)**(N+1)": -1, "(N-N)**(N-N)": 1, "(N-N)**7": 0, "1**N**3": 1,
		"floor(9007199254740993)": 1<<53 + 1, "ceil(9007199254740993)": 1<<53 + 1, "round(9007199254740993)": 1<<53 + 1, "abs(0-9007199254740993)": 1<<53 + 1, "-9007199254740993": -1<<53 - 1,
		"18014398509481986 / 2": 1<<53 + 1, "floor(9223372036854775807 / 2)": 1<<62 - 1, "ceil(9223372036854775807 / 2)": 1 << 62, "round(9223372036854775806 / 4)": 2305843009213693952,
		"floor((0-7) / 2)": -4, "ceil((0-7) / 2)": -3, "round((0-7) / 2)": -4, "round(7 / 2)": 4, "round(7 / 3)": 2, "round(8 / 3)": 3, "round((0-8) / 3)": -3, "floor(7 / (0-2))": -4, "floor(1 / 2)": 0, "ceil((0-1) / 2)": 0, "floor(N / a)": 2000, "floor(7.5 / 2)": 3,
		"max(9007199254740993, 0.5)": 1<<53 + 1, "min(9007199254740993, 1e300)": 1<<53 + 1, "4 * 2**-1": 2, "N > 1 ? 2**53+1 : N": 1<<53 + 1, "-9223372036854775808.0": math.MinInt64,
		"floor(2.5)": 2, "ceil(2.5)": 3, "round(2.5)": 3, "abs(0-2.0)": 2, "ceil(log2(N))": 10, "floor(N > 1 ? 7 : X / 2)": 7,
	} {
		x, err := compile(formula(text), sample)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := x.whole(sample); err != nil || got != want {
			t.Errorf("%s: got %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestConditions(t *testing.T) {
	for text, want := range map[string]string{
		"X*2 <= 64": "", "X in [16, 32]": "", "t == 'f64' and N > X": "", "not (N < X)": "",
		"N % X == 0":                   "N % X == 0 does not hold for N = 1000, X = 32",
		"2**floor(log2(N) + 0.5) == N": "N = 1000: want a power of two",
		"N":                            "N is 1000 for N = 1000; want a comparison",
		"t != '//'":                    "",
		"N/(X-X) > 1":                  "N/(X-X) > 1 for N = 1000, X = 32: division by 0",
		"N/(X-X) > 1 and false":        "N/(X-X) > 1 and false for N = 1000, X = 32: division by 0",
		"max(N % 2**3, 1) == 1":        "",
		"2**5 == X and X/2 == 16 and floor(X/3) == 10":                                  "",
		"2**5 in [16, 32] and N/8 in [125] and -X < 0 and abs(-X) == 32 and 2**-1 == a": "",
		"X == 32 or N/(X-X) > 1": "",
		"124 < N*X/(X*8) <= 125 and 31 < max(X, -N*a) < ceil(N/8*X/2)": "", "0 < floor(X/(N*2)) + 2 % 3 < 3 == true": "",
	} {
		x, err := compile(formula(text), sample)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		if err := x.holds(sample); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q; want %q", text, got, want)
		}
	}
}

func TestWrongExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"N +":                               "at character 3: it ends where a number, a name or a bracket is wanted",
		"N * M":                             `at character 5: "M" is not a name here`,
		"N * Y":                             `at character 5: "Y" is not a name here`,
		"ceildiv(N, M)":                     `at character 12: "M" is not a name here`,
		"log2(M*X)":                         `at character 6: "M" is not a name here`,
		"max(N, 1 + abs(M))":                `at character 16: "M" is not a name here`,
		"all(1..9, # > 0)":                  "at character",
		"let s = t; t":                      "at character 5: an expression has numbers",
		"1..1000000":                        `at character 2: ".." is not an operator here`,
		"t matches 'a+'":                    `at character 3: "matches" is not an operator here`,
		"device.clock":                      "at character 8: ",
		"repeat(t, 99)":                     "at character 1: ",
		"N | abs":                           "at character",
		"{a: 1}":                            "at character 1: an expression has numbers",
		"X in [N]":                          "at character 6: a list holds numbers",
		strings.Repeat("N+", 400) + "N":     "compilation failed",
		strings.Repeat("(", 499) + "N":      "at character",
		"sum([1])":                          "at character 1: ",
		"N ?? 1":                            `at character 3: "??" is not an operator here`,
		"fromJSON('{}')":                    "at character 1: ",
		"_multiply(N":                       "at character",
		"1 < N*X/2 < 9 or _multiply(N, 2)":  `at character 18: "_multiply" is not a name here`,
		"99999999999999999999999":           "at character 23: invalid integer literal: beyond 64 bits; want a whole number up to 2^63-1",
		"ceildiv(N)":                        "at character",
		"t * 2":                             "at character",
		"device":                            "",
		"N = 2":                             "at character",
		"if N > 2 { 1 } else { 2 }; N":      "at character",
		"N; N":                              "at character",
		"$env":                              `at character 1: "$env" is not a name`,
		"#":                                 "at character",
		"\x00":                              "at character",
		"N // X":                            "at character 3: // is neither a division nor a comment here; want floor(a / b) or ceildiv(a, b)",
		"t == '//' ? 1 : N /* all */":       "at character 19: an expression has no comments",
		"N # all":                           "at character 3: an expression has no comments",
		"(N > X) % 2":                       "at character",
		"max(t*2, 1) + N":                   "at character",
		"(t ? 1 : 2.5) + N":                 "at character",
		"log2(t*2) + N":                     "at character",
		"2 ** t":                            "at character",
		"t contains 'f'":                    `at character 3: "contains" is not an operator here`,
		"'" + strings.Repeat("a", 10) + "'": "",
	} {
		_, err := compile(formula(text), sample)
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"N/X":                              "N/X is 31.25 for N = 1000, X = 32; want a whole number, as ceil gives",
		"t":                                "t is f64 for t = f64; want a whole number",
		"N/0":                              "N/0 for N = 1000: division by 0",
		"N % (X-X)":                        "division by 0",
		"N % (a-a)":                        "division by 0",
		"(N-N)**-1":                        "division by 0",
		"(0-X)**a":                         "-32 ** 0.5 is no real number",
		"(N > 1 ? 1 : 0.5) / (X-X)":        "division by 0",
		"ceildiv(N/3, X)":                  "ceildiv(333.3333333333333, 32): want",
		"N*N*N*N*N*N*N":                    "N*N*N*N*N*N*N for N = 1000: the result is beyond 64 bits",
		"9223372036854775807 + N":          "beyond 64 bits",
		"-9223372036854775807 - N":         "beyond 64 bits",
		"ceildiv(N, 0)":                    "ceildiv(1000, 0): want",
		"1e19":                             "1e19 is 1e+19; want a whole number",
		"log2(0)":                          "log2(0) is no real number",
		"-4611686018427387905*2":           "beyond 64 bits",
		"(0-9223372036854775807-1)*1":      "beyond 64 bits",
		"abs(-9223372036854775807-1)":      "abs(-9223372036854775807-1): the result is beyond 64 bits",
		"-(-9223372036854775807-1)":        "beyond 64 bits",
		"(-9223372036854775807-1) / (0-1)": "beyond 64 bits",
		"floor((-9223372036854775807-1) / (0-1))": "beyond 64 bits",
		"floor(N / (X-X))":                        "division by 0",
		"floor(a / (a-a))":                        "division by 0",
		"3**40":                                   "3**40: the result is beyond 64 bits",
		"2**63":                                   "beyond 64 bits",
		"2**99999**9":                             "beyond 64 bits",
		"2.0**63":                                 "2.0**63 is 9.223372036854776e+18; want a whole number from -2^63 to 2^63-1",
		"log2(0-1)":                               "log2(-1) is no real number",
		"N > 1 ? 9007199254740993 : 0.5":          "9007199254740993 is no float; want whole numbers on both sides of the :",
	} {
		x, err := compile(formula(text), sample)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if _, err := x.whole(sample); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want %q", text, err, want)
		}
	}
}

// Formulas come from other people's files: none may panic, run long or take much
// memory.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"N*N", "ceil(N/X)", "X*2 <= 64 and N % X == 0", "t == 'f64' ? 8 : 4", "device.warp_size", "let a = t + t; a + a",
		"map(1..1000000, #)", "2**99999**9", "X in [1,2]", "t + t", "((((N))))", "N %0", "repeat('a', 1000000000)", "t[0:1]", "-9223372036854775808"} {
		f.Add(s)
	}
	// A formula that takes less time than many of the longest needs no closer look.
	long := strings.Repeat("N+", 499) + "N"
	calm := min(evaluate(long), evaluate(long), evaluate(long))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 { // as the schema has it
			return
		}
		const tries, most = 5, 1000
		took := evaluate(text)
		if took <= most*calm {
			return
		}
		// The least of a few tries: a busy machine delays some, not all.
		longest := evaluate(long)
		for range tries {
			if took <= most*longest {
				return
			}
			took, longest = min(took, evaluate(text)), min(longest, evaluate(long))
		}
		t.Errorf("%q takes %v, a sum of 500 terms %v", text, took, longest)
	})
}

// evaluate says how long it takes to compile a formula and to ask for its value.
func evaluate(text string) time.Duration {
	start := time.Now()
	if x, err := compile(formula(text), sample); err == nil {
		x.whole(sample)  //nolint:errcheck // any answer will do
		x.number(sample) //nolint:errcheck
		x.holds(sample)  //nolint:errcheck
	}
	return time.Since(start)
}

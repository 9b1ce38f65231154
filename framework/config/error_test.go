package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/internal/bounded"
)

func TestErrorMessages(t *testing.T) {
	const rootKeys = "$schema, algorithm, calibration, counters, executable, judge, kernel_name, measure, output_file_prefix, processor, run_arg, sensors, static_args, sweep_arg, tunables, tuning_constraints, versions"
	for _, c := range []struct{ text, want string }{
		// What is run.
		{`{}`, `x.json:1:1: want the key "algorithm" (a built-in's name) or "executable" (a program)`},
		{`[]`, `x.json:1:1: got a list; want an object`},
		{`{"algorithm": "a", "executable": "b"}`, `x.json:1:1: algorithm and executable exclude each other; want one of them`},
		{`{"algorithm": 3}`, `x.json:1:15: algorithm: got a number (3); want a string or an object`},
		{`{"algorithm": {}}`, `x.json:1:15: algorithm: want {"cuda": …} or {"opencl": …}, kernels of a .cu or a .cl file`},
		{`{"algorithm": {"cuda": {"arguments": [{"name": "x"}], "verify": {}}, "opencl": {"arguments": [{"name": "x"}], "verify": {}}}}`,
			`x.json:1:80: algorithm.opencl: cuda and opencl are two interfaces; want one of them`},
		{`{"algorithm": {"cuda": {"arguments": [{"name": "x", "type": "f32", "sise": 3}], "verify": {}}}}`,
			`x.json:1:68: algorithm.cuda.arguments[0].sise: unknown key; did you mean "size"? keys here: compare, fields, fill, for, from, layered, name, offset, sampler, shape, size, space, type, use, value`},
		{`{"executable": "./a_{M}", "sweep_arg": {"--N": [1]}, "static_args": {"s": "{N}x{k}"}}`,
			`x.json:1:16: executable: {M} stands for no argument and no tunable; did you mean "N"? names: N
x.json:1:75: static_args.s: {k} stands for no argument and no tunable; did you mean "N"? names: N`},
		{`{"algorithm": {"cuda": {"arguments": [{"name": "x", "type": "f32", "fill": {"random": [1]}}], "verify": {}}}}`,
			`x.json:1:87: algorithm.cuda.arguments[0].fill.random: the list has too few items; want at least 2`},
		{`{"algorithm": {"cuda": {"arguments": [{"name": "2", "type": "f32"}], "verify": {}}}}`,
			`x.json:1:48: algorithm.cuda.arguments[0].name: "2" is not a name; want letters, digits and _, a letter first`},
		{`{"algorithm": ""}`, `x.json:1:15: algorithm: the string is empty`},
		{`{"executable": ""}`, `x.json:1:16: executable: the string is empty`},
		{`{"algorithm": null}`, `x.json:1:15: algorithm: got null; want a string or an object`},
		{`{"algorithm": "a", "kernel_name": "k"}`, `x.json:1:20: kernel_name: kernel_name labels an executable; a built-in's versions are chosen by "versions"`},
		{`{"executable": "a", "kernel_name": ""}`, `x.json:1:36: kernel_name: the string is empty`},
		{`{"executable": "a", "versions": ["k"]}`, `x.json:1:21: versions: versions are a built-in's; an executable has none, sweep its arguments by sweep_arg`},
		// Keys.
		{`{"algorithm": "a", "versoins": []}`, `x.json:1:20: versoins: unknown key; did you mean "versions"? keys here: ` + rootKeys},
		{`{"algorithm": "a", "sweep": []}`, `x.json:1:20: sweep: unknown key; did you mean "sweep_arg"? keys here: ` + rootKeys},
		{`{"algorithm": "a", "prefix": []}`, `x.json:1:20: prefix: unknown key; did you mean "output_file_prefix"? keys here: ` + rootKeys},
		{`{"algorithm": "a", "zzzzzzzz": []}`, `x.json:1:20: zzzzzzzz: unknown key; keys here: ` + rootKeys},
		{`{"algorithm": "a", "measure": {"noice": 1}}`, `x.json:1:32: measure.noice: unknown key; did you mean "noise"? keys here: ceilings, clock_fraction, cooldown_s, cpu_affinity, cpu_caches, flush, flush_bytes, min_samples, min_time_s, miss_share, noise, point_timeout_s, power_window_s, releases, repeats, stages, timeout_s`},
		{`{"algorithm": "a", "run_arg": {"mny": []}}`, `x.json:1:32: run_arg.mny: unknown key; did you mean "many"? keys here: many, one`},
		{`{"algorithm": "a", "static_args": {"name": "n", "value": 1, "b": 1}}`, `x.json:1:61: static_args.b: unknown key; keys here: name, value`},
		{`{"algorithm": "a", "static_args": [{"name": "n"}]}`, `x.json:1:36: static_args[0]: the key "value" is missing`},
		{`{"algorithm": "a", "sweep_arg": {"values": [1]}}`, `x.json:1:33: sweep_arg: the key "name" is missing`},
		{`{"algorithm": "a", "sweep_arg": {"name": "n", "values": [1], "vals": 1}}`, `x.json:1:62: sweep_arg.vals: unknown key; did you mean "values"? keys here: name, values`},
		{`{"algorithm": "a", "algorithm": "b"}`, `x.json:1:20: algorithm: the key "algorithm" is given twice, first at 1:2; remove one`},
		{`{"algorithm": "a", "a b": 1}`, `x.json:1:20: ["a b"]: unknown key; keys here: ` + rootKeys},
		// Words.
		{`{"algorithm": "a", "processor": "gpu"}`, `x.json:1:33: processor: "gpu" is unknown; did you mean "GPU"? choices: CPU, GPU, auto`},
		{`{"algorithm": "a", "output_file_prefix": "a/b"}`, `x.json:1:42: output_file_prefix: "a/b" cannot start a file name; want up to 200 characters without slashes, not starting with a dot`},
		{`{"algorithm": "a", "output_file_prefix": ".."}`, `x.json:1:42: output_file_prefix: ".." cannot start a file name; want up to 200 characters without slashes, not starting with a dot`},
		{`{"algorithm": "a", "versions": []}`, `x.json:1:32: versions: the list is empty; want at least one item`},
		{`{"algorithm": "a", "versions": "b"}`, `x.json:1:32: versions: got a string ("b"); want a list`},
		{`{"algorithm": "a", "versions": ["b", 1, "b"]}`, `x.json:1:38: versions[1]: got a number (1); want a string` + "\n" +
			`x.json:1:41: versions[2]: "b" is listed twice; remove one`},
		{`{"algorithm": "a", "sensors": {}}`, `x.json:1:31: sensors: got an object; want a list`},
		{`{"algorithm": "a", "sensors": [1]}`, `x.json:1:32: sensors[0]: got a number (1); want a string or an object`},
		{`{"algorithm": "a", "sensors": [{}]}`, `x.json:1:32: sensors[0]: the key "external" is missing`},
		{`{"algorithm": "a", "sensors": [{"external": {}}]}`, `x.json:1:45: sensors[0].external: want one of the keys command, file, stamped_command`},
		{`{"algorithm": "a", "sensors": [{"external": {"command": ["a"], "file": "b"}}]}`, `x.json:1:45: sensors[0].external: want one of the keys command, file, stamped_command`},
		{`{"algorithm": "a", "sensors": [{"external": {"comand": ["a"]}}]}`, `x.json:1:46: sensors[0].external.comand: unknown key; did you mean "command"? keys here: command, file, stamped_command`},
		{`{"algorithm": "a", "sensors": [{"external": {"command": []}}]}`, `x.json:1:57: sensors[0].external.command: the list is empty; want at least one item`},
		{`{"algorithm": "a", "sensors": ["external", {"external": {"file": "b"}}]}`, `x.json:1:44: sensors[1]: "external" is listed twice; remove one`},
		// Arguments.
		{`{"algorithm": "a", "static_args": 5}`, `x.json:1:35: static_args: got a number (5); want a list or an object`},
		{`{"algorithm": "a", "static_args": ["--n"]}`, `x.json:1:35: static_args: the list is not a pair; want ["--name", value]`},
		{`{"algorithm": "a", "static_args": [["--n", 1, 2]]}`, `x.json:1:36: static_args[0]: the list is not a pair; want ["--name", value]`},
		{`{"algorithm": "a", "static_args": [[1, 2]]}`, `x.json:1:37: static_args[0][0]: got a number (1); want a string`},
		{`{"algorithm": "a", "static_args": [5]}`, `x.json:1:36: static_args[0]: got a number (5); want a list or an object`},
		{`{"algorithm": "a", "static_args": ["--n", true]}`, `x.json:1:43: static_args[1]: got a boolean (true); want a number or a string`},
		{`{"algorithm": "a", "static_args": {"n": [1]}}`, `x.json:1:41: static_args.n: got a list; want a number or a string`},
		{`{"algorithm": "a", "static_args": ["--", 1]}`, `x.json:1:36: static_args[0]: "--" is not a name; want one without spaces and "=", with or without leading dashes`},
		{`{"algorithm": "a", "static_args": {"a=b": 1}}`, `x.json:1:36: static_args["a=b"]: "a=b" is not a name; want one without spaces and "=", with or without leading dashes`},
		{`{"algorithm": "a", "static_args": {"n": 1}, "sweep_arg": {"--n": [1, 2]}}`, `x.json:1:59: sweep_arg["--n"]: "--n" is set twice, first at static_args.n; remove one`},
		{`{"algorithm": "a", "tunables": [{"P": 1}, ["P", 2]]}`, `x.json:1:44: tunables[1][0]: "P" is set twice, first at tunables[0].P; remove one`},
		{`{"algorithm": "a", "run_arg": {"many": ["--runs", 1000001]}}`, `x.json:1:51: run_arg.many[1]: 1000001 is not a number of samples; want a whole number from 1 to 1000000`},
		{`{"algorithm": "a", "run_arg": {"many": ["--runs", 0]}}`, `x.json:1:51: run_arg.many[1]: 0 is not a number of samples; want a whole number from 1 to 1000000`},
		// Axes.
		{`{"algorithm": "a", "sweep_arg": "N"}`, `x.json:1:33: sweep_arg: got a string ("N"); want a list or an object`},
		{`{"algorithm": "a", "sweep_arg": {"N": []}}`, `x.json:1:39: sweep_arg.N: the list is empty; want at least one item`},
		{`{"algorithm": "a", "sweep_arg": {"N": null}}`, `x.json:1:39: sweep_arg.N: got null; want a number, a string, a list or an object`},
		{`{"algorithm": "a", "sweep_arg": {"N": [1, [2]]}}`, `x.json:1:43: sweep_arg.N[1]: got a list; want a number or a string`},
		{`{"algorithm": "a", "sweep_arg": {"N": [64, 1, 64.0]}}`, `x.json:1:47: sweep_arg.N[2]: 64 is listed twice, first at 1:40; remove one`},
		{`{"algorithm": "a", "sweep_arg": {"N": [` + strings.Repeat("1, ", maxValues) + `2]}}`, ""},
		// Ranges.
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 2}}}`, `x.json:1:39: sweep_arg.N: the range has no step; want the key "step" (added) or "factor" (multiplied)`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 2, "step": 1, "factor": 2}}}`, `x.json:1:39: sweep_arg.N: step and factor exclude each other; want one of them`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "step": 1}}}`, `x.json:1:39: sweep_arg.N: the key "to" is missing`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "too": 4, "to": 3, "step": 1}}}`, `x.json:1:51: sweep_arg.N.too: unknown key; did you mean "to"? keys here: factor, from, step, to`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": "1", "to": 3, "step": 1}}}`, `x.json:1:48: sweep_arg.N.from: got a string ("1"); want a number`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 3, "step": 0}}}`, `x.json:1:68: sweep_arg.N.step: 0 is not above 0; want more than 0`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 3, "step": -1}}}`, `x.json:1:68: sweep_arg.N.step: -1 is not above 0; want more than 0`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 3, "factor": 1}}}`, `x.json:1:70: sweep_arg.N.factor: 1 is not above 1; want more than 1`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 0, "to": 3, "factor": 2}}}`, `x.json:1:48: sweep_arg.N.from: 0 is not above 0; want more than 0`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 4, "to": 3, "factor": 2}}}`, `x.json:1:57: sweep_arg.N.to: to (3) is less than from (4); want a range that ascends`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 100001, "step": 1}}}`, `x.json:1:39: sweep_arg.N: the range has 100001 values; want at most 100000`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 2, "to": 1e9, "factor": 1.0001}}}`, `x.json:1:39: sweep_arg.N: the range has 200312 values; want at most 100000`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 1e18, "step": 1e-300}}}`, `x.json:1:39: sweep_arg.N: the range has +Inf values; want at most 100000`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 2, "factor": 1.0000000000000002}}}`, `x.json:1:39: sweep_arg.N: the range has 3.12166e+15 values; want at most 100000`},
		{`{"algorithm": "a", "sweep_arg": {"N": {"from": 1e16, "to": 10000000000000002.0, "step": 0.1}}}`, `x.json:1:39: sweep_arg.N: the range's values near 1e+16 are too close to tell apart`},
		// Measure.
		{`{"algorithm": "a", "measure": {"min_samples": 0}}`, `x.json:1:47: measure.min_samples: 0 is less than 1; want 1 or more`},
		{`{"algorithm": "a", "measure": {"min_samples": 2000000}}`, `x.json:1:47: measure.min_samples: 2000000 is more than 1000000; want 1000000 or less`},
		{`{"algorithm": "a", "measure": {"min_samples": 1.5}}`, `x.json:1:47: measure.min_samples: got a number (1.5); want a whole number`},
		{`{"algorithm": "a", "measure": {"noise": 1}}`, `x.json:1:41: measure.noise: 1 is not below 1; want less than 1`},
		{`{"algorithm": "a", "measure": {"flush_bytes": 1e300}}`, `x.json:1:47: measure.flush_bytes: 1e+300 is more than 1099511627776; want 1099511627776 or less`},
		{`{"algorithm": {"cuda": {"arguments": [{"name": "x"}], "kernels": [{"for": {"i": 2}, "kernels": [{"name": "k", "grd": 1, "grid": 1, "block": 1}]}], "verify": {}}}}`, `x.json:1:111: algorithm.cuda.kernels[0].kernels[0].grd: unknown key; did you mean "grid"? keys here: arguments, block, cooperative, global, grid, local, name, shared_bytes, when`},
		{`{"algorithm": {"cuda": {"arguments": [{"name": "x"}], "kernels": [{"for": {"i": 2}}], "verify": {}}}}`, `x.json:1:67: algorithm.cuda.kernels[0]: the key "kernels" is missing`},
		{`{"algorithm": {"cuda": {"arguments": [{"name": "x"}], "kernels": [{"for": {}, "kernels": [{"name": "k", "grid": 1, "block": 1}]}], "verify": {}}}}`, `x.json:1:75: algorithm.cuda.kernels[0].for: want one name, as in {"i": 16}`},
		{`{"algorithm": "a", "measure": {"timeout_s": 100}}`, `x.json:1:45: measure.timeout_s: timeout_s (100) is longer than point_timeout_s (60); want at most that`},
		{`{"algorithm": "a", "measure": {"point_timeout_s": 1, "power_window_s": 2}}`, `x.json:1:72: measure.power_window_s: power_window_s (2) is longer than point_timeout_s (1); want at most that`},
	} {
		cfg, err := Parse("x.json", []byte(c.text))
		if strings.Contains(c.text, "1, 1, 1, 1, ") {
			if err == nil || !strings.HasPrefix(err.Error(), "x.json:1:39: sweep_arg.N: the list has 100001 items; want at most 100000\nx.json:1:43: sweep_arg.N[1]: 1 is listed twice, first at 1:40; remove one\n") {
				t.Error("a list of 100001 items gives no such error")
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: accepted, want %s", c.text, c.want)
		} else if err.Error() != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, err, c.want)
		}
		if cfg != nil && err != nil {
			t.Errorf("%s: a config beside an error", c.text)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.json:1:1: the file is empty; want a JSON object"},
		{" \n\t ", "x.json:2:3: the file is empty; want a JSON object"},
		{"\xff\xfe{\x00", "x.json:1:1: the text is UTF-16; save it as UTF-8"},
		{"{\n \"é\xff\": 1}", "x.json:2:4: byte 0xff is not UTF-8; save the file as UTF-8"},
		{"{} {}", `x.json:1:4: found "{" after the end of the JSON value; want one value a file`},
		{"{}\nx", `x.json:2:1: found "x" after the end of the JSON value; want one value a file`},
		{"// c\n{}", "x.json:1:1: found a comment; JSON has none, remove it"},
		{"{ /* c */ }", "x.json:1:3: found a comment; JSON has none, remove it"},
		{"{ # c\n}", "x.json:1:3: found a comment; JSON has none, remove it"},
		{`{"a": 1,}`, "x.json:1:8: found a comma before the closing }; remove it"},
		{"{\"a\": [1,\n ]}", "x.json:1:9: found a comma before the closing ]; remove it"},
		{`{"a": 1 "b": 2}`, `x.json:1:9: found a string; want a comma or }`},
		{"{\"a\": 1\n\"b\": 2}", `x.json:2:1: found a string; want a comma or }`},
		{`[1 2]`, `x.json:1:4: found "2"; want a comma or ]`},
		{`[1}`, `x.json:1:3: found "}"; want a comma or ]`},
		{`{"a" 1}`, `x.json:1:6: found "1" after the key "a"; want a colon`},
		{`{"a"`, `x.json:1:5: found the end of the file after the key "a"; want a colon`},
		{`{"a":`, `x.json:1:6: the file ends inside the object opened at 1:1; want }`},
		{"{\n\"a\": [1", `x.json:2:8: the file ends inside the list opened at 2:6; want ]`},
		{"{\n\"a\": [", `x.json:2:7: the file ends inside the list opened at 2:6; want ]`},
		{"{", `x.json:1:2: the file ends inside the object opened at 1:1; want }`},
		{`{"a": 1,`, `x.json:1:9: the file ends inside the object opened at 1:1; want }`},
		{`{a: 1}`, `x.json:1:2: found "a"; want a key in double quotes`},
		{`{1: 1}`, `x.json:1:2: found "1"; want a key in double quotes`},
		{`{'a': 1}`, `x.json:1:2: found "'"; want a key in double quotes`},
		{`{"a": 'b'}`, `x.json:1:7: found a single quote; strings take double quotes`},
		{"algorithm: scan\n", `x.json:1:1: found "algorithm"; want a JSON object, {"algorithm": …} (YAML and TOML are not read)`},
		{"---\na: 1\n", `x.json:1:1: found "---"; want a JSON object, {"algorithm": …} (YAML and TOML are not read)`},
		{`{"a": b}`, `x.json:1:7: found "b"; want a value (a word takes double quotes)`},
		{`{"a": True}`, `x.json:1:7: found "True"; want a value (a word takes double quotes)`},
		{`{"a": ,}`, `x.json:1:7: found ","; want a value`},
		{`{"a": NaN}`, `x.json:1:7: found "NaN"; want a value (a word takes double quotes)`},
		{`{"a": 064}`, `x.json:1:7: "064" is not a JSON number; want digits such as 64, 0.5 or 1e6`},
		{`{"a": 1_000}`, `x.json:1:7: "1_000" is not a JSON number; want digits such as 64, 0.5 or 1e6`},
		{`{"a": 0x40}`, `x.json:1:7: "0x40" is not a JSON number; want digits such as 64, 0.5 or 1e6`},
		{`{"a": -}`, `x.json:1:7: "-" is not a JSON number; want digits such as 64, 0.5 or 1e6`},
		{`{"a": 1e400}`, `x.json:1:7: "1e400" is beyond what a 64-bit number holds`},
		{`{"a": 1e999999999999}`, `x.json:1:7: "1e999999999999" is beyond what a 64-bit number holds`},
		{`{"a": 1e-400}`, `x.json:1:7: "1e-400" is too small for a 64-bit number`},
		{"{\"a\": \"b\n\"}", `x.json:1:7: the string is not closed on its line; want a closing double quote`},
		{`{"a": "b`, `x.json:1:7: the string is not closed on its line; want a closing double quote`},
		{`{"a": "b\`, `x.json:1:7: the string is not closed on its line; want a closing double quote`},
		{`{"a": "\q"}`, `x.json:1:7: "\\q" is not a JSON string: a backslash or a control character in it takes an escape such as \\ or \t`},
		{"{\"a\": \"\t\"}", `x.json:1:7: "\t" is not a JSON string: a backslash or a control character in it takes an escape such as \\ or \t`},
		{strings.Repeat("[", 100), "x.json:1:66: lists and objects nest deeper than 64"},
		{strings.Repeat(`{"a":`, 100), "x.json:1:326: lists and objects nest deeper than 64"},
		// What was found before the fault is reported as well.
		{`{"a": 1, "a": 2, }`, `x.json:1:10: a: the key "a" is given twice, first at 1:2; remove one` + "\n" +
			"x.json:1:16: found a comma before the closing }; remove it"},
	} {
		cfg, err := Parse("x.json", []byte(c.text))
		if err == nil || cfg != nil {
			t.Errorf("%q: accepted", c.text)
		} else if err.Error() != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, err, c.want)
		}
	}
}

func TestEveryProblemIsReported(t *testing.T) {
	_, err := Load("testdata/faults.json")
	want, readErr := os.ReadFile("testdata/faults.txt")
	if readErr != nil {
		t.Fatal(readErr)
	}
	if err == nil || err.Error()+"\n" != string(want) {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	var list *Errors
	if !errors.As(err, &list) || len(list.List) != strings.Count(string(want), "\n") {
		t.Errorf("got %d errors", len(list.List))
	}
}

func TestLoadUnreadable(t *testing.T) {
	folder := t.TempDir()
	none := filepath.Join(folder, "none.json")
	_, err := Load(none)
	if want := none + ": no such file; want an experiment file such as configs/fft.json"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	_, err = Load(folder)
	if want := folder + ": this is a folder; want an experiment file such as configs/fft.json"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	// A test may run as root, which file modes do not stop.
	denied := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}
	if got, want := unreadable("x.json", denied), "no permission to read it; want a file that you may read (chmod +r)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := unreadable("x.json", &fs.PathError{Op: "read", Path: "x", Err: fs.ErrClosed}), "cannot read it: file already closed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// A file without end is not read to its end.
	_, err = Load("/dev/zero")
	if want := "/dev/zero: the file has more than 16 MiB; want an experiment file such as configs/fft.json"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// What is as large as is allowed, and no larger, is taken.
func TestLimits(t *testing.T) {
	for _, n := range []string{"1", "1000000"} {
		if cfg, err := Parse("x.json", []byte(`{"algorithm": "a", "run_arg": {"many": ["--runs", `+n+`]}}`)); err != nil || strconv.Itoa(cfg.Measure.MinSamples) != n {
			t.Errorf("%s samples: %v", n, err)
		}
	}
	cfg, err := Parse("x.json", []byte(`{"algorithm": "a", "sweep_arg": {"N": {"from": 1, "to": 100000, "step": 1}}}`))
	if err != nil || len(cfg.Sweep[0].Values) != maxValues {
		t.Errorf("%d values: %v", maxValues, err)
	}
	text := []byte(`{"algorithm": "a"}`)
	text = append(text, bytes.Repeat([]byte(" "), bounded.MostText-len(text))...)
	if _, err := Parse("x.json", text); err != nil {
		t.Errorf("%d bytes: %v", len(text), err)
	}
	if _, err := Parse("x.json", append(text, ' ')); err == nil || !strings.Contains(err.Error(), "more than 16 MiB") {
		t.Errorf("one more: %v", err)
	}
	for text, want := range map[string]string{strings.Repeat("ä", 60): `"` + strings.Repeat("ä", 60) + `"`, strings.Repeat("ä", 61): `"` + strings.Repeat("ä", 60) + `…"`} {
		if got := quote(text); got != want {
			t.Errorf("%s is quoted as %s", text, got)
		}
	}
	if n := wordLength([]byte("azAZ09+-._ x")); n != 10 {
		t.Errorf("a word of %d bytes, want 10", n)
	}
	list := &node{kind: array, items: []*node{{kind: number}, {kind: number}}}
	if list.at([]string{"1"}) != list.items[1] || list.at([]string{"2"}) != list || list.at([]string{"-1"}) != list {
		t.Error("an element that is not there was found")
	}
}

// The list of very many errors is bounded, and quickly made.
func TestManyErrors(t *testing.T) {
	text := []byte(`{"algorithm": "a", "versions": [` + string(bytes.Repeat([]byte("1,"), 20000)) + `1]}`)
	_, err := Parse("x.json", text)
	var list *Errors
	if !errors.As(err, &list) || len(list.List) != mostErrors+1 {
		t.Fatalf("got %d errors", len(list.List))
	}
	if last, want := list.List[mostErrors].Error(), "x.json: 19001 more problems are not listed"; last != want {
		t.Errorf("the last is %q, want %q", last, want)
	}
}

func TestUnknownNames(t *testing.T) {
	cfg, err := Parse("x.json", []byte(`{"algorithm": "ftf", "sensors": ["nvml", "ina321"]}`))
	if err != nil {
		t.Fatal(err)
	}
	err = cfg.UnknownAlgorithm([]string{"fft", "scan"})
	if want := `x.json:1:15: algorithm: "ftf" is not an algorithm; did you mean "fft"? algorithms: fft, scan`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for algorithm, want := range map[string]string{
		"./mykernel.cu": `a source file's kernels or functions are described by {"cuda": …}: bench new mine writes an example`,
		"f.c":           `{"cuda": …}`,
		"./program":     `a program is run by the key "executable", without "algorithm"`,
	} {
		other, err := Parse("x.json", []byte(`{"algorithm": "`+algorithm+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := other.UnknownAlgorithm([]string{"fft"}); !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "algorithms: fft") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	err = cfg.CheckSensors([]string{"ina3221", "nvml"})
	if want := `x.json:1:42: sensors[1]: "ina321" is not a sensor; did you mean "ina3221"? sensors: ina3221, nvml`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := cfg.CheckSensors([]string{"nvml", "ina321"}); err != nil {
		t.Error(err)
	}
	cfg, err = Parse("x.json", []byte(`{"algorithm": "fft", "calibration": {"nvlm power": {"gain": 0.01}}}`))
	if err != nil {
		t.Fatal(err)
	}
	err = cfg.CheckSensors([]string{"ina3221", "nvml"})
	if want := `x.json:1:38: calibration["nvlm power"]: "nvlm" is not a sensor; did you mean "nvml"? sensors: ina3221, nvml`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"reference", "stockham", "cufft", "fftw"}
	for word, want := range map[string]string{
		"stokham": "stockham", "Stockham": "stockham", "cuftf": "cufft", "FFTW": "fftw", "refrence": "reference",
		"zzz": "", "": "", "completely different": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"ab", "ba", 1}, {"abc", "axc", 1}, {"kitten", "sitting", 3}, {"Ä", "ä", 0}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
	if got, want := Choice("x", nil, "sensors"), "; there are no sensors"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The schema lies among configs, but is none.
func TestSchemaIsNoConfig(t *testing.T) {
	_, err := Load("../../configs/schema.json")
	const want = "../../configs/schema.json: this is the schema of configs, not a config; want an experiment file such as configs/fft.json"
	if !errors.Is(err, ErrSchema) || err.Error() != want {
		t.Errorf("error %v", err)
	}
	if _, err := Parse("x.json", []byte(`{"$schema": "configs/schema.json", "algorithm": "fft"}`)); err != nil {
		t.Errorf("a config that names its schema: %v", err)
	}
}

// TestByteOrderMark: a mark, which editors put before UTF-8, is passed over: places and the sum
// are those of the text without it.
func TestByteOrderMark(t *testing.T) {
	const text = `{"algorithm": "fft", "sweep_arg": {"N": [64]}}`
	plain, err := Parse("x.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	marked, err := Parse("x.json", []byte("\ufeff"+text))
	if err != nil || marked.Hash != plain.Hash || string(marked.Text) != string(plain.Text) {
		t.Errorf("%+v, %v; want %+v", marked, err, plain)
	}
	if _, err := Parse("x.json", []byte("\ufeff{1}")); err == nil || !strings.HasPrefix(err.Error(), "x.json:1:2: ") {
		t.Error(err)
	}
}

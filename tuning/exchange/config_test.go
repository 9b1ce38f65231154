package exchange

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// t1Kernel of a T1 file in the form of Kernel Tuner's.
const t1OfKernel = `{
 "ConfigurationSpace": {
  "TuningParameters": [
   {"Name": "block_size_x", "Type": "int", "Values": "[16*i for i in range(1, 5)]", "Default": 32},
   {"Name": "tile", "Type": "int", "Values": "[1, 2]", "Default": 1}],
  "Conditions": [{"Parameters": ["block_size_x", "tile"], "Expression": "tile == 1 or 32 <= block_size_x // tile <= 64 and block_size_x % 32 != 16"}]},
 "KernelSpecification": {"Language": "CUDA", "KernelName": "weigh", "KernelFile": "weigh.cu", "CompilerOptions": ["", "-std=c++14", " "],
  "GlobalSize": {"X": "1"}, "LocalSize": {"X": "block_size_x", "Y": "1", "Z": "1"}, "GridDivX": ["block_size_x", "tile"], "GridDivY": ["block_size_y"],
  "ProblemSize": [1000, 2],
  "Arguments": [
   {"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "FillType": "Constant", "FillValue": 0, "Size": "ProblemSize[0] * ProblemSize[1]"},
   {"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "FillType": "Random", "FillValue": 1, "Size": 2000},
   {"Name": "w", "Type": "float", "MemoryType": "Vector", "MemType": "Constant", "AccessType": "ReadOnly", "FillType": "Constant", "FillValue": 0.5, "Size": "max(tile) + 1"},
   {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "AccessType": "ReadOnly", "FillValue": 1000}]}}`

// A T1 file's kernel becomes a config: a launch by divisors, arguments, constants,
// tunables and constraints.
func TestKernelOfT1(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := write("sub/t1.json", t1OfKernel)
	write("weigh.cu", "")
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	k, _, err := convertKernel(path, filepath.Join(folder, "made.json"), note)
	if err != nil {
		t.Fatal(err)
	}
	text, err := k.text()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(string(text)), " ")
	for _, want := range []string{
		`"source": "weigh.cu"`, `"grid": [ "ceildiv(1000, block_size_x*tile)", "2", "1" ], "block": [ "block_size_x", "1", "1" ]`,
		`"name": "y", "type": "f32", "size": 2000, "use": "output", "fill": { "constant": 0 } }`, `"name": "x", "type": "f32", "size": 2000, "fill": { "random": [ -1, 1 ] }`,
		`"name": "w", "type": "f32", "size": 3, "fill": { "constant": 0.5 }`, `"name": "n", "type": "i32", "value": 1000`,
		`"constants": [ { "name": "w", "from": "w" } ]`, `"values": [ 16, 32, 48, 64 ], "default": 32`, `"options": [ "-std=c++14" ]`,
		`"constraints": [ "(tile == 1) or (((32 <= floor(block_size_x / tile)) and (floor(block_size_x / tile) <= 64)) and ((block_size_x % 32) != 16))" ]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the config lacks %s:\n%s", want, text)
		}
	}
	if all := strings.Join(notes, "; "); all != "block_size_y divides the grid and is not a parameter; it counts as 1; argument x: random numbers are uniform from -1 to 1 here" {
		t.Errorf("notes: %s", all)
	}
	for old, want := range map[string]string{
		`"Type": "int", "Values": "[1, 2]"|"Type": "float", "Values": "[1, 1.5]"`: "argument w: size: 1.5 + 1 gives [2.5]; want a whole number of elements",
		`"CUDA"|"HIP"`:                 "the kernel is in HIP; want CUDA or OpenCL",
		`["", "-std=c++14", " "]|[1]`:  "CompilerOptions: 1 is no text",
		`"int32"|"widget"`:             `argument n: the type "widget" is unknown`,
		`"Scalar"|"Symbol"`:            `argument n: the memory type "Symbol" is unknown`,
		`"max(tile) + 1"|"max(tiles)"`: "argument w: size: ",
		`"Random"|"Script"`:            `argument x: FillType "Script" is unknown`,
		`[1000, 2]|["all"]`:            "ProblemSize has all; want whole numbers",
	} {
		a, b, _ := strings.Cut(old, "|")
		if !strings.Contains(t1OfKernel, a) {
			t.Fatalf("the file has no %s", a)
		}
		text := strings.Replace(strings.Replace(t1OfKernel, a, b, 1), "block_size_x // tile", "block_size_x", 1)
		if _, _, err := convertKernel(write("wrong.json", text), filepath.Join(folder, "made.json"), note); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", b, err, want)
		}
	}
}

// A kernel in OpenCL C, in the form of KTT's older files: types with capitals, arguments without names and in another order, a size of
// all work-items, and modifiers.
const t1OfOpenCL = `{
 "ConfigurationSpace": {"TuningParameters": [
  {"Name": "GROUP", "Type": "UnsignedInt", "Values": [4, 8, 16]}, {"Name": "EACH", "Type": "UnsignedInt", "Values": [1, 2]}]},
 "KernelSpecification": {"Language": "OpenCL", "CompilerOptions": "-cl-fast-relaxed-math", "KernelName": "weigh", "KernelFile": "weigh.cl", "SharedMemory": 64,
  "GlobalSize": {"X": 512, "Y": 2, "Z": 1},
  "Modifiers": [{"Type": "Global", "Dimension": "X", "Parameter": "EACH", "Action": "Divide"}, {"Type": "Local", "Dimension": "X", "Parameter": "GROUP", "Action": "Multiply"}],
  "Arguments": [
   {"Type": "Float", "Size": 1024, "FillType": "Constant", "FillValue": 0, "AccessType": "ReadWrite", "MemoryType": "Vector", "Order": 2},
   {"Type": "Float", "Size": 1024, "FillType": "Random", "AccessType": "ReadOnly", "MemoryType": "Vector", "MemType": "Constant", "Order": 0},
   {"Type": "UnsignedInt", "FillValue": 512, "MemoryType": "Scalar", "Order": 1},
   {"Name": "tile", "Type": "Float", "Size": 16, "MemoryType": "Local", "Order": 3}]}}`

func TestOpenCLKernelOfT1(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "t1.json")
	convert := func(text string) (string, string, error) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var notes []string
		k, _, err := convertKernel(path, filepath.Join(folder, "made.json"), func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) })
		if err != nil {
			return "", "", err
		}
		got, err := k.text()
		return strings.Join(strings.Fields(string(got)), " "), strings.Join(notes, "; "), err
	}
	got, notes, err := convert(t1OfOpenCL)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{ "algorithm": { "opencl": { "source": "weigh.cl"`, `"options": [ "-cl-fast-relaxed-math" ]`, `"values": [ 4, 8, 16 ]`,
		`"grid": [ "ceil((floor((512) / EACH)) / (GROUP))", "ceil((2) / (1))", "ceil((1) / (1))" ], "block": [ "GROUP", "1", "1" ] }`,
		`"arguments": [ { "name": "argument1", "type": "f32", "size": 1024, "space": "constant", "fill": { "random": [ -1, 1 ] } }, { "name": "argument2", "type": "u32", "value": 512 }, ` +
			`{ "name": "argument3", "type": "f32", "size": 1024, "use": "in_place", "fill": { "constant": 0 } }, { "name": "tile", "type": "f32", "size": 16, "space": "local" } ]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the config lacks %s:\n%s", want, got)
		}
	}
	if !strings.Contains(notes, "SharedMemory 64 is left out: OpenCL has local memory as arguments") {
		t.Errorf("notes: %s", notes)
	}
	for old, want := range map[string]string{`"Divide"|"Halve"`: `Action is "Halve"`, `"Parameter": "EACH"|"Parameter": "ALL"`: `"ALL", which is no parameter`} {
		a, b, _ := strings.Cut(old, "|")
		if _, _, err := convert(strings.Replace(t1OfOpenCL, a, b, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", b, err, want)
		}
	}
}

// KTT's arrays that an expression makes, and right answers likewise, are files beside the config; a file of numbers is named from there.
func TestGeneratedArrays(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "made"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`"FillType": "Random", "FillValue": 1, "Size": 2000`, `"FillType": "Generator", "DataSource": "1 + i // 2 if i % 4 < 3 else -0.5", "Size": 2000`,
		`"FillType": "Constant", "FillValue": 0.5, "Size"`, `"FillType": "BinaryRaw", "DataSource": "w.raw", "Size"`,
		`"MemoryType": "Scalar", "AccessType": "ReadOnly", "FillValue": 1000}]`, `"MemoryType": "Scalar", "AccessType": "ReadOnly", "FillValue": 1000}],
 "ReferenceArguments": [{"TargetName": "y", "FillType": "Generator", "DataSource": "2 * i + 3"}]`).Replace(t1OfKernel)
	path := filepath.Join(folder, "t1.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	k, _, err := convertKernel(path, filepath.Join(folder, "made", "k.json"), func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	if k.Verify.None != "" || k.Verify.Files["y"] != "k-y-right.npy" || k.Arguments[1].Fill.File != "k-x.npy" || k.Arguments[2].Fill.File != "../w.raw" {
		t.Errorf("the config has %+v, %+v, %+v", k.Verify, k.Arguments[1].Fill, k.Arguments[2].Fill)
	}
	for i, want := range [][]float32{{1, 1, 2, -0.5, 3}, {3, 5, 7, 9, 11}} {
		if err := k.generated[i].write(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(k.generated[i].path)
		if err != nil || len(b) != 128+4*2000 {
			t.Fatal(len(b), err)
		}
		for at, x := range want {
			if got := math.Float32frombits(binary.LittleEndian.Uint32(b[128+4*at:])); got != x {
				t.Errorf("file %d has %g at %d, want %g", i, got, at, x)
			}
		}
	}
	if err := k.generated[0].write(); err == nil {
		t.Error("a file is written over")
	}
}

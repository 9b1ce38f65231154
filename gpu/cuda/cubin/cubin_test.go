package cubin

import (
	_ "embed"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

//go:embed testdata/kernels.cu
var kernelsText string

var update = flag.Bool("update", false, "write the cubins in testdata anew")

var archs = []string{"sm_53", "sm_62", "sm_72", "sm_87", "sm_90"}

func compile(t *testing.T, text, arch string, options ...string) *nvrtc.Image {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	image, err := c.Compile(gpu.Source{
		Name: "kernels.cu", Text: text, Options: append(options, "--ptxas-options=-v"),
	}, arch)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// reported is what ptxas says of one kernel.
type reported struct{ registers, shared, stack, spillStores int }

var (
	entryLine = regexp.MustCompile(`Compiling entry function '(\w+)'`)
	stackLine = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores`)
	usedLine  = regexp.MustCompile(`Used (\d+) registers(?:.*?, (\d+) bytes smem)?`)
)

// report reads the log of ptxas -v. Where a kernel calls functions, only the
// kernel's own lines count, which come first.
func report(t *testing.T, log string) map[string]reported {
	t.Helper()
	number := func(s string) int {
		if s == "" {
			return 0
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	kernels := map[string]reported{}
	name, stack := "", false
	for line := range strings.Lines(log) {
		if m := entryLine.FindStringSubmatch(line); m != nil {
			name, stack = m[1], false
		}
		k := kernels[name]
		if m := stackLine.FindStringSubmatch(line); m != nil && !stack {
			k.stack, k.spillStores, stack = number(m[1]), number(m[2]), true
		}
		if m := usedLine.FindStringSubmatch(line); m != nil {
			k.registers, k.shared = number(m[1]), number(m[2])
		}
		if name != "" {
			kernels[name] = k
		}
	}
	return kernels
}

func TestKernelsAgreeWithPtxas(t *testing.T) {
	names := []string{"plain", "shared", "calls", "spill"}
	for _, arch := range archs {
		for _, limit := range []string{"", "--maxrregcount=32"} {
			t.Run(arch+limit, func(t *testing.T) {
				var options []string
				if limit != "" {
					options = []string{limit}
				}
				image := compile(t, kernelsText, arch, options...)
				got, err := Kernels(image.Code)
				if err != nil {
					t.Fatal(err)
				}
				want := report(t, image.Log)
				if len(got) != len(names) || len(want) != len(names) {
					t.Fatalf("cubin has %d kernels, ptxas %d, want %d", len(got), len(want), len(names))
				}
				for _, name := range names {
					g, w := got[name], want[name]
					if g.Registers != w.registers || g.Registers == 0 || g.StaticSharedBytes != w.shared {
						t.Errorf("%s: %+v, ptxas says %+v", name, g, w)
					}
					if g.LocalBytes != w.stack {
						t.Errorf("%s: %d bytes of local memory, ptxas says %d", name, g.LocalBytes, w.stack)
					}
					if g.ConstBytes != 40 { // float table[10]
						t.Errorf("%s: %d bytes of constants, want 40", name, g.ConstBytes)
					}
				}
				if got["plain"].LocalBytes != 0 || got["shared"].StaticSharedBytes != 1024 ||
					got["shared"].MaxThreadsPerBlock != 96 || got["plain"].MaxThreadsPerBlock != 0 ||
					got["calls"].LocalBytes != 200 || got["calls"].StaticSharedBytes != 0 {
					t.Errorf("known properties: %+v", got)
				}
				spills := want["spill"].spillStores
				if (limit != "") != (spills > 0) || (spills > 0) != (got["spill"].LocalBytes > 0) {
					t.Errorf("spill: %d bytes of local memory, ptxas says %d bytes of spill stores", got["spill"].LocalBytes, spills)
				}
			})
		}
	}
}

// The cubins in testdata are kernels.cu with --maxrregcount=32 by NVRTC 11.8,
// and by NVRTC 13.0, whose file has another layout and whose values are those
// that the driver of an H200 gave; they need no NVRTC. -update does not write
// the latter.
func TestKernelsOfStoredCubins(t *testing.T) {
	want := map[string]map[string]gpu.Attributes{
		"sm_53": {
			"plain":  {Registers: 6, ConstBytes: 40},
			"shared": {Registers: 12, StaticSharedBytes: 1024, ConstBytes: 40, MaxThreadsPerBlock: 96},
			"calls":  {Registers: 32, LocalBytes: 200, ConstBytes: 40},
			"spill":  {Registers: 32, LocalBytes: 344, ConstBytes: 40},
		},
		"sm_90": {
			"plain":  {Registers: 8, ConstBytes: 40},
			"shared": {Registers: 10, StaticSharedBytes: 1024, ConstBytes: 40, MaxThreadsPerBlock: 96},
			"calls":  {Registers: 32, LocalBytes: 200, ConstBytes: 40},
			"spill":  {Registers: 32, LocalBytes: 344, ConstBytes: 40},
		},
		"sm_90-cuda13": {
			"plain":  {Registers: 8, ConstBytes: 40},
			"shared": {Registers: 12, StaticSharedBytes: 1024, ConstBytes: 40, MaxThreadsPerBlock: 96},
			"calls":  {Registers: 32, LocalBytes: 200, ConstBytes: 40},
			"spill":  {Registers: 32, LocalBytes: 312, ConstBytes: 40},
		},
	}
	for arch, kernels := range want {
		path := filepath.Join("testdata", "kernels-"+arch+".cubin")
		if *update && !strings.HasSuffix(arch, "-cuda13") {
			if err := os.WriteFile(path, compile(t, kernelsText, arch, "--maxrregcount=32").Code, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		code, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Kernels(code)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(kernels) {
			t.Errorf("%s:\ngot  %v\nwant %v", arch, got, kernels)
		}
	}
}

func TestKernelsRefusesWhatIsNoCubin(t *testing.T) {
	code, err := os.ReadFile("testdata/kernels-sm_53.cubin")
	if err != nil {
		t.Fatal(err)
	}
	other := append([]byte(nil), code...)
	binary.LittleEndian.PutUint16(other[0x12:], 62) // e_machine
	for what, c := range map[string]struct {
		code []byte
		want string
	}{
		"nothing":         {nil, "not a 64-bit little-endian ELF file"},
		"PTX":             {[]byte(".version 7.8\n.target sm_53" + strings.Repeat(" ", 64)), "not a 64-bit little-endian ELF file"},
		"another machine": {other, "EM_X86_64, want EM_CUDA"},
		"half a cubin":    {code[:len(code)/2], "cubin: "},
	} {
		kernels, err := Kernels(c.code)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, error %v; want %q", what, kernels, err, c.want)
		}
	}
}

// The stack of recursive calls is unknown; zero would pass for no stack.
func TestKernelsRefusesUnboundedStack(t *testing.T) {
	for _, arch := range archs {
		image := compile(t, `
__noinline__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
extern "C" __global__ void recursive(int *x) { x[0] = ackermann(x[1], x[2]); }
`, arch)
		kernels, err := Kernels(image.Code)
		if err == nil || !strings.Contains(err.Error(), "kernel recursive: the compiler could not bound its stack") {
			t.Errorf("%s: %v, error %v", arch, kernels, err)
		}
	}
}

func FuzzKernels(f *testing.F) {
	for _, arch := range []string{"sm_53", "sm_90", "sm_90-cuda13"} {
		code, err := os.ReadFile(filepath.Join("testdata", "kernels-"+arch+".cubin"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(code)
		f.Add(code[:len(code)/3])
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		kernels, err := Kernels(code)
		if err != nil && kernels != nil {
			t.Errorf("%v beside error %v", kernels, err)
		}
		for name, a := range kernels {
			if min(a.Registers, a.StaticSharedBytes, a.LocalBytes, a.ConstBytes, a.MaxThreadsPerBlock) < 0 {
				t.Errorf("%s: negative: %+v", name, a)
			}
		}
	})
}

//go:build gpu

package compile

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/nvrtc"
)

// What cubin reads must be what the driver says of the loaded kernel, for the
// release of NVRTC on this machine.
func TestCubinAgreesWithDriver(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	device, err := driver.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	major, _, _ := strings.Cut(device.Facts().DriverVersion, ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := nvrtc.OpenFor(n)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../gpu/cuda/cubin/testdata/kernels.cu")
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []string{"--maxrregcount=255", "--maxrregcount=32"} {
		src := gpu.Source{Name: "kernels.cu", Text: string(text), Options: []string{limit}}
		image, err := compiler.Compile(src, device.Facts().Arch())
		if err != nil {
			t.Fatal(err)
		}
		got, err := cubin.Kernels(image.Code)
		if err != nil {
			t.Fatal(err)
		}
		m, err := device.Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"plain", "shared", "calls", "spill"} {
			k, err := m.Kernel(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := k.Attributes()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s %s: %+v", limit, name, want)
			g := got[name]
			if g.MaxThreadsPerBlock == 0 { // no launch bounds: the driver's own limit
				g.MaxThreadsPerBlock = want.MaxThreadsPerBlock
			}
			if g != want {
				t.Errorf("%s %s: cubin %+v, driver %+v", limit, name, g, want)
			}
		}
		if err := m.Unload(); err != nil {
			t.Error(err)
		}
	}
}

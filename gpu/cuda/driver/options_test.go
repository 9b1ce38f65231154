package driver_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/driver/drivertest"
	"example.org/bench/gpu/cuda/nvrtc"
)

// optionCompiler's code is the source text, and its log the options.
type optionCompiler struct{ drivertest.Echo }

func (c optionCompiler) Compile(src gpu.Source, arch string) (*nvrtc.Image, error) {
	image, err := c.Echo.Compile(src, arch)
	image.Log = strings.Join(src.Options, " ")
	return image, err
}

// CompileWith adds to the options of a source, which stay as they are.
func TestCompileWith(t *testing.T) {
	l, err := driver.Load(drivertest.Build(t).Path)
	if err != nil {
		t.Fatal(err)
	}
	l.Compiler = optionCompiler{}
	g, err := l.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	g.CompileWith("-lineinfo")
	src := gpu.Source{Name: "k.cu", Text: kernels, Options: slices.Clip([]string{"--use_fast_math"})}
	m, err := g.Compile(src)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Unload() //nolint:errcheck // the device is closed next
	if log := m.(*driver.Module).Log(); !strings.Contains(log, "--use_fast_math -lineinfo") || len(src.Options) != 1 {
		t.Errorf("log %q, options %q", log, src.Options)
	}
}

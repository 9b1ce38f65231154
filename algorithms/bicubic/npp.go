package bicubic

import (
	"errors"
	"fmt"
	"math"
	"structs"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/toolkit"
	"example.org/bench/internal/dynlib"
)

// nppSize, nppRect and nppContext are NppiSize, NppiRect and NppStreamContext
// of nppdefs.h.
type (
	nppSize struct {
		_             structs.HostLayout
		width, height int32
	}
	nppRect struct {
		_                   structs.HostLayout
		x, y, width, height int32
	}
	nppContext struct {
		_                       structs.HostLayout
		stream                  uintptr
		device                  int32
		multiprocessors         int32
		threadsMultiprocessor   int32
		threadsBlock            int32
		sharedBlock             uintptr
		majorVersion, minorPart int32
		streamFlags, reserved   int32
	}
)

// nppCubic is NPPI_INTER_CUBIC.
const nppCubic = 4

// nppFunctions holds the functions that are called, as nppi_geometry_transforms.h declares them.
type nppFunctions struct {
	library *dynlib.Library
	resize  func(in uintptr, inStep int32, inSize nppSize, inRect nppRect,
		out uintptr, outStep int32, outSize nppSize, outRect nppRect, interpolation int32, context nppContext) int32 `symbol:"nppiResize_32f_C1R_Ctx"`
}

// nppLibrary is NPP's image geometry from CUDA 13, 12, 11 or 10.2 (JetPack 4).
var nppLibrary = toolkit.Peer[nppFunctions](toolkit.Library{
	Name: "NPP", File: "libnppig", Package: "libnpp", Releases: []string{"13", "12", "11", "10"}, Since: "10.1",
})

// nppVersion returns NPP's cubic resize. NPP has its own cubic and its own mapping of pixels
// (algorithms/bicubic/README.md), so that only its time can be compared.
func nppVersion() framework.Version {
	return framework.Version{
		Name: "npp", Doc: "NVIDIA's NPP, nppiResize with NPPI_INTER_CUBIC: another cubic and another mapping of pixels, for its time",
		Source:    "NVIDIA 2D Image and Signal Processing Performance Primitives (NPP)",
		Processor: framework.GPU,
		Peer:      true,
		Available: nppLibrary.Available,
		Supports: func(params framework.Values, _ gpu.Facts) error {
			s := shapeOf(params)
			switch {
			case s.Basis != hermite:
				return errors.New("NPP resizes float32 by a cubic of its own, nearest to hermite; it has no B-spline")
			case s.Rows == 1 || s.Cols == 1:
				return fmt.Errorf("%d × %d input points: NPP's cubic refuses images of one row or column (error -201)", s.Rows, s.Cols)
			case 4*s.outCols() > math.MaxInt32 || s.outRows() > math.MaxInt32:
				return fmt.Errorf("%d × %d output points: a row's bytes and the rows are an int", s.outRows(), s.outCols())
			}
			return nil
		},
		DeviceBytes: wholeBytes,
		New: framework.Typed(func(env framework.Env, p *problem, _ framework.Values) (*nppRun, error) {
			lib, err := nppLibrary.Functions()
			return &nppRun{gpuRun: newGPURun(env, p), lib: lib}, err
		}),
	}
}

// nppRun is version "npp" at one point.
type nppRun struct {
	gpuRun
	lib *nppFunctions
}

func (n *nppRun) PreRun() error {
	n.Remark("%s", n.lib.library.Name)
	return n.allocate()
}

func (n *nppRun) Run() error {
	s, f := n.p.shape, n.Device.Facts()
	whole := func(rows, cols int) (nppSize, nppRect) {
		return nppSize{width: int32(cols), height: int32(rows)}, nppRect{width: int32(cols), height: int32(rows)}
	}
	inSize, inRect := whole(s.Rows, s.Cols)
	outSize, outRect := whole(s.outRows(), s.outCols())
	// Negative results are errors, positive ones warnings (nppdefs.h).
	if r := n.lib.resize(uintptr(n.in), int32(4*s.Cols), inSize, inRect,
		uintptr(n.out), int32(4*s.outCols()), outSize, outRect, nppCubic, nppContext{
			stream: uintptr(n.Env.Stream), multiprocessors: int32(f.Multiprocessors),
			threadsMultiprocessor: int32(f.MaxThreadsPerSM), threadsBlock: int32(f.MaxThreadsBlock),
			sharedBlock: uintptr(f.SharedPerBlock), majorVersion: int32(f.ComputeMajor), minorPart: int32(f.ComputeMinor),
		}); r < 0 {
		return fmt.Errorf("nppiResize_32f_C1R_Ctx: error %d", r)
	}
	return nil
}

// Work has no counts of the version's own, because the library is closed.
func (n *nppRun) Work() framework.Work { return n.p.Nominal() }

func (n *nppRun) Verify() ([]framework.Check, error) {
	got, err := n.download()
	if err != nil {
		return nil, err
	}
	return n.p.compareNPP(got), nil
}

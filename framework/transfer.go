package framework

import (
	"unsafe"

	"example.org/bench/gpu"
)

// Parameters of what is timed of a GPU version.
const (
	// TimedParam says what the timed part contains.
	TimedParam = "timed"
	// HostParam is the kind of the host's arrays, if the timed part copies from and to them.
	HostParam = "host"
	// LaunchParam says how a run's work is queued.
	LaunchParam = "launch"
)

// Values of these parameters.
const (
	KernelTimed  = "kernel" // the kernels alone: inputs are on the device before, answers stay there
	AnswerTimed  = "answer" // from inputs in the host's memory to the answer there
	PageableHost = "pageable"
	PinnedHost   = "pinned" // page-locked
	StreamLaunch = "stream" // call by call
	GraphLaunch  = "graph"  // as a CUDA graph, recorded once
)

// Transfer is a piece of a GPU version's memory that is copied from or to the host.
type Transfer struct {
	At gpu.Pointer
	// Bytes is the size, and Host the content of an input; nil for an answer.
	Bytes int64
	Host  []byte
}

// Transfers lists the inputs with which a run from input to answer begins, and the parts of the
// answer with which it ends.
type Transfers struct {
	In, Out []Transfer
	// Within is set if Run does the copies, from and to page-locked memory.
	Within bool
}

// Transferrer is a GPU version that can be timed from input to answer. If the inputs are copied
// before each run, every run is right without Reset. Transfers is valid after PreRun.
type Transferrer interface {
	GPUAlgorithm
	Transfers() Transfers
}

// Input registers src as an input to copy to at before a run from input to answer. The caller must
// not change src.
func Input[T any](r *GPURun, at gpu.Pointer, src []T) {
	if len(src) == 0 {
		return
	}
	bytes := gpu.SizeOf(src)
	r.transfers.In = append(r.transfers.In, Transfer{at, bytes, unsafe.Slice((*byte)(unsafe.Pointer(&src[0])), bytes)})
}

// AllocInput is AllocCopy for an input, which it registers.
func AllocInput[T any](r *GPURun, src []T) (gpu.Pointer, error) {
	p, err := AllocCopy(r, src)
	if err == nil {
		Input(r, p, src)
	}
	return p, err
}

// Output registers the bytes at at as a part of the answer.
func (r *GPURun) Output(at gpu.Pointer, bytes int64) {
	r.transfers.Out = append(r.transfers.Out, Transfer{At: at, Bytes: bytes})
}

// CopiesItself registers that Run itself copies in bytes of input and out bytes of answer.
func (r *GPURun) CopiesItself(in, out int64) {
	r.transfers = Transfers{In: []Transfer{{Bytes: in}}, Out: []Transfer{{Bytes: out}}, Within: true}
}

// Transfers returns the registered inputs and outputs.
func (r *GPURun) Transfers() Transfers { return r.transfers }

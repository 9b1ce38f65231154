package framework

import (
	"unsafe"

	"bench/cuda"
)

// The parameters of what is timed of a GPU version, and from where to where.
const (
	// TimedParam is what the timed part holds.
	TimedParam = "timed"
	// HostParam is what the host's arrays are, from which inputs and to which answers are
	// copied where the timed part holds the copies.
	HostParam = "host"
	// LaunchParam is how a run's work is queued.
	LaunchParam = "launch"
)

// Words that these parameters take.
const (
	KernelTimed  = "kernel" // the kernels alone: inputs lie on the device before, and answers stay there
	AnswerTimed  = "answer" // from inputs in the host's memory to the answer there
	PageableHost = "pageable"
	PinnedHost   = "pinned" // page-locked
	StreamLaunch = "stream" // call by call
	GraphLaunch  = "graph"  // as a CUDA graph, recorded once
)

// Transfer is a piece of a GPU version's memory that is copied from or to the host.
type Transfer struct {
	At cuda.Pointer
	// Bytes are how many, and Host what an input holds; nil for an answer.
	Bytes int64
	Host  []byte
}

// Transfers are the inputs that a run from input to answer begins with, and the answer that
// it ends with.
type Transfers struct {
	In, Out []Transfer
	// Within: Run copies them itself, from and to page-locked memory.
	Within bool
}

// Transferrer is a GPU version that can be timed from input to answer: run after run is
// right if the inputs are copied before each, without Reset. Transfers is valid after
// PreRun.
type Transferrer interface {
	GPUAlgorithm
	Transfers() Transfers
}

// Input says that src is copied to at before a run from input to answer. The caller keeps
// src as it is.
func Input[T any](r *GPURun, at cuda.Pointer, src []T) {
	if len(src) == 0 {
		return
	}
	bytes := cuda.SizeOf(src)
	r.transfers.In = append(r.transfers.In, Transfer{at, bytes, unsafe.Slice((*byte)(unsafe.Pointer(&src[0])), bytes)})
}

// AllocInput is AllocCopy of an input.
func AllocInput[T any](r *GPURun, src []T) (cuda.Pointer, error) {
	p, err := AllocCopy(r, src)
	if err == nil {
		Input(r, p, src)
	}
	return p, err
}

// Output says that so many bytes at at are a part of the answer.
func (r *GPURun) Output(at cuda.Pointer, bytes int64) {
	r.transfers.Out = append(r.transfers.Out, Transfer{At: at, Bytes: bytes})
}

// CopiesItself says that Run copies so many bytes of input and answer.
func (r *GPURun) CopiesItself(in, out int64) {
	r.transfers = Transfers{In: []Transfer{{Bytes: in}}, Out: []Transfer{{Bytes: out}}, Within: true}
}

// Transfers are what was said of inputs and answer.
func (r *GPURun) Transfers() Transfers { return r.transfers }

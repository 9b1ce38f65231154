package judge

import (
	"path/filepath"

	"example.org/bench/framework/engine"
	"example.org/bench/internal/linux"
)

// Sandbox is what confined a candidate.
type Sandbox struct {
	linux.Protection
	// Confined lists the parts of the candidate that were confined: its compiler, and its code on
	// the CPU. A GPU's code reaches only the GPU's memory.
	Confined []string `json:"confined"`          // what was confined: "compiler", "code"
	Missing  []string `json:"missing,omitempty"` // what was not, or was within reach
}

// Protections returns what this kernel offers to confine candidates.
func Protections() linux.Protection { return linux.Protections() }

// The parts of a candidate.
const (
	itsCompiler = "compiler"
	itsCode     = "code"
)

// sandbox returns the sandbox of a judgement on a device.
func (k *Case) sandbox(device string) *Sandbox {
	s := &Sandbox{Protection: linux.Protections(), Confined: []string{}}
	text := filepath.Ext(k.candidate.Name)
	onCPU := text == ".c" || text == ".cu"
	if device != "cpu" && device != "sim" && text == ".cu" {
		s.Missing = append(s.Missing, "NVRTC, which compiles for the GPU within its own process")
	}
	switch {
	case !onCPU:
		return s
	case s.Landlock == 0 && !s.Seccomp:
	case engine.Prefixed():
		s.Confined = append(s.Confined, itsCompiler)
		s.Missing = append(s.Missing, "the worker, as BENCH_WORKER_PREFIX is set")
	default:
		s.Confined = append(s.Confined, itsCompiler, itsCode)
	}
	s.Missing = append(s.Missing, s.Protection.Missing()...)
	return s
}

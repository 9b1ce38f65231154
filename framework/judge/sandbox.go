package judge

import (
	"path/filepath"

	"bench/framework/engine"
	"bench/linux"
)

// Sandbox is what kept a candidate apart.
type Sandbox struct {
	linux.Protection
	// Confined is what of the candidate was confined: its compiler, and its code on the CPU. A
	// GPU's code reaches the GPU's memory alone.
	Confined []string `json:"confined"`
	// Missing is what was not, or was within its reach, a part each.
	Missing []string `json:"missing,omitempty"`
}

// Protections is what this kernel has to confine candidates with.
func Protections() linux.Protection { return linux.Protections() }

// The parts of a candidate.
const (
	itsCompiler = "compiler"
	itsCode     = "code"
)

// sandbox is that of a judgement on a device.
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

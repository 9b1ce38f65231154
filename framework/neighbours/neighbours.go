// Package neighbours finds who else uses a GPU and how it is shared: the processes that have a
// context on it (NVML; on a Jetson the clients of nvmap), MIG, and MPS.
package neighbours

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/terminal"
)

// Process is another one that has a context on the GPU.
type Process struct {
	PID    int    `json:"pid"`                    // number
	Name   string `json:"name,omitempty"`         // of its program; empty: not told
	Memory int64  `json:"memory_bytes,omitempty"` // that it had of the GPU's; 0: unknown
	// Share is how much of the multiprocessors' time it had while it was watched, as the driver samples it:
	// of points, in the journal.
	Share *float64 `json:"sm_share,omitempty"`
}

// Working reports whether it ran kernels, as far as the driver tells.
func (p Process) Working() bool { return p.Share != nil && *p.Share > 0 }

// String is the process in a few words: "python3 (pid 1234, 412 MiB, 96 % of the SMs' time)".
func (p Process) String() string {
	parts := []string{fmt.Sprintf("pid %d", p.PID)}
	if p.Memory > 0 {
		parts = append(parts, fmt.Sprintf("%d MiB", p.Memory>>20))
	}
	switch {
	case p.Working():
		parts = append(parts, fmt.Sprintf("%.0f %% of the SMs' time", 100**p.Share))
	case p.Share != nil:
		parts = append(parts, "idle")
	}
	name := p.Name
	if name == "" {
		name = "a process"
	}
	return name + " (" + strings.Join(parts, ", ") + ")"
}

// Join adds processes to a list of others, each once with its largest share.
func Join(list, more []Process) []Process {
	for _, p := range more {
		i := slices.IndexFunc(list, func(had Process) bool { return had.PID == p.PID })
		switch {
		case i < 0:
			list = append(list[:len(list):len(list)], p)
		case p.Share != nil && (list[i].Share == nil || *p.Share > *list[i].Share):
			list = slices.Clone(list)
			list[i] = p
		}
	}
	return list
}

// List are processes in words.
func List(list []Process) string {
	var words []string
	for _, p := range list {
		words = append(words, p.String())
	}
	return strings.Join(words, ", ")
}

// Sharing is how a GPU is shared.
type Sharing struct {
	Processes []Process `json:"processes,omitempty"`         // others that had a context on it
	Unknown   string    `json:"processes_unknown,omitempty"` // why processes cannot be told
	MIG       bool      `json:"mig,omitempty"`               // whether it is divided into instances (MIG)
	MPS       string    `json:"mps,omitempty"`               // what shows that programs may share it through the server of MPS
}

// Words are what there is to say of the sharing, a part each; none where it is not shared.
func (s Sharing) Words() (parts []string) {
	if len(s.Processes) > 0 {
		parts = append(parts, "other processes: "+List(s.Processes))
	}
	if s.MIG {
		parts = append(parts, "MIG is on")
	}
	if s.MPS != "" {
		parts = append(parts, "MPS: "+s.MPS)
	}
	return parts
}

// isServer reports whether a process is the server of MPS, by its name as far as the kernel
// keeps it (TASK_COMM_LEN).
func isServer(p Process) bool { return strings.HasPrefix(p.Name, "nvidia-cuda-mps") }

// nvmap is where a Jetson's driver lists who has memory of the GPU (nvgpu; read by root only).
const nvmap = "sys/kernel/debug/nvmap/iovmm/clients"

// clientsOf reads nvmap's list: a client, a process, its number and its memory in KiB a
// line, with a head and a sum.
func clientsOf(text string) (list []Process) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			continue
		}
		var p Process
		var kib int64
		if _, err := fmt.Sscanf(fields[2]+" "+fields[3], "%d %dK", &p.PID, &kib); err != nil {
			continue
		}
		p.Name, p.Memory = terminal.OneLine(fields[1]), kib<<10
		list = append(list, p)
	}
	return list
}

// ours reports whether a process is that of that number, or was started by it, or by what
// it started.
func ours(tree machine.Tree, pid, ancestor int) bool {
	const generations = 64
	for range generations {
		if pid == ancestor {
			return true
		}
		_, behind, ok := cutLast(tree.Text(path.Join("proc", fmt.Sprint(pid), "stat")), ") ") // the name may have brackets (proc(5))
		var state string
		if _, err := fmt.Sscan(behind, &state, &pid); !ok || err != nil || pid <= 0 {
			return false
		}
	}
	return false
}

func cutLast(text, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// mps is what shows that MPS serves programs here: its server among the processes, or the
// control daemon's pipe; empty for neither. folder is CUDA_MPS_PIPE_DIRECTORY.
func mps(tree machine.Tree, folder string, list []Process) string {
	if i := slices.IndexFunc(list, isServer); i >= 0 {
		return fmt.Sprintf("its server runs (pid %d)", list[i].PID)
	}
	if folder == "" {
		folder = "/tmp/nvidia-mps"
	}
	if tree.Exists(path.Join(folder, "control")) {
		return "its pipes are in " + terminal.OneLine(folder)
	}
	return ""
}

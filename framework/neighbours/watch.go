package neighbours

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"time"

	"example.org/bench/framework/machine"
	"example.org/bench/gpu/cuda/nvml"
)

// Watch looks who else uses one GPU. It is used by one goroutine.
type Watch struct {
	tree     machine.Tree
	self     int
	ancestor int
	gpu      gpu
	unknown  string // why there is no gpu
	close    func() error
	now      func() time.Time

	began  time.Time
	before []Process
}

// gpu is what the watch asks; *nvml.Device is one.
type gpu interface {
	Processes() ([]nvml.Process, error)
	Utilisation(since time.Time) (map[int]float64, error)
	MIG() (bool, error)
}

// Open watches the GPU with that UUID or PCI address on the machine of the tree. The process
// ancestor and what it started are not others. self is a process that has a context on the
// GPU: where it is not listed, nobody can be told; 0: none has one. Where nothing can be
// read the watch says so (Sharing.Unknown).
func Open(tree machine.Tree, uuid, pci string, self, ancestor int) *Watch {
	w := &Watch{tree: tree, self: self, ancestor: ancestor, close: func() error { return nil }, now: time.Now}
	lib, err := nvml.Open()
	if err != nil {
		w.unknown = err.Error()
		return w
	}
	d, err := lib.Find(uuid, pci)
	if err != nil {
		w.unknown = errors.Join(err, lib.Close()).Error()
		return w
	}
	w.gpu, w.close = d, lib.Close
	return w
}

// Close ends it.
func (w *Watch) Close() error {
	if w == nil {
		return nil
	}
	return w.close()
}

// Sharing is how the GPU is shared now.
func (w *Watch) Sharing() (s Sharing) {
	all, err := w.processes()
	if err != nil {
		s.Unknown = err.Error()
	}
	s.MPS = mps(w.tree, os.Getenv("CUDA_MPS_PIPE_DIRECTORY"), all)
	s.Processes = w.others(all)
	if w.gpu != nil {
		s.MIG, _ = w.gpu.MIG()
	}
	return s
}

// Begin begins to watch; a nil watch sees nobody.
func (w *Watch) Begin() {
	if w == nil {
		return
	}
	w.began = w.now()
	all, _ := w.processes()
	w.before = w.others(all)
}

// End is who else had a context since Begin, at the beginning or now, and what share of the
// multiprocessors' time.
func (w *Watch) End() []Process {
	if w == nil {
		return nil
	}
	all, _ := w.processes()
	list := w.others(all)
	for _, p := range w.before {
		if !slices.ContainsFunc(list, func(x Process) bool { return x.PID == p.PID }) {
			list = append(list, p)
		}
	}
	if len(list) == 0 || w.gpu == nil {
		return list
	}
	shares, err := w.gpu.Utilisation(w.began)
	if err != nil {
		return list
	}
	for i := range list {
		share := shares[list[i].PID]
		list[i].Share = &share
	}
	return list
}

// processes are all that are listed, this one too; the error says why none are.
func (w *Watch) processes() ([]Process, error) {
	all, err := w.listed()
	if err != nil {
		return nil, err
	}
	if w.self != 0 && !slices.ContainsFunc(all, func(p Process) bool { return p.PID == w.self }) {
		return nil, errors.New("the driver does not list this process itself, as in a container: others cannot be told")
	}
	slices.SortFunc(all, func(a, b Process) int { return cmp.Compare(a.PID, b.PID) })
	return all, nil
}

// errRoot is why a Jetson's list cannot be read.
var errRoot = errors.New("root alone may read who uses the GPU (/" + nvmap + ")")

// listed are all that a Jetson's list or NVML has.
func (w *Watch) listed() (all []Process, err error) {
	if w.tree.Jetson() && w.tree.Exists(nvmap) {
		if text := w.tree.Text(nvmap); text != "" {
			return clientsOf(text), nil
		}
		return nil, errRoot
	}
	var list []nvml.Process
	if w.gpu == nil {
		err = errors.New(w.unknown)
	} else {
		list, err = w.gpu.Processes()
	}
	if err != nil && w.tree.Jetson() {
		err = fmt.Errorf("%w; %w", err, errRoot)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		all = append(all, Process{PID: p.PID, Name: w.tree.Line(path.Join("proc", fmt.Sprint(p.PID), "comm")), Memory: p.Memory})
	}
	return all, nil
}

// others are those of a list that are not ours, nor a server of MPS, whose clients count.
func (w *Watch) others(all []Process) (list []Process) {
	for _, p := range all {
		if p.PID != w.self && !ours(w.tree, p.PID, w.ancestor) && !isServer(p) {
			list = append(list, p)
		}
	}
	return list
}

package neighbours

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework/machine"
	"example.org/bench/gpu/cuda/nvml"
)

// stub is a GPU with these processes.
type stub struct {
	list   []nvml.Process
	shares map[int]float64
	mig    bool
	err    error // of lists
	untold error // of shares
	since  time.Time
}

func (s *stub) Processes() ([]nvml.Process, error) { return s.list, s.err }
func (s *stub) MIG() (bool, error)                 { return s.mig, nil }
func (s *stub) Utilisation(since time.Time) (map[int]float64, error) {
	s.since = since
	return s.shares, s.untold
}

// files are a machine's.
func files(t *testing.T, all map[string]string) machine.Tree {
	t.Helper()
	root := t.TempDir()
	for name, text := range all {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return machine.Tree(root)
}

// running are the files of processes, each PID PARENT NAME.
func running(list ...string) map[string]string {
	all := map[string]string{}
	for _, text := range list {
		var pid, parent int
		var name string
		fmt.Sscan(text, &pid, &parent, &name)
		all[fmt.Sprintf("proc/%d/stat", pid)] = fmt.Sprintf("%d (%s) S %d 1 1 0 -1\n", pid, name, parent)
		all[fmt.Sprintf("proc/%d/comm", pid)] = name + "\n"
	}
	return all
}

// family is a shell, bench with two workers and a compiler, and others.
var family = running("1 0 init", "10 1 sh", "20 10 bench", "21 20 bench", "22 20 be)(nch", "23 22 cc", "30 10 python3", "40 1 Xorg", "50 1 nvidia-cuda-mps")

func compute(pids ...int) (list []nvml.Process) {
	for _, pid := range pids {
		list = append(list, nvml.Process{PID: pid, Kind: nvml.Compute, Memory: int64(pid) << 20})
	}
	return list
}

// TestOthers are those that neither the parent nor what it started is, whatever their names;
// who cannot be told says why.
func TestOthers(t *testing.T) {
	for _, c := range []struct {
		name    string
		gpu     *stub
		self    int
		want    string
		unknown string
		mps     string
	}{
		{"alone", &stub{list: compute(21)}, 21, "", "", ""},
		{"with the parent's other workers", &stub{list: compute(22, 21, 23)}, 21, "", "", ""},
		{"beside others", &stub{list: compute(40, 21, 30, 99)}, 21, "python3 (pid 30, 30 MiB), Xorg (pid 40, 40 MiB), a process (pid 99, 99 MiB)", "", ""},
		{"served", &stub{list: compute(21, 30, 50)}, 21, "python3 (pid 30, 30 MiB)", "", "its server runs (pid 50)"},
		{"before a context", &stub{list: compute(30)}, 0, "python3 (pid 30, 30 MiB)", "", ""},
		{"not listed itself", &stub{list: compute(30)}, 21, "", "the driver does not list this process itself", ""},
		{"none listed", &stub{}, 21, "", "the driver does not list this process itself", ""},
		{"an old driver", &stub{err: errors.New("nvmlDeviceGetComputeRunningProcesses: no")}, 21, "", "nvmlDeviceGetComputeRunningProcesses: no", ""},
		{"no driver", nil, 21, "", "no NVML", ""},
	} {
		w := &Watch{tree: files(t, family), self: c.self, ancestor: 20, unknown: "no NVML", now: time.Now}
		if c.gpu != nil {
			w.gpu = c.gpu
		}
		s := w.Sharing()
		if List(s.Processes) != c.want || !strings.HasPrefix(s.Unknown, c.unknown) || (s.Unknown == "") != (c.unknown == "") || s.MPS != c.mps || s.MIG {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// TestEnd: whoever had a context at the beginning or the end, with the share of the time
// between.
func TestEnd(t *testing.T) {
	g := &stub{list: compute(21, 30)}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	w := &Watch{tree: files(t, family), self: 21, ancestor: 20, gpu: g, now: func() time.Time { return at }}
	w.Begin()
	g.list, g.shares = compute(21, 40), map[int]float64{21: 0.5, 40: 0.03}
	list := w.End()
	if got, want := List(list), "Xorg (pid 40, 40 MiB, 3 % of the SMs' time), python3 (pid 30, 30 MiB, idle)"; got != want || !g.since.Equal(at) {
		t.Errorf("%s since %v; want %s since %v", got, g.since, want, at)
	}
	if !list[0].Working() || list[1].Working() {
		t.Errorf("who worked: %+v", list)
	}
	g.untold = errors.New("not supported")
	if list := w.End(); list[0].Share != nil || list[0].Working() {
		t.Errorf("with untold shares: %+v", list)
	}
	var none *Watch
	none.Begin()
	if none.End() != nil || none.Close() != nil {
		t.Error("nobody watches, and somebody is seen")
	}
}

// TestMIGAndMPS are found where no process shows them.
func TestMIGAndMPS(t *testing.T) {
	all := map[string]string{"tmp/nvidia-mps/control": "", "run/mps/control": ""}
	for name, text := range family {
		all[name] = text
	}
	w := &Watch{tree: files(t, all), self: 21, ancestor: 20, gpu: &stub{list: compute(21), mig: true}}
	for folder, want := range map[string]string{"": "its pipes are in /tmp/nvidia-mps", "/run/mps": "its pipes are in /run/mps", "/nowhere": ""} {
		t.Setenv("CUDA_MPS_PIPE_DIRECTORY", folder)
		if s := w.Sharing(); s.MPS != want || !s.MIG {
			t.Errorf("%q: %+v", folder, s)
		}
	}
	s := Sharing{Processes: []Process{{PID: 1, Name: "x"}}, MIG: true, MPS: "its server runs (pid 2)"}
	if got, want := s.Words(), []string{"other processes: x (pid 1)", "MIG is on", "MPS: its server runs (pid 2)"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestJetson: who has memory of the GPU by nvmap, which root alone may read.
func TestJetson(t *testing.T) {
	const clients = "CLIENT                        PROCESS      PID        SIZE\n" +
		"user                          bench       21        8084K\n" +
		"user                    gnome-shell       40       32768K\n" +
		"kernel                        none      text          0K\n" +
		"total                                             40852K\n"
	board := map[string]string{"etc/nv_tegra_release": "# R32", nvmap: clients}
	for name, text := range family {
		board[name] = text
	}
	w := &Watch{tree: files(t, board), self: 21, ancestor: 20, unknown: "no NVML", now: time.Now}
	if s := w.Sharing(); List(s.Processes) != "gnome-shell (pid 40, 32 MiB)" || s.Unknown != "" {
		t.Errorf("%+v", s)
	}
	board[nvmap] = ""
	w.tree = files(t, board)
	if s := w.Sharing(); s.Unknown != errRoot.Error() {
		t.Errorf("%+v", s)
	}
	delete(board, nvmap)
	w.tree, w.gpu = files(t, board), &stub{err: errors.New("not supported")}
	if s := w.Sharing(); s.Unknown != "not supported; "+errRoot.Error() {
		t.Errorf("%+v", s)
	}
}

// TestJoin keeps each process once, with its largest share.
func TestJoin(t *testing.T) {
	share := func(x float64) *float64 { return &x }
	list := []Process{{PID: 1, Share: share(0.2)}, {PID: 2}}
	got := Join(Join(list, []Process{{PID: 1, Share: share(0.1)}, {PID: 3}}), []Process{{PID: 2, Share: share(0)}, {PID: 1, Share: share(0.4)}})
	if want := "a process (pid 1, 40 % of the SMs' time), a process (pid 2, idle), a process (pid 3)"; List(got) != want || *list[0].Share != 0.2 || list[1].Share != nil {
		t.Errorf("%s, want %s", List(got), want)
	}
}

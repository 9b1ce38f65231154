package cupti

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/gpu/cuda/jetson"
	"example.org/bench/internal/dynlib"
)

// PathVariable is the environment variable that holds the path of the libcupti to use, without a search.
const PathVariable = "BENCH_CUPTI"

// sonames are libcupti's names from CUDA 12.6 on, newest first, and the development link.
var sonames = []string{"libcupti.so.13", "libcupti.so.12", "libcupti.so"}

// folders are the folders of toolkits that the dynamic loader does not search.
var folders = []string{
	"/usr/local/cuda/extras/CUPTI/lib64",
	"/usr/local/cuda/lib64",
	"/usr/local/cuda/targets/*/lib",
	"/usr/local/cuda-*/extras/CUPTI/lib64",
	"/usr/local/cuda-*/lib64",
	"/usr/local/cuda-*/targets/*/lib",
}

// Library is a loaded libcupti.
type Library struct {
	// Calling is called with the name of each call before it is made, to help find a fault; it may be
	// nil.
	Calling func(call string)

	name    string
	version uint32
	admin   string // what the driver says about who may count
	api     api
}

// String returns the file and the version of its interface.
func (l *Library) String() string { return fmt.Sprintf("%s, interface %d", l.name, l.version) }

// Load loads the newest libcupti with the range profiler that it finds, or the one that BENCH_CUPTI
// names. The error says what was tried and how to get the library.
func Load() (*Library, error) {
	if path := os.Getenv(PathVariable); path != "" {
		l, err := load(path)
		if err != nil {
			return nil, fmt.Errorf("counters: %s=%s: %w", PathVariable, path, err)
		}
		return l, nil
	}
	l, err := dynlib.First(dynlib.Candidates(sonames, folders, "libcupti.so*"), load)
	if err == nil {
		return l, nil
	}
	return nil, fmt.Errorf("counters: no libcupti of CUDA 12.6 or later: install %s, or set %s to the path of libcupti.so (%w)",
		jetson.Hint("cuda-cupti"), PathVariable, err)
}

// load opens a library and binds its functions.
func load(name string) (*Library, error) {
	handle, err := dynlib.Open(name)
	if err != nil {
		return nil, err
	}
	l := &Library{name: name, admin: administrators("/")}
	if err := handle.BindAll(&l.api); err != nil {
		return nil, fmt.Errorf("%w: it is of a CUDA before 12.6", err)
	}
	if r := l.api.version(&l.version); r != success {
		return nil, l.check("cuptiGetVersion", r, 4, "")
	}
	l.loadBeside()
	return l, nil
}

// loadBeside loads the libraries that libcupti opens by name for counters. The dynamic loader does not
// look beside a library that was opened by path, but finds one that is already loaded.
func (l *Library) loadBeside() {
	if !strings.Contains(l.name, "/") {
		return
	}
	for _, name := range []string{"libnvperf_host.so", "libnvperf_target.so"} {
		// If the library is missing, libcupti reports that itself.
		_, _ = dynlib.Open(filepath.Join(filepath.Dir(l.name), name))
	}
}

// check returns the error of a call with parameters of that size; nil for success.
func (l *Library) check(call string, r Result, size uintptr, chip string) error {
	if r == success {
		return nil
	}
	e := &Error{Call: call, Code: r, Size: int(size), Library: l.String(), Chip: chip, Admin: l.admin}
	var text *byte
	if l.api.resultString(r, &text) == success {
		e.Name = dynlib.String(text)
	}
	return e
}

// administrators returns what the machine's driver says about who may read counters; it is empty where
// the driver says nothing.
func administrators(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "proc/driver/nvidia/params"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "RmProfilingAdminOnly:") {
			return "/proc/driver/nvidia/params has " + strings.TrimSpace(line)
		}
	}
	return ""
}

// Nodes returns an error that names the files in /dev below root that counting needs and that are
// missing. It is called before libcupti, some versions of which fault without such a file. gpu is the
// device's PCI address, such as "0000:01:00.0"; integrated says that it is a Jetson's.
func Nodes(root, gpu string, integrated bool) error {
	exists := func(patterns ...string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			found, err := filepath.Glob(filepath.Join(root, p))
			return err == nil && len(found) > 0
		})
	}
	if exists("dev/dxg") { // WSL has one file for everything
		return nil
	}
	if integrated {
		if exists("dev/nvhost-prof*gpu", "dev/nvgpu/igpu0/prof*", "dev/nvidiactl") {
			return nil
		}
		return errors.New("counters: none of /dev/nvgpu/igpu0/prof*, /dev/nvhost-prof*gpu and /dev/nvidiactl is here: " +
			"pass the board's device files to the container (--runtime nvidia), or install JetPack's nvidia-l4t-core")
	}
	var missing []string
	for _, p := range []string{"dev/nvidiactl", "dev/nvidia-uvm", minor(root, gpu)} {
		if !exists(p) {
			missing = append(missing, "/"+strings.Replace(p, "[0-9]*", "N", 1))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("counters: %s missing: nvidia-modprobe -c 0 -u (as root) makes them; a container needs --gpus all, or --device for each",
		strings.Join(missing, " and "))
}

// Optional returns the missing files in /dev below root that some versions of libcupti need.
func Optional(root string) (missing []string) {
	for _, p := range []string{"/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"} {
		if _, err := os.Stat(filepath.Join(root, p)); err != nil {
			missing = append(missing, p)
		}
	}
	return missing
}

// minor returns the pattern of a GPU's own file.
func minor(root, gpu string) string {
	text, err := os.ReadFile(filepath.Join(root, "proc/driver/nvidia/gpus", strings.ToLower(gpu), "information"))
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if n, ok := strings.CutPrefix(line, "Device Minor:"); ok {
				return "dev/nvidia" + strings.TrimSpace(n)
			}
		}
	}
	return "dev/nvidia[0-9]*"
}

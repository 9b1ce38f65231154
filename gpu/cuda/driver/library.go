// Package driver runs kernels on real CUDA devices. It calls the driver API through libcuda, which it loads at run
// time, and works from CUDA 9.0 (JetPack 3) on. A call of a function that the driver lacks returns an error.
//
// Names, constants and structure layouts are those of the CUDA Driver API Reference Manual (NVIDIA).
package driver

import (
	"fmt"
	"runtime"
	"sync"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/internal/dynlib"
)

// Library is a loaded and initialised CUDA driver.
type Library struct {
	// Compiler compiles for the library's devices. It is set before Open, which looks for NVRTC if it is nil.
	Compiler Compiler

	lib     *dynlib.Library
	version int // as cuDriverGetVersion returns it: 1000·major + 10·minor
	api     api
}

// Compiler turns CUDA C++ into code for one architecture.
type Compiler interface {
	Version() (major, minor int)
	Compile(src gpu.Source, arch string) (*nvrtc.Image, error)
}

// libraryNames are the names and paths of libcuda: for the dynamic loader, on a Jetson before ldconfig
// has run, and under WSL.
var libraryNames = []string{
	"libcuda.so.1",
	"libcuda.so",
	"/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1",
	"/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
}

var standard = sync.OnceValues(func() (*Library, error) { return Load(libraryNames...) })

// Open opens the GPU of this machine with that index, in the order of CUDA_VISIBLE_DEVICES. If there is
// none, the error wraps gpu.ErrNoDevice and says what would help.
func Open(index int) (*GPU, error) {
	l, err := standard()
	if err != nil {
		return nil, err
	}
	return l.Open(index)
}

// All returns the facts of this machine's GPUs in the order of their indexes. If there is none, the error
// is Open's.
func All() ([]gpu.Facts, error) {
	l, err := standard()
	if err != nil {
		return nil, err
	}
	return l.All()
}

// Load loads the first of the named driver libraries and initialises it. Its error wraps gpu.ErrNoDevice.
func Load(names ...string) (*Library, error) {
	lib, err := dynlib.Open(names...)
	if err != nil {
		return nil, noDevice("the CUDA driver's library libcuda.so.1 cannot be loaded",
			"install the NVIDIA driver (on a Jetson: flash or install JetPack's nvidia-l4t-cuda); in a container, pass the GPU through", err)
	}
	l := &Library{lib: lib}
	if err := lib.BindAll(&l.api); err != nil {
		return nil, noDevice("the CUDA driver is too old", "install a driver for CUDA 9.0 (JetPack 3.2) or newer", err)
	}
	if err := l.api.check("cuInit", l.api.init(0)); err != nil {
		return nil, noDevice("the CUDA driver does not start", initHelp(err), err)
	}
	var version int32
	if err := l.api.check("cuDriverGetVersion", l.api.driverGetVersion(&version)); err != nil {
		return nil, noDevice("the CUDA driver does not report its version", "reinstall the NVIDIA driver", err)
	}
	l.version = int(version)
	return l, nil
}

// Count returns the number of GPUs that the driver shows.
func (l *Library) Count() (int, error) {
	var n int32
	if err := l.api.check("cuDeviceGetCount", l.api.deviceGetCount(&n)); err != nil {
		return 0, noDevice("the CUDA driver does not list its GPUs", initHelp(err), err)
	}
	if n == 0 {
		return 0, noDevice("the CUDA driver shows no GPU", initHelp(&Error{Code: errNoDevice}), nil)
	}
	return int(n), nil
}

// Version returns the CUDA version that the driver supports, e.g. "12.6".
func (l *Library) Version() string {
	return fmt.Sprintf("%d.%d", l.version/1000, l.version%1000/10)
}

// noDevice returns an error that wraps gpu.ErrNoDevice and cause, which may be nil.
func noDevice(what, help string, cause error) error {
	if cause == nil {
		return fmt.Errorf("%w: %s; %s", gpu.ErrNoDevice, what, help)
	}
	return fmt.Errorf("%w: %s (%w); %s", gpu.ErrNoDevice, what, cause, help)
}

// initHelp returns advice on an error of cuInit or of the device list.
func initHelp(err error) string {
	switch Code(err) {
	case errNoDevice:
		return "check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it"
	case errStubLibrary:
		return "a link-time stub was loaded in place of the driver: take CUDA's stubs folder out of LD_LIBRARY_PATH"
	case errSystemDriverMismatch, errCompatNotSupported:
		return "kernel module and libcuda.so.1 differ in version: restart the machine after a driver update, or remove CUDA's compat folder from LD_LIBRARY_PATH"
	case errSystemNotReady:
		return "start the machine's fabric manager (nvidia-fabricmanager)"
	case errInsufficientDriver:
		return "install a newer NVIDIA driver"
	case errOperatingSystem, errUnknown:
		help := "check that the nvidia kernel module is loaded and that this user may open /dev/nvidia*"
		if runtime.GOARCH == "arm64" {
			help += " (on a Jetson: /dev/nvhost*, group video)"
		}
		return help
	case errNotInitialized, errDeviceUnavailable:
		return "another process holds the GPU in exclusive mode"
	}
	return "nvidia-smi may say more"
}

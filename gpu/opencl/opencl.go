// Package opencl runs kernels on the devices that OpenCL 1.2 or newer shows. It calls the loader (libOpenCL), which
// it loads at run time, and through it the drivers of all vendors that the machine has.
//
// Names and constants are those of "The OpenCL Specification" (Khronos).
package opencl

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/trust"
)

// Library is a loaded loader of OpenCL drivers.
type Library struct {
	api api
	lib *dynlib.Library
}

// libraryNames are the names and paths of libOpenCL: a loader, or, as on Android-like boards with one vendor,
// the driver itself.
var libraryNames = []string{"libOpenCL.so.1", "libOpenCL.so", "/usr/lib/aarch64-linux-gnu/libOpenCL.so.1", "libmali.so.1", "libmali.so"}

// standard loads the machine's loader. Root's process loads no driver that others can change.
var standard = sync.OnceValues(func() (*Library, error) {
	if u := trust.Self(); u.IsRoot() {
		if err := checkVendors(u, vendors); err != nil {
			return nil, fmt.Errorf("%w: %w", errNoDevice, err)
		}
	}
	return Load(libraryNames...)
})

// errNoDevice is gpu.ErrNoDevice in the words of this package.
var errNoDevice error = noDevice{}

type noDevice struct{}

func (noDevice) Error() string        { return "no OpenCL device" }
func (noDevice) Is(target error) bool { return target == gpu.ErrNoDevice }

// help is what to do where there is no device.
const help = "install the driver of your GPU's vendor (for an AMD or ARM GPU with an open driver: mesa-opencl-icd with RUSTICL_ENABLE set to it; for the CPU: pocl-opencl-icd); clinfo lists what there is"

// Load loads the first of the named loaders. Its error wraps gpu.ErrNoDevice.
func Load(names ...string) (*Library, error) {
	lib, err := dynlib.Open(names...)
	if err != nil {
		return nil, fmt.Errorf("%w: the loader libOpenCL.so.1 cannot be loaded (%w); install ocl-icd-libopencl1, and a driver", errNoDevice, err)
	}
	l := &Library{lib: lib}
	if err := lib.BindAll(&l.api); err != nil {
		return nil, fmt.Errorf("%w: the OpenCL loader is too old (%w): OpenCL 1.2 or newer is needed", errNoDevice, err)
	}
	return l, nil
}

// entry is a device that a driver shows.
type entry struct {
	id       deviceID
	platform string // name
}

// entries returns the devices of all platforms, in the order in which the loader shows them.
func (l *Library) entries() (list []entry, err error) {
	var count uint32
	r := l.api.getPlatformIDs(0, nil, &count)
	if r == errNoPlatform || r == success && count == 0 {
		return nil, fmt.Errorf("%w: OpenCL shows no driver; %s", errNoDevice, help)
	}
	if err := check("clGetPlatformIDs", r); err != nil {
		return nil, fmt.Errorf("%w: OpenCL does not list its drivers (%w); %s", errNoDevice, err, help)
	}
	platforms := make([]platformID, count)
	if err := check("clGetPlatformIDs", l.api.getPlatformIDs(count, &platforms[0], nil)); err != nil {
		return nil, fmt.Errorf("%w: OpenCL does not list its drivers (%w); %s", errNoDevice, err, help)
	}
	var failed error // of a driver without devices
	for _, p := range platforms {
		name, err := l.platformText(p, platformName)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		devices, err := l.devicesOf(p)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", name, err))
		}
		for _, d := range devices {
			list = append(list, entry{d, name})
		}
	}
	if len(list) == 0 && failed != nil {
		return nil, fmt.Errorf("%w: no OpenCL driver shows a device (%w); %s", errNoDevice, failed, help)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: no OpenCL driver shows a device; %s", errNoDevice, help)
	}
	return list, nil
}

// devicesOf returns the devices of a platform; none is no error.
func (l *Library) devicesOf(p platformID) ([]deviceID, error) {
	var count uint32
	switch r := l.api.getDeviceIDs(p, deviceTypeAll, 0, nil, &count); {
	case r == errDeviceNotFound || r == success && count == 0:
		return nil, nil
	case r != success:
		return nil, check("clGetDeviceIDs", r)
	}
	list := make([]deviceID, count)
	err := check("clGetDeviceIDs", l.api.getDeviceIDs(p, deviceTypeAll, count, &list[0], nil))
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (l *Library) platformText(p platformID, what uint32) (string, error) {
	return text("clGetPlatformInfo", func(bytes uintptr, value unsafe.Pointer, size *uintptr) Result {
		return l.api.getPlatformInfo(p, what, bytes, value, size)
	})
}

// text asks for the length of a text, and then for the text.
func text(call string, ask func(bytes uintptr, value unsafe.Pointer, size *uintptr) Result) (string, error) {
	var size uintptr
	if err := check(call, ask(0, nil, &size)); err != nil || size == 0 {
		return "", err
	}
	const most = 16 << 20 // longer ones are nonsense
	if size > most {
		return "", fmt.Errorf("%s: a text of %d bytes", call, size)
	}
	b := make([]byte, size)
	if err := check(call, ask(size, unsafe.Pointer(&b[0]), nil)); err != nil {
		return "", err
	}
	s, _, _ := strings.Cut(string(b), "\x00")
	return strings.TrimSpace(s), nil
}

// All returns the facts of every device of this machine, in the order of their numbers. Where a driver does not
// tell them, OpenCL.Fault says so.
func All() ([]gpu.Facts, error) {
	l, err := standard()
	if err != nil {
		return nil, err
	}
	return l.All()
}

// All returns the facts of every device.
func (l *Library) All() (all []gpu.Facts, err error) {
	list, err := l.entries()
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		f, err := l.facts(e)
		if err != nil {
			f.OpenCL.Fault = err.Error()
		}
		all = append(all, f)
	}
	return all, nil
}

// Prefix begins the name of an OpenCL device.
const Prefix = "opencl:"

// First names the first device that is a GPU, or the first one where none is.
const First = Prefix + "first"

// ID returns the name of the device with that number: "opencl:0", "opencl:1", ….
func ID(index int) string { return Prefix + strconv.Itoa(index) }

// Named returns the number of the device with that name. A name is "opencl:0", or First, or a part, in any case, of
// the name of one device or of its driver: "opencl:mali".
func Named(name string, all []gpu.Facts) (int, error) {
	word := strings.TrimPrefix(name, Prefix)
	if i, err := strconv.Atoi(word); err == nil {
		if i < 0 || i >= len(all) {
			return 0, fmt.Errorf("%w: there is no %s; the last of %s here is %s", errNoDevice, name, terminal.Count(len(all), "device"), ID(len(all)-1))
		}
		return i, nil
	}
	if name == First && len(all) > 0 {
		return max(0, slices.IndexFunc(all, func(f gpu.Facts) bool { return f.OpenCL.Type == "GPU" })), nil
	}
	var found []int
	var has []string
	for i, f := range all {
		has = append(has, fmt.Sprintf("%s (%s, %s)", ID(i), f.Name, f.OpenCL.Platform))
		if lower := strings.ToLower(word); word != "" && (strings.Contains(strings.ToLower(f.Name), lower) || strings.Contains(strings.ToLower(f.OpenCL.Platform+" "+f.OpenCL.Version), lower)) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, fmt.Errorf("%w: no OpenCL device or driver here is called %q; there is %s", errNoDevice, word, strings.Join(has, ", "))
	}
	return 0, fmt.Errorf("%w: %q is a part of %d names; there is %s", errNoDevice, word, len(found), strings.Join(has, ", "))
}

// Open opens the device of this machine with that name (Named). If there is none, the error wraps
// gpu.ErrNoDevice and says what would help.
func Open(name string) (*Device, error) {
	l, err := standard()
	if err != nil {
		return nil, err
	}
	return l.Open(name)
}

// Open opens the device with that name (Named).
func (l *Library) Open(name string) (*Device, error) {
	all, err := l.All()
	if err != nil {
		return nil, err
	}
	i, err := Named(name, all)
	if err != nil {
		return nil, err
	}
	if fault := all[i].OpenCL.Fault; fault != "" {
		return nil, fmt.Errorf("%w: the driver of %s does not tell what it is: %s", errNoDevice, ID(i), fault)
	}
	list, err := l.entries()
	if err != nil {
		return nil, err
	}
	if i >= len(list) {
		return nil, fmt.Errorf("%w: %s is gone", errNoDevice, name)
	}
	return l.open(i, list[i].id, all[i])
}

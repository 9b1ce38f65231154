package cupti

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/terminal"
)

// Profiler counts metrics on one CUDA context. Its methods run on the thread that the context is bound
// to.
type Profiler struct {
	lib     *Library
	context uintptr
	chip    string
	metrics []string
	names   []*byte // the metrics as C strings
	host    uintptr
	config  image
	passes  int

	available image   // memory that the library may still read
	strings   []*byte // likewise
}

// image is memory that the library fills. It must be aligned to 8 bytes.
type image struct {
	words []uint64
	bytes uintptr
}

func newImage(bytes uintptr) image { return image{make([]uint64, (bytes+7)/8+1), bytes} }

func (i image) at() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(i.words)) }

// Range holds the values counted between the begin and the end of a range, in the order of the profiler's
// metrics.
type Range []float64

// Open prepares to count metrics on a context of the CUDA device with that index. The error is an
// *UnknownMetrics for names that the chip does not have, and an *Error for a failed call.
func (l *Library) Open(context uintptr, device int, metrics []string) (*Profiler, error) {
	if len(metrics) == 0 {
		return nil, errors.New("counters: no metric")
	}
	p := &Profiler{lib: l, context: context, metrics: metrics}
	for _, m := range metrics {
		p.names = append(p.names, cString(m))
	}
	begin := &initializeParams{head{size: unsafe.Sizeof(initializeParams{})}}
	if err := p.call("cuptiProfilerInitialize", begin.size, func() Result { return l.api.initialize(begin) }); err != nil {
		return nil, p.supported(device, err)
	}
	if err := p.open(device); err != nil {
		return nil, p.supported(device, errors.Join(err, p.Close()))
	}
	return p, nil
}

func (p *Profiler) open(device int) error {
	a := &p.lib.api
	chip := &chipNameParams{head: head{size: unsafe.Sizeof(chipNameParams{})}, device: uintptr(device)}
	if err := p.call("cuptiDeviceGetChipName", chip.size, func() Result { return a.chipName(chip) }); err != nil {
		return err
	}
	p.chip = dynlib.String(chip.name)
	available := &availabilityParams{head: head{size: unsafe.Sizeof(availabilityParams{})}, context: p.context}
	if err := p.call("cuptiProfilerGetCounterAvailability", available.head.size, func() Result { return a.availability(available) }); err != nil {
		return err
	}
	p.available = newImage(available.size)
	available.image = p.available.at()
	if err := p.call("cuptiProfilerGetCounterAvailability", available.head.size, func() Result { return a.availability(available) }); err != nil {
		return err
	}
	var err error
	if p.host, err = p.newHost(); err != nil {
		return err
	}
	if err := p.add(p.host, p.names); err != nil {
		// Libraries of CUDA 13 report an unknown name as an invalid parameter.
		var e *Error
		if errors.As(err, &e) && (e.Code == errInvalidMetricName || e.Code == errInvalidParameter) {
			err = p.unknown(err)
		}
		return err
	}
	return p.schedule()
}

// newHost creates the object that turns names into a counter configuration.
func (p *Profiler) newHost() (uintptr, error) {
	chip := cString(p.chip)
	p.strings = append(p.strings, chip)
	h := &hostParams{head: head{size: unsafe.Sizeof(hostParams{})}, kind: rangeProfiler, chip: chip, availability: p.available.at()}
	err := p.call("cuptiProfilerHostInitialize", h.size, func() Result { return p.lib.api.host(h) })
	return h.host, err
}

func (p *Profiler) endHost(host uintptr) error {
	h := &hostEndParams{head{size: unsafe.Sizeof(hostEndParams{})}, host}
	return p.call("cuptiProfilerHostDeinitialize", h.size, func() Result { return p.lib.api.hostEnd(h) })
}

func (p *Profiler) add(host uintptr, names []*byte) error {
	m := &addMetricsParams{head: head{size: unsafe.Sizeof(addMetricsParams{})}, host: host,
		names: unsafe.Pointer(unsafe.SliceData(names)), count: uintptr(len(names))}
	return p.call("cuptiProfilerHostConfigAddMetrics", m.size, func() Result { return p.lib.api.addMetrics(m) })
}

// schedule creates the image that says what is counted in which pass.
func (p *Profiler) schedule() error {
	a := &p.lib.api
	size := &configSizeParams{head: head{size: unsafe.Sizeof(configSizeParams{})}, host: p.host}
	if err := p.call("cuptiProfilerHostGetConfigImageSize", size.head.size, func() Result { return a.configSize(size) }); err != nil {
		return err
	}
	p.config = newImage(size.size)
	c := &configParams{head: head{size: unsafe.Sizeof(configParams{})}, host: p.host, size: size.size, image: p.config.at()}
	if err := p.call("cuptiProfilerHostGetConfigImage", c.head.size, func() Result { return a.config(c) }); err != nil {
		return err
	}
	n := &passesParams{head: head{size: unsafe.Sizeof(passesParams{})}, size: p.config.bytes, image: p.config.at()}
	if err := p.call("cuptiProfilerHostGetNumOfPasses", n.head.size, func() Result { return a.passes(n) }); err != nil {
		return err
	}
	p.passes = int(n.passes)
	return nil
}

// unknown finds the metrics that the chip does not have, and those that it has instead. If it fails, it
// returns first unchanged.
func (p *Profiler) unknown(first error) error {
	e := &UnknownMetrics{Chip: p.chip}
	for i, name := range p.names {
		host, err := p.newHost()
		if err != nil {
			return first
		}
		if err := p.add(host, []*byte{name}); err != nil {
			e.Names = append(e.Names, p.metrics[i])
		}
		if err := p.endHost(host); err != nil {
			return first
		}
	}
	if len(e.Names) == 0 {
		return first
	}
	wanted, _, _ := strings.Cut(e.Names[0], ".")
	for kind := range int32(metricTypeCount) {
		for _, base := range p.baseMetrics(kind) {
			if base == wanted {
				e.Known = p.subMetrics(kind, base)
				return e
			}
			e.Known = append(e.Known, base)
		}
	}
	return e
}

// baseMetrics returns the names of a kind of metrics, up to their dot.
func (p *Profiler) baseMetrics(kind int32) []string {
	b := &baseMetricsParams{head: head{size: unsafe.Sizeof(baseMetricsParams{})}, host: p.host, kind: kind}
	if p.lib.api.baseMetrics(b) != success {
		return nil
	}
	return goStrings(b.names, b.count)
}

// subMetrics returns the full names that begin with a base metric's name.
func (p *Profiler) subMetrics(kind int32, base string) (names []string) {
	s := &subMetricsParams{head: head{size: unsafe.Sizeof(subMetricsParams{})}, host: p.host, kind: kind, name: cString(base)}
	if p.lib.api.subMetrics(s) != success {
		return nil
	}
	for _, sub := range goStrings(s.names, s.count) {
		if !strings.HasPrefix(sub, base) {
			sub = base + "." + strings.TrimPrefix(sub, ".")
		}
		names = append(names, sub)
	}
	return names
}

func goStrings(names **byte, count uintptr) (list []string) {
	if names == nil {
		return nil
	}
	for _, n := range unsafe.Slice(names, count) {
		list = append(list, dynlib.String(n))
	}
	return list
}

// supported adds to an error what the library says about the device.
func (p *Profiler) supported(device int, err error) error {
	var e *Error
	if !errors.As(err, &e) || p.lib.api.supported == nil {
		return err
	}
	s := &supportedParams{head: head{size: supportedSize}, device: int32(device)}
	if p.lib.api.supported(s) != success || s.isSupported == levelSupported {
		return err
	}
	var why []string
	for _, part := range []struct {
		level int32
		name  string
	}{{s.architecture, "this GPU's architecture"}, {s.sli, "SLI"}, {s.vGPU, "a virtual GPU"}, {s.confidential, "confidential computing"},
		{s.cmp, "a mining processor"}, {s.wsl, "WSL"}} {
		switch part.level {
		case levelSupported:
		case levelDisabled:
			why = append(why, part.name+" is set not to allow counters")
		default:
			why = append(why, part.name+" has no counters")
		}
	}
	e.Why = strings.Join(why, ", ")
	return err
}

// Chip returns the chip's name, such as "gh100".
func (p *Profiler) Chip() string { return p.chip }

// Library returns the file and the version of its interface.
func (p *Profiler) Library() string { return p.lib.String() }

// Passes returns the number of runs that counting takes.
func (p *Profiler) Passes() int { return p.passes }

// Close frees what Open allocated.
func (p *Profiler) Close() error {
	var err error
	if p.host != 0 {
		err = p.endHost(p.host)
		p.host = 0
	}
	end := &initializeParams{head{size: unsafe.Sizeof(initializeParams{})}}
	return errors.Join(err, p.call("cuptiProfilerDeInitialize", end.size, func() Result { return p.lib.api.deinitialize(end) }))
}

// call calls a function of the library with parameters of that size.
func (p *Profiler) call(name string, size uintptr, function func() Result) error {
	if p.lib.Calling != nil {
		p.lib.Calling(name)
	}
	return p.lib.check(name, function(), size, p.chip)
}

// Count counts one range in as many passes as the metrics need. Each pass calls before, which restores
// what a run changes, and then run, which must not return before its work on the device has ended.
func (p *Profiler) Count(name string, before, run func() error) (Range, error) {
	ranges, err := p.count(userRange, 1, before, func(s *session) error {
		if err := s.push(name); err != nil {
			return err
		}
		return errors.Join(run(), s.pop())
	})
	if err != nil {
		return nil, err
	}
	if len(ranges) != 1 {
		return nil, fmt.Errorf("counters: the library has %s of one run", terminal.Count(len(ranges), "range"))
	}
	return ranges[0], nil
}

// CountLaunches is Count with a range for each kernel launch in run, up to most launches.
func (p *Profiler) CountLaunches(most int, before, run func() error) ([]Range, error) {
	return p.count(autoRange, most, before, func(*session) error { return run() })
}

// count makes every pass and evaluates the counters.
func (p *Profiler) count(kind int32, most int, before func() error, run func(*session) error) (ranges []Range, err error) {
	s := &session{Profiler: p}
	if err := s.begin(kind, most); err != nil {
		return nil, errors.Join(err, s.end())
	}
	defer func() { err = errors.Join(err, s.end()) }()
	for all, passes := false, 0; !all; passes++ {
		if passes > 2*p.passes { // it would never end
			return nil, fmt.Errorf("counters: %s are not enough, although %s announced %d", terminal.Count(passes, "pass"), p.lib, p.passes)
		}
		if err := before(); err != nil {
			return nil, err
		}
		if err := s.start(); err != nil {
			return nil, err
		}
		if err := run(s); err != nil {
			return nil, err
		}
		if all, err = s.stop(); err != nil {
			return nil, err
		}
	}
	return s.ranges()
}

// Metrics returns the names of a Range's values.
func (p *Profiler) Metrics() []string { return slices.Clone(p.metrics) }

package cupti

import (
	"errors"
	"fmt"
	"unsafe"

	"example.org/bench/internal/terminal"
)

// session is one enabled range profiler.
type session struct {
	*Profiler
	object uintptr
	data   image // the library keeps its address until end
}

// begin enables the profiler for at most that many ranges a pass.
func (s *session) begin(kind int32, most int) error {
	a := &s.lib.api
	on := &enableParams{head: head{size: unsafe.Sizeof(enableParams{})}, context: s.context}
	if err := s.call("cuptiRangeProfilerEnable", on.size, func() Result { return a.enable(on) }); err != nil {
		return err
	}
	s.object = on.object
	size := &dataSizeParams{head: head{size: unsafe.Sizeof(dataSizeParams{})}, object: s.object,
		names: unsafe.Pointer(unsafe.SliceData(s.names)), count: uintptr(len(s.names)), ranges: uintptr(most), nodes: uint32(most)}
	if err := s.call("cuptiRangeProfilerGetCounterDataSize", size.head.size, func() Result { return a.dataSize(size) }); err != nil {
		return err
	}
	s.data = newImage(size.size)
	d := &dataParams{head: head{size: unsafe.Sizeof(dataParams{})}, object: s.object, size: s.data.bytes, image: s.data.at()}
	if err := s.call("cuptiRangeProfilerCounterDataImageInitialize", d.head.size, func() Result { return a.dataBegin(d) }); err != nil {
		return err
	}
	c := &setConfigParams{head: head{size: setConfigSize}, object: s.object,
		configSize: s.config.bytes, config: s.config.at(), dataSize: s.data.bytes, data: s.data.at(),
		ranges: kind, replay: userReplay, maxRanges: uintptr(most), levels: 1, minLevel: 1, level: 1}
	return s.call("cuptiRangeProfilerSetConfig", c.size, func() Result { return a.setConfig(c) })
}

func (s *session) end() error {
	if s.object == 0 {
		return nil
	}
	o := s.params()
	s.object = 0
	return s.call("cuptiRangeProfilerDisable", o.size, func() Result { return s.lib.api.disable(o) })
}

func (s *session) params() *objectParams {
	return &objectParams{head{size: unsafe.Sizeof(objectParams{})}, s.object}
}

func (s *session) start() error {
	o := s.params()
	return s.call("cuptiRangeProfilerStart", o.size, func() Result { return s.lib.api.start(o) })
}

// stop ends a pass and reports whether it was the last.
func (s *session) stop() (all bool, err error) {
	o := &stopParams{head: head{size: stopSize}, object: s.object}
	err = s.call("cuptiRangeProfilerStop", o.size, func() Result { return s.lib.api.stop(o) })
	return o.all != 0, err
}

func (s *session) push(name string) error {
	text := cString(name)
	s.strings = append(s.strings, text)
	o := &pushParams{head{size: unsafe.Sizeof(pushParams{})}, s.object, text}
	return s.call("cuptiRangeProfilerPushRange", o.size, func() Result { return s.lib.api.push(o) })
}

func (s *session) pop() error {
	o := s.params()
	return s.call("cuptiRangeProfilerPopRange", o.size, func() Result { return s.lib.api.pop(o) })
}

// ranges returns the values of every range that was counted.
func (s *session) ranges() ([]Range, error) {
	a := &s.lib.api
	d := &decodeParams{head: head{size: unsafe.Sizeof(decodeParams{})}, object: s.object}
	if err := s.call("cuptiRangeProfilerDecodeData", d.size, func() Result { return a.decode(d) }); err != nil {
		return nil, err
	}
	if d.dropped > 0 {
		return nil, fmt.Errorf("counters: %s did not fit", terminal.Count(d.dropped, "range"))
	}
	n := &dataInfoParams{head: head{size: unsafe.Sizeof(dataInfoParams{})}, image: s.data.at(), size: s.data.bytes}
	if err := s.call("cuptiRangeProfilerGetCounterDataInfo", n.head.size, func() Result { return a.dataInfo(n) }); err != nil {
		return nil, err
	}
	if n.ranges == 0 {
		return nil, errors.New("counters: the library has counted nothing")
	}
	list := make([]Range, n.ranges)
	for i := range list {
		list[i] = make(Range, len(s.names))
		e := &evaluateParams{head: head{size: unsafe.Sizeof(evaluateParams{})}, host: s.host, image: s.data.at(), size: s.data.bytes,
			index: uintptr(i), names: unsafe.Pointer(unsafe.SliceData(s.names)), count: uintptr(len(s.names)), values: &list[i][0]}
		if err := s.call("cuptiProfilerHostEvaluateToGpuValues", e.head.size, func() Result { return a.evaluate(e) }); err != nil {
			return nil, err
		}
	}
	return list, nil
}

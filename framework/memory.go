package framework

import "example.org/bench/gpu"

// Memory is what a point takes, in bytes, without the tool itself.
type Memory struct {
	// Host is the inputs, what the answer is checked by, and the version's own arrays.
	Host int64 `json:"host_bytes"`
	// Device is the GPU's buffers. On an integrated GPU they lie in the host's memory.
	Device int64 `json:"device_bytes"`
}

// Total returns the sum of both.
func (m Memory) Total() int64 { return m.Host + m.Device }

// Memory returns what a point of the version takes. full is set if answers are compared with the
// whole reference. What a version does not state is assumed to be the most possible: a GPU version
// may have all its device memory downloaded, and a CPU version may have as much as its problem.
// Host arrays that are copied from input to answer are no larger than the device's.
func (f *Factory) Memory(v *Version, params, tunables Values, full bool) (m Memory) {
	if v == nil {
		return m
	}
	if v.DeviceBytes != nil {
		m.Device = v.DeviceBytes(params, tunables)
	}
	switch {
	case v.HostBytes != nil:
		m.Host = v.HostBytes(params, tunables, full)
	case f.HostBytes == nil:
	case v.Processor == GPU:
		m.Host = f.HostBytes(params) + m.Device
	default:
		m.Host = 2 * f.HostBytes(params)
	}
	if Copied(params) {
		m.Host += m.Device
	}
	return m
}

// Copied reports whether the timed part of a GPU version copies between host arrays and device
// memory. With mapped or managed memory it does not.
func Copied(params Values) bool {
	kind := gpu.Memory(params.Text(MemoryParam))
	return params.Text(TimedParam) == AnswerTimed && (kind == "" || kind == gpu.DeviceMemory)
}

package framework

import "bench/cuda"

// Memory is what a point takes, in bytes, beside the tool itself.
type Memory struct {
	// Host is inputs, what the answer is checked by, and the version's own arrays.
	Host int64 `json:"host_bytes"`
	// Device is the GPU's buffers; of an integrated GPU they lie in the same memory.
	Device int64 `json:"device_bytes"`
}

// Total is both together.
func (m Memory) Total() int64 { return m.Host + m.Device }

// Memory is what a point of the version takes. full is for answers that are compared
// with the whole reference. What a version does not say is counted as much as it may
// be: all that a GPU version has on the device may be downloaded, and a CPU version
// has as much as its problem. The host's arrays that are copied from input to answer are
// no more than the device's.
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

// Copied says that the timed part of a GPU version copies between the host's arrays and
// the device's: other memory is the host's too.
func Copied(params Values) bool {
	kind := cuda.Memory(params.Text(MemoryParam))
	return params.Text(TimedParam) == AnswerTimed && (kind == "" || kind == cuda.DeviceMemory)
}

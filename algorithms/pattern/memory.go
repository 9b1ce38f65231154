package pattern

import "example.org/bench/framework"

// withMemory sets the host memory of the versions' points: the inputs and what the reference keeps of every
// pattern. Version parallel has padded copies of the inputs.
func withMemory(versions []framework.Version) []framework.Version {
	for i := range versions {
		copies := int64(0)
		if versions[i].Name == "parallel" {
			copies = 1
		}
		versions[i].HostBytes = func(params, _ framework.Values, _ bool) int64 {
			return hostBytes(params) + copies*shapeOf(params).inputBytes()
		}
	}
	return versions
}

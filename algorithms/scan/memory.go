package scan

import "example.org/bench/framework"

// withMemory sets the host memory of the versions' points: the input and the answer, for a GPU version the
// downloaded one. The reference is added up during the comparison.
func withMemory(versions []framework.Version) []framework.Version {
	for i := range versions {
		versions[i].HostBytes = func(params, _ framework.Values, _ bool) int64 { return hostBytes(params) }
	}
	return versions
}

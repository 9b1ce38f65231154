package bicubic

import "example.org/bench/framework"

// withMemory sets the host memory of the versions' points: the input and the output, for a GPU version the
// downloaded one. Staged input and output are in host memory beside the problem's input, and compared there.
// The reference is computed while outputs are compared.
func withMemory(versions []framework.Version) []framework.Version {
	for i := range versions {
		versions[i].HostBytes = func(params, tunables framework.Values, _ bool) int64 {
			s := shapeOf(params)
			total := s.inBytes() + s.outBytes()
			if tunables.Int("STAGED") != 0 {
				total += s.inBytes()
			}
			return total
		}
	}
	return versions
}

package qr

import (
	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// withMemory sets the host memory of the versions' points: A, Q and R, for a GPU version the downloaded ones,
// and what workers hold in double precision.
func withMemory(versions []framework.Version) []framework.Version {
	for i := range versions {
		v := &versions[i]
		v.HostBytes = func(params, tunables framework.Values, full bool) int64 {
			s := shapeOf(params)
			at := int64(min(workers.All(), s.Batch)) // a matrix each
			total := s.bytes()
			if full || !s.hasFastCheck(householder) {
				total += at * 8 * int64(s.sizeQ())
			} else { // products with random vectors
				total += 16 * int64(s.Batch*s.vectors(householder)*(s.M+s.cols()))
			}
			switch v.Name {
			case "reference":
				total += 8 * int64(s.sizeA()+s.sizeQ())
			case "parallel":
				total += at * 4 * int64(s.M*(s.N+panelWidth-1)/panelWidth*panelWidth)
			case "gonum":
				total += at * 8 * int64(s.sizeQ())
			case "cusolver", "cublas": // what they factor in place, and Q
				total += s.size64() * int64(s.Batch) * int64(s.sizeQ())
			}
			// Before that matrices are drawn in double precision.
			drawing := at*8*int64(s.sizeA()) + s.size64()*int64(s.Batch)*int64(s.sizeA())
			if v.DeviceBytes != nil { // which are not there yet
				drawing -= v.DeviceBytes(params, tunables)
			}
			return max(total, drawing)
		}
	}
	return versions
}

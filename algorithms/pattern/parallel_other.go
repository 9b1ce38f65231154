package pattern

// vectorKernels: no vector code here.
func vectorKernels() []*vectorKernel { return nil }

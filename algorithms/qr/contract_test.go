package qr

import (
	"testing"

	"example.org/bench/framework/algorithmtest"
)

// cublas forms no Q, and its nominal counts are R's.
func TestContract(t *testing.T) {
	algorithmtest.Suite{Factory: Factory(), GPU: 3, Own: []string{"cublas"}}.Run(t)
}

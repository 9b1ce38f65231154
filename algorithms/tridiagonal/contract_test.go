package tridiagonal

import (
	"testing"

	"example.org/bench/framework/algorithmtest"
)

func TestContract(t *testing.T) { algorithmtest.Run(t, Factory()) }

package bicubic

import (
	"testing"

	"bench/framework/algorithmtest"
)

func TestContract(t *testing.T) { algorithmtest.Run(t, Factory()) }

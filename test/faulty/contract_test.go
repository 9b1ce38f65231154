package faulty

import (
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// The versions that misbehave nowhere, or for some tunables alone, keep the
// contract: tests compare the others with them.
func TestContract(t *testing.T) {
	f := Factory()
	f.Versions = slices.DeleteFunc(f.Versions, func(v framework.Version) bool {
		return !slices.Contains([]string{"good", "slower", "tuned"}, v.Name)
	})
	algorithmtest.Run(t, f)
}

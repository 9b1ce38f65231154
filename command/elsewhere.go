package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"example.org/bench/framework/engine"
)

// onLinux are the verbs that measure or look at the machine, and so need Linux. The others read texts, or
// what these verbs have written, on any system.
var onLinux = []string{"run", "plan", "verify", "ab", "tune", "why", "energy", "sensors", "modes", "doctor", "fleet", "worker", engine.BesideVerb}

// readOnly makes the verbs that need Linux report that on a system without it.
func readOnly(root *cobra.Command, system string) {
	for _, c := range root.Commands() {
		if !slices.Contains(onLinux, c.Name()) {
			continue
		}
		refuse := func(c *cobra.Command, _ []string) error {
			return usageError(fmt.Errorf("%s needs Linux (amd64 or arm64), and this is %s: measure there; results can be read here (report, compare, plot, export, replay, merge)",
				c.CommandPath(), system))
		}
		for _, verb := range append(c.Commands(), c) {
			verb.Args, verb.RunE = cobra.ArbitraryArgs, refuse
		}
	}
}

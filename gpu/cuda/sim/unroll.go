package sim

import (
	"example.org/bench/internal/lazy"
)

// unroll matches the pragma of this name with an argument, and the loop behind it. Before another statement nvcc ignores it.
var unroll = lazy.Regexp(`(?m)^[ \t]*#[ \t]*pragma[ \t]+unroll\b[ \t]*([^\s/].*?)[ \t;]*((?://.*|/\*.*\*/[ \t]*)?\r?\n(?:\s|//.*|/\*(?s:.*?)\*/)*(?:for|while|do)\b)`)

// unrolled makes g++, which ignores the pragma, look at its argument, as nvcc does.
func unrolled(text string) string {
	return unroll().ReplaceAllString(text, "switch (bench_sim::constant<bench_sim::turns($1)>) default: $2")
}

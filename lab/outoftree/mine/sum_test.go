package main

import (
	"testing"

	"example.org/bench/framework/algorithmtest"
)

func TestSum(t *testing.T) { algorithmtest.Run(t, sum()) }

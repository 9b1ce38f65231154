package main

import (
	"testing"

	"bench/framework/algorithmtest"
)

func TestSum(t *testing.T) { algorithmtest.Run(t, sum()) }

package qr

import "bench/framework"

func (g *looped) Work() framework.Work    { return g.work(framework.Work{}) }
func (g *block) Work() framework.Work     { return g.work(framework.Work{}) }
func (g *registers) Work() framework.Work { return g.work(framework.Work{}) }
func (g *tiles) Work() framework.Work     { return g.gpuData.work(framework.Work{}) }

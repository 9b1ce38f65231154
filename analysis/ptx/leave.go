package ptx

// loop returns the shortest loop that contains an instruction, from the target of a branch back to that
// branch; to is -1 where there is none.
func (k *Kernel) loop(at int) (from, to int) {
	from, to = 0, -1
	for n := at; n < len(k.code); n++ {
		i := &k.code[n]
		if i.kind == branch && i.target <= at && (to < 0 || n-i.target < to-from) {
			from, to = i.target, n
		}
	}
	return from, to
}

// Leave makes a warp leave the shortest loop around an instruction at its next branch that leads out,
// whatever the branch's condition is.
func (r *Running) Leave(warp, at int) {
	from, to := r.Kernel.loop(at)
	r.warps[warp].leave = part{at: from, end: to + 1}
}

// leaving returns the lanes that take a branch of the loop that the warp leaves; ok is false for other
// branches.
func (w *Warp) leaving(i *instruction, at int, lanes uint32) (taken uint32, ok bool) {
	inside := func(at int) bool { return at >= w.leave.at && at < w.leave.end }
	switch {
	case i.guard < 0 || !inside(at):
		return 0, false
	case !inside(i.target):
		taken = lanes
	case inside(at + 1):
		return 0, false
	}
	w.leave = part{}
	return taken, true
}

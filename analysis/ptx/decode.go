package ptx

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

var errUnknown = errors.New("unknown instruction")

// The numbers of the special registers.
const (
	tidX = iota
	tidY
	tidZ
	ntidX
	ntidY
	ntidZ
	ctaidX
	ctaidY
	ctaidZ
	nctaidX
	nctaidY
	nctaidZ
	laneID
	warpID
	nwarpID
	smID
	nsmID
	gridID
	clockLow
	clockHigh
	laneEq
	laneLess
	laneLessEq
	laneGreater
	laneGreaterEq
	dynamicShared
	totalShared
	clusterRank
	clusterSize
)

var specials = map[string]int{
	"%tid.x": tidX, "%tid.y": tidY, "%tid.z": tidZ, "%ntid.x": ntidX, "%ntid.y": ntidY, "%ntid.z": ntidZ,
	"%ctaid.x": ctaidX, "%ctaid.y": ctaidY, "%ctaid.z": ctaidZ, "%nctaid.x": nctaidX, "%nctaid.y": nctaidY, "%nctaid.z": nctaidZ,
	"%laneid": laneID, "%warpid": warpID, "%nwarpid": nwarpID, "%smid": smID, "%nsmid": nsmID, "%gridid": gridID,
	"%clock": clockLow, "%clock64": clockHigh, "%globaltimer": clockHigh, "%globaltimer_lo": clockLow, "%clock_hi": gridID,
	"%lanemask_eq": laneEq, "%lanemask_lt": laneLess, "%lanemask_le": laneLessEq, "%lanemask_gt": laneGreater, "%lanemask_ge": laneGreaterEq,
	"%dynamic_smem_size": dynamicShared, "%total_smem_size": totalShared,
	"%cluster_ctarank": clusterRank, "%cluster_nctarank": clusterSize,
}

// fewest is the smallest number of modifiers of instructions whose modifiers are read by position.
var fewest = map[string]int{"ld": 1, "ldu": 1, "st": 1, "match": 1, "atom": 2, "red": 2, "shfl": 2, "vote": 2, "redux": 2}

// decode finds what an instruction does. The error is errUnknown where that is not known.
func (b *body) decode(i *instruction, operands []operand) error {
	words := strings.Split(i.text, ".")
	name, mods := words[0], words[1:]
	has := func(m string) bool { return slices.Contains(mods, m) }
	typ := ""
	if len(mods) > 0 {
		typ = mods[len(mods)-1]
	}
	take := func(dst int) error {
		if len(operands) < dst {
			return errUnknown
		}
		i.dst, i.src = operands[:dst], operands[dst:]
		return nil
	}
	if len(mods) < fewest[name] {
		return errUnknown
	}
	switch name {
	case "bra":
		i.kind, i.class = branch, Control
		return nil
	case "brx":
		i.kind, i.class = branchIndexed, Control
		return take(0)
	case "ret":
		if i.class = Control; len(b.calling) > 0 {
			i.kind, i.label = branch, b.end
			return nil
		}
		i.kind = exit
		return nil
	case "exit":
		i.kind, i.class = exit, Control
		return nil
	case "bar", "barrier":
		i.class, i.kind, i.ordered = Barrier, barrier, true
		switch {
		case has("cluster") && has("arrive"): // the wait that follows waits for all
			i.class, i.kind = Control, nothing
		case has("cluster"):
			i.mode = "cluster"
		case has("arrive"):
			return errUnknown
		case has("red"):
			i.mode = "or"
			for _, m := range []string{"popc", "and"} {
				if has(m) {
					i.mode = m
				}
			}
			return take(1)
		case has("warp"):
			i.kind = nothing
		}
		return take(0)
	case "membar", "fence":
		i.class, i.kind, i.ordered = Control, nothing, true
		return nil
	case "prefetch", "prefetchu", "nanosleep", "discard", "applypriority", "griddepcontrol":
		i.class, i.kind, i.ordered = Control, nothing, true
		return nil
	case "trap", "brkpt":
		i.kind, i.class = exit, Control
		return nil
	case "createpolicy":
		i.class, i.kind = Integer, nothing
		if err := take(1); err != nil {
			return err
		}
		i.src = nil
		return nil
	case "mapa":
		if !has("shared::cluster") {
			return errUnknown
		}
		i.class, i.kind = Integer, compute
		i.unordinary = func(w *Warp, lane int, i *instruction) uint64 {
			return w.value(&i.src[0], lane)&remoteOffset | (w.value(&i.src[1], lane)+1)<<remoteShift
		}
		return take(1)
	case "activemask":
		i.class, i.kind = Integer, active32
		return take(1)
	case "shfl":
		i.class, i.kind = LaneExchange, shuffle
		i.mode = mods[len(mods)-2]
		if i.pair {
			return take(2)
		}
		return take(1)
	case "vote":
		i.class, i.kind = LaneExchange, vote
		i.mode = mods[len(mods)-2]
		return take(1)
	case "match":
		i.class, i.kind, i.mode = LaneExchange, match, mods[0]
		i.bytes = elementBytes(typ)
		if i.pair {
			return take(2)
		}
		return take(1)
	case "redux":
		i.class, i.kind, i.mode = LaneExchange, reduce, mods[1]+"."+typ
		return take(1)
	case "mma":
		return matrices(i, mods, operands)
	case "ldmatrix":
		return matrixLoad(i, mods, operands)
	case "ld", "ldu":
		return b.access(i, load, mods, operands)
	case "st":
		return b.access(i, store, mods, operands)
	case "atom", "red":
		return b.access(i, atomic, mods, operands)
	case "cp":
		return b.copies(i, mods, operands)
	case "mov", "cvta":
		i.class = Free
		if name == "mov" && slices.ContainsFunc(operands, func(o operand) bool { return o.kind == group }) {
			return b.packs(i, typ, operands)
		}
		i.evaluate = func(a, _, _ uint64) uint64 { return a }
		if name == "cvta" {
			i.class, i.cost = Integer, 1
			i.unordinary = window(mods)
		}
		if typ == "pred" {
			i.evaluate = func(a, _, _ uint64) uint64 { return a & 1 }
		}
		return take(1)
	case "isspacep":
		i.class = Integer
		space := spaces["."+typ]
		if space == NoSpace || space == Param {
			return errUnknown
		}
		i.evaluate = func(a, _, _ uint64) uint64 {
			s, _ := resolve(Generic, a)
			return truth(s == space || space == Const && s == Global)
		}
		return take(1)
	}
	switch {
	case carrying(name, mods):
		return b.carries(i, name, mods, operands)
	case name == "lop3" && len(operands) == 5 && operands[4].kind == immediate && typ == "b32" && len(mods) == 1:
		i.class, i.evaluate = Integer, truthTable(operands[4].imm)
		i.dst, i.src = operands[:1], operands[1:4]
		return nil
	case strings.HasPrefix(name, "v") && (strings.HasSuffix(name, "2") || strings.HasSuffix(name, "4")):
		if err := bytewise(i, name, mods, operands); err != nil {
			return err
		}
		return take(1)
	}
	if err := arithmetic(i, name, mods, typ); err != nil {
		return err
	}
	if len(operands) == 0 {
		return errUnknown
	}
	if i.pair {
		return take(2)
	}
	return take(1)
}

// access decodes loads, stores and atomic operations.
func (b *body) access(i *instruction, k kind, mods []string, operands []operand) error {
	i.kind, i.class, i.space, i.count = k, LoadStore, Generic, 1
	typ := mods[len(mods)-1]
	if i.bytes = elementBytes(typ); i.bytes == 0 {
		return errUnknown
	}
	i.signed = typ[0] == 's'
	for n, m := range mods {
		switch {
		case m == "v2":
			i.count = 2
		case m == "v4":
			i.count = 4
		case m == "v8":
			i.count = 8
		case m == "nc":
			i.nonCoherent = true
		case m == "volatile" || m == "relaxed" || m == "acquire" || m == "release" || m == "acq_rel" || m == "mmio":
			i.ordered = true
		case m == "async", m == "bulk", m == "mbarrier":
			return errUnknown
		case strings.HasPrefix(m, "shared"):
			i.space = Shared
		case m == "global" || m == "local" || m == "const" || m == "param":
			i.space = spaces["."+m]
		case n == len(mods)-2 && k == atomic:
			i.mode = m
		}
	}
	switch k {
	case load:
		if len(operands) < 2 {
			return errUnknown
		}
		i.dst, i.src = operands[:1], operands[1:2] // a cache policy may follow
		if i.dst[0].kind == group {
			i.dst = i.dst[0].vector
		}
		if i.space == Param {
			i.class = Free
		}
	case store:
		if len(operands) < 2 {
			return errUnknown
		}
		i.src = operands[:1]
		if operands[1].kind == group {
			i.src = append(slices.Clone(i.src), operands[1].vector...)
		} else {
			i.src = append(slices.Clone(i.src), operands[1])
		}
		if i.space == Param {
			i.class = Free
		}
	case atomic:
		i.ordered = true
		if i.mode == "" {
			i.mode = mods[len(mods)-2]
		}
		if mods[len(mods)-1] == "noftz" || i.count != 1 || len(operands) == 0 {
			return errUnknown
		}
		if operands[0].kind == address { // red
			i.src = operands
		} else {
			i.dst, i.src = operands[:1], operands[1:]
		}
		f, err := atomicOf(i.mode, typ)
		if err != nil || len(i.src) < 2 {
			return errUnknown
		}
		i.evaluate = f
	}
	return nil
}

// copies decodes cp.async of single threads. Its group and wait instructions only order.
func (b *body) copies(i *instruction, mods []string, operands []operand) error {
	i.class, i.ordered = LoadStore, true
	if len(mods) < 2 || mods[0] != "async" || mods[1] == "bulk" {
		return errUnknown
	}
	if strings.HasPrefix(mods[1], "wait") || mods[1] == "commit_group" {
		i.class, i.kind, i.mode = Control, nothing, mods[1]
		return nil
	}
	if (mods[1] != "ca" && mods[1] != "cg") || len(operands) < 3 || operands[2].kind != immediate {
		return errUnknown
	}
	i.kind, i.space, i.bytes, i.count, i.src = copyAsync, Shared, int(operands[2].imm), 1, operands
	return nil
}

// packs decodes a mov between a register and its parts.
func (b *body) packs(i *instruction, typ string, operands []operand) error {
	if len(operands) != 2 {
		return errUnknown
	}
	to, from := operands[0], operands[1]
	if to.kind == group && from.kind == group {
		return errUnknown
	}
	parts := to.vector
	if from.kind == group {
		parts = from.vector
	}
	if len(parts) == 0 {
		return errUnknown
	}
	width := 8 * elementBytes(typ) / len(parts)
	mask := uint64(1)<<width - 1
	if from.kind == group {
		if len(parts) > 4 {
			return errUnknown
		}
		i.dst, i.src = operands[:1], from.vector
		i.unordinary = func(w *Warp, lane int, i *instruction) (x uint64) {
			for n := range i.src {
				x |= (w.value(&i.src[n], lane) & mask) << (n * width)
			}
			return x
		}
		return nil
	}
	i.dst, i.src = to.vector, operands[1:]
	i.mode = "unpack" + strconv.Itoa(width)
	i.count = width
	i.evaluate = func(a, _, _ uint64) uint64 { return a & mask }
	return nil
}

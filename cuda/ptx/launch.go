package ptx

import (
	"errors"
	"fmt"
	"strings"

	"bench/terminal"
)

// Memory is what a kernel's global addresses lead to.
type Memory interface {
	// At is the n bytes at an address; nil where they are not all there.
	At(address uint64, n int) []byte
}

// Dim3 is the extent of a grid or a block, or a place in it.
type Dim3 struct{ X, Y, Z int }

// Count is the number of places.
func (d Dim3) Count() int { return d.X * d.Y * d.Z }

func (d Dim3) place(n int) Dim3 { return Dim3{n % d.X, n / d.X % d.Y, n / d.X / d.Y} }

// Launch executes blocks of one launch.
type Launch struct {
	Kernel      *Kernel
	Grid, Block Dim3
	Cluster     Dim3 // of blocks; the zero value: none
	SharedBytes int  // dynamic
	// Arguments are the bytes of the parameters, laid out as Kernel.Arguments does.
	Arguments []byte
	Memory    Memory
	// Limit is how many instructions the warps of a block may execute in all.
	Limit int
	// Add is what an addition of one lane finds in global memory, where its result is used
	// and it is one of integers; with false, or of nil, it is what is there.
	Add func(block int, address, term, old uint64) (uint64, bool)
	// Observe gets every instruction that is executed; nil: nothing does.
	Observe func(*Event)
}

// Event is one instruction executed by a warp. It holds until Observe returns.
type Event struct {
	Warp   int
	At     int // index of the instruction
	Active uint32
	// Of an access to memory: its space, never Generic; the address of each active
	// lane, in Shared and Local an offset; and the bytes of each lane.
	Space     Space
	Addresses *[WarpSize]uint64
	Bytes     int
	// Parted is set where the lanes of a branch go different ways.
	Parted bool
	// Copied are the addresses in global memory of a copy to shared memory.
	Copied *[WarpSize]uint64
}

// ErrLimit says that a block executed Launch.Limit instructions and did not end: its
// threads may wait for other blocks.
var ErrLimit = errors.New("the block did not end within the limit of instructions")

// Unknown lists the instructions of the kernel that cannot be executed.
func (k *Kernel) Unknown() error {
	if len(k.unknown) == 0 {
		return nil
	}
	return fmt.Errorf("PTX that is not executed: %s", strings.Join(k.unknown[:min(3, len(k.unknown))], ", "))
}

// Arguments lays out the parameters; each argument is its bytes in memory.
func (k *Kernel) Arguments(list [][]byte) ([]byte, error) {
	if len(list) != len(k.params) {
		return nil, fmt.Errorf("kernel %s: %s, it takes %d", k.Name, terminal.Count(len(list), "argument"), len(k.params))
	}
	var out []byte
	for i, p := range k.params {
		if len(list[i]) != p.bytes {
			return nil, fmt.Errorf("kernel %s: argument %d of %s, it takes %d", k.Name, i, terminal.Count(len(list[i]), "byte"), p.bytes)
		}
		for uint64(len(out)) < p.at {
			out = append(out, 0)
		}
		out = append(out, list[i]...)
	}
	return out, nil
}

// Place gives the module's variables of global and constant memory their place;
// allocate returns the address of that many bytes, filled with init and zeros.
func (m *Module) Place(allocate func(init []byte, bytes int) (uint64, error)) error {
	for _, v := range m.order {
		var err error
		if v.at, err = allocate(v.init, max(v.bytes, 1)); err != nil {
			return fmt.Errorf("variable %s: %w", v.name, err)
		}
	}
	return nil
}

// Global is the address and the size of a variable that Place has placed.
func (m *Module) Global(name string) (at uint64, bytes int64, ok bool) {
	v := m.variables[name]
	if v == nil || v.space != Global && v.space != Const {
		return 0, 0, false
	}
	return v.at, int64(v.bytes), true
}

// Instruction is what is known of one before it is executed.
type Instruction struct {
	Text  string // opcode with its modifiers
	Line  int    // in the PTX
	Class Class
	// Cost is about how many instructions of a GPU it becomes.
	Cost int
	// Parts are those instructions where they are of several classes; nil: all are of Class.
	Parts                 []Part
	Branch, Store, Atomic bool
	// Shuffle is an exchange between lanes by way of the load and store unit.
	Shuffle bool
	// Cached loads may be served by the first-level cache.
	Cached bool
	// Reads and Writes are numbers of registers.
	Reads, Writes []int32
}

// Part is how many instructions of one class.
type Part struct {
	Class Class
	Count int
}

// Instruction is the one of that index.
func (k *Kernel) Instruction(at int) *Instruction { return &k.facts[at] }

func (i *instruction) facts() Instruction {
	x := Instruction{Text: i.text, Line: i.line, Class: i.class, Cost: i.cost, Parts: i.parts, Branch: i.kind == branch, Store: i.kind == store, Atomic: i.kind == atomic,
		Cached: i.kind == load && !i.ordered && !i.bypasses(), Shuffle: i.kind == shuffle, Reads: i.reads, Writes: i.writes}
	if i.class == Free {
		x.Cost = 0
	}
	return x
}

// bypasses reports whether a load asks for no first-level cache.
func (i *instruction) bypasses() bool {
	for _, m := range strings.Split(i.text, ".") {
		if m == "cg" || m == "cv" {
			return true
		}
	}
	return false
}

// Registers is the number of the kernel's registers in PTX, which has as many as it likes.
func (k *Kernel) Registers() int { return len(k.names) }

// Size is the number of instructions in the kernel's text.
func (k *Kernel) Size() int { return len(k.code) }

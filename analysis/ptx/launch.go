package ptx

import (
	"errors"
	"fmt"
	"strings"

	"example.org/bench/internal/terminal"
)

// Memory is the memory behind a kernel's global addresses.
type Memory interface {
	// At returns the n bytes at an address; nil where they do not all exist.
	At(address uint64, n int) []byte
}

// Dim3 is the extent of a grid or a block, or a position in it.
type Dim3 struct{ X, Y, Z int }

// Count returns the number of positions.
func (d Dim3) Count() int { return d.X * d.Y * d.Z }

func (d Dim3) place(n int) Dim3 { return Dim3{n % d.X, n / d.X % d.Y, n / d.X / d.Y} }

// Launch executes the blocks of one launch.
type Launch struct {
	Kernel      *Kernel
	Grid, Block Dim3
	Cluster     Dim3 // in blocks; the zero value for none
	SharedBytes int  // dynamic shared memory
	// Arguments are the bytes of the parameters, as Kernel.Arguments lays them out.
	Arguments []byte
	Memory    Memory
	// Limit is the largest number of instructions that the warps of a block may execute together.
	Limit int
	// Add returns the value that one lane's integer addition to global memory returns, if its result is
	// used. Where Add is nil or returns false, that value is old.
	Add func(block int, address, term, old uint64) (uint64, bool)
	// Observe is called for every instruction that is executed; it may be nil.
	Observe func(*Event)
}

// Event is one instruction executed by a warp. It is valid until Observe returns.
type Event struct {
	Warp   int
	At     int // index of the instruction
	Active uint32
	// Space, Addresses and Bytes describe an access to memory: its space, which is never Generic; the
	// address of each active lane, which in Shared and Local is an offset; and the bytes of each lane.
	Space     Space
	Addresses *[WarpSize]uint64
	Bytes     int
	// Parted is set where the lanes of a branch diverge.
	Parted bool
	// Copied are the global addresses of a copy to shared memory.
	Copied *[WarpSize]uint64
}

// ErrLimit says that a block executed Launch.Limit instructions and did not end. Its threads may wait for
// other blocks.
var ErrLimit = errors.New("the block did not end within the limit of instructions")

// Unknown returns an error that names the first instructions of the kernel that cannot be executed; nil if
// there are none.
func (k *Kernel) Unknown() error {
	if len(k.unknown) == 0 {
		return nil
	}
	return fmt.Errorf("PTX that is not executed: %s", strings.Join(k.unknown[:min(3, len(k.unknown))], ", "))
}

// Arguments lays out the parameters. Each argument is given as its bytes in memory.
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

// Place assigns addresses to the module's variables in global and constant memory. allocate returns the
// address of that many bytes, filled with init and zeros.
func (m *Module) Place(allocate func(init []byte, bytes int) (uint64, error)) error {
	for _, v := range m.order {
		var err error
		if v.at, err = allocate(v.init, max(v.bytes, 1)); err != nil {
			return fmt.Errorf("variable %s: %w", v.name, err)
		}
	}
	return nil
}

// Global returns the address and the size of a variable that Place has placed.
func (m *Module) Global(name string) (at uint64, bytes int64, ok bool) {
	v := m.variables[name]
	if v == nil || v.space != Global && v.space != Const {
		return 0, 0, false
	}
	return v.at, int64(v.bytes), true
}

// Instruction is what is known of an instruction before it is executed.
type Instruction struct {
	Text  string // opcode with its modifiers
	Class Class
	// Cost is roughly the number of GPU instructions that it becomes.
	Cost int
	// Parts are those instructions where they belong to several classes; nil where all belong to Class.
	Parts                 []Part
	Branch, Store, Atomic bool
	// Shuffle is set for an exchange between lanes through the load and store unit.
	Shuffle bool
	// Cached is set for loads that the first-level cache may serve, Load for all but those of parameters and constants.
	Cached, Load bool
	// Reads and Writes are register numbers.
	Reads, Writes []int32
}

// Part is a number of instructions of one class.
type Part struct {
	Class Class
	Count int
}

// Instruction returns the instruction of that index.
func (k *Kernel) Instruction(at int) *Instruction { return &k.facts[at] }

func (i *instruction) facts() Instruction {
	x := Instruction{Text: i.text, Class: i.class, Cost: i.cost, Parts: i.parts, Branch: i.kind == branch, Store: i.kind == store, Atomic: i.kind == atomic,
		Cached: i.kind == load && !i.ordered && !i.bypasses(), Shuffle: i.kind == shuffle, Load: i.kind == load && i.space != Param && i.space != Const, Reads: i.reads, Writes: i.writes}
	if i.class == Free {
		x.Cost = 0
	}
	return x
}

// bypasses reports whether a load bypasses the first-level cache.
func (i *instruction) bypasses() bool {
	for _, m := range strings.Split(i.text, ".") {
		if m == "cg" || m == "cv" {
			return true
		}
	}
	return false
}

// Registers returns the number of the kernel's PTX registers, which PTX does not limit.
func (k *Kernel) Registers() int { return len(k.names) }

// Size returns the number of instructions in the kernel's text.
func (k *Kernel) Size() int { return len(k.code) }

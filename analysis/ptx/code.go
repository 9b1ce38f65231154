package ptx

// kind is how an instruction is executed.
type kind uint8

const (
	compute kind = iota // computes a function of its operands, lane by lane
	load
	store
	atomic
	copyAsync // global to shared memory
	branch
	branchIndexed
	exit
	barrier
	shuffle
	vote
	match
	reduce
	multiplyMatrices
	loadMatrices
	active32
	nothing // orders or hints, and changes no value
)

// Space is a kind of memory.
type Space uint8

// The spaces. Generic addresses are resolved at each access.
const (
	NoSpace Space = iota
	Generic
	Global
	Shared
	Local
	Const
	Param
)

// operand is a register, a constant, or an address.
type operand struct {
	kind   operandKind
	reg    int32
	imm    uint64
	symbol *variable
	offset int64 // from an address
	vector []operand
}

type operandKind uint8

const (
	none operandKind = iota
	register
	immediate
	special  // a special register such as %tid.x; imm is its number
	symbolic // the address of a variable
	sink     // "_", which discards what is written to it
	address  // [base + offset]
	group    // {a, b}
)

// instruction is one instruction of a kernel.
type instruction struct {
	text  string // opcode with its modifiers
	line  int
	kind  kind
	class Class
	cost  int // rough number of GPU instructions that it becomes
	parts []Part
	guard int32
	unless,
	nonCoherent, // reads memory that no thread writes meanwhile
	ordered bool // keeps its place among accesses to memory
	dst              []operand
	src              []operand
	label            string
	target           int // of a branch, an index of code
	targets          []int
	evaluate, second func(a, b, c uint64) uint64 // second is for the second of a pair
	unordinary       func(w *Warp, lane int, i *instruction) uint64
	matrix           *product
	space            Space
	bytes            int // of one element
	signed           bool
	count            int // number of vector elements
	mode             string
	pair             bool // two results, as for setp p|q
	// reads and writes are registers, including the guard.
	reads, writes []int32
	reconverge    int // where lanes that diverge here reconverge; -1 for the end
}

// Class is the kind of execution unit that an instruction occupies.
type Class uint8

// The classes. Free instructions are moves that compilers remove.
const (
	Free Class = iota
	FP32
	FP64
	FP16
	Integer
	Multiply // integer multiplication
	Convert
	SFU
	Tensor // products of matrices
	LaneExchange
	LoadStore
	Control
	Barrier
	classes
)

// String returns the class in words.
func (c Class) String() string {
	return [...]string{"moves", "float32", "float64", "float16", "integer", "integer multiply", "conversion", "special function", "tensor core", "shuffle", "memory", "branch", "barrier"}[c]
}

// Classes is the number of classes.
const Classes = int(classes)

// variable is a variable of a module or a function.
type variable struct {
	name   string
	space  Space
	align  int
	bytes  int // 0 for extern
	init   []byte
	at     uint64 // offset in its space, or address
	extern bool
	linked string // an address that is part of its initial value
}

// Kernel is an entry of a module, ready to be executed.
type Kernel struct {
	Name   string
	params []*variable
	code   []instruction
	names  []string // of the registers
	// SharedBytes is its static shared memory. LocalBytes is a thread's arrays, without what a compiler
	// spills.
	SharedBytes, LocalBytes int
	unknown                 []string // instructions that cannot be executed
	passing                 int32    // the register that stands for what is passed to functions; -1 where nothing is
	passed                  int      // bytes that are passed
	facts                   []Instruction
}

// Module is a parsed PTX text.
type Module struct {
	// Target is the architecture that it was made for, such as "sm_53".
	Target    string
	kernels   map[string]*Kernel
	variables map[string]*variable
	order     []*variable // variables of global and constant memory
}

// Kernel returns the entry of that name; nil if there is none.
func (m *Module) Kernel(name string) *Kernel { return m.kernels[name] }

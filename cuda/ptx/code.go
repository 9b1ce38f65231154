package ptx

// kind is how an instruction is executed.
type kind uint8

const (
	compute kind = iota // a function of its operands, lane by lane
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
	active32
	nothing // orders or hints, and changes no value
)

// Space is a kind of memory.
type Space uint8

// The spaces. Generic addresses are resolved when they are used.
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
	offset int64 // of an address
	vector []operand
}

type operandKind uint8

const (
	none operandKind = iota
	register
	immediate
	special  // %tid.x and such; imm is its number
	symbolic // the address of a variable
	sink     // "_": what is written there is lost
	address  // [base + offset]
	group    // {a, b}
)

// instruction is one of a function's.
type instruction struct {
	text  string // opcode with its modifiers
	line  int
	kind  kind
	class Class
	cost  int // instructions of a GPU that it becomes, about
	parts []Part
	guard int32
	unless,
	nonCoherent, // reads what no thread writes meanwhile
	ordered, // stays in its place among accesses to memory
	predicates bool // a branch around what a compiler executes under a predicate
	dst              []operand
	src              []operand
	label            string
	target           int // of a branch, an index of code
	targets          []int
	evaluate, second func(a, b, c uint64) uint64 // second is of a pair
	unordinary       func(w *Warp, lane int, i *instruction) uint64
	space            Space
	bytes            int // of one element
	signed           bool
	count            int // elements of a vector
	mode             string
	pair             bool // two results, as of setp p|q
	// reads and writes are registers, the guard among them.
	reads, writes []int32
	reconverge    int // where lanes that part here meet again; -1: at the end
}

// Class is what an instruction occupies.
type Class uint8

// The classes. Free are moves that compilers remove.
const (
	Free Class = iota
	FP32
	FP64
	FP16
	Integer
	Multiply // of integers
	Convert
	SFU
	LaneExchange
	LoadStore
	Control
	Barrier
	classes
)

// String is the class in words.
func (c Class) String() string {
	return [...]string{"moves", "float32", "float64", "float16", "integer", "integer multiply", "conversion", "special function", "shuffle", "memory", "branch", "barrier"}[c]
}

// Classes is the number of classes.
const Classes = int(classes)

// variable is one of a module's or a function's.
type variable struct {
	name   string
	space  Space
	align  int
	bytes  int // 0: extern
	init   []byte
	at     uint64 // offset in its space, or the address
	extern bool
}

// Kernel is an entry of a module, ready to be executed.
type Kernel struct {
	Name   string
	params []*variable
	code   []instruction
	names  []string // of registers
	// SharedBytes are its static ones, LocalBytes a thread's arrays: not what a
	// compiler spills.
	SharedBytes, LocalBytes int
	// Instructions are how many its text has.
	Instructions int
	unknown      []string // instructions that cannot be executed
	facts        []Instruction
}

// Module is a PTX text.
type Module struct {
	// Target is the architecture that it was made for, as "sm_53".
	Target    string
	kernels   map[string]*Kernel
	variables map[string]*variable
	order     []*variable // of global and constant memory
}

// Variables are the names of the variables in global memory.
func (m *Module) Variables() (names []string) {
	for _, v := range m.order {
		if v.space == Global && !v.extern {
			names = append(names, v.name)
		}
	}
	return names
}

// Kernel returns the entry of that name; nil: there is none.
func (m *Module) Kernel(name string) *Kernel { return m.kernels[name] }

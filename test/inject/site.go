//go:build linux

package inject

import (
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"sync"
	"time"
)

// sites finds from which functions a program makes its calls.
type sites struct {
	table     *gosym.Table
	low, high uint64   // of the program's text
	places    sync.Map // string by address
}

var known sync.Map // *sites by program

// sitesOf reads a program's table of functions, once. The program must be linked to
// fixed addresses.
func sitesOf(program string) (*sites, error) {
	if s, ok := known.Load(program); ok {
		return s.(*sites), nil
	}
	s, err := readSites(program)
	if err == nil {
		known.Store(program, s)
	}
	return s, err
}

func readSites(program string) (*sites, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, lines := f.Section(".text"), f.Section(".gopclntab")
	if f.Type != elf.ET_EXEC || text == nil || lines == nil {
		return nil, fmt.Errorf("%s is not a program of Go at fixed addresses", program)
	}
	data, err := lines.Data()
	if err != nil {
		return nil, err
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
	if err != nil {
		return nil, err
	}
	return &sites{table: table, low: text.Addr, high: text.Addr + text.Size}, nil
}

// of names the chain of callers of a thread that waits within a call, the same in
// each build where these functions are the same. Empty: not within Go's code.
func (s *sites) of(proc string, pc uint64) string {
	if !s.holds(pc) {
		return ""
	}
	var words []string // the call, its six arguments, the stack, where it goes on
	for try := 0; len(words) != 9; try++ {
		line, err := os.ReadFile(proc + "syscall")
		if err != nil || try == 100 {
			return ""
		}
		if words = strings.Fields(string(line)); len(words) != 9 { // "running": it is not asleep yet
			time.Sleep(100 * time.Microsecond)
		}
	}
	var sp uint64
	if _, err := fmt.Sscanf(words[7], "0x%x", &sp); err != nil {
		return ""
	}
	stack := memory(proc+"mem", sp, 32<<10)
	at := func(address uint64) uint64 {
		if i := address - sp; address >= sp && i+8 <= uint64(len(stack)) {
			return binary.LittleEndian.Uint64(stack[i:])
		}
		return 0
	}
	// The function with the call has no frame. Each other one keeps the address of
	// its caller's frame below the address to which it returns. What was left on the
	// stack may look so, too: where the chain ends tells.
	var chain []uint64
	for frame := sp + 8; frame-sp < uint64(len(stack)); frame += 8 {
		if !(at(frame) > frame && at(frame)-sp < uint64(len(stack)) && s.holds(at(frame+8))) {
			continue
		}
		found, whole := s.chain(frame, at)
		if chain == nil || whole {
			chain = found
		}
		if whole {
			break
		}
	}
	return s.sum(append([]uint64{at(sp)}, chain...))
}

// Site is that of a call which returns to these addresses of a program, from the call
// outwards.
func Site(program string, chain []uint64) (string, error) {
	s, err := sitesOf(program)
	if err != nil {
		return "", err
	}
	return s.sum(chain), nil
}

func (s *sites) sum(chain []uint64) string {
	sum := fnv.New32a()
	for _, back := range chain {
		sum.Write([]byte(s.place(back - 1)))
	}
	return fmt.Sprintf("%08x", sum.Sum32())
}

// chain are the addresses to which functions return, from a frame on, and whether
// the last one is where every goroutine begins.
func (s *sites) chain(frame uint64, at func(uint64) uint64) (chain []uint64, whole bool) {
	for s.holds(at(frame + 8)) {
		chain = append(chain, at(frame+8))
		next := at(frame)
		if next <= frame {
			break
		}
		frame = next
	}
	return chain, strings.HasPrefix(s.place(chain[len(chain)-1]-1), "runtime.goexit")
}

func (s *sites) holds(pc uint64) bool { return s.low <= pc && pc < s.high }

// place is a function and the line counted from its beginning.
func (s *sites) place(pc uint64) string {
	if known, ok := s.places.Load(pc); ok {
		return known.(string)
	}
	place := s.find(pc)
	s.places.Store(pc, place)
	return place
}

func (s *sites) find(pc uint64) string {
	_, line, fn := s.table.PCToLine(pc)
	if fn == nil {
		return ""
	}
	_, first, _ := s.table.PCToLine(fn.Entry)
	return fmt.Sprintf("%s+%d\n", fn.Name, line-first)
}

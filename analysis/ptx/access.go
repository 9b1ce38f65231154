package ptx

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"example.org/bench/internal/terminal"
)

// Generic addresses of a block's shared memory and of a thread's local memory begin at these values;
// lower addresses are global memory.
const (
	localWindow  = uint64(1) << 60
	sharedWindow = uint64(1) << 61
)

// window decodes cvta, which converts addresses of a space to generic ones or back.
func window(mods []string) func(*Warp, int, *instruction) uint64 {
	back, base := false, uint64(0)
	for _, m := range mods {
		switch m {
		case "to":
			back = true
		case "shared", "shared::cta":
			base = sharedWindow
		case "local":
			base = localWindow
		}
	}
	if base == 0 {
		return nil
	}
	if back {
		base = -base
	}
	return func(w *Warp, lane int, i *instruction) uint64 { return w.value(&i.src[0], lane) + base }
}

// resolve returns the space of an address and its offset there.
func resolve(s Space, address uint64) (Space, uint64) {
	if s == Shared || s == Local {
		return s, address & 0xffffffff
	}
	switch {
	case s != Generic:
		return s, address
	case address >= sharedWindow:
		return Shared, address - sharedWindow
	case address >= localWindow:
		return Local, address - localWindow
	}
	return Global, address
}

// bytesAt returns n bytes that a lane accesses.
func (w *Warp) bytesAt(s Space, at uint64, n, lane int) ([]byte, error) {
	var of []byte
	switch s {
	case Shared:
		of, at = w.block.sharedAt(at)
	case Local:
		size := w.block.Kernel.LocalBytes
		of = w.local[lane*size : (lane+1)*size]
	case Param:
		if of = w.block.Arguments; at >= passedWindow {
			size := w.block.Kernel.passed
			of, at = w.passed[lane*size:(lane+1)*size], at-passedWindow
		}
	default:
		if found := w.block.Memory.At(at, n); found != nil {
			return found, nil
		}
		return nil, fmt.Errorf("lane %d accesses %s of global memory at %#x, where nothing is", lane, terminal.Count(n, "byte"), at)
	}
	if at > uint64(len(of)) || uint64(len(of))-at < uint64(n) {
		return nil, fmt.Errorf("lane %d accesses %s at offset %d of %d", lane, terminal.Count(n, "byte"), at, len(of))
	}
	return of[at : at+uint64(n)], nil
}

func (w *Warp) addressOf(o *operand, lane int) uint64 {
	at := uint64(o.offset)
	if o.reg >= 0 {
		at += w.registers[int(o.reg)*WarpSize+lane]
	}
	if o.symbol != nil {
		at += o.symbol.at
	}
	return at
}

func read(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func write(b []byte, x uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(x)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(x))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(x))
	default:
		binary.LittleEndian.PutUint64(b, x)
	}
}

// access executes a load, a store or an atomic operation.
func (w *Warp) access(i *instruction, active uint32) error {
	where := &i.src[0]
	s := i.space
	if where.symbol != nil && s == Generic {
		s = where.symbol.space
	}
	n := i.bytes * i.count
	for m := active; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		space, at := resolve(s, w.addressOf(where, lane))
		w.addresses[lane], w.event.Space = at, space
		if space == Shared {
			w.addresses[lane] &= remoteOffset
		}
		b, err := w.bytesAt(space, at, n, lane)
		if err != nil {
			return err
		}
		switch i.kind {
		case load:
			for e := range i.dst {
				if i.dst[e].kind != register {
					continue
				}
				x := read(b[e*i.bytes : (e+1)*i.bytes])
				if i.signed {
					x = uint64(int64(x<<(64-8*i.bytes))>>(64-8*i.bytes)) & i.extended()
				}
				w.registers[int(i.dst[e].reg)*WarpSize+lane] = x
			}
		case store:
			for e := range i.src[1:] {
				write(b[e*i.bytes:(e+1)*i.bytes], w.value(&i.src[1+e], lane))
			}
		case atomic:
			var third uint64
			if len(i.src) > 2 {
				third = w.value(&i.src[2], lane)
			}
			old := read(b)
			write(b, i.evaluate(old, w.value(&i.src[1], lane), third))
			if w.block.Add != nil && space == Global && active&(active-1) == 0 && i.takes() {
				if x, ok := w.block.Add(w.block.number, at, w.value(&i.src[1], lane), old); ok {
					old = x
				}
			}
			if len(i.dst) > 0 && i.dst[0].kind == register {
				w.registers[int(i.dst[0].reg)*WarpSize+lane] = old
			}
		}
	}
	w.event.Addresses, w.event.Bytes = &w.addresses, n
	return nil
}

// takes reports whether an atomic operation adds integers and its result is used.
func (i *instruction) takes() bool {
	return strings.Contains(i.text, ".add.") && !strings.Contains(i.text, ".f") && len(i.dst) > 0 && i.dst[0].kind == register
}

// extended returns the mask of the register that a signed value is loaded into: at least 32 bits, by
// PTX's rules for loads into wider registers.
func (i *instruction) extended() uint64 {
	if i.bytes == 8 {
		return ^uint64(0)
	}
	return 0xffffffff
}

func (w *Warp) copyAsync(i *instruction, active uint32) error {
	for m := active; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		_, to := resolve(Shared, w.addressOf(&i.src[0], lane))
		from := w.addressOf(&i.src[1], lane)
		n := i.bytes
		if len(i.src) > 3 {
			n = min(n, int(uint32(w.value(&i.src[3], lane))))
		}
		dst, err := w.bytesAt(Shared, to, i.bytes, lane)
		if err != nil {
			return err
		}
		clear(dst)
		w.addresses[lane], w.copied[lane] = to, from
		if n == 0 {
			continue
		}
		src, err := w.bytesAt(Global, from, n, lane)
		if err != nil {
			return err
		}
		copy(dst, src)
	}
	w.event.Space, w.event.Addresses, w.event.Copied, w.event.Bytes = Shared, &w.addresses, &w.copied, i.bytes
	return nil
}

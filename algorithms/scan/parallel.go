package scan

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

const (
	// chunkKiB is the part of a sequence that is scanned at once: small enough to be read a second time from
	// a core's second-level cache.
	chunkKiB = 128
	// pieceKiB is how much of undivided sequences a worker takes at once. Below 1 MiB two workers reach less
	// bandwidth, because memory streams break off more often.
	pieceKiB = 2 << 10
	// cachedBytes is the size of input and output together that is assumed to stay in the last-level cache.
	// Stores of larger problems bypass the caches.
	cachedBytes = 32 << 20
)

// vectorKernels is the vector code for one type and one instruction set.
type vectorKernels struct {
	name  string
	lanes int
	// scan is indexed by exclusive, then by whether stores bypass the caches (dst is then aligned to a
	// vector).
	scan [2][2]scanKernel
	sum  sumKernel
}

// scanKernel scans rows of whole vectors that follow one another in memory. It adds *base to each row and
// sets *total to the last row's sum without *base. With each vector it prefetches the line that lies ahead
// bytes beyond; 0 means the vector's own line.
type scanKernel func(dst, src unsafe.Pointer, vectors, rows int, base, total unsafe.Pointer, ahead int)

// sumKernel adds vectors lane by lane into the vector sums.
type sumKernel func(src unsafe.Pointer, vectors int, sums unsafe.Pointer)

// maxLanes is the largest number of elements in a vector.
const maxLanes = 16

// chunked is version "parallel". If there are enough sequences for all workers, sequences are left whole.
// Otherwise the chunks of each sequence are handed out in order: a worker adds up its chunk, waits for the
// sum of all chunks before, passes the new sum on, and scans its chunk on top.
type chunked[T element, A carry] struct {
	shape
	k         *vectorKernels // nil means Go code
	pool      *workers.Pool
	chunk     int // elements
	chunks    int // of a sequence
	streaming bool
	whole     bool // a worker takes whole sequences
	per       int  // sequences taken at once, if whole
	scratch   []scratch[T]
	out, in   []T

	turn atomic.Int64 // chunk whose base is known
	base A
}

// scratch is what one worker hands its kernels, on cache lines of its own.
type scratch[T element] struct {
	base, total T
	sums        [maxLanes]T
	_           [128]byte
}

func prepareParallel[T element, A carry](p *problem[T], env framework.Env, v framework.Values) (scanner[T], error) {
	var k *vectorKernels
	name := "Go"
	if list := kernelsFor[T](); len(list) > 0 {
		k, name = list[0], list[0].name
	}
	env.Remark("parallel: %s code", name)
	return newChunked[T, A](p.shape, k, max(1, env.Workers), int(v.Int("CHUNK"))<<10, int(v.Int("PIECE"))<<10), nil
}

// newChunked divides a problem among threads, in chunks and pieces of the given bytes.
func newChunked[T element, A carry](s shape, k *vectorKernels, threads, chunkBytes, pieceBytes int) *chunked[T, A] {
	c := &chunked[T, A]{shape: s, k: k, chunk: chunkBytes / int(s.Bytes), streaming: 2*s.bytes() > cachedBytes}
	c.chunks = (s.N + c.chunk - 1) / c.chunk
	c.whole = threads == 1 || s.Batch >= 4*threads || c.chunks == 1
	if c.whole {
		c.per = max(1, min(pieceBytes/int(s.Bytes)/s.N, s.Batch/(4*threads)))
		threads = min(threads, (s.Batch+c.per-1)/c.per)
	} else {
		threads = min(threads, s.Batch*c.chunks)
	}
	c.scratch = make([]scratch[T], threads)
	c.pool = workers.New(threads, c.work1)
	return c
}

func (c *chunked[T, A]) run(out, in []T) {
	c.out, c.in = out, in
	c.turn.Store(0)
	c.pool.Run()
	c.out, c.in = nil, nil
}

// work1 does one worker's part.
func (c *chunked[T, A]) work1(worker int) {
	s := &c.scratch[worker]
	if c.streaming {
		defer fence()
	}
	if !c.whole {
		c.pool.EachAhead(worker, c.Batch*c.chunks, func(i, next int) { c.part(i, next, s) })
		return
	}
	c.pool.Each((c.Batch+c.per-1)/c.per, func(i int) {
		from, to := i*c.per, min((i+1)*c.per, c.Batch)
		if c.chunks == 1 {
			c.sequences(from, to, s)
			return
		}
		for q := from; q < to; q++ {
			var base A
			for at := q * c.N; at < (q+1)*c.N; at += c.chunk {
				to := min(at+c.chunk, (q+1)*c.N)
				base = c.scanChunk(c.out[at:to], c.in[at:to], base, s, 0)
			}
		}
	})
}

// part scans chunk i of all chunks. The memory is read while it is written: meanwhile the chunk that this
// worker adds up next is prefetched into its second-level cache.
func (c *chunked[T, A]) part(i, next int, s *scratch[T]) {
	of := i % c.chunks
	from := c.start(i)
	to := min(from+c.chunk, (i/c.chunks+1)*c.N)
	ahead := 0
	if next < c.Batch*c.chunks {
		ahead = (c.start(next) - from) * int(c.Bytes)
	}
	in := c.in[from:to]
	var sum, base A
	if of < c.chunks-1 {
		sum = c.sum(in, s)
	}
	workers.Wait(&c.turn, int64(i))
	if of > 0 {
		base = c.base
	}
	c.base = base + sum
	c.turn.Store(int64(i + 1))
	c.scanChunk(c.out[from:to], in, base, s, ahead)
}

// start returns the index of the first element of chunk i of all chunks.
func (c *chunked[T, A]) start(i int) int { return i/c.chunks*c.N + i%c.chunks*c.chunk }

// sequences scans short sequences.
func (c *chunked[T, A]) sequences(from, to int, s *scratch[T]) {
	if k := c.k; k != nil && c.N%k.lanes == 0 {
		s.base = 0
		out, in := c.out[from*c.N:to*c.N], c.in[from*c.N:to*c.N]
		c.kernel(out)(unsafe.Pointer(&out[0]), unsafe.Pointer(&in[0]), c.N/k.lanes, to-from,
			unsafe.Pointer(&s.base), unsafe.Pointer(&s.total), 0)
		return
	}
	for q := from; q < to; q++ {
		c.scanChunk(c.out[q*c.N:(q+1)*c.N], c.in[q*c.N:(q+1)*c.N], 0, s, 0)
	}
}

// kernel returns the kernel for stores to out.
func (c *chunked[T, A]) kernel(out []T) scanKernel {
	exclusive, past := 0, 0
	if c.Exclusive {
		exclusive = 1
	}
	if c.streaming && uintptr(unsafe.Pointer(&out[0]))%uintptr(c.k.lanes*int(c.Bytes)) == 0 {
		past = 1
	}
	return c.k.scan[exclusive][past]
}

// scanChunk scans in on top of base and returns base plus the sum of in. ahead is as in scanKernel.
func (c *chunked[T, A]) scanChunk(out, in []T, base A, s *scratch[T], ahead int) A {
	if k := c.k; k != nil && len(in) >= k.lanes {
		n := len(in) / k.lanes
		s.base = T(base)
		c.kernel(out)(unsafe.Pointer(&out[0]), unsafe.Pointer(&in[0]), n, 1, unsafe.Pointer(&s.base), unsafe.Pointer(&s.total), ahead)
		base += A(s.total)
		out, in = out[n*k.lanes:], in[n*k.lanes:]
	}
	return scanInto(out, in, base, c.Exclusive)
}

func (c *chunked[T, A]) sum(in []T, s *scratch[T]) (sum A) {
	if k := c.k; k != nil {
		n := len(in) / k.lanes
		k.sum(unsafe.Pointer(unsafe.SliceData(in)), n, unsafe.Pointer(&s.sums))
		for _, x := range s.sums[:k.lanes] {
			sum += A(x)
		}
		in = in[n*k.lanes:]
	}
	for _, x := range in {
		sum += A(x)
	}
	return sum
}

// chain counts, with vectors, the steps of the scan of one, the sums of those before it in the chunk, base
// and last sum, and for float64 the chunks.
func (c *chunked[T, A]) chain() float64 {
	if c.k == nil {
		return sequentialChain(c.Type, c.N) + 1
	}
	n := min(c.N, c.chunk)
	chain := float64(bits.Len(uint(c.k.lanes)) - 1 + n/c.k.lanes + 2)
	if c.Type == "f64" {
		chain += float64(c.chunks + c.k.lanes) // and the lanes of a chunk's sum
	}
	return chain
}

// Work counts the additions of whole vectors in all lanes: the steps of the scan, base and last sum, and the
// sum carried on. If N is no multiple of lanes, each of the last elements takes one addition.
func (c *chunked[T, A]) Work() framework.Work {
	w := framework.Work{FLOPs: int64(c.elements()), LoadBytes: c.bytes(), StoreBytes: c.bytes()}
	if c.k != nil {
		vectors := 0
		for at := 0; at < c.N; at += c.chunk {
			vectors += min(c.chunk, c.N-at) / c.k.lanes
		}
		inVectors := int64(vectors) * int64(c.k.lanes) * int64(c.Batch)
		w.FLOPs += inVectors * int64(bits.Len(uint(c.k.lanes))-1+2)
	}
	if !c.whole { // the sums of all chunks but the last of each sequence
		first := int64((c.chunks-1)*c.chunk) * int64(c.Batch)
		w.FLOPs += first
		w.LoadBytes += first * c.Bytes
	}
	return w
}

// Close ends the workers.
func (c *chunked[T, A]) Close() error {
	c.pool.Close()
	return nil
}

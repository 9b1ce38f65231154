package fft

// The CPU version.
//
// Short transforms go one to a vector lane (gather, passes, scatter). From
// shortest on a transform is a matrix of n1 rows and n2 columns (Bailey's
// four steps, two over memory): columns of as many adjacent elements as there
// are lanes are transformed, turned by k1·n2/N and laid down transposed; then
// rows k1, a lane each, whose results are adjacent in the output. All
// butterflies are vector operations without shuffles; radix-8 passes
// (decimation in frequency, depth first once a block fits the first-level
// cache) leave the digits reversed, which costs nothing because the next
// stage may take rows in any order.
//
// With NEON (4 or 2 lanes, 32 registers) the first and the last pass of short
// transforms move them to and from the lanes themselves, and transforms up to 512
// stay whole: 16 KiB of rows. What bounds it is the arithmetic.
//
// What bounds it with AVX-512, for N = 1024 in f32 (32·32, passes of radix 4
// and 8): 44 FLOPs per element against the nominal 50, and 7 loads and 6 stores
// of 8 bytes. A row of 16 elements is 12 vector stores, 14 loads, about 35
// arithmetic operations and 12 shuffles; a core that stores one vector and
// calculates with four a cycle would need 12 cycles, 0.2 ns per element at
// 4 GHz. Measured on Zen 5: 0.38 ns with all data in the second-level cache,
// where some 70 instructions per row fill the front end, and 0.5 ns from the
// third-level cache. From N = 2^20 on, both steps together move 48 bytes an
// element through memory (the write-allocate reads included), and that counts.
//
// What measuring kept: asking the caches for the next columns (10 % from
// N = 4096 to 2^18) and for the next group of short transforms (40 % in f64).
// What it did not: the same for the output, huge pages for the data between
// the steps, and any other share of the first-level cache from 12 to 48 KiB.

import (
	"math/bits"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/workers"
)

func stockhamVersion() framework.Version {
	return framework.Version{
		Name: "stockham",
		Doc:  "lane-parallel passes of radix 8 in assembly (AVX-512, AVX2, NEON) or Go; two steps from N = 256 on",
		Source: "Bailey, FFTs in External or Hierarchical Memory (1990); " +
			"Van Loan, Computational Frameworks for the Fast Fourier Transform (1992)",
		Processor: framework.CPU,
		HostBytes: hostBytesCPU,
		Tunables:  []framework.Tunable{{Name: "TILE", Doc: "KiB of rows that pass after pass is done on", Values: []int64{4, 8, 16, tileKiB, 32, 48, 64, 128}}},
		Defaults: func(framework.Values, gpu.Facts) framework.Values {
			return framework.IntValues("TILE", tileKiB)
		},
		New: newCPU(prepareStockham[complex64], prepareStockham[complex128]),
	}
}

func prepareStockham[T element](p *problem, env framework.Env, v framework.Values) (transformer[T], error) {
	k := kernelsFor[T]()[0]
	env.Remark("stockham: %s kernels", k.name)
	return newStockhamCPU[T](k, p.N, p.Batch, p.Inverse, max(1, env.Workers), int(v.Int("TILE"))<<10), nil
}

// shortest is the least N that can be split in two steps, each of at least as
// many rows as there are lanes and long enough for a first and a last pass.
const shortest = 256

// secondLevelCache is the size up to which a transform is left to one worker:
// half of a common second-level cache.
const secondLevelCache = 512 << 10

type stockhamCPU[T element] struct {
	k          *kernels
	n, batch   int
	inverse    bool
	size       int // bytes of an element
	row        int // bytes of a row
	pool       *workers.Pool
	in, out    unsafe.Pointer
	lanes      []laneWorker
	first      [3]passKernel
	store      func(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)
	swapped    int
	whole      *lanePlan // of n rows, or
	step1      *lanePlan // of n1 rows and
	step2      *lanePlan // of n2 rows
	shared     bool      // all workers on one transform, else one each
	tileRows   []uint32
	outOffsets []uint32
	u, v       unsafe.Pointer // factors between the steps, or
	factors    unsafe.Pointer // one for each element
}

// laneWorker is what one worker has for itself.
type laneWorker struct {
	work, scratch unsafe.Pointer
	between       unsafe.Pointer // N elements between the steps
	transforms    []unsafe.Pointer
}

// newStockhamCPU plans for rows of so many bytes in a first-level cache.
func newStockhamCPU[T element](k *kernels, n, batch int, inverse bool, threads, tile int) *stockhamCPU[T] {
	s := &stockhamCPU[T]{k: k, n: n, batch: batch, inverse: inverse, size: int(elementBytes[T]())}
	s.row = k.lanes * s.size
	s.first, s.store = k.first, k.store8
	if inverse {
		s.first, s.store = k.firstInverse, k.storeInverse8
		s.swapped = s.row / 2
	}
	double := s.size == 16
	var rows int
	if n < shortest || n <= k.longestWhole && batch >= k.lanes {
		s.whole = newLanePlan(k, n, double, tile)
		rows = n
		s.tileRows = make([]uint32, n)
		for i := range s.tileRows {
			s.tileRows[i] = uint32(s.whole.at[i] * s.row)
		}
		s.placeOutputs(s.whole, s.size)
		s.pool = workers.New(min(threads, (batch+k.lanes-1)/k.lanes), s.batches)
	} else {
		log := bits.Len(uint(n)) - 1
		n1 := 1 << (log / 2)
		s.step1, s.step2 = newLanePlan(k, n1, double, tile), newLanePlan(k, n/n1, double, tile)
		rows = max(s.step1.n*s.step1.chunk(), s.step2.n*s.step2.chunk())
		s.between()
		s.shared = threads > 1 && (n*s.size > secondLevelCache || batch%threads != 0 && batch < 8*threads)
		if s.shared {
			s.pool = workers.New(threads, s.together)
		} else {
			s.pool = workers.New(min(threads, batch), s.apart)
		}
	}
	s.lanes = make([]laneWorker, s.pool.Workers())
	for i := range s.lanes {
		l := &s.lanes[i]
		l.work, l.scratch = bytes64(rows*s.row), bytes64(k.lanes*s.row)
		switch {
		case s.whole != nil:
			l.transforms = make([]unsafe.Pointer, k.lanes)
		case s.shared && i > 0:
			l.between = s.lanes[0].between
		default:
			l.between = bytes64(n * s.size)
		}
	}
	return s
}

// between makes the tables of what happens between the steps: element (k1,
// n2) is turned by k1·n2/N. For the tile of rows L·b + i and columns L·c + q,
// L lanes, the factor is u[c][b][q]·v[c][i][q], turned by L·b·(L·c+q)/N and
// i·(L·c+q)/N: N/L + L·n2 factors instead of N, read in sequence. Kernels may
// have the N factors in a table where it is short.
func (s *stockhamCPU[T]) between() {
	lanes, order := s.k.lanes, s.k.order
	n1, n2 := s.step1.n, s.step2.n
	double := s.size == 16
	set := func(t table, row, c, k1 int) {
		for q := range lanes {
			w := unitRoot(k1*(lanes*c+order[q]), s.n)
			t.set(2*row*lanes+q, real(w))
			t.set((2*row+1)*lanes+q, imag(w))
		}
	}
	if s.k.directTiles != nil && s.n <= s.k.longestDirect {
		t := newTable(s.n, double)
		for row := range s.n / lanes {
			c, k1 := row/n1, row%n1
			set(t, row, c, k1-k1%lanes+order[k1%lanes])
		}
		s.factors = t.base
	} else {
		u, v := newTable(n2*n1/lanes, double), newTable(n2*lanes, double)
		workers.Split(workers.All(), n2/lanes, func(c int) {
			for b := range n1 / lanes {
				set(u, c*(n1/lanes)+b, c, lanes*b)
			}
			for i := range lanes {
				set(v, c*lanes+i, c, order[i])
			}
		})
		s.u, s.v = u.base, v.base
	}

	s.tileRows = make([]uint32, n1)
	for i := range s.tileRows {
		s.tileRows[i] = uint32(s.step1.at[i-i%lanes+order[i%lanes]] * s.row)
	}
	s.placeOutputs(s.step2, n1*s.size)
}

// placeOutputs sets where the first output of each butterfly of a plan's last
// pass goes; outputs are distance bytes apart.
func (s *stockhamCPU[T]) placeOutputs(p *lanePlan, distance int) {
	s.outOffsets = make([]uint32, p.n/8)
	for i, at := range p.at {
		if at%8 == 0 {
			s.outOffsets[at/8] = uint32(i * distance)
		}
	}
}

func (s *stockhamCPU[T]) run(out, in []T) error {
	s.in, s.out = unsafe.Pointer(&in[0]), unsafe.Pointer(&out[0])
	s.pool.Run()
	s.in, s.out = nil, nil
	return nil
}

func (s *stockhamCPU[T]) Close() error {
	s.pool.Close()
	return nil
}

// groupsAtOnce is how many groups of transforms a worker takes: enough that
// the next group, which gather asks the caches for, is mostly its own.
const groupsAtOnce = 8

// batches does transforms in groups of one per lane.
func (s *stockhamCPU[T]) batches(worker int) {
	l := &s.lanes[worker]
	groups := (s.batch + s.k.lanes - 1) / s.k.lanes
	s.pool.Each((groups+groupsAtOnce-1)/groupsAtOnce, func(item int) {
		for g := item * groupsAtOnce; g < min((item+1)*groupsAtOnce, groups); g++ {
			s.group(l, g)
		}
	})
}

func (s *stockhamCPU[T]) group(l *laneWorker, group int) {
	k := s.k
	units := s.n / (k.lanes / 2)
	// The last group's spare lanes repeat its last transform.
	at := func(base unsafe.Pointer) *unsafe.Pointer {
		for q := range l.transforms {
			l.transforms[q] = unsafe.Add(base, min(group*k.lanes+q, s.batch-1)*s.n*s.size)
		}
		return &l.transforms[0]
	}
	if k.gather == nil {
		s.groupInPasses(l, at)
		return
	}
	k.gather(l.work, at(s.in), units, s.swapped)
	s.whole.descend(l.work, 0, s.n, 1, 0, func(work unsafe.Pointer, _, count int) { k.last8(work, count) })
	k.scatter(at(s.out), l.work, &s.tileRows[0], units, s.swapped)
}

// groupInPasses is group with kernels whose first and last pass move whole
// transforms.
func (s *stockhamCPU[T]) groupInPasses(l *laneWorker, at func(unsafe.Pointer) *unsafe.Pointer) {
	gather, scatter := s.k.gatherFirst, s.k.scatterLast
	if s.inverse {
		gather, scatter = s.k.gatherFirstInverse, s.k.scatterLastInverse
	}
	first := s.whole.levels[0]
	m := s.n / first.radix
	gather[first.kernel](l.work, at(s.in), m, first.twiddles)
	out := at(s.out)
	s.whole.descend(l.work, 1, m, first.radix, 0, func(work unsafe.Pointer, q, count int) {
		scatter(out, work, &s.outOffsets[q], s.n/8*s.size, count)
	})
}

// apart gives each worker transforms of its own.
func (s *stockhamCPU[T]) apart(worker int) {
	s.pool.Each(s.batch, func(t int) {
		l := &s.lanes[worker]
		in, out := unsafe.Add(s.in, t*s.n*s.size), unsafe.Add(s.out, t*s.n*s.size)
		for c, groups := 0, s.step2.n/s.k.lanes; c < groups; c += s.step1.chunk() {
			s.columns(l, in, c, min(s.step1.chunk(), groups-c))
		}
		for b, groups := 0, s.step1.n/s.k.lanes; b < groups; b += s.step2.chunk() {
			s.rows(l, out, b, min(s.step2.chunk(), groups-b))
		}
	})
}

// together shares out the columns and then the rows of one transform after
// the other.
func (s *stockhamCPU[T]) together(worker int) {
	l := &s.lanes[worker]
	for t := range s.batch {
		in, out := unsafe.Add(s.in, t*s.n*s.size), unsafe.Add(s.out, t*s.n*s.size)
		groups, chunk := s.step2.n/s.k.lanes, s.step1.chunk()
		s.pool.Each((groups+chunk-1)/chunk, func(i int) {
			s.columns(l, in, i*chunk, min(chunk, groups-i*chunk))
		})
		s.pool.Barrier(worker)
		groups, chunk = s.step1.n/s.k.lanes, s.step2.chunk()
		s.pool.Each((groups+chunk-1)/chunk, func(i int) {
			s.rows(l, out, i*chunk, min(chunk, groups-i*chunk))
		})
		s.pool.Barrier(worker)
	}
}

// columns is the first step for groups from c on: columns of n1 elements, as
// many adjacent ones as there are lanes in a group, whose results are turned
// and laid transposed between the steps.
func (s *stockhamCPU[T]) columns(l *laneWorker, in unsafe.Pointer, c, groups int) {
	k, p := s.k, s.step1
	n1, n2, lanes := s.step1.n, s.step2.n, s.k.lanes
	first := p.levels[0]
	m := n1 / first.radix
	s.first[first.kernel](l.work, unsafe.Add(in, c*s.row), n2*s.size, s.row, m, groups, first.twiddles)
	p.descend(l.work, 1, m, first.radix*groups, 0, func(work unsafe.Pointer, _, count int) { k.last8(work, count) })
	for g := range groups {
		to, from := unsafe.Add(l.between, (c+g)*lanes*s.row), unsafe.Add(l.work, g*n1*s.row)
		if s.factors != nil {
			k.directTiles(to, n2*s.row, from, &s.tileRows[0], n1/lanes, unsafe.Add(s.factors, (c+g)*n1*s.row))
			continue
		}
		k.tiles(to, n2*s.row, from, &s.tileRows[0], n1/lanes,
			unsafe.Add(s.u, (c+g)*(n1/lanes)*s.row), unsafe.Add(s.v, (c+g)*lanes*s.row), l.scratch)
	}
}

// rows is the second step for groups from b on, each as many rows of n2
// elements as there are lanes.
func (s *stockhamCPU[T]) rows(l *laneWorker, out unsafe.Pointer, b, groups int) {
	p := s.step2
	n2 := p.n
	first := p.levels[0]
	m := n2 / first.radix
	s.k.pass[first.kernel](l.work, unsafe.Add(l.between, b*n2*s.row), s.row, n2*s.row, m, groups, first.twiddles)
	p.descend(l.work, 1, m, first.radix*groups, 0, func(work unsafe.Pointer, q, count int) {
		s.store(unsafe.Add(out, (b+q/(n2/8))*s.row), work, &s.outOffsets[q%(n2/8)],
			n2/8*s.step1.n*s.size, min(count, n2/8), max(1, count/(n2/8)))
	})
}

// work counts what the kernels do, spare lanes of the last group included;
// loop counters, pointers and prefetches are left out.
func (s *stockhamCPU[T]) Work() framework.Work {
	var w framework.Work
	size, lanes, c := int64(s.size), int64(s.k.lanes), &s.k.costs
	if s.whole != nil {
		groups := (int64(s.batch) + lanes - 1) / lanes
		e := groups * lanes * int64(s.n)
		s.whole.count(&w, e, c.passKept, c.lastKept)
		if s.k.gather == nil {
			w.LoadBytes += 4 * e / lanes / 8 // places of the last butterflies' outputs
			return w
		}
		w.LoadBytes += 2*e*size + 4*e/lanes // gather; scatter and its rows' places
		w.StoreBytes += 2 * e * size
		return w
	}
	e := int64(s.batch) * int64(s.n)
	s.step1.count(&w, e, c.firstKept, c.lastKept)
	s.step2.count(&w, e, c.passKept, c.storeKept)
	w.LoadBytes += 4 * e / lanes / 8 // places of the last butterflies' outputs
	w.LoadBytes += 4 * e / lanes     // places of the tiles' rows
	if s.factors != nil {
		w.FLOPs += 6 * e
		w.LoadBytes += 2 * e * size // rows and their factors
		w.StoreBytes += e * size
		return w
	}
	// Tiles: two complex multiplications per element; rows, their factors, and
	// a row of factors for each tile.
	w.FLOPs += 12 * e
	factors := e
	if c.tileHeld {
		factors = e * lanes / int64(s.step1.n)
	}
	w.LoadBytes += (e*(1+c.tileKept)+factors)*size + e*size/lanes
	w.StoreBytes += e * size * (1 + c.tileKept)
	return w
}

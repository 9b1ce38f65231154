package bound

import (
	"math"
	"slices"
	"strings"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
	"example.org/bench/framework/record"
)

// traffic is the part of a launch's accesses to global memory that goes to DRAM.
type traffic struct {
	// read and written are bytes of the launch. readTime and writeTime are the bytes that memory could move
	// in the time that these take: single sectors take longer.
	read, written, readTime, writeTime float64
	// requests is the bytes of the sectors for which memory is asked.
	requests float64
	// portion is a share of the sectors that a block touches first, and stored a share of those that it
	// stores.
	portion, stored float64
	kept            []trace.Buffer // whose accesses cost nothing: another launch's registers hold them
}

// trafficOf counts the bytes that are in no cache at the beginning: every byte that the launch touches, of
// buffers that no earlier launch of the run has left in the L2 cache, and those of single sectors at random
// that the cache has lost when they are touched again. Written bytes go to memory as far as the cache does
// not hold them.
func trafficOf(m Machine, l *trace.Launch) (t traffic) {
	var all float64
	for _, b := range l.Buffers {
		all += max(b.Read, b.Written)
	}
	l2 := float64(m.Facts.L2Bytes)
	for _, b := range l.Buffers {
		lost := max(0, 1-held(m)/max(1, between(l, b)))
		if !b.Warm || all > l2 {
			// A single sector brings the one beside it.
			pair := fetched(m) / record.SectorBytes
			lone := atRandomShare(b.Lone)
			single := lone * atRandom(b.Reads, float64(b.Bytes)/pair, lost)
			t.requests += (1-lone)*b.Read + single
			t.read += (1-lone)*b.Read + single*pair
			t.readTime += (1-lone)*b.Read + single*m.Request/record.SectorBytes
		}
		lone := atRandomShare(b.LoneWritten)
		written := (1-lone)*b.Written + lone*atRandom(b.Writes, float64(b.Bytes), lost)
		t.written += written
		t.read += lone * written * (1 - b.Whole) * fetched(m) / record.SectorBytes // the rest of these sectors
		t.writeTime += written * (1 - lone + lone*(b.Whole*m.Request+(1-b.Whole)*m.Write)/record.SectorBytes)
	}
	// The bytes written last stay in the cache at the end. How many is not documented: the counters of seven
	// streams on an H200 showed 12 to 24 of its 60 MiB.
	left := min(l2/4, t.written)
	t.writeTime *= 1 - left/max(1, t.written)
	t.written -= left
	var first float64
	f := float64(l.Grid.Count()) / float64(max(1, len(l.Blocks)))
	for _, b := range l.Blocks {
		first += 32 * f * float64(b.Read)
	}
	if first > 0 {
		t.portion = min(1, t.requests/first)
	}
	if stores := 32 * f * l.Total.StoredSectors; stores > 0 {
		t.stored = min(1, t.written/stores)
	}
	return t
}

// held returns the bytes of the L2 cache that hold data at random places. The cache has two parts on the GPUs
// of data centres since compute capability 8.0, each of which keeps what its multiprocessors read.
func held(m Machine) float64 {
	if f := m.Facts; f.ComputeMajor >= 8 && f.ComputeMinor == 0 {
		return float64(f.L2Bytes) / 2
	}
	return float64(m.Facts.L2Bytes)
}

// between returns the bytes that a launch touches, on average, from one access to a sector of a buffer to the
// next access to it.
func between(l *trace.Launch, b trace.Buffer) (bytes float64) {
	part := float64(b.Bytes) / max(1, b.Reads+b.Writes)
	for _, c := range l.Buffers {
		bytes += min(max(c.Read, c.Written), (c.Reads+c.Writes)*part)
	}
	return bytes
}

// fetched returns the bytes that the L2 cache takes from memory for a sector: 64 by default since compute
// capability 8.0 ("CUDA Runtime API", cudaLimitMaxL2FetchGranularity).
func fetched(m Machine) float64 {
	if m.Facts.ComputeMajor >= 8 {
		return 64
	}
	return record.SectorBytes
}

// atRandomShare returns the share of a buffer's sectors that lie at random, from the share of those that are
// alone in their line. It is 0 if most have others beside them, as at the edges of tiles, which a neighbour
// reads as well.
func atRandomShare(lone float64) float64 {
	if lone < 0.5 {
		return 0
	}
	return lone
}

// atRandom returns the bytes that are requested from memory for single sectors of a buffer of that size: when
// the sectors are touched first, and again if they were lost since.
func atRandom(touched, size, lost float64) float64 {
	if size <= 0 {
		return touched
	}
	first := size * (1 - math.Exp(-touched/size))
	return first + max(0, touched-first)*lost
}

// access returns the cycle at which the value of a load is there. It counts what the access occupies.
func (s *multiprocessor) access(w *warp, x *trace.Step, i *ptx.Instruction, t float64) float64 {
	rate := s.m.SharedWaves
	if s.ch&together != 0 && x.Lanes < ptx.WarpSize {
		rate /= max(1.0/ptx.WarpSize, float64(x.Lanes)/ptx.WarpSize)
	}
	begin := max(t, s.lsu)
	switch x.Space {
	case ptx.Shared:
		waves := float64(x.Waves)
		if s.ch&conflictFree != 0 {
			waves = min(waves, max(1, float64(x.Ideal)))
		}
		if s.ch&exchanged != 0 && x.Sectors == 0 { // a shuffle for a load
			if i.Store {
				return t
			}
			s.lsu = begin + 1/rate
			return s.lsu + s.m.Latency[ptx.LaneExchange]
		}
		s.lsu = begin + s.widen*waves/rate
		if x.Sectors > 0 { // copied from global memory
			return s.global(w, x, i, s.lsu)
		}
		return s.lsu + s.m.SharedLatency - 1
	case ptx.Const:
		waves := float64(x.Waves)
		if s.ch&oneAddress != 0 && waves > 1 {
			s.lsu = begin + passesAtRandom(waves)/rate
			return s.lsu + s.m.SharedLatency
		}
		s.constants = max(s.constants, t) + (waves-1)*s.m.ConstantTurn
		return s.constants + s.m.Latency[ptx.Integer]
	case ptx.Local:
		s.lsu = begin + max(1, float64(x.Sectors)/4)/rate
		if i.Store {
			s.through(t, record.SectorBytes*float64(x.Sectors))
			return t + 1
		}
		return s.lsu + s.m.Latency[ptx.LoadStore]
	case ptx.Global:
		cycles := float64(x.Quarters) / 4
		if s.ch&coalesced != 0 {
			cycles = min(cycles, max(1, s.fewest(x)/4))
		}
		if s.ch&reused != 0 && !i.Store && !i.Atomic { // of shared memory, free of conflicts
			s.lsu = begin + max(1, float64(x.Ideal))/rate
			return s.lsu + s.m.SharedLatency - 1
		}
		if s.t.holds(w.trace, x) {
			return t
		}
		if s.ch&halved != 0 && strings.Contains(i.Text, ".f32") {
			cycles /= 2
		}
		s.lsu = begin + max(1, s.widen*s.apart(x)*cycles)/rate
		return s.global(w, x, i, s.lsu)
	}
	s.lsu = begin + 1/rate
	return s.lsu + s.m.Latency[ptx.LoadStore]
}

// passesAtRandom returns about how many words the fullest bank of shared memory gives for so many words at
// random places.
func passesAtRandom(words float64) float64 { return 1 + 2.5*(words-1)/(ptx.WarpSize-1) }

// holds reports whether an access is to data that registers of another launch hold.
func (t *traffic) holds(w *trace.Warp, x *trace.Step) bool {
	if len(t.kept) == 0 || x.Sectors == 0 || int(x.First) >= len(w.Sectors) {
		return false
	}
	sector := w.Sectors[x.First]
	return slices.ContainsFunc(t.kept, func(b trace.Buffer) bool {
		return sector >= b.First && sector < b.First+uint64(b.Bytes+record.SectorBytes-1)/record.SectorBytes
	})
}

// fewest returns how few sectors an access needs: those that the bytes of all lanes fill, by the share that
// the launch's accesses use of the sectors that they touch.
func (s *multiprocessor) fewest(x *trace.Step) float64 {
	c := &s.l.Total
	if c.GlobalSectors == 0 {
		return float64(x.Sectors)
	}
	return max(1, float64(x.Sectors)*min(1, c.GlobalBytes/32/c.GlobalSectors))
}

// global moves the sectors of an access through the caches.
func (s *multiprocessor) global(w *warp, x *trace.Step, i *ptx.Instruction, t float64) float64 {
	sectors := w.trace.Sectors[x.First : int(x.First)+int(x.Sectors)]
	thin := s.widen
	if s.ch&coalesced != 0 && len(sectors) > 0 {
		thin = s.fewest(x) / float64(len(sectors))
	}
	if s.ch&halved != 0 && strings.Contains(i.Text, ".f32") {
		thin /= 2
	}
	if i.Store || i.Atomic {
		bytes := 32 * thin * float64(len(sectors))
		apart := s.apart(x)
		asked := apart * s.requested(int(x.Lines))
		if x.Lines == x.Sectors || apart > 1 { // parts of lines
			asked *= s.m.L2Write / s.m.L2Request
		}
		s.toL2(t, max(apart*bytes*s.m.L2/s.m.L2Written, asked))
		s.asked += float64(len(sectors)) * thin
		s.missed += float64(len(sectors)) * thin
		if s.writes += bytes * s.t.stored; s.writes >= 32 {
			s.dram = max(s.dram, t) + s.writes*s.t.writeTime/max(1, s.t.written)/s.dramCycle
			s.writes = 0
		}
		if i.Atomic && len(i.Writes) > 0 {
			return s.l2 + s.m.L2Latency
		}
		return t + 1
	}
	missed, lines, there := 0, 0, t+s.m.Latency[ptx.LoadStore]
	line := ^uint64(0)
	for _, sector := range sectors {
		var x *float64
		if i.Cached {
			x = s.cached(s.elsewhere(sector, w.turn))
		}
		if x != nil {
			there = max(there, *x)
		} else {
			missed++
			if sector/4 != line {
				lines, line = lines+1, sector/4
			}
		}
	}
	s.asked += float64(len(sectors)) * thin
	s.missed += float64(missed) * thin
	if missed == 0 {
		return there
	}
	s.toL2(t, max(32*thin*float64(missed), s.requested(lines)))
	done, latency := s.l2, s.m.L2Latency
	if first := min(missed, int(x.New)); first > 0 {
		// Whole sectors go to memory, as many as come together.
		if s.portion += float64(first) * s.t.portion; s.portion >= 1 {
			n := float64(int(s.portion))
			s.portion -= n
			s.dram = max(s.dram, t) + 32*s.widen*n*s.t.readTime/max(1, s.t.requests)/s.dramCycle
			done, latency = max(done, s.dram), s.m.DRAMLatency
		}
	}
	if s.ch&anyLatency != 0 {
		latency = 0
	}
	if i.Cached { // others find these sectors on their way
		for _, sector := range sectors {
			if x := s.cached(s.elsewhere(sector, w.turn)); x != nil && *x == 0 {
				*x = done + latency
			}
		}
	}
	return max(there, done+latency)
}

// through stores bytes of local memory. The first-level cache writes through.
func (s *multiprocessor) through(t, bytes float64) { s.toL2(t, bytes*s.m.L2/s.m.L2Written) }

// toL2 occupies the L2 cache from t on for as long as the cache takes to read so many bytes.
func (s *multiprocessor) toL2(t, bytes float64) {
	s.l2 = max(s.l2, t) + bytes/s.l2Cycle
	s.l2Bytes += bytes
}

// requested returns the bytes that the L2 cache could read in the time of requests of so many lines.
func (s *multiprocessor) requested(lines int) float64 {
	if s.ch&(coalesced|reused) != 0 || s.ch&wider != 0 && s.widen > 1 { // of whole lines then
		return 0
	}
	return float64(lines) * s.m.L2Request
}

// elsewhere returns the sector that another block touches in place of the recorded one: as far from the
// recorded sector as the block's turn says, in the same allocation, so that data shared by all blocks stay
// shared.
func (s *multiprocessor) elsewhere(sector uint64, turn int) uint64 {
	if turn == 0 {
		return sector
	}
	for _, b := range s.l.Buffers {
		if size := uint64(b.Bytes+record.SectorBytes-1) / record.SectorBytes; sector >= b.First && sector < b.First+size {
			step := uint64(float64(size)*(math.Phi-1)) &^ 3 // whole lines; its multiples meet no part more than another
			return b.First + (sector-b.First+uint64(turn)*step)%size
		}
	}
	return sector ^ uint64(turn)<<40
}

// cached looks a sector up in the first-level cache, which holds it afterwards. It returns the cycle from
// which on the sector is there; nil if it must be requested now. A line replaces another one with all its
// sectors.
func (s *multiprocessor) cached(sector uint64) *float64 {
	line, k := sector/sectorsOfLine, sector%sectorsOfLine
	set := int(line * 0x9e3779b97f4a7c15 >> 32 % uint64(s.sets)) // strides meet no set more than another
	ways := s.tags[set*waysOfL1 : (set+1)*waysOfL1]
	n := slices.IndexFunc(ways, func(x tag) bool { return x.line == line+1 })
	x := tag{line: line + 1}
	if n < 0 {
		n = waysOfL1 - 1
	} else {
		x = ways[n]
	}
	copy(ways[1:n+1], ways[:n]) // used last comes first
	had := x.has>>k&1 != 0
	x.has |= 1 << k
	ways[0] = x
	if !had {
		return nil
	}
	return &ways[0].from[k]
}

// codePerCycle is the bytes of code in a row that are fetched ahead in a cycle: 64 KiB took 13,900 on an H100.
const codePerCycle = 4.7

// fetch returns the cycle at which an instruction is there. A line of code that does not follow the line before
// it comes from the L2 cache; the lines after it are fetched ahead, one after the other.
func (s *multiprocessor) fetch(at int, t float64) float64 {
	line := min(int(float64(at)*s.perInstruction)/codeLine, len(s.lines)-1)
	if math.IsInf(s.lines[line], 1) {
		if s.lines[line] = t + s.m.L2Latency; line > 0 && !math.IsInf(s.lines[line-1], 1) {
			s.lines[line] = s.lines[line-1] + codeLine/codePerCycle
		}
	}
	return max(t, s.lines[line])
}

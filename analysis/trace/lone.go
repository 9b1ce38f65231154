package trace

// touched counts sectors of an allocation that whole blocks touched: all, those whose line the block has no
// other sector of, and the bytes that threads wrote.
type touched struct{ read, lone, written, loneWritten, bytes float64 }

func (r *recorder) of(allocation uint64) *touched {
	x := r.touched[allocation]
	if x == nil {
		x = &touched{}
		r.touched[allocation] = x
	}
	return x
}

// alone counts the sectors of a block that has ended.
func (r *recording) alone() {
	const perLine = lineBytes / sectorBytes
	for sector, kinds := range r.seen {
		span := r.memory.find(sector * sectorBytes)
		if span == nil {
			continue
		}
		x, beside := r.of(span.at), uint8(0)
		for k := sector / perLine * perLine; k < (sector/perLine+1)*perLine; k++ {
			if k != sector {
				beside |= r.seen[k]
			}
		}
		if kinds&1 != 0 {
			x.read++
			if beside&1 == 0 {
				x.lone++
			}
		}
		if kinds&2 != 0 {
			x.written++
			if beside&2 == 0 {
				x.loneWritten++
			}
		}
	}
}

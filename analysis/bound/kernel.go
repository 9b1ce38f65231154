package bound

import (
	"example.org/bench/analysis/ptx"
)

// Kernel is one kernel of a run: its resources, and what each of its launches does.
type Kernel struct {
	Name        string  `json:"name"`                      // the kernel
	Launches    int     `json:"launches"`                  // how many
	Grid        [3]int  `json:"grid"`                      // blocks in x, y, z
	Block       [3]int  `json:"block"`                     // threads in x, y, z
	Registers   int     `json:"registers"`                 // of a thread
	SpillBytes  int     `json:"spill_bytes"`               // of a thread's registers in local memory
	SharedBytes int     `json:"shared_bytes"`              // of a block
	CodeBytes   int     `json:"code_bytes,omitempty"`      // of machine code
	Occupancy   float64 `json:"occupancy"`                 // resident warps divided by the most that a multiprocessor holds
	Limit       string  `json:"occupancy_limit,omitempty"` // what allows no further block
	Waves       float64 `json:"waves"`                     // how often the grid fills the GPU
	// Model is the model's time of one launch.
	Model float64 `json:"model_s"`
	// Mix is the instructions of warps of one launch by class.
	Mix map[string]float64 `json:"instructions"`
	// Lanes is how many of a warp's lanes take part in an instruction, on average.
	Lanes        float64 `json:"lanes"`
	Sectors      float64 `json:"sectors_per_access,omitempty"` // of 32 bytes, by a warp's access to global memory
	SectorUse    float64 `json:"sector_use,omitempty"`         // share of their bytes that the access asks for
	AccessBytes  float64 `json:"bytes_per_access,omitempty"`   // bytes of a thread
	L1Miss       float64 `json:"l1_miss,omitempty"`            // share of the sectors that the first-level cache does not have, by the model
	L2Sectors    float64 `json:"l2_sectors,omitempty"`         // sectors that the L2 cache is asked for, by the model
	MemoryBytes  float64 `json:"memory_bytes"`                 // from and to memory, about
	SharedPasses float64 `json:"shared_passes,omitempty"`      // of an access to shared memory
	SharedLeast  float64 `json:"shared_least,omitempty"`       // how few would do
	Atomics      float64 `json:"atomics,omitempty"`            // operations in global memory
	Barriers     float64 `json:"barriers,omitempty"`           // of a warp
}

func (e *estimate) kernels() []Kernel {
	list := []Kernel{}
	for _, g := range e.groups {
		l, c := g.launch, &g.counts
		k := Kernel{Name: l.Kernel, Launches: g.times, Grid: [3]int{l.Grid.X, l.Grid.Y, l.Grid.Z}, Block: [3]int{l.Block.X, l.Block.Y, l.Block.Z},
			Registers: l.Attributes.Registers, SpillBytes: max(0, l.Attributes.LocalBytes-l.Code.LocalBytes), SharedBytes: l.SharedBytes, CodeBytes: l.CodeBytes,
			Occupancy: l.Occupancy.Share, Limit: l.Occupancy.Limit, Waves: e.waves(l), Model: g.one.seconds, Mix: map[string]float64{},
			L1Miss: g.one.l2, L2Sectors: c.GlobalSectors * g.one.l2, MemoryBytes: g.traffic.read + g.traffic.written, Atomics: c.Atomics}
		var threads, all float64
		for n := range ptx.Classes {
			if x := ptx.Class(n); x != ptx.Free && c.Instructions[n] > 0 {
				k.Mix[x.String()] = c.Instructions[n]
				threads += c.Threads[n]
				all += c.Instructions[n]
			}
		}
		if all > 0 {
			k.Lanes = threads / all
		}
		if n := c.GlobalLoads + c.GlobalStores; n > 0 {
			k.Sectors, k.SectorUse = c.GlobalSectors/n, c.GlobalBytes/32/c.GlobalSectors
			k.AccessBytes = c.GlobalBytes / n / k.Lanes
		}
		if c.Shared > 0 {
			k.SharedPasses, k.SharedLeast = c.SharedWaves/c.Shared, c.SharedLeast/c.Shared
		}
		k.Barriers = c.Barriers / float64(l.Grid.Count()*l.Warps())
		list = append(list, k)
	}
	return list
}

// ordered returns the classes of a mix, in the order of package ptx.
func ordered(mix map[string]float64) (list []string) {
	for n := range ptx.Classes {
		name := ptx.Class(n).String()
		if _, ok := mix[name]; ok {
			list = append(list, name)
		}
	}
	return list
}

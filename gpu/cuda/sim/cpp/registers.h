// Special registers of PTX, by their names there.
#pragma once

namespace bench_sim {
inline uint3 tid() { return threadIdx; }
inline uint3 ctaid() { return blockIdx; }
inline dim3 ntid() { return blockDim; }
inline dim3 nctaid() { return gridDim; }
inline unsigned laneid() { return quiet(bench_sim_current->lane); }
inline unsigned warpid() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; }
inline unsigned nwarpid() { return (blockDim.x * blockDim.y * blockDim.z + 31) / 32; }
inline unsigned smid() { return 0; }
inline unsigned lanemask_eq() { return 1u << laneid(); }
inline unsigned lanemask_lt() { return lanemask_eq() - 1; }
inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline unsigned lanemask_ge() { return ~lanemask_lt(); }
inline unsigned lanemask_gt() { return ~lanemask_le(); }
inline unsigned clock() { return static_cast<unsigned>(::clock()); }
inline unsigned long long clock64() { return static_cast<unsigned long long>(::clock64()); }
inline unsigned long long globaltimer() { return ::globaltimer(); }
inline unsigned globaltimer_lo() { return static_cast<unsigned>(::globaltimer()); }
}  // namespace bench_sim

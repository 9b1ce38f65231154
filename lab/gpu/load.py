"""A neighbour on the GPU: load.py idle|BUSY_US PERIOD_US. It says "ready" once it has a context."""
import sys
import time

import cupy

spin = cupy.RawKernel(r"""
extern "C" __global__ void spin(unsigned long long ns) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - start < ns);
}""", "spin")
held = cupy.zeros(64 << 20, dtype=cupy.uint8)
cupy.cuda.runtime.deviceSynchronize()
spin((132,), (256,), (cupy.uint64(1000),))
cupy.cuda.runtime.deviceSynchronize()
print("ready", flush=True)
if sys.argv[1] == "idle":
    time.sleep(3600)
busy, period = int(sys.argv[1]) * 1000, int(sys.argv[2]) * 1e-6
due = time.perf_counter()
while True:
    spin((132,), (256,), (cupy.uint64(busy),))
    if period == 0:  # always busy: one ahead
        spin((132,), (256,), (cupy.uint64(busy),))
    cupy.cuda.runtime.deviceSynchronize()
    due = max(due + period, time.perf_counter())
    while time.perf_counter() < due:
        time.sleep(50e-6)

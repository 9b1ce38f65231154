#!/usr/bin/env python3
"""What configs/radar computes, by CuPy's functions (cuFFT, cuBLAS), timed as bench times cold runs.

lab/gpu/radar.py [problem …]

Each run follows a write of 256 MB, which leaves nothing of the arrays in the caches, and is taken by two
events; the median of 100 runs. Only what CuPy has a function or two for is here. Arrays lie as in the
configs, at the last problem of each.
"""
import sys
import numpy as np
import cupy as cp
from cupy.cuda import cublas
import cupyx.scipy.signal as signal

sizes = {"fdfir": (64, 65536, 128), "compression": (1024, 4096, 1024)}
c64 = lambda *shape: (cp.random.uniform(-1, 1, shape, cp.float32) + 1j * cp.random.uniform(-1, 1, shape, cp.float32)).astype(cp.complex64)
f32 = lambda *shape: cp.random.uniform(-1, 1, shape, cp.float32)


def cornerturn():
    x, y = c64(8192, 8192), cp.empty((8192, 8192), cp.complex64)
    yield "copy of the transposed array", lambda: cp.copyto(y, x.T)
    yield "cuBLAS geam", lambda: cp.cublas.geam("T", "N", 1, x.T, 0, y.T, out=y.T)


def doppler():
    x, window = c64(16384, 1024), f32(1024)
    y = cp.empty_like(x)
    yield "product, cuFFT", lambda: cp.fft.fft(cp.multiply(x, window, out=y), axis=1)
    yield "cuFFT alone, without the window", lambda: cp.fft.fft(x, axis=1)


def beamform():
    w, x, y = c64(256, 256), c64(256, 16384), cp.empty((256, 16384), cp.complex64)
    yield "cuBLAS cgemm", lambda: cp.matmul(w, x, out=y)


def beamform16():
    # The complex product as a real one, of which cuBLAS has a version in f16: as many multiplications.
    w, x = f32(512, 512).astype(cp.float16), f32(512, 16384).astype(cp.float16)
    y = cp.empty((512, 16384), cp.float16)
    yield "cuBLAS hgemm of 512 x 512 by 512 x 16384", lambda: cp.matmul(w, x, out=y)
    # The same with sums and answer in f32, as the config has them. Fortran's order: the transposed product.
    z, one, zero = cp.empty((512, 16384), cp.float32), np.ones(1, np.float32), np.zeros(1, np.float32)
    half, single, by = 2, 0, 68  # CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F
    yield "cuBLAS gemmEx of these, answer in f32", lambda: cublas.gemmEx(cp.cuda.device.get_cublas_handle(), 0, 0, 16384, 512, 512, one.ctypes.data,
          x.data.ptr, half, 16384, w.data.ptr, half, 512, zero.ctypes.data, z.data.ptr, single, 16384, by, -1)


def channelizer():
    x, h = c64(4096 + 7, 4096), f32(8, 4096)
    sums = cp.ElementwiseKernel("raw complex64 x, raw float32 h, int32 m", "complex64 u",
                                "u = 0; for (int p = 0; p < 8; p++) u += h[p * m + i % m] * x[i + p * m];", "sums")
    u = cp.empty((4096, 4096), cp.complex64)

    def run():
        sums(x, h, 4096, u)
        return cp.fft.fft(u, axis=1)
    yield "a kernel of one's own, cuFFT", run


def filters(name):
    rows, samples, taps = sizes[name]
    x, w = c64(rows, samples), c64(rows if name == "fdfir" else 1, taps)
    n = 1 << (samples + taps - 1).bit_length()

    def whole():
        return cp.fft.ifft(cp.fft.fft(x, n, axis=1) * cp.fft.fft(w, n, axis=1), axis=1)[:, :samples]
    yield "cuFFT of whole rows, product, cuFFT", whole
    yield "oaconvolve", lambda: signal.oaconvolve(x, w, axes=1)


def svd():
    x = c64(8192, 64, 32)
    yield "cupy.linalg.svd, values alone", lambda: cp.linalg.svd(x, compute_uv=False)


problems = {"cornerturn": cornerturn, "doppler": doppler, "beamform": beamform, "beamform16": beamform16, "channelizer": channelizer, "svd": svd,
            "fdfir": lambda: filters("fdfir"), "compression": lambda: filters("compression")}
flush = cp.empty(256 << 20, cp.uint8)
print("problem,by,time_s,time_q1_s,time_q3_s")
for name in sys.argv[1:] or problems:
    for by, run in problems[name]():
        try:
            for _ in range(5):
                run()
            times = []
            for _ in range(100):
                flush.fill(1)
                a, b = cp.cuda.Event(), cp.cuda.Event()
                a.record()
                run()
                b.record()
                b.synchronize()
                times.append(cp.cuda.get_elapsed_time(a, b) / 1e3)
            times.sort()
            print('%s,"%s",%.4g,%.4g,%.4g' % (name, by, times[50], times[25], times[75]), flush=True)
        except Exception as e:
            print('%s,"%s",,, # %s' % (name, by, str(e)[:200].replace("\n", " ")), flush=True)

#!/usr/bin/env python3
"""What configs/radar computes, by CLBlast's functions, through OpenCL.

lab/gpu/opencl/clblast.py DEVICE [RUNS [DIVIDE]]

DEVICE is a part of the device's or its driver's name, such as nvidia. Beside lab/gpu/radar.py, which does it by cuBLAS: arrays lie as in the configs, at
the last problem of each, whose extents DIVIDE divides; each of RUNS (default 100) runs follows a write of 256 MB, and lasts from that one's end to its own
by the driver's stamps; the median is printed. Some elements of each answer are held against double precision. Needs libOpenCL.so.1 and libclblast.so.1 (Debian's libclblast1). About ten
seconds on an H200.
"""
import array
import ctypes as c
import random
import sys

cl, blast = c.CDLL("libOpenCL.so.1"), c.CDLL("libclblast.so.1")
for name in "clCreateContext", "clCreateCommandQueue", "clCreateBuffer":
    getattr(cl, name).restype = c.c_void_p
ROWS, PLAIN, TURNED = 101, 111, 112  # clblast_c.h


class Pair(c.Structure):  # a cl_float2
    _fields_ = [("re", c.c_float), ("im", c.c_float)]


def must(call, result):
    if result:
        sys.exit(f"{call}: error {result}")


def word(get, handle, what):
    text = c.create_string_buffer(4096)
    must("info", get(handle, what, c.c_size_t(4096), text, None))
    return text.value.decode()


def device(part):
    """Returns the first device in whose name, or its driver's, part is."""
    platforms, n = (c.c_void_p * 16)(), c.c_uint32()
    must("clGetPlatformIDs", cl.clGetPlatformIDs(16, platforms, c.byref(n)))
    for p in platforms[: n.value]:
        devices, m = (c.c_void_p * 16)(), c.c_uint32()
        if cl.clGetDeviceIDs(c.c_void_p(p), c.c_uint64(0xFFFFFFFF), 16, devices, c.byref(m)):
            continue
        for d in devices[: m.value]:
            names = word(cl.clGetPlatformInfo, c.c_void_p(p), 0x0902) + word(cl.clGetDeviceInfo, c.c_void_p(d), 0x102B)
            if part.lower() in names.lower():
                return c.c_void_p(d)
    sys.exit(f"no device of OpenCL is called {part}")


runs, divide = int((sys.argv[2:] or [100])[0]), int((sys.argv[3:] or [1])[0])
gpu, code = device(sys.argv[1]), c.c_int32()
context = c.c_void_p(cl.clCreateContext(None, 1, c.byref(gpu), None, None, c.byref(code)))
must("clCreateContext", code.value)
queue = c.c_void_p(cl.clCreateCommandQueue(context, gpu, c.c_uint64(2), c.byref(code)))
must("clCreateCommandQueue", code.value)
random.seed(1)
some = array.array("f", (random.uniform(-1, 1) for _ in range(2 * 65521)))  # complex numbers, which repeat


def buffer(bytes, values=None):
    b = c.c_void_p(cl.clCreateBuffer(context, c.c_uint64(1), c.c_size_t(bytes), None, c.byref(code)))
    must("clCreateBuffer", code.value)
    if values:
        must("clEnqueueWriteBuffer", cl.clEnqueueWriteBuffer(queue, b, 1, c.c_size_t(0), c.c_size_t(bytes), c.c_void_p(values.buffer_info()[0]), 0, None, None))
    return b


def complexes(n):
    """Returns n complex numbers as floats, and their buffer."""
    values = (some * (2 * n // len(some) + 1))[: 2 * n]
    return values, buffer(8 * n, values)


def answer(b, at):
    """Returns a complex number of a buffer."""
    z = Pair()
    must("clEnqueueReadBuffer", cl.clEnqueueReadBuffer(queue, b, 1, c.c_size_t(8 * at), c.c_size_t(8), c.byref(z), 0, None, None))
    return complex(z.re, z.im)


at = lambda values, i: complex(values[2 * i], values[2 * i + 1])
flush = buffer(256 << 20)


def stamp(event, what):
    t = c.c_uint64()
    must("clGetEventProfilingInfo", cl.clGetEventProfilingInfo(event, what, c.c_size_t(8), c.byref(t), None))
    return t.value


def timed(run):
    """Returns the median and quartiles of the seconds of run, which gets where to leave its event."""
    times = []
    for i in range(runs + 5):
        wiped, ended, byte = c.c_void_p(), c.c_void_p(), c.c_uint64(i)
        must("clEnqueueFillBuffer", cl.clEnqueueFillBuffer(queue, flush, c.byref(byte), c.c_size_t(8), c.c_size_t(0), c.c_size_t(256 << 20), 0, None, c.byref(wiped)))
        must("clFlush", cl.clFlush(queue))
        run(c.byref(ended))
        must("clFinish", cl.clFinish(queue))
        if i >= 5:
            times.append((stamp(ended, 0x1283) - stamp(wiped, 0x1283)) * 1e-9)
        for e in wiped, ended:
            must("clReleaseEvent", cl.clReleaseEvent(e))
    times.sort()
    return tuple(times[int(q * (len(times) - 1))] for q in (0.5, 0.25, 0.75))


def beamform():
    beams = channels = 256 // divide
    samples = 16384 // divide
    (w, wb), (x, xb), y = complexes(beams * channels), complexes(channels * samples), buffer(8 * beams * samples)
    size = c.c_size_t
    times = timed(lambda ended: must("CLBlastCgemm", blast.CLBlastCgemm(ROWS, PLAIN, PLAIN, size(beams), size(samples), size(channels), Pair(1, 0), wb, size(0), size(channels),
                                                                     xb, size(0), size(samples), Pair(0, 0), y, size(0), size(samples), c.byref(queue), ended)))
    for _ in range(50):
        i, j = random.randrange(beams), random.randrange(samples)
        right = sum(at(w, i * channels + k) * at(x, k * samples + j) for k in range(channels))
        if abs(answer(y, i * samples + j) - right) > 1e-5 * channels:
            sys.exit(f"CLBlastCgemm is wrong at {i}, {j}: {answer(y, i * samples + j)}, want {right}")
    return "CLBlastCgemm", times


def cornerturn():
    n = 8192 // divide
    (x, xb), y = complexes(n * n), buffer(8 * n * n)
    size = c.c_size_t
    times = timed(lambda ended: must("CLBlastComatcopy", blast.CLBlastComatcopy(ROWS, TURNED, size(n), size(n), Pair(1, 0), xb, size(0), size(n), y, size(0), size(n), c.byref(queue), ended)))
    for _ in range(50):
        i, j = random.randrange(n), random.randrange(n)
        if answer(y, i * n + j) != at(x, j * n + i):
            sys.exit(f"CLBlastComatcopy is wrong at {i}, {j}")
    return "CLBlastComatcopy", times


print("problem,by,time_s,time_q1_s,time_q3_s")
for problem in beamform, cornerturn:
    by, times = problem()
    print("%s,%s,%.4g,%.4g,%.4g" % (problem.__name__, by, *times), flush=True)

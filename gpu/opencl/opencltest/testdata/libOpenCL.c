// An OpenCL driver of one device with a clock of its own, to be loaded by tests. Kernels have names: "spin" takes as
// many nanoseconds as its argument, "pass_steps" as its second one, and every other one a microsecond.
//
// Settings (standin_set): "clock" is how stamps are told: 0 true, 1 all zero, 2 backwards (the end before the start),
// 3 twice as fast as time, 4 another epoch for the end, 5 in steps of "step" nanoseconds. "stamp" is the nanoseconds that each command
// of a queue with profiling takes more. "no_code" makes it refuse the code of programs that it gave. "sources" counts programs made of a source. Each queue goes on by itself, but for what its commands are told to wait for.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int32_t result;
typedef struct { int kind; } handle;
typedef struct { char *data; size_t bytes; int part; } buffer;
typedef struct { uint64_t queued, start, end; } event;
typedef struct { char name[64]; uint64_t argument[2]; } kernel;

static struct { char name[32]; int64_t value; } settings[16];
static int64_t calls, fault_at;
static result fault_code;
static char faulty[64];
typedef struct { uint64_t profiles, busy; } commands; // a queue, which computes until busy
static handle platform, device, context, program;
static int64_t live;  // objects not released

static int64_t *setting(const char *name)
{
    for (int i = 0; i < 16; i++) {
        if (settings[i].name[0] == 0)
            strncpy(settings[i].name, name, 31);
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i].value;
    }
    return 0;
}

void standin_set(const char *name, int64_t value) { *setting(name) = value; }
int64_t standin_get(const char *name) { return *setting(name); }
int64_t standin_live(void) { return live; }
void standin_fault(int64_t at, int64_t code) { calls = 0; fault_at = at; fault_code = code; faulty[0] = 0; }
const char *standin_faulty(void) { return faulty; }

static int fails(const char *call)
{
    calls++;
    if (fault_at == 0 || !(calls == fault_at || (fault_at < 0 && calls >= -fault_at)))
        return 0;
    if (faulty[0] == 0)
        strncpy(faulty, call, 63);
    return 1;
}
#define CALL if (fails(__func__)) return fault_code
#define MAKE if (fails(__func__)) { *code = fault_code; return 0; } *code = 0; live++
#define FREE live--; CALL; return 0

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static result give(const void *what, size_t n, size_t bytes, void *value, size_t *size)
{
    if (size)
        *size = n;
    if (value && bytes < n)
        return -30;
    if (value)
        memcpy(value, what, n);
    return 0;
}
static result text(const char *s, size_t bytes, void *value, size_t *size) { return give(s, strlen(s) + 1, bytes, value, size); }
static result number(uint64_t n, size_t width, size_t bytes, void *value, size_t *size) { return give(&n, width, bytes, value, size); }

static result after(commands *q, uint32_t waits, event **list, uint64_t nanoseconds, event **out)
{
    uint64_t start = now();
    if (start < q->busy)
        start = q->busy;
    for (uint32_t i = 0; i < waits; i++)
        if (start < list[i]->end)
            start = list[i]->end;
    q->busy = start + nanoseconds + (q->profiles ? *setting("stamp") : 0);
    if (out) {
        event *e = calloc(1, sizeof *e);
        *e = (event){now(), start, q->busy};
        *out = e;
        live++;
    }
    return 0;
}
static result done(commands *q, uint64_t nanoseconds, event **out) { return after(q, 0, 0, nanoseconds, out); }
static void wait_until(uint64_t t) { while (now() < t) ; }

result clGetPlatformIDs(uint32_t n, handle **list, uint32_t *count)
{
    CALL;
    if (count) *count = *setting("no_platform") ? 0 : 1;
    if (list) *list = &platform;
    return 0;
}
result clGetPlatformInfo(handle *p, uint32_t what, size_t bytes, void *value, size_t *size) { CALL; return text("Stand-in", bytes, value, size); }
result clGetDeviceIDs(handle *p, uint64_t kind, uint32_t n, handle **list, uint32_t *count)
{
    CALL;
    if (count) *count = 1;
    if (list) *list = &device;
    return *setting("no_device") ? -1 : 0;
}
result clGetDeviceInfo(handle *d, uint32_t what, size_t bytes, void *value, size_t *size)
{
    CALL;
    switch (what) {
    case 0x102B: return text("Stand-in GPU", bytes, value, size);
    case 0x102C: return text("nobody", bytes, value, size);
    case 0x102D: return text("1.0", bytes, value, size);
    case 0x102F: return text("OpenCL 1.2 stand-in", bytes, value, size);
    case 0x103D: return text("OpenCL C 1.2", bytes, value, size);
    case 0x1030: return text("cl_khr_fp64", bytes, value, size);
    case 0x1000: return number(4, 8, bytes, value, size);
    case 0x1002: return number(8, 4, bytes, value, size);
    case 0x1004: return number(256, 8, bytes, value, size);
    case 0x100C: return number(800, 4, bytes, value, size);
    case 0x1010: return number(1 << 28, 8, bytes, value, size);
    case 0x1019: return number(1024, 4, bytes, value, size);
    case 0x101D: return number(64, 4, bytes, value, size);
    case 0x101E: return number(4096, 8, bytes, value, size);
    case 0x101F: return number(1 << 30, 8, bytes, value, size);
    case 0x1020: return number(65536, 8, bytes, value, size);
    case 0x1023: return number(32768, 8, bytes, value, size);
    case 0x1025: return number(*setting("clock") == 5 ? *setting("step") : 1, 8, bytes, value, size);
    case 0x1028: case 0x1035: return number(1, 4, bytes, value, size);
    }
    return -30;
}
handle *clCreateContext(void *p, uint32_t n, handle **d, void *f, void *x, result *code) { MAKE; return &context; }
result clReleaseContext(handle *c) { FREE; }
commands *clCreateCommandQueue(handle *c, handle *d, uint64_t properties, result *code)
{
    MAKE;
    commands *q = calloc(1, sizeof *q);
    q->profiles = properties >> 1 & 1;
    return q;
}
result clReleaseCommandQueue(commands *q) { free(q); FREE; }

buffer *clCreateBuffer(handle *c, uint64_t flags, size_t bytes, void *host, result *code)
{
    MAKE;
    buffer *b = calloc(1, sizeof *b);
    *b = (buffer){malloc(bytes), bytes, 0};
    return b;
}
buffer *clCreateSubBuffer(buffer *m, uint64_t flags, uint32_t kind, size_t *region, result *code)
{
    MAKE;
    buffer *b = calloc(1, sizeof *b);
    *b = (buffer){m->data + region[0], region[1], 1};
    return b;
}
buffer *clCreateImage(handle *c, uint64_t flags, uint32_t *format, void *form, void *host, result *code)
{
    MAKE;
    return calloc(1, sizeof(buffer));
}
result clReleaseMemObject(buffer *b)
{
    if (!b->part) free(b->data);
    free(b);
    FREE;
}
result clEnqueueWriteBuffer(commands *q, buffer *m, uint32_t block, size_t at, size_t n, const void *from, uint32_t w, void *l, event **e)
{
    CALL;
    memcpy(m->data + at, from, n);
    return done(q, 1000, e);
}
result clEnqueueReadBuffer(commands *q, buffer *m, uint32_t block, size_t at, size_t n, void *to, uint32_t w, void *l, event **e)
{
    CALL;
    memcpy(to, m->data + at, n);
    return done(q, 1000, e);
}
result clEnqueueCopyBuffer(commands *q, buffer *a, buffer *b, size_t from, size_t to, size_t n, uint32_t w, void *l, event **e)
{
    CALL;
    memmove(b->data + to, a->data + from, n);
    return done(q, 1000, e);
}
result clEnqueueFillBuffer(commands *q, buffer *m, const void *pattern, size_t wide, size_t at, size_t n, uint32_t w, void *l, event **e)
{
    CALL;
    memset(m->data + at, *(const char *)pattern, n);
    return done(q, 1000, e);
}
result clEnqueueCopyBufferToImage(commands *q, buffer *a, buffer *b, size_t at, size_t *o, size_t *r, uint32_t w, void *l, event **e) { CALL; return done(q, 1000, e); }
result clEnqueueCopyImageToBuffer(commands *q, buffer *a, buffer *b, size_t *o, size_t *r, size_t at, uint32_t w, void *l, event **e) { CALL; return done(q, 1000, e); }
handle *clCreateSampler(handle *c, uint32_t normalized, uint32_t address, uint32_t filter, result *code) { MAKE; return &program; }
result clReleaseSampler(handle *s) { FREE; }
handle *clCreateProgramWithSource(handle *c, uint32_t n, char **texts, size_t *lengths, result *code) { MAKE; ++*setting("sources"); return &program; }
handle *clCreateProgramWithBinary(handle *c, uint32_t n, handle **d, size_t *lengths, char **code, result *status, result *r)
{
    if (fails(__func__)) { *r = fault_code; return 0; }
    *r = 0;
    live++;
    *status = !*setting("no_code") && *lengths == 4 && memcmp(*code, "code", 4) == 0 ? 0 : -42;
    return &program;
}
result clBuildProgram(handle *p, uint32_t n, handle **d, const char *options, void *f, void *x) { CALL; return 0; }
result clGetProgramInfo(handle *p, uint32_t what, size_t bytes, void *value, size_t *size)
{
    CALL;
    if (what == 0x1165) return number(4, 8, bytes, value, size);
    if (what == 0x1168) return text("copy2", bytes, value, size);
    memcpy(*(char **)value, "code", 4);
    return 0;
}
result clGetProgramBuildInfo(handle *p, handle *d, uint32_t what, size_t bytes, void *value, size_t *size) { CALL; return text("", bytes, value, size); }
result clReleaseProgram(handle *p) { FREE; }
kernel *clCreateKernel(handle *p, const char *name, result *code)
{
    MAKE;
    kernel *k = calloc(1, sizeof *k);
    strncpy(k->name, name, 63);
    return k;
}
result clReleaseKernel(kernel *k) { free(k); FREE; }
// How many arguments a kernel has is in its name: two for copy2.
static uint32_t arguments(kernel *k)
{
    char last = k->name[strlen(k->name) - 1];
    if (strcmp(k->name, "pass_steps") == 0 || strcmp(k->name, "read_lines") == 0) return 2;
    if (strcmp(k->name, "exchange_words") == 0 || strcmp(k->name, "digest") == 0) return 3;
    return last >= '0' && last <= '9' ? last - '0' : 1;
}
result clGetKernelInfo(kernel *k, uint32_t what, size_t bytes, void *value, size_t *size) { CALL; return number(arguments(k), 4, bytes, value, size); }
result clGetKernelArgInfo(kernel *k, uint32_t i, uint32_t what, size_t bytes, void *value, size_t *size) { CALL; return -19; }
result clGetKernelWorkGroupInfo(kernel *k, handle *d, uint32_t what, size_t bytes, void *value, size_t *size)
{
    CALL;
    size_t none[3] = {0};
    return what == 0x11B1 ? give(none, sizeof none, bytes, value, size) : number(256, 8, bytes, value, size);
}
result clSetKernelArg(kernel *k, uint32_t i, size_t n, const void *value)
{
    CALL;
    if (i < 2 && value) {
        k->argument[i] = 0;
        memcpy(&k->argument[i], value, n < 8 ? n : 8);
    }
    return 0;
}
result clEnqueueNDRangeKernel(commands *q, kernel *k, uint32_t dims, void *offset, size_t *global, size_t *local, uint32_t w, void *l, event **e)
{
    CALL;
    if (strcmp(k->name, "spin") == 0)
        return done(q, k->argument[0], e);
    return done(q, strcmp(k->name, "pass_steps") == 0 ? k->argument[1] : 1000, e);
}
result clFlush(commands *q) { CALL; return 0; }
result clFinish(commands *q) { CALL; wait_until(q->busy); return 0; }
result clEnqueueMarkerWithWaitList(commands *q, uint32_t w, event **l, event **e) { CALL; return after(q, w, l, 0, e); }
result clEnqueueBarrierWithWaitList(commands *q, uint32_t w, event **l, event **e) { CALL; return after(q, w, l, 0, e); }
result clWaitForEvents(uint32_t n, event **list) { CALL; wait_until((*list)->end); return 0; }
result clGetEventInfo(event *e, uint32_t what, size_t bytes, void *value, size_t *size) { CALL; return number(now() < e->end, 4, bytes, value, size); }
result clReleaseEvent(event *e) { free(e); FREE; }
result clGetEventProfilingInfo(event *e, uint32_t what, size_t bytes, void *value, size_t *size)
{
    CALL;
    uint64_t t = what == 0x1280 || what == 0x1281 ? e->queued : what == 0x1282 ? e->start : e->end;
    switch (*setting("clock")) {
    case 1: t = 0; break;
    case 2: t = what == 0x1283 ? e->start - 1 : t; break;
    case 3: t *= 2; break;
    case 4: t = what == 0x1283 ? t - 1000000000000000ull : t; break;
    case 5: t -= t % *setting("step"); break;
    }
    return number(t, 8, bytes, value, size);
}

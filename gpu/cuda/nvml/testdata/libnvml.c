// libnvml.c: an NVML for tests, of one GPU. Macros leave out what older
// libraries and boards lack; with COUNTS the energy counter counts 200 W, every 20 ms.
// Where NVML_STATE names a file, all processes share the limit and the locked clock in it,
// which lists what was set too, and far less is counted the lower the limit.
// NVML_PROCESSES lists others on the GPU beside this process, each PID:KIND:MIB:PERCENT with
// the kind c, g or s (compute, graphics, served by MPS), or "hidden": this process is not listed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef int R;

// The call of that number does nothing and returns code; stub_faulty tells which
// it was.
static long long calls, fault_at, fault_code;
static const char *faulty = "";
void stub_fault(long long at, long long code) { calls = 0, fault_at = at, fault_code = code, faulty = ""; }
const char *stub_faulty(void) { return faulty; }
#define FAULT(call)            \
    if (++calls == fault_at) { \
        faulty = call;         \
        return (R)fault_code;  \
    }
#ifndef INIT
#define INIT 0
#endif
R nvmlInit_v2(void) { FAULT("nvmlInit"); return INIT; }
R nvmlShutdown(void) { FAULT("nvmlShutdown"); return 0; }
R nvmlSystemGetDriverVersion(char *s, unsigned n) { FAULT("nvmlSystemGetDriverVersion"); snprintf(s, n, "580.1"); return 0; }
R nvmlSystemGetNVMLVersion(char *s, unsigned n) { FAULT("nvmlSystemGetNVMLVersion"); snprintf(s, n, "13.580.1"); return 0; }
R nvmlDeviceGetCount_v2(unsigned *n) { FAULT("nvmlDeviceGetCount"); *n = 1; return 0; }
R nvmlDeviceGetHandleByIndex_v2(unsigned i, long *d) { FAULT("nvmlDeviceGetHandleByIndex"); *d = 42; return i ? 2 : 0; }
R nvmlDeviceGetHandleByUUID(const char *u, long *d) { FAULT("nvmlDeviceGetHandleByUUID"); *d = 42; return strcmp(u, "GPU-1") ? 6 : 0; }
R nvmlDeviceGetHandleByPciBusId_v2(const char *b, long *d) { FAULT("nvmlDeviceGetHandleByPciBusId"); *d = 42; return strcmp(b, "0000:01:00.0") ? 6 : 0; }
R nvmlDeviceGetCudaComputeCapability(long d, int *major, int *minor) { FAULT("nvmlDeviceGetCudaComputeCapability"); *major = 9; *minor = 0; return 0; }
R nvmlDeviceGetName(long d, char *s, unsigned n) { FAULT("nvmlDeviceGetName"); snprintf(s, n, "Test GPU"); return 0; }
R nvmlDeviceGetUUID(long d, char *s, unsigned n) { FAULT("nvmlDeviceGetUUID"); snprintf(s, n, "GPU-1"); return 0; }
// With UNAVAILABLE, and after stub_unavailable(1), values are NVML_VALUE_NOT_AVAILABLE.
static int unavailable;
void stub_unavailable(long long now) { unavailable = now; }
#ifdef UNAVAILABLE
#define VALUE(x) (-1)
#else
#define VALUE(x) (unavailable ? -1 : (x))
#endif
#ifdef JETSON
#define READ 3
#else
#define READ 0
#endif
R nvmlDeviceGetMaxClockInfo(long d, int k, unsigned *v) { FAULT("nvmlDeviceGetMaxClockInfo"); *v = VALUE(1980); return READ; }
R nvmlDeviceGetTemperature(long d, int sensor, unsigned *v) { FAULT("nvmlDeviceGetTemperature"); *v = VALUE(35); return READ; }
R nvmlDeviceGetPowerUsage(long d, unsigned *v) { FAULT("nvmlDeviceGetPowerUsage"); *v = VALUE(123456); return d == 42 ? READ : 2; }
R nvmlDeviceGetPowerManagementLimitConstraints(long d, unsigned *a, unsigned *b) { FAULT("nvmlDeviceGetPowerManagementLimitConstraints"); *a = VALUE(200000); *b = VALUE(700000); return READ; }
#ifdef DENY
#define WRITE 4
#else
#define WRITE READ
#endif
static unsigned limit = 600000, locked;
// The environment is read once: a worker's is long, and a meter reads all the time.
static const char *state(void)
{
    static const char *path;
    static int known;
    if (!known)
        path = getenv("NVML_STATE"), known = 1;
    return path;
}
static void set(void)
{
    FILE *f = state() ? fopen(state(), "a") : 0;
    if (f) fprintf(f, "%u %u\n", limit, locked), fclose(f);
}
static void get(void)
{
    // The file only grows.
    static off_t seen;
    struct stat now;
    if (!state() || stat(state(), &now) || now.st_size == seen)
        return;
    FILE *f = fopen(state(), "r");
    while (f && fscanf(f, "%u %u", &limit, &locked) == 2) {}
    if (f) fclose(f);
    seen = now.st_size;
}
R nvmlDeviceGetClockInfo(long d, int k, unsigned *v) { FAULT("nvmlDeviceGetClockInfo"); get(); *v = VALUE(locked ? locked : 1000 + k); return READ; }
R nvmlDeviceGetPowerManagementLimit(long d, unsigned *v) { FAULT("nvmlDeviceGetPowerManagementLimit"); get(); *v = VALUE(limit); return READ; }
#ifndef OLD
R nvmlDeviceGetPowerManagementDefaultLimit(long d, unsigned *v) { FAULT("nvmlDeviceGetPowerManagementDefaultLimit"); *v = VALUE(700000); return READ; }
R nvmlDeviceSetPowerManagementLimit(long d, unsigned v)
{
    FAULT("nvmlDeviceSetPowerManagementLimit");
    get();
    if (!WRITE) limit = v, set();
    return v < 200000 || v > 700000 ? 2 : WRITE;
}
R nvmlDeviceGetSupportedMemoryClocks(long d, unsigned *n, unsigned *v)
{
    FAULT("nvmlDeviceGetSupportedMemoryClocks");
    unsigned room = *n;
    *n = 2;
    if (room < 2) return 7;
    v[0] = 2619;
    v[1] = 1593;
    return READ;
}
R nvmlDeviceGetSupportedGraphicsClocks(long d, unsigned memory, unsigned *n, unsigned *v)
{
    FAULT("nvmlDeviceGetSupportedGraphicsClocks");
    unsigned room = *n;
    *n = 3;
    if (room < 3) return 7;
    v[0] = 1980;
    v[1] = 1200;
    v[2] = 345;
    return memory == 2619 ? READ : 2;
}
R nvmlDeviceSetGpuLockedClocks(long d, unsigned a, unsigned b) { FAULT("nvmlDeviceSetGpuLockedClocks"); get(); locked = b; set(); return a == b ? WRITE : 2; }
R nvmlDeviceResetGpuLockedClocks(long d) { FAULT("nvmlDeviceResetGpuLockedClocks"); get(); locked = 0; set(); return WRITE; }
R nvmlDeviceGetEnforcedPowerLimit(long d, unsigned *v) { FAULT("nvmlDeviceGetEnforcedPowerLimit"); *v = VALUE(650000); return READ; }
static long long counted(void) // mJ
{
#ifdef COUNTS
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    long long ms = t.tv_sec * 1000LL + t.tv_nsec / 1000000;
    get();
    double share = state() ? limit / 700000. : 1;
    return 200 * share * share * share * share * (ms - ms % 20);
#endif
    return 0;
}
R nvmlDeviceGetTotalEnergyConsumption(long d, unsigned long long *v) { FAULT("nvmlDeviceGetTotalEnergyConsumption"); *v = VALUE(5000000000500 + counted()); return READ; }
R nvmlDeviceGetCurrentClocksEventReasons(long d, unsigned long long *v) { FAULT("nvmlDeviceGetCurrentClocksEventReasons"); *v = VALUE(0x24); return READ; }
typedef struct {
    unsigned id, scope;
    long long time, latency;
    int type, code;
    union {
        unsigned u;
        double d;
    } value;
} Field;
R nvmlDeviceGetFieldValues(long d, int n, Field *f)
{
    FAULT("nvmlDeviceGetFieldValues");
    f->code = f->id == 186 && f->scope == 0 && n == 1 ? READ : 2;
#ifdef NO_INSTANT
    f->code = 3;
#endif
    f->type = 1;
    f->value.u = VALUE(234567);
    if (f->id == 186 && f->scope == 2) {
        f->code = READ;
        f->value.u = VALUE(34567);
    }
#ifdef SUPERCHIP
    if (f->id == 186 && f->scope == 1) {
        f->code = READ;
        f->value.u = VALUE(412345);
    }
#endif
    return 0;
}
typedef struct {
    unsigned pid;
    unsigned long long memory;
    unsigned instance, compute;
} Process;
typedef struct {
    unsigned pid;
    unsigned long long at; // us since 1970
    unsigned sm, memory, en, de;
} Use;
// others calls f for this process, and for each that NVML_PROCESSES lists.
static void others(void (*f)(void *, unsigned pid, char kind, unsigned mib, unsigned percent), void *to)
{
    const char *list = getenv("NVML_PROCESSES");
    if (!list || !strstr(list, "hidden")) f(to, getpid(), 'c', 300, 50);
    unsigned pid, mib, percent;
    char kind;
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : 0)
        if (sscanf(list, "%u:%c:%u:%u", &pid, &kind, &mib, &percent) == 4) f(to, pid, kind, mib, percent);
}
typedef struct {
    char kind;
    unsigned n, room;
    void *list;
} Fill;
static void fill(void *to, unsigned pid, char kind, unsigned mib, unsigned percent)
{
    Fill *f = to;
    if (kind == f->kind && f->n++ < f->room)
        ((Process *)f->list)[f->n - 1] = (Process){pid, mib == 9999 ? ~0ull : (unsigned long long)mib << 20, ~0u, ~0u};
}
static R processes(char kind, unsigned *n, Process *list)
{
    Fill f = {kind, 0, *n, list};
    others(fill, &f);
    *n = f.n;
    return READ ? READ : f.n > f.room ? 7 : 0;
}
R nvmlDeviceGetComputeRunningProcesses_v3(long d, unsigned *n, Process *list) { FAULT("nvmlDeviceGetComputeRunningProcesses"); return processes('c', n, list); }
R nvmlDeviceGetGraphicsRunningProcesses_v3(long d, unsigned *n, Process *list) { FAULT("nvmlDeviceGetGraphicsRunningProcesses"); return processes('g', n, list); }
R nvmlDeviceGetMPSComputeRunningProcesses_v3(long d, unsigned *n, Process *list) { FAULT("nvmlDeviceGetMPSComputeRunningProcesses"); return processes('s', n, list); }
static void use(void *to, unsigned pid, char kind, unsigned mib, unsigned percent)
{
    Fill *f = to;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (percent && f->n++ < f->room)
        ((Use *)f->list)[f->n - 1] = (Use){pid, t.tv_sec * 1000000ull + t.tv_nsec / 1000, percent};
}
R nvmlDeviceGetProcessUtilization(long d, Use *list, unsigned *n, unsigned long long since)
{
    FAULT("nvmlDeviceGetProcessUtilization");
    Fill f = {0, 0, *n, list};
    others(use, &f);
    *n = f.n;
    return READ ? READ : !f.n ? 6 : f.n > f.room ? 7 : 0;
}
R nvmlDeviceGetMigMode(long d, unsigned *now, unsigned *pending)
{
    FAULT("nvmlDeviceGetMigMode");
    *now = *pending = getenv("NVML_MIG") != 0;
    return READ;
}
#endif

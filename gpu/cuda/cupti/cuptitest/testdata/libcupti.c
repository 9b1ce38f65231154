// A libcupti for tests: the range profiler without a GPU. It checks the parameters and the
// order of every call, and complains of the first mistake (stub_complaint). A metric's value
// is a factor times the launches since the range began: those that stub_launch tells of, and
// those of the test driver, if that is loaded as libcuda.so.1.
//
// Of other processes, CUPTI_STUB_CRASH names a call that faults, CUPTI_STUB_FAIL one that
// returns a code, as NAME=CODE.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION 130001
#endif

typedef struct { size_t size; void *priv; } head;

static char complaint[500], traced[100000], faulty[100];
static long at, fault_at, fault_code;
static int tracing;
static char crash_at[100];

static int complain(const char *call, const char *what) {
    if (!complaint[0]) snprintf(complaint, sizeof complaint, "%s: %s", call, what);
    return 1; // CUPTI_ERROR_INVALID_PARAMETER
}

const char *stub_complaint(void) { return complaint; }
const char *stub_faulty(void) { return faulty; }
void stub_fault(long n, long code) { at = 0; fault_at = n; fault_code = code; faulty[0] = 0; complaint[0] = 0; }
void stub_crash(const char *call) { strncpy(crash_at, call, sizeof crash_at - 1); }
void stub_trace(void) { tracing = 1; traced[0] = 0; }
const char *stub_traced(void) { tracing = 0; return traced; }

static long told;
void stub_launch(void) { told++; }

static long launches(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    long (*get)(const char *) = driver ? (long (*)(const char *))dlsym(driver, "stub_get") : NULL;
    return told + (get ? get("launches") : 0);
}

// call is asked first by each: what it returns is the answer, unless that is 0.
static int call(const char *name, const head *p, size_t want) {
    const char *crash = getenv("CUPTI_STUB_CRASH"), *fail = getenv("CUPTI_STUB_FAIL");
    if (tracing) { strncat(traced, name, 200); strcat(traced, " "); }
    if ((crash && !strcmp(crash, name)) || !strcmp(crash_at, name)) *(volatile int *)8 = 1;
    if (fail && !strncmp(fail, name, strlen(name)) && fail[strlen(name)] == '=') return atoi(fail + strlen(name) + 1);
    if (++at == fault_at) { strcpy(faulty, name); return (int)fault_code; }
    char text[100];
    if (!p) return complain(name, "no parameters");
    if (p->size != want) { sprintf(text, "%zu bytes, want %zu", p->size, want); return complain(name, text); }
    if (p->priv) return complain(name, "pPriv is set");
    return 0;
}

#define STRUCT_SIZE(t, last) (offsetof(t, last) + sizeof(((t *)0)->last))
#define CALL(t, last) do { int r_ = call(__func__, (const head *)p, STRUCT_SIZE(t, last)); if (r_) return r_; } while (0)
#define WANT(x) do { if (!(x)) return complain(__func__, #x); } while (0)

static const struct { const char *name; double factor; } metrics[] = {
    {"dram__bytes.sum", 1000}, {"dram__bytes_read.sum", 600}, {"dram__bytes_write.sum", 400},
    {"lts__t_bytes.sum", 3000}, {"sm__warps_launched.sum", 4}, {"sm__cycles_active.avg", 0.5},
};
#define METRICS (sizeof metrics / sizeof *metrics)
static const char *counters[] = {"dram__bytes", "dram__bytes_read", "dram__bytes_write", "lts__t_bytes", "sm__warps_launched", "sm__cycles_active"};
static const char *rollups[] = {".avg", ".max", ".min", ".sum", ".sum.per_second"};
static const char *ratios[] = {"lts__t_sector_hit_rate"};
static const char *throughputs[] = {"gpu__dram_throughput"};

static int find(const char *name) {
    for (size_t i = 0; i < METRICS; i++) if (!strcmp(metrics[i].name, name)) return (int)i;
    return -1;
}

static int initialized, hosts, enabled, configured, started, open_ranges, ranges_done, kept;
static int profile_kind, pass_, added, decoded;
static size_t config_size, data_size, most;
static const void *config_image, *data_image;
static double deltas[1000];
static long range_from;

int cuptiGetVersion(uint32_t *version) {
    if (++at == fault_at) { strcpy(faulty, __func__); return (int)fault_code; }
    *version = VERSION;
    return 0;
}

int cuptiGetResultString(int code, const char **text) {
    switch (code) {
    case 1: *text = "CUPTI_ERROR_INVALID_PARAMETER"; return 0;
    case 7: *text = "CUPTI_ERROR_INVALID_OPERATION"; return 0;
    case 17: *text = "CUPTI_ERROR_INVALID_METRIC_NAME"; return 0;
    case 35: *text = "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"; return 0;
    case 999: *text = "CUPTI_ERROR_UNKNOWN"; return 0;
    }
    return 1;
}

int cuptiProfilerInitialize(head *p) {
    CALL(head, priv);
    initialized++;
    return 0;
}

int cuptiProfilerDeInitialize(head *p) {
    CALL(head, priv);
    WANT(initialized > 0);
    if (--initialized == 0) hosts = enabled = started = 0;
    return 0;
}

typedef struct { head h; size_t index; const char *name; } chip_params;
int cuptiDeviceGetChipName(chip_params *p) {
    CALL(chip_params, name);
    WANT(p->index == 0);
    p->name = "st100";
    return 0;
}

typedef struct { head h; int device, supported, architecture, sli, vgpu, confidential, cmp, wsl, api; } supported_params;
int cuptiProfilerDeviceSupported(supported_params *p) {
    CALL(supported_params, api);
    p->architecture = p->sli = p->vgpu = p->confidential = p->cmp = p->wsl = p->supported = 3;
#ifdef VGPU
    p->vgpu = 2, p->supported = 1;
#endif
    return 0;
}

typedef struct { head h; void *ctx; size_t size; uint8_t *image; } availability_params;
int cuptiProfilerGetCounterAvailability(availability_params *p) {
    CALL(availability_params, image);
    WANT(p->ctx);
    WANT(initialized);
    if (!p->image) { p->size = 77; return 0; }
    WANT(p->size >= 77);
    memset(p->image, 7, 77);
    return 0;
}

typedef struct { head h; int kind; const char *chip; const uint8_t *availability; void *host; } host_params;
static int host_memory[100];
int cuptiProfilerHostInitialize(host_params *p) {
    CALL(host_params, host);
    WANT(p->kind == 0);
    WANT(!strcmp(p->chip, "st100"));
    WANT(p->availability && p->availability[76] == 7);
    p->host = &host_memory[hosts++ % 100];
    added = 0;
    return 0;
}

static int is_host(void *h) { return (int *)h >= host_memory && (int *)h < host_memory + 100; }

typedef struct { head h; void *host; } host_end_params;
int cuptiProfilerHostDeinitialize(host_end_params *p) {
    CALL(host_end_params, host);
    WANT(is_host(p->host));
    return 0;
}

typedef struct { head h; void *host; int kind; const char **names; size_t count; } base_params;
int cuptiProfilerHostGetBaseMetrics(base_params *p) {
    CALL(base_params, count);
    WANT(is_host(p->host));
    switch (p->kind) {
    case 0: p->names = counters; p->count = sizeof counters / sizeof *counters; return 0;
    case 1: p->names = ratios; p->count = 1; return 0;
    case 2: p->names = throughputs; p->count = 1; return 0;
    }
    return complain(__func__, "kind");
}

typedef struct { head h; void *host; int kind; const char *name; size_t count; const char **subs; } sub_params;
int cuptiProfilerHostGetSubMetrics(sub_params *p) {
    CALL(sub_params, subs);
    WANT(is_host(p->host));
    p->subs = rollups;
    p->count = sizeof rollups / sizeof *rollups;
    return 0;
}

typedef struct { head h; void *host; const char **names; size_t count; } add_params;
int cuptiProfilerHostConfigAddMetrics(add_params *p) {
    CALL(add_params, count);
    WANT(is_host(p->host));
    for (size_t i = 0; i < p->count; i++) if (find(p->names[i]) < 0) return getenv("STUB_UNKNOWN") ? atoi(getenv("STUB_UNKNOWN")) : 17;
    added += (int)p->count;
    return 0;
}

typedef struct { head h; void *host; size_t size; } config_size_params;
int cuptiProfilerHostGetConfigImageSize(config_size_params *p) {
    CALL(config_size_params, size);
    WANT(added > 0);
    p->size = config_size = 101;
    return 0;
}

typedef struct { head h; void *host; size_t size; uint8_t *image; } config_params;
int cuptiProfilerHostGetConfigImage(config_params *p) {
    CALL(config_params, image);
    WANT(p->size == 101);
    WANT((uintptr_t)p->image % 8 == 0);
    memset(p->image, 9, 101);
    return 0;
}

static int needed(void) { return added > 2 ? (added + 1) / 2 : 1; } // two metrics a pass

typedef struct { head h; size_t size; uint8_t *image; size_t passes; } passes_params;
int cuptiProfilerHostGetNumOfPasses(passes_params *p) {
    CALL(passes_params, passes);
    WANT(p->size == 101 && p->image[100] == 9);
    p->passes = needed();
    return 0;
}

typedef struct { head h; void *ctx; void *object; } enable_params;
static int the_object;
#ifdef OLD
#define cuptiRangeProfilerEnable hidden
#endif
int cuptiRangeProfilerEnable(enable_params *p) {
    CALL(enable_params, object);
    WANT(p->ctx);
    WANT(initialized && !enabled);
    enabled = 1; configured = started = open_ranges = ranges_done = pass_ = kept = decoded = 0;
    memset(deltas, 0, sizeof deltas);
    p->object = &the_object;
    return 0;
}

typedef struct { head h; void *object; } object_params;
int cuptiRangeProfilerDisable(object_params *p) {
    CALL(object_params, object);
    WANT(p->object == &the_object && enabled);
    enabled = 0;
    return 0;
}

typedef struct { head h; void *object; const char **names; size_t count, ranges; uint32_t nodes; size_t size; } data_size_params;
int cuptiRangeProfilerGetCounterDataSize(data_size_params *p) {
    CALL(data_size_params, size);
    WANT(p->object == &the_object && enabled);
    WANT(p->count > 0 && p->ranges > 0 && p->nodes >= p->ranges);
    for (size_t i = 0; i < p->count; i++) WANT(find(p->names[i]) >= 0);
    most = p->ranges;
    p->size = data_size = 200 + 8 * p->count * p->ranges;
    return 0;
}

typedef struct { head h; void *object; size_t size; uint8_t *image; } data_params;
int cuptiRangeProfilerCounterDataImageInitialize(data_params *p) {
    CALL(data_params, image);
    WANT(p->size == data_size && p->image && (uintptr_t)p->image % 8 == 0);
    memset(p->image, 0, p->size);
    p->image[0] = 5;
    return 0;
}

typedef struct {
    head h; void *object; size_t config_size; const uint8_t *config; size_t data_size; uint8_t *data; int range, replay;
    size_t most; uint16_t levels, min_level; size_t pass; uint16_t level;
} set_params;
int cuptiRangeProfilerSetConfig(set_params *p) {
    CALL(set_params, level);
    WANT(p->object == &the_object && enabled && !started);
    WANT(p->config_size == 101 && p->config[100] == 9);
    WANT(p->data_size == data_size && p->data[0] == 5);
    WANT(p->range == 1 || p->range == 2);
    WANT(p->replay == 3);
    WANT(p->most == most);
    WANT(p->levels == 1 && p->min_level == 1 && p->pass == 0 && p->level == 1);
    profile_kind = p->range;
    config_image = p->config;
    data_image = p->data;
    configured = 1;
    return 0;
}

int cuptiRangeProfilerStart(object_params *p) {
    CALL(object_params, object);
    WANT(p->object == &the_object && configured && !started && pass_ < needed());
    started = 1;
    ranges_done = 0;
    range_from = launches();
    return 0;
}

typedef struct { head h; void *object; const char *name; } push_params;
int cuptiRangeProfilerPushRange(push_params *p) {
    CALL(push_params, name);
    WANT(p->object == &the_object && started && profile_kind == 2);
    WANT(p->name && p->name[0]);
    WANT(!open_ranges);
    open_ranges = 1;
    range_from = launches();
    return 0;
}

int cuptiRangeProfilerPopRange(object_params *p) {
    CALL(object_params, object);
    WANT(p->object == &the_object && open_ranges == 1);
    open_ranges = 0;
    deltas[ranges_done++] += (double)(launches() - range_from);
    return 0;
}

typedef struct { head h; void *object; size_t pass, nesting; uint8_t all; } stop_params;
int cuptiRangeProfilerStop(stop_params *p) {
    CALL(stop_params, all);
    WANT(p->object == &the_object && started && !open_ranges);
    if (profile_kind == 1)
        for (long n = launches() - range_from; ranges_done < n && ranges_done < 1000; ) deltas[ranges_done++] += 1;
    started = 0;
    pass_++;
    p->pass = pass_;
    p->nesting = 1;
    p->all = pass_ == needed();
#ifdef ENDLESS
    pass_ = 0, p->all = 0;
#endif
    kept = ranges_done;
    return 0;
}

typedef struct { head h; void *object; size_t dropped; } decode_params;
int cuptiRangeProfilerDecodeData(decode_params *p) {
    CALL(decode_params, dropped);
    WANT(p->object == &the_object && !started && pass_ == needed());
    p->dropped = kept > (int)most ? kept - most : 0;
    decoded = 1;
    return 0;
}

typedef struct { head h; const uint8_t *image; size_t size, ranges; } info_params;
int cuptiRangeProfilerGetCounterDataInfo(info_params *p) {
    CALL(info_params, ranges);
    WANT(p->image == data_image && p->size == data_size && decoded);
    p->ranges = kept;
    return 0;
}

typedef struct { head h; void *host; const uint8_t *image; size_t size, index; const char **names; size_t count; double *values; } evaluate_params;
int cuptiProfilerHostEvaluateToGpuValues(evaluate_params *p) {
    CALL(evaluate_params, values);
    WANT(is_host(p->host) && p->image == data_image && p->size == data_size && decoded);
    WANT((int)p->index < kept);
    for (size_t i = 0; i < p->count; i++) {
        int m = find(p->names[i]);
        WANT(m >= 0);
        p->values[i] = metrics[m].factor * deltas[p->index] / needed();
    }
    return 0;
}

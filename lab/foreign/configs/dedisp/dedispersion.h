// A smaller problem than the suite's header of this name; beside it belongs benchmark_hub/kernels/dedisp_milo/dedispersion.cu.
#define nr_dms 64
#define nr_samples 256
#define nr_channels 32
#define max_shift 64
#define nr_samples_per_channel (nr_samples+max_shift)
#define dm_first 0.0f
#define dm_step 0.02f

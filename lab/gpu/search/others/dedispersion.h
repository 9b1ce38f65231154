#define nr_dms 512
#define nr_samples 8192
#define nr_channels 128
#define nr_samples_per_channel (nr_samples + 650)
#define dm_first 0.0f
#define dm_step 0.02f

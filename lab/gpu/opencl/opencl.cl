// The words of the kernels for OpenCL.
#define KERNEL __kernel
#define GLOBAL __global
#define LOCAL __local
#define GROUP get_group_id(0)
#define ITEM get_local_id(0)
#define GROUPS get_num_groups(0)
#define SIZE get_local_size(0)
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define RSQRT(x) rsqrt(x)
#define FMA(a, b, c) fma(a, b, c)

// control.cu: the control program of the clock test. It times the kernels of
// kernels.cu with the CUDA runtime and none of bench's code or methods:
//
//   cold: a memset of L2 size, then a kernel that counts a fixed number of its
//         own cycles while the host queues event, kernel, event behind it;
//   hot:  a graph of many kernels, launched ten times in a row between two
//         events behind the same delay.
//
// Usage: control NAME=ITERATIONS…, where 0 iterations mean the empty kernel
// and -1 the copy of 1 GiB. It prints CSV: kernel,mode,median_s,samples.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "kernels.cu"

static void check(cudaError_t code, const char *call)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "control: %s: %s\n", call, cudaGetErrorString(code));
        exit(1);
    }
}
#define CHECK(call) check(call, #call)

__global__ void delay(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

static const long long copyBytes = 1LL << 30;
static const long long delayCycles = 200000; // 0.1 ms at 2 GHz

struct Program {
    int sms;
    size_t l2Bytes;
    void *flush;
    float4 *in, *out;
    cudaStream_t stream;
    cudaEvent_t begin, end;

    void launch(long long iterations)
    {
        if (iterations < 0)
            copy<<<copyBytes / 16 / 256, 256, 0, stream>>>(out, in, copyBytes / 16);
        else if (iterations == 0)
            empty<<<1, 1, 0, stream>>>();
        else
            chain<<<sms, 128, 0, stream>>>(nullptr, (int)iterations);
    }

    double elapsed()
    {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaGetLastError());
        float ms;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        return ms * 1e-3;
    }

    double cold(long long iterations)
    {
        CHECK(cudaMemsetAsync(flush, 0, l2Bytes, stream));
        delay<<<1, 1, 0, stream>>>(delayCycles);
        CHECK(cudaEventRecord(begin, stream));
        launch(iterations);
        CHECK(cudaEventRecord(end, stream));
        return elapsed();
    }

    double hot(cudaGraphExec_t graph, int launches)
    {
        delay<<<1, 1, 0, stream>>>(delayCycles);
        CHECK(cudaEventRecord(begin, stream));
        for (int i = 0; i < launches; i++)
            CHECK(cudaGraphLaunch(graph, stream));
        CHECK(cudaEventRecord(end, stream));
        return elapsed();
    }
};

template <class F> static void report(const char *name, const char *mode, F sample)
{
    using clock = std::chrono::steady_clock;
    const auto since = [](clock::time_point t) { return std::chrono::duration<double>(clock::now() - t).count(); };
    for (auto t = clock::now(); since(t) < 0.1;) // the clocks ramp up
        sample();
    std::vector<double> x;
    for (auto t = clock::now(); since(t) < 0.5 || x.size() < 20;)
        x.push_back(sample());
    std::nth_element(x.begin(), x.begin() + x.size() / 2, x.end());
    printf("%s,%s,%.9g,%zu\n", name, mode, x[x.size() / 2], x.size());
}

int main(int argc, char **argv)
{
    Program p;
    int l2;
    CHECK(cudaDeviceGetAttribute(&p.sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
    p.l2Bytes = l2;
    CHECK(cudaMalloc(&p.flush, p.l2Bytes));
    CHECK(cudaMalloc(&p.in, copyBytes));
    CHECK(cudaMalloc(&p.out, copyBytes));
    CHECK(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&p.begin));
    CHECK(cudaEventCreate(&p.end));
    fill<<<8 * p.sms, 256, 0, p.stream>>>((unsigned *)p.in, copyBytes / 4);
    CHECK(cudaStreamSynchronize(p.stream));

    printf("kernel,mode,median_s,samples\n");
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        if (!equals) {
            fprintf(stderr, "control: %s: want NAME=ITERATIONS\n", argv[i]);
            return 2;
        }
        const std::string name(argv[i], equals - argv[i]);
        const long long iterations = atoll(equals + 1);
        report(name.c_str(), "cold", [&] { return p.cold(iterations); });

        // Enough kernels for about 1 ms, ten launches of the graph each sample.
        const double one = p.cold(iterations);
        const int kernels = std::max(1, std::min(500, (int)(1e-3 / one)));
        const int launches = 10;
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        CHECK(cudaStreamBeginCapture(p.stream, cudaStreamCaptureModeThreadLocal));
        for (int k = 0; k < kernels; k++)
            p.launch(iterations);
        CHECK(cudaStreamEndCapture(p.stream, &graph));
        CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
        report(name.c_str(), "hot", [&] { return p.hot(exec, launches) / kernels / launches; });
        CHECK(cudaGraphExecDestroy(exec));
        CHECK(cudaGraphDestroy(graph));
    }
    return 0;
}

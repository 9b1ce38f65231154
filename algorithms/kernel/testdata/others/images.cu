// Textures of one to three dimensions, layers, filtering, borders, references, and surfaces.
texture<float, 1, cudaReadModeElementType> old;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
__global__ void read(float *y, cudaTextureObject_t linear, cudaTextureObject_t image, cudaTextureObject_t volume, cudaTextureObject_t stack, float4 *z, cudaTextureObject_t four) {
    int i = threadIdx.x;
    y[i] = tex1Dfetch<float>(linear, i - 4) + tex1Dfetch(old, i);
    y[32 + i] = tex2D<float>(image, i / 8.0f - 1, 0.3f * i);
    y[64 + i] = tex3D<float>(volume, i / 16.0f - 0.5f, 0.3f, 0.03f * i);
    y[96 + i] = tex2DLayered<float>(stack, i % 4 + 0.5f, i / 4 + 0.5f, 1);
    y[128 + i] = tex2D(bytes, i % 8, i / 8);
    z[i] = tex2D<float4>(four, i * 0.1f, 0.2f);
}
__global__ void turn(cudaSurfaceObject_t s, int w, int h) {
    int x = threadIdx.x, y = blockIdx.x;
    float v = surf2Dread<float>(s, x * 4, y);
    surf2Dwrite(2 * v, s, x * 4, y);
}

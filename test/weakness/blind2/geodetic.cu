// Latitude, longitude and height above the ellipsoid of places in kilometres from the centre, by Bowring's formula.
template <class T> __device__ void located(const float *x, const float *y, const float *z, float *latitude, float *longitude, float *height, int i) {
  const T a = (T)6378.137, b = (T)6356.7523142, e = (T)0.00669437999, f = (T)0.00673949674;
  const T u = x[i], v = y[i], w = z[i], p = sqrt(u * u + v * v), t = atan2(w * a, p * b), s = sin(t), c = cos(t);
  const T l = atan2(w + f * b * s * s * s, p - e * a * c * c * c), sl = sin(l);
  latitude[i] = (float)l;
  longitude[i] = (float)atan2(v, u);
  height[i] = (float)(p / cos(l) - a / sqrt(1 - e * sl * sl));
}
extern "C" __global__ void before(const float *x, const float *y, const float *z, float *latitude, float *longitude, float *height, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) located<double>(x, y, z, latitude, longitude, height, i);
}
extern "C" __global__ void after(const float *x, const float *y, const float *z, float *latitude, float *longitude, float *height, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) located<float>(x, y, z, latitude, longitude, height, i);
}
extern "C" __global__ void right(const float *x, const float *y, const float *z, float *latitude, float *longitude, float *height, int n) { // by steps, from no height
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double a = 6378.137, e = 0.00669437999, p = sqrt((double)x[i] * x[i] + (double)y[i] * y[i]);
    double l = atan2((double)z[i], p * (1 - e));
    for (int k = 0; k < 12; k++) l = atan2(z[i] + e * a / sqrt(1 - e * sin(l) * sin(l)) * sin(l), p);
    latitude[i] = (float)l;
    longitude[i] = (float)atan2((double)y[i], (double)x[i]);
    height[i] = (float)(p * cos(l) + z[i] * sin(l) - a * sqrt(1 - e * sin(l) * sin(l)));
  }
}

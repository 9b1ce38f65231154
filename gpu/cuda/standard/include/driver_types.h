// Types of the runtime and the driver that kernels take or hold.
#pragma once
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__
struct cudaExtent {
  unsigned long width, height, depth;
};
struct cudaPos {
  unsigned long x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  unsigned long pitch, xsize, ysize;
};
#endif
typedef unsigned long long CUtexObject, CUsurfObject;

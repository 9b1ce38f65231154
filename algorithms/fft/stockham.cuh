// stockham.cuh: the autosort (Stockham) FFT of a tile in registers, with its
// exchanges through shared memory. Radix-R steps after Van Loan,
// Computational Frameworks for the Fast Fourier Transform, section 1.7.

#include "butterfly.cuh"

template <bool Value> struct Bool {};

// spread is where output 0 of butterfly i of a radix-R step goes when Ns
// outputs of each sub-transform already lie together; output m goes m·Ns
// further.
template <int Ns, int R> __device__ __forceinline__ constexpr int spread(int i) {
  return (i / Ns) * (Ns * R) + i % Ns;
}

// Tile is Columns transforms of Size elements, one block's work. Each thread
// holds Points elements of one column: lane, lane + Lanes, lane + 2·Lanes, ….
// With ByColumnIn neighbouring threads hold neighbouring columns when step 1
// begins, otherwise neighbouring lanes; ByColumnOut says the same of the
// result. Split exchanges real and imaginary parts in turn, in half the
// shared memory. Width elements of padding follow every 2^Shift elements
// there.
template <int Size, int Columns, int Points, int Radix, bool Split, bool ByColumnIn, bool ByColumnOut, int Shift, int Width>
struct Tile {
  enum : int { Lanes = Size / Points };

  // lane and column of a thread, at first and at last.
  static __device__ __forceinline__ int laneIn(int thread) { return ByColumnIn ? thread / Columns : thread % Lanes; }
  static __device__ __forceinline__ int columnIn(int thread) { return ByColumnIn ? thread % Columns : thread / Lanes; }
  static __device__ __forceinline__ int laneOut(int thread) { return ByColumnOut ? thread / Columns : thread % Lanes; }
  static __device__ __forceinline__ int columnOut(int thread) { return ByColumnOut ? thread % Columns : thread / Lanes; }

  // at is the place in shared memory. It is additive over numbers without
  // common bits, so that addresses are one base and constants.
  static __device__ __forceinline__ constexpr int padded(int a) { return a + (a >> Shift) * Width; }
  static __device__ __forceinline__ constexpr int at(int column, int index) {
    return padded(ByColumnIn ? index * Columns + column : column * Size + index);
  }

  // run transforms v. table holds the powers of step 2, then of step 3, ….
  static __device__ __forceinline__ void run(Complex (&v)[Points], void *shared, const Complex *table, int thread) {
    steps<1>(v, shared, table, thread, Bool<Radix >= Size>());
  }

  // first and rest are run in two parts: the first step, which exchanges
  // nothing, and the others, of which there must be one.
  static __device__ __forceinline__ void first(Complex (&v)[Points]) { butterflies<1>(v, nullptr); }
  static __device__ __forceinline__ void rest(Complex (&v)[Points], void *shared, const Complex *table, int thread) {
    exchange<1>(v, shared, table, thread);
  }

  // second and third are rest of a transform of three steps in two parts:
  // between runs when the second step has read what it needs from shared.
  template <class Between>
  static __device__ __forceinline__ void second(Complex (&v)[Points], void *shared, const Complex *table, int thread, Between between) {
    constexpr int Next = radixAt(1), R = radixAt(Next), Distinct = distinctAt(Next);
    static_assert(!ByColumnIn && !ByColumnOut && Next * R < Size, "a transform of three steps");
    const int lane = laneIn(thread), column = columnIn(thread);
    Powers<R> powers[Distinct];
#pragma unroll
    for (int j = 0; j < Distinct; j++) powers[j] = Powers<R>::load(table, Next, (lane + j * Lanes) % Next);
    move<1>(v, shared, at(column, spread<1, Next>(lane)), at(column, lane), Bool<Split>());
    sync();
    between();
    butterflies<Next>(v, powers);
  }
  static __device__ __forceinline__ void third(Complex (&v)[Points], void *shared, const Complex *table, int thread) {
    constexpr int Next = radixAt(1), R = radixAt(Next);
    exchange<Next>(v, shared, table + Powers<R>::COUNT * Next, thread);
  }

private:
  static __device__ __forceinline__ constexpr int radixAt(int ns) { return Size / ns < Radix ? Size / ns : Radix; }

  // Columns that lie within one warp exchange without the other warps.
  static __device__ __forceinline__ void sync() {
    if (!ByColumnIn && !ByColumnOut && Lanes <= 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  // Butterflies of one thread share their twiddle factors with every
  // distinctAt(ns)-th butterfly.
  static __device__ __forceinline__ constexpr int distinctAt(int ns) {
    return ns <= Lanes ? 1 : (ns / Lanes < Points / radixAt(ns) ? ns / Lanes : Points / radixAt(ns));
  }

  template <int Ns> static __device__ __forceinline__ void butterflies(Complex (&v)[Points], const Powers<radixAt(Ns)> *powers) {
    constexpr int R = radixAt(Ns), Groups = Points / R;
#pragma unroll
    for (int j = 0; j < Groups; j++) {
      Complex u[R];
#pragma unroll
      for (int m = 0; m < R; m++) u[m] = v[j + m * Groups];
      if (Ns > 1) powers[j % distinctAt(Ns)].apply(u);
      Dft<R>::run(u);
#pragma unroll
      for (int m = 0; m < R; m++) v[j + m * Groups] = u[m];
    }
  }

  // steps does the steps from Ns on; the last one exchanges no more.
  template <int Ns>
  static __device__ __forceinline__ void steps(Complex (&v)[Points], void *, const Complex *, int, Bool<true>) {
    static_assert(Ns == 1, "only a transform of one step ends here");
    butterflies<Ns>(v, nullptr);
  }

  template <int Ns>
  static __device__ __forceinline__ void steps(Complex (&v)[Points], void *shared, const Complex *table, int thread, Bool<false>) {
    butterflies<Ns>(v, nullptr);
    exchange<Ns>(v, shared, table, thread);
  }

  // exchange hands the results of the step at Ns to the threads of the next
  // step and does that step.
  template <int Ns>
  static __device__ __forceinline__ void exchange(Complex (&v)[Points], void *shared, const Complex *table, int thread) {
    constexpr int Next = Ns * radixAt(Ns), R = radixAt(Next), Distinct = distinctAt(Next);
    constexpr bool Last = Next * R == Size;
    const int lane = Last ? laneOut(thread) : laneIn(thread);
    const int column = Last ? columnOut(thread) : columnIn(thread);
    Powers<R> powers[Distinct]; // asked for before the barriers, to arrive meanwhile
#pragma unroll
    for (int j = 0; j < Distinct; j++) powers[j] = Powers<R>::load(table, Next, (lane + j * Lanes) % Next);
    const int from = at(columnIn(thread), spread<Ns, radixAt(Ns)>(laneIn(thread)));
    const int to = at(column, lane);
    move<Ns>(v, shared, from, to, Bool<Split>());
    butterflies<Next>(v, powers);
    onward<Next>(v, shared, table + Powers<R>::COUNT * Next, thread, Bool<Last>());
  }

  template <int Ns>
  static __device__ __forceinline__ void onward(Complex (&)[Points], void *, const Complex *, int, Bool<true>) {}

  template <int Ns>
  static __device__ __forceinline__ void onward(Complex (&v)[Points], void *shared, const Complex *table, int thread, Bool<false>) {
    sync();
    exchange<Ns>(v, shared, table, thread);
  }

  // target is where element j + m·Groups of a thread goes, beside the base.
  template <int Ns> static __device__ __forceinline__ constexpr int target(int k) {
    constexpr int R = radixAt(Ns), Groups = Points / R;
    return at(0, spread<Ns, R>((k % Groups) * Lanes) + (k / Groups) * Ns);
  }

  template <int Ns>
  static __device__ __forceinline__ void move(Complex (&v)[Points], void *shared, int from, int to, Bool<false>) {
    Complex *s = static_cast<Complex *>(shared);
#pragma unroll
    for (int k = 0; k < Points; k++) s[from + target<Ns>(k)] = v[k];
    sync();
#pragma unroll
    for (int k = 0; k < Points; k++) v[k] = s[to + at(0, k * Lanes)];
  }

  template <int Ns>
  static __device__ __forceinline__ void move(Complex (&v)[Points], void *shared, int from, int to, Bool<true>) {
    Real *s = static_cast<Real *>(shared);
#pragma unroll
    for (int k = 0; k < Points; k++) s[from + target<Ns>(k)] = v[k].x;
    sync();
#pragma unroll
    for (int k = 0; k < Points; k++) v[k].x = s[to + at(0, k * Lanes)];
    sync();
#pragma unroll
    for (int k = 0; k < Points; k++) s[from + target<Ns>(k)] = v[k].y;
    sync();
#pragma unroll
    for (int k = 0; k < Points; k++) v[k].y = s[to + at(0, k * Lanes)];
  }
};

struct Plain {
  static __device__ __forceinline__ Complex read(const Complex *p) { return *p; }
  static __device__ __forceinline__ void write(Complex *p, Complex z) { *p = z; }
};

// Pass is one pass of the FFT of N = Stride·Size elements, after which
// sub-transforms of Ns·Size elements are complete. A block takes Columns
// columns i, that is the elements i, i + Stride, i + 2·Stride, … of a
// transform. A transform that fits one block is one pass with Stride = Ns = 1.
// Memory says how elements are read and written.
template <int Size, int Columns, int Points, int Radix, bool Split, int Stride, int Ns, int FineBits, int Shift, int Width,
          class Memory = Plain>
struct Pass {
  typedef Tile<Size, Columns, Points, Radix, Split, (Stride > 1), (Ns > 1), Shift, Width> Share;

  // run does block `block` of a pass over `columns` columns in all; steps are
  // the tables of Tile::run, turns that of rotation.
  static __device__ __forceinline__ void run(const Complex *in, Complex *out, const Complex *steps, const Complex *turns,
                                             long long columns, int block, void *shared, int thread) {
    Complex v[Points];
    load(v, in, columns, block, thread);
    finish(v, out, steps, turns, columns, block, shared, thread);
  }

  static __device__ __forceinline__ void load(Complex (&v)[Points], const Complex *in, long long columns, int block, int thread) {
    const long long column = (long long)block * Columns + Share::columnIn(thread);
    const int i = int(column % Stride);
    const Complex *from = in + (column - i) * Size + i + (long long)Share::laneIn(thread) * Stride;
    if (column < columns) {
#pragma unroll
      for (int k = 0; k < Points; k++) v[k] = Memory::read(from + (long long)k * (Share::Lanes * Stride));
    } else {
#pragma unroll
      for (int k = 0; k < Points; k++) v[k] = {0, 0};
    }
  }

  static __device__ __forceinline__ void finish(Complex (&v)[Points], Complex *out, const Complex *steps, const Complex *turns,
                                                long long columns, int block, void *shared, int thread) {
    const long long first = (long long)block * Columns;
#pragma unroll
    for (int k = 0; k < Points; k++) v[k] = oriented(v[k]);
    if (Ns > 1) {
      const int i = int((first + Share::columnIn(thread)) % Stride);
      twiddle<Points, Share::Lanes, Ns * Size, FineBits>(v, turns, i % Ns, Share::laneIn(thread));
    }
    Share::run(v, shared, steps, thread);
    const long long column = first + Share::columnOut(thread);
    const int i = int(column % Stride);
    Complex *to = out + (column - i) * Size + spread<Ns, Size>(i) + (long long)Share::laneOut(thread) * Ns;
    if (column < columns) {
#pragma unroll
      for (int k = 0; k < Points; k++) Memory::write(to + (long long)k * (Share::Lanes * Ns), oriented(v[k]));
    }
  }
};

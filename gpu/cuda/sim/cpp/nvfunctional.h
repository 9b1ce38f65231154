// nvstd::function, of nvfunctional: of what a thread keeps in 64 bytes.
#pragma once

namespace nvstd {
template <class> class function;
template <class R, class... A>
class function<R(A...)> {
  alignas(16) char room[64];
  R (*run)(const char*, A...) = nullptr;

 public:
  function() {}
  function(decltype(nullptr)) {}
  function(const function&) = default;
  template <class F> function(F f) {
    static_assert(sizeof(F) <= sizeof room && __is_trivially_copyable(F), "the simulator's nvstd::function keeps plain values of up to 64 bytes");
    __builtin_memcpy(room, &f, sizeof f);
    run = [](const char* at, A... a) -> R { return (*reinterpret_cast<const F*>(at))(a...); };
  }
  R operator()(A... a) const { return run(room, a...); }
  explicit operator bool() const { return run; }
};
}  // namespace nvstd

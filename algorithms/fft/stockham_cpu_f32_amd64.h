// Instructions of single precision, as stockham_cpu_amd64.h wants them.
#define ES 4
#define MOV VMOVUPS
#define ADD VADDPS
#define SUB VSUBPS
#define MUL VMULPS
#define FMA VFMADD231PS
#define FNMA VFNMADD231PS
#define FMS VFMSUB231PS
#define BCAST VBROADCASTSS
#define EVEN(b, a, d) VSHUFPS $0x88, b, a, d
#define ODD(b, a, d) VSHUFPS $0xDD, b, a, d
#define LO(b, a, d) VUNPCKLPS b, a, d
#define HI(b, a, d) VUNPCKHPS b, a, d
#define HALF_ROOT ·halfRoot32(SB)

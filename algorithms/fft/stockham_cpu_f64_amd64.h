// Instructions of double precision, as stockham_cpu_amd64.h wants them.
#define ES 8
#define MOV VMOVUPD
#define ADD VADDPD
#define SUB VSUBPD
#define MUL VMULPD
#define FMA VFMADD231PD
#define FNMA VFNMADD231PD
#define FMS VFMSUB231PD
#define BCAST VBROADCASTSD
#define EVEN(b, a, d) VUNPCKLPD b, a, d
#define ODD(b, a, d) VUNPCKHPD b, a, d
#define LO(b, a, d) VUNPCKLPD b, a, d
#define HI(b, a, d) VUNPCKHPD b, a, d
#define HALF_ROOT ·halfRoot64(SB)

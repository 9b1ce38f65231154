#include "textflag.h"

// √½ in both precisions.
DATA ·halfRoot32(SB)/4, $0x3f3504f3
GLOBL ·halfRoot32(SB), RODATA|NOPTR, $4
DATA ·halfRoot64(SB)/8, $0x3fe6a09e667f3bcd
GLOBL ·halfRoot64(SB), RODATA|NOPTR, $8

// What headers of programs ask of a system; its calls are the host's.
#pragma once
#ifndef _POSIX_VERSION
#define _POSIX_VERSION 200809L
#endif

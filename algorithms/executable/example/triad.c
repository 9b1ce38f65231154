/* The triad a[i] = b[i] + s·c[i] (McCalpin's STREAM) as a program for bench;
 * docs/executable.md describes what it gets and prints.
 *
 *   cc -O2 -o triad triad.c
 *   bench run triad.json
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double scale = 3.0;

static void triad(double *a, const double *b, const double *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = b[i] + scale * c[i];
	/* Without this the compiler may drop runs whose answer nobody reads. */
	__asm__ volatile("" : : "r"(a) : "memory");
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Uniform in (0, 1]; xorshift64 (Marsaglia, Xorshift RNGs, 2003). */
static double uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)((*state >> 11) + 1) * 0x1p-53;
}

/* Largest relative error of a against arithmetic in long double. */
static double largest_error(const double *a, const double *b, const double *c, size_t n)
{
	long double worst = 0;
	for (size_t i = 0; i < n; i++) {
		long double right = b[i] + (long double)scale * c[i];
		long double error = fabsl((a[i] - right) / right);
		if (!(error <= worst)) /* true for NaN as well */
			worst = error;
	}
	return (double)worst;
}

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "triad: %s: %s\n", what, why);
	exit(1);
}

static long count(const char *name, const char *text, long most)
{
	char *end;
	errno = 0;
	long n = strtol(text, &end, 10);
	if (errno || *end || end == text || n < 1 || n > most)
		fail(name, "want a whole number from 1");
	return n;
}

int main(int argc, char **argv)
{
	long length = 0, runs = 1;
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			fail(argv[i], "want a value after it");
		if (!strcmp(argv[i], "--length"))
			length = count(argv[i], argv[i + 1], 1L << 40);
		else if (!strcmp(argv[i], "--runs"))
			runs = count(argv[i], argv[i + 1], 1000000);
		else
			fail(argv[i], "unknown argument; want --length N --runs N");
	}
	if (!length)
		fail("--length", "is missing");

	size_t n = (size_t)length;
	double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
	double *times = malloc((size_t)runs * sizeof *times);
	if (!a || !b || !c || !times)
		fail("malloc", "out of memory");
	uint64_t state = 88172645463325252u;
	for (size_t i = 0; i < n; i++) {
		a[i] = 0;
		b[i] = uniform(&state);
		c[i] = uniform(&state);
	}

	triad(a, b, c, n); /* warms up caches and pages */
	for (long r = 0; r < runs; r++) {
		double start = seconds();
		triad(a, b, c, n);
		times[r] = seconds() - start;
		if (times[r] <= 0)
			fail("--length", "is too short for the clock");
	}

	/* Two roundings, each of at most half an epsilon. JSON has no NaN: null
	 * stands for it. */
	double error = largest_error(a, b, c, n);
	printf("{\"times_s\": [%.9e", times[0]);
	for (long r = 1; r < runs; r++)
		printf(", %.9e", times[r]);
	printf("], \"flops\": %zu, \"load_bytes\": %zu, \"store_bytes\": %zu", 2 * n, 16 * n, 8 * n);
	if (isnan(error))
		printf(", \"error\": null");
	else
		printf(", \"error\": %.17g", error);
	printf(", \"error_bound\": %.17g}\n", DBL_EPSILON);
	return 0;
}

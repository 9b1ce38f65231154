/* The other functions of a candidate's name in its process. */
#include <elf.h>
#include <stdint.h>
#include <string.h>

struct library {
    unsigned long base;
    const char *name;
    const Elf64_Phdr *headers;
    unsigned short count;
};

int dl_iterate_phdr(int (*)(struct library *, unsigned long, void *), void *);
void map(float *y, const float *x, int n);

/* found is told of each function `map` whose code is not this library's. */
static void found(unsigned char *code);

static int look(struct library *l, unsigned long size, void *none) {
    const Elf64_Dyn *d = NULL;
    const Elf64_Sym *symbols = NULL;
    const char *names = NULL;
    for (int i = 0; i < l->count; i++)
        if (l->headers[i].p_type == PT_DYNAMIC)
            d = (const Elf64_Dyn *)(l->base + l->headers[i].p_vaddr);
    if (!d || !l->name[0] || strstr(l->name, "vdso"))
        return 0;
    for (; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_SYMTAB)
            symbols = (const Elf64_Sym *)d->d_un.d_ptr;
        if (d->d_tag == DT_STRTAB)
            names = (const char *)d->d_un.d_ptr;
    }
    if (!symbols || (uintptr_t)symbols < l->base)
        return 0;
    for (const Elf64_Sym *s = symbols + 1; (const char *)(s + 1) <= names; s++) {
        unsigned char *code = (unsigned char *)(l->base + s->st_value);
        if (s->st_value && strcmp(names + s->st_name, "map") == 0 && memcmp(code, (const void *)map, 48) != 0)
            found(code);
    }
    return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef CTRACE_SESSION_OFFSETS_H
#define CTRACE_SESSION_OFFSETS_H
/* Where the fields of bpf/offsets.def are in the structures of a kernel, by its BTF. */
#include <stddef.h>
#include <stdint.h>

#define OFFSETS_BTF_FILE "/sys/kernel/btf/vmlinux"

/* In the order of the file, which is that of struct ct_offsets. */
enum offset_field {
#define OFFSET(structure, field) OFFSET_##structure##_##field,
#define OPTIONAL(structure, field) OFFSET_##structure##_##field,
#include "bpf/offsets.def"
#undef OFFSET
#undef OPTIONAL
	OFFSETS
};

/* In bytes; CT_OFF_NONE for those that it does not have and need not. -ENODATA with *ret_missing for one that it must have. */
int offsets_read(const char *file, uint16_t ret[static OFFSETS], enum offset_field *ret_missing);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/config.h"

int main(int argc, char **argv)
{
	return ctrace_main(argc, argv);
}

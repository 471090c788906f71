#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Two jobs at once, with the job server.
set -eu
cat >Makefile <<'END'
all: one two three sub
%: %.in
	tr a-z A-Z <$< >$@
	@test -s $@
sub:
	$(MAKE) -f $(MAKEFILE_LIST) four
.PHONY: all sub
END
for i in one two three four; do echo "$i" >$i.in; done
make -j2 all
make -q all || echo "not up to date"
touch one.in
make -j2 all
! make none

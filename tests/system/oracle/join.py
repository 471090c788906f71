#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Makes two traces with <unfinished ...> and <... resumed> comparable.

    join.py STRACE CTRACE

Which calls are interrupted by lines of other tasks depends on who writes when,
and is not the same under two tracers. So each file is written anew as FILE.joined
with whole calls, for the comparison of the lines; and where both tracers have
split the same call, or both have not, they must have written the same, blanks
included. Prints how many were split; exit status 1 when one differs or when
there was none.
"""
import collections
import re
import sys

UNFINISHED = " <unfinished ...>"
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>")


def joined(path):
    """The file's lines with whole calls; how each split call was written, and each whole one."""
    begun, lines = {}, []
    parts, wholes = collections.defaultdict(set), collections.defaultdict(set)
    with open(path, encoding="latin-1") as f:
        for line in f.read().split("\n")[:-1]:
            pid, _, text = line.partition(" ")
            text = text.lstrip()
            resumed = RESUMED.match(text)
            if text.endswith(UNFINISHED) and not resumed:
                begun[pid] = (text[:-len(UNFINISHED)], len(lines))
                lines.append((pid, text))
                continue
            if resumed and pid in begun and begun[pid][0].startswith(resumed.group(1) + "("):
                begin, at = begun.pop(pid)
                lines[at] = None
                end, text = text, aligned(begin + text[resumed.end():])
                parts[pid, text].add(begin + UNFINISHED + " " + end)
            else:
                whole, text = text, aligned(text)
                wholes[pid, text].add(whole)
            lines.append((pid, text))
    with open(path + ".joined", "w", encoding="latin-1") as f:
        for line in filter(None, lines):
            f.write("%-5s %s\n" % line)
    return parts, wholes


def aligned(text):
    """With one blank before the result: a resumed line is as wide as it is."""
    return re.sub(r"^(.*\)) +(= (?:-?\d|0x|\?))", r"\1 \2", text)


def compared(strace, ctrace):
    """What both have; prints what they wrote differently, and returns how many those are."""
    both = strace.keys() & ctrace.keys()
    different = [key for key in both if strace[key] != ctrace[key]]
    for key in different[:12]:
        print("%s %s\n\tstrace: %s\n\tctrace: %s" % (*key, " | ".join(strace[key]), " | ".join(ctrace[key])))
    return len(both), len(different)


strace, ctrace = joined(sys.argv[1]), joined(sys.argv[2])
both, elsewhere = compared(strace[0], ctrace[0])
_, otherwise = compared(strace[1], ctrace[1])
print("split by strace %d, by ctrace %d, by both %d, of them at another place %d; whole, but with other blanks %d" %
      (len(strace[0]), len(ctrace[0]), both, elsewhere, otherwise))
sys.exit(1 if elsewhere or otherwise or not both else 0)

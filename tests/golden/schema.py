#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Validates JSON records against the schema.

schema.py SCHEMA GOLDEN: runs all json cases of the golden program, and random
records; every kind of record in the schema has to occur, and records that are
spoilt on purpose have to be refused.

schema.py SCHEMA --records FILE...: every record of these files.
"""
import json
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("SKIP: python3-jsonschema is not installed")
    sys.exit(77)

LIMIT = 2 ** 53


def numbers(value):
    """Every number in a record."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield value
    elif isinstance(value, dict):
        for v in value.values():
            yield from numbers(v)
    elif isinstance(value, list):
        for v in value:
            yield from numbers(v)


def no_duplicates(pairs):
    """Readers of JSON keep the last of two equal keys: there must be none."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("two equal keys: %s" % [k for k, _ in pairs])
    return result


def check_files(validator, paths):
    """How many records of the files are wrong; tells of the first few."""
    wrong = 0
    for path in paths:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
        if lines.pop() or not lines:
            print("FAILED %s: it is empty, or its last line is not whole" % path)
            wrong += 1
        for line in lines:
            try:
                record = json.loads(line.decode("utf-8"), object_pairs_hook=no_duplicates)
                error = jsonschema.exceptions.best_match(validator.iter_errors(record))
                problem = error and error.message
                if any(abs(n) > LIMIT for n in numbers(record)):
                    problem = "a number beyond 2^53"
            except ValueError as error:
                problem = str(error)
            if problem:
                wrong += 1
                if wrong <= 10:
                    print("FAILED %s: %s\n  %s" % (path, problem[:300], line[:600]))
    return wrong


def main():
    schema_path, golden = sys.argv[1:3]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    if golden == "--records":
        return check_files(validator, sys.argv[3:]) > 0
    failed = False
    seen = {}

    cases = subprocess.run([golden], check=True, capture_output=True, text=True).stdout.split()
    runs = [[c] for c in cases if c.startswith("json")] + [["-r", "json", "1500", str(seed)] for seed in range(1, 9)]
    for run in runs:
        out = subprocess.run([golden] + run, check=True, capture_output=True).stdout
        for number, line in enumerate(out.decode("utf-8").splitlines()):
            try:
                record = json.loads(line, object_pairs_hook=no_duplicates)
            except ValueError as error:
                print("FAILED %s: %s: %s" % (run, error, line))
                failed = True
                continue
            # The validator takes a millisecond a record.
            for error in validator.iter_errors(record) if len(run) == 1 or number % 8 == 0 else ():
                best = jsonschema.exceptions.best_match([error])
                print("FAILED %s: %s\n  %s" % (run, line, best.message))
                failed = True
            if any(abs(n) > LIMIT for n in numbers(record)):
                print("FAILED %s: a number beyond 2^53: %s" % (run, line))
                failed = True
            seen.setdefault((record["type"], record.get("event")), record)

    kinds = {(d["properties"]["type"]["const"], d["properties"].get("event", {}).get("const"))
             for d in schema["$defs"].values()
             if "type" in d.get("properties", {}) and "const" in d["properties"]["type"]}
    # What ctrace ps prints; its system test validates it.
    kinds.remove(("running", None))
    for kind in sorted(kinds - set(seen), key=str):
        print("FAILED: no case has a record of kind %s %s" % kind)
        failed = True
    for kind, record in seen.items():
        for spoilt in (dict(record, unknown=1), {k: v for k, v in record.items() if k != "type"}):
            if validator.is_valid(spoilt):
                print("FAILED: the schema takes a spoilt record of kind %s %s" % kind)
                failed = True
    print("%d kinds of records are valid" % len(seen))
    return 1 if failed else 0


sys.exit(main())

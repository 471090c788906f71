#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Validates Kubernetes manifests, as strictly as an API server does with fieldValidation=Strict.

    kubernetes.py FILE...                  YAML or JSON, "-" is standard input; each document by its kind
    kubernetes.py --container FILE...      a part of a container, as kubectl debug --custom takes it

Prints a line for each mistake; exit status 1 if there was one. 77: a module is missing.
kubernetes.schema.json says itself where it is from.
"""
import json
import os
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print("SKIP:", missing)
    sys.exit(77)

API_VERSIONS = {"Pod": "v1", "Namespace": "v1", "ServiceAccount": "v1", "DaemonSet": "apps/v1"}


class StrictLoader(yaml.SafeLoader):
    """Two values of one key are a mistake."""


def strict_mapping(loader, node):
    keys = [loader.construct_object(key) for key, _ in node.value]
    for key in keys:
        if keys.count(key) > 1:
            raise yaml.YAMLError(f"{key} twice, line {node.start_mark.line + 1}")
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, strict_mapping)


def load_schema():
    path = os.path.join(os.path.dirname(os.path.realpath(__file__)), "kubernetes.schema.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def documents(text):
    return [doc for doc in yaml.load_all(text, Loader=StrictLoader) if doc is not None]


def validator_of(schema, kind, **more):
    rules = {**schema["definitions"][schema["kinds"][kind].rsplit("/", 1)[1]], **more}
    return jsonschema.Draft202012Validator({**rules, "definitions": schema["definitions"]})


def mistakes(doc, schema=None, container=False):
    """One line for each."""
    schema = schema or load_schema()
    if container:
        validator = validator_of(schema, "EphemeralContainer", required=[])
    else:
        kind = doc.get("kind") if isinstance(doc, dict) else None
        if kind not in schema["kinds"]:
            return [f"no such kind: {kind}"]
        version = API_VERSIONS.get(kind, "rbac.authorization.k8s.io/v1")
        if doc.get("apiVersion") != version:
            return [f"{kind}: apiVersion is not {version}"]
        validator = validator_of(schema, kind)
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(doc)]


def main(args):
    container = args[:1] == ["--container"]
    schema, bad = load_schema(), 0
    for path in args[1:] if container else args:
        try:
            with (sys.stdin if path == "-" else open(path, encoding="utf-8")) as file:
                docs = documents(file.read())
            found = [line for doc in docs for line in mistakes(doc, schema, container)]
            if not docs:
                found = ["it is empty"]
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            found = [" ".join(str(error).split())]
        for line in found:
            print(f"{path}: {line}")
        bad += len(found)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

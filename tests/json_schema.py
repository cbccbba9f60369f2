"""JSON held against the schemas in docs/. Needs jsonschema in the .venv: without it the test that
imports this ends as skipped.
"""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: no jsonschema in the .venv; ./check installs what requirements.txt pins")
    sys.exit(77)

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"


def validator(name):
    """Of docs/NAME.schema.json."""
    schema = json.loads((DOCS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def complaints(schema, told):
    return [f"{error.json_path}: {error.message}" for error in schema.iter_errors(told)]

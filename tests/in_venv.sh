#!/bin/sh
# Runs a Python script in the environment that ./check makes; without it the test counts as skipped.
python=$(dirname "$0")/../.venv/bin/python
if [ ! -x "$python" ]; then
  echo "skipped: no .venv with what requirements.txt pins; ./check makes it"
  exit 77
fi
exec "$python" "$@"

#!/usr/bin/env bash
# Sets this machine up, builds everything and runs the tests; the last line says `N passed, N failed`.
#
#   test/run.sh [quick|long] [SUITE...]
#
# Without a tier: what CI runs. quick: a part of it, for between two changes. long: all that CI leaves to other days, many
# more random programs, and fuzzing under sanitizers: hours. Arguments go to test/suites.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PTC_BUILD_DIR=${PTC_BUILD_DIR:-build}
tools/setup.sh
PTC_CUDA=$(tools/cuda.sh)
export PTC_CUDA
exec "${PTC_PYTHON:-$PTC_BUILD_DIR/venv/bin/python}" test/suites.py --build "$PTC_BUILD_DIR" "$@"

#!/usr/bin/env bash
# Sets this machine up, builds everything and runs every test; the last line says
# `N passed, N failed`. Arguments go to test/suites.py: names of suites, default all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PTC_BUILD_DIR=${PTC_BUILD_DIR:-build}
tools/setup.sh
PTC_CUDA=$(tools/cuda.sh)
export PTC_CUDA
exec "${PTC_PYTHON:-$PTC_BUILD_DIR/venv/bin/python}" test/suites.py --build "$PTC_BUILD_DIR" "$@"

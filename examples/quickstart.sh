#!/usr/bin/env bash
# Installs what is missing, builds ptc, and runs it on an example: from a fresh machine to a result.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${PTC_BUILD_DIR:-build}
tools/setup.sh ptc
"$build/bin/ptc" list diagnostics

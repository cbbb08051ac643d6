#!/usr/bin/env bash
# Makes this machine able to build and test ptc, then builds. Each step is skipped when its result
# is there already, so that a second run takes about a second.
#
#   tools/setup.sh [NINJA_TARGET...]      no target: everything
#
#   PTC_BUILD_DIR   build folder (default: build)
#   PTC_PYTHON      a Python that has torch 2.13, numpy and safetensors: no virtual environment then
#   PTC_TORCH       what pip installs instead of torch==2.13.0: a wheel, a requirement, options
#   Torch_DIR       folder of TorchConfig.cmake when LibTorch is there already
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${PTC_BUILD_DIR:-build}
mkdir -p "$build"
build=$(cd "$build" && pwd)

say() { echo "setup: $*" >&2; }
# Output of a quiet command is shown when it fails.
quietly() {
  local log=$build/setup.log
  "$@" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
}

# 1. Debian packages ------------------------------------------------------------------------------
packages=(cmake ninja-build python3-venv llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools
  clang-22 lld-22 liblld-22-dev libpolly-22-dev clang-format-22 clang-tidy-22 libclang-rt-22-dev
  libcli11-dev nlohmann-json3-dev catch2 git)
# One pass over dpkg's status file: no process per package.
mapfile -t missing < <(awk -v want="${packages[*]}" '
  BEGIN { n = split(want, names, " "); for (i = 1; i <= n; i++) need[names[i]] = 1 }
  /^Package: / { name = $2 }
  /^Status: install ok installed/ { delete need[name] }
  END { for (i = 1; i <= n; i++) if (names[i] in need) print names[i] }' /var/lib/dpkg/status)
if ((${#missing[@]})); then
  say "installing ${missing[*]}"
  root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  export DEBIAN_FRONTEND=noninteractive
  quietly "${root[@]}" apt-get update
  quietly "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
fi

# 2. A Python with torch, numpy, safetensors ------------------------------------------------------
torch=${PTC_TORCH:-torch==2.13.0}
python=${PTC_PYTHON:-$build/venv/bin/python}
stamp=$build/python.stamp
key="$python $torch ${Torch_DIR:-}"
if [ "$(cat "$stamp" 2>/dev/null)" != "$key" ] || [ ! -x "$python" ]; then
  if [ -z "${PTC_PYTHON:-}" ]; then
    say "virtual environment with $torch"
    [ -x "$python" ] || quietly python3 -m venv "$build/venv"
    if [ -n "${Torch_DIR:-}" ]; then
      # Torch_DIR inside a wheel: its Python side serves too, if it is of this version.
      (cd "$Torch_DIR/../../../.." && pwd) >"$(echo "$build"/venv/lib/python3.*/site-packages)/torch.pth"
    fi
    if ! "$python" -c 'import torch' 2>/dev/null; then
      # The CPU build where pip has one.
      [ -n "${PTC_TORCH:-}" ] || "$python" -m pip install -q torch==2.13.0+cpu 2>/dev/null ||
        quietly "$python" -m pip install -q torch==2.13.0
      # PTC_TORCH may hold options: split on purpose.
      # shellcheck disable=SC2086
      [ -z "${PTC_TORCH:-}" ] || quietly "$python" -m pip install -q $PTC_TORCH
    fi
    "$python" -c 'import numpy, safetensors' 2>/dev/null ||
      quietly "$python" -m pip install -q numpy safetensors
  fi
  "$python" -c 'import torch, numpy, safetensors' || { say "$python lacks torch"; exit 1; }
  echo "$key" >"$stamp"
fi

# 3. Configure ------------------------------------------------------------------------------------
torch_dir=${Torch_DIR:-}
if [ -z "$torch_dir" ]; then
  # Asked from the import system without importing torch, which takes seconds.
  torch_dir=$("$python" -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0])')/share/cmake/Torch
fi
options=(-DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_BUILD_TYPE=Release
  "-DPTC_PYTHON=$python" "-DTorch_DIR=$torch_dir")
if command -v ccache >/dev/null; then
  # What ccache asks of builds with precompiled headers. Not by dependencies (CCACHE_DEPEND): files that assembler includes
  # (.incbin) are none, and what embeds them would be taken from the cache as it was.
  ccache=$(command -v env)";CCACHE_SLOPPINESS=pch_defines,time_macros;ccache"
  options+=("-DCMAKE_C_COMPILER_LAUNCHER=$ccache" "-DCMAKE_CXX_COMPILER_LAUNCHER=$ccache")
fi
if [ ! -f "$build/build.ninja" ] || [ "$(cat "$build/options.stamp" 2>/dev/null)" != "${options[*]}" ]; then
  say "configuring $build"
  quietly cmake -G Ninja -S . -B "$build" "${options[@]}"
  echo "${options[*]}" >"$build/options.stamp"
fi

# 4. Build ----------------------------------------------------------------------------------------
# Ninja's own output: progress on a terminal, compiler errors in any case.
if [ -t 1 ]; then
  ninja -C "$build" "$@"
else
  ninja -C "$build" --quiet "$@"
fi

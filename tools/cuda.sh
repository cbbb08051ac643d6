#!/usr/bin/env bash
# Prints the folder with what makes code for NVIDIA GPUs (libdevice, ptxas, nvJitLink), for PTC_CUDA: that of
# a toolkit, or one in the build folder that gets NVIDIA's Python packages. No GPU is needed.
# Prints nothing where they cannot be had.
#
#   PTC_CUDA=$(tools/cuda.sh)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=(nvidia-cuda-nvcc==13.0.88 nvidia-nvjitlink==13.0.88 nvidia-nvvm==13.0.88)
build=${PTC_BUILD_DIR:-build}

if [ -n "${PTC_CUDA:-}" ]; then
  echo "$PTC_CUDA"
  exit
fi
for toolkit in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
  if [ -n "$toolkit" ] && [ -f "$toolkit/nvvm/libdevice/libdevice.10.bc" ] && [ -x "$toolkit/bin/ptxas" ]; then
    echo "$toolkit"
    exit
  fi
done
mkdir -p "$build"
folder=$(cd "$build" && pwd)/cuda
if [ "$(cat "$folder/packages" 2>/dev/null)" != "${packages[*]}" ]; then
  python=${PTC_PYTHON:-$build/venv/bin/python}
  if ! "$python" -m pip install -q --no-deps --upgrade --target "$folder" "${packages[@]}" >&2; then
    echo "cuda: pip cannot install ${packages[*]}" >&2
    exit
  fi
  echo "${packages[*]}" >"$folder/packages"
fi
echo "$folder"

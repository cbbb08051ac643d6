#!/usr/bin/env bash
# From a fresh machine to a checked result: installs what is missing, builds ptc, makes random
# weights and calls for a small GPT-2, compiles its source to bytecode, and lets ptc capture it, run
# it, compare it with eager PyTorch, and compile it to a library that is checked and timed.
#
#   examples/quickstart.sh [--cuda] [FOLDER]    default: quickstart in the build folder
#
# With --cuda it is compiled for an NVIDIA GPU, too, which need not be there: what that takes comes from
# a CUDA toolkit or from NVIDIA's Python packages (tools/cuda.sh).
#
# The variables of tools/setup.sh choose other places for the build, Python and LibTorch.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${PTC_BUILD_DIR:-build}
cuda=
if [ "${1:-}" = --cuda ]; then
  cuda=1
  shift
fi
out=${1:-$build/quickstart}
export PTC_BUILD_DIR=$build

say() { printf '\n== %s\n' "$*"; }
# Shows a command as it would be typed, then runs it.
show() {
  printf '$'; printf ' %q' "$@"; echo
  "$@"
}

say "1. Build ptc"
tools/setup.sh ptc ptc_oracle
ptc=$build/bin/ptc
python=${PTC_PYTHON:-$build/venv/bin/python}

say "2. Bytecode, random weights, two calls and what eager PyTorch returns for them"
show "$python" examples/models/make_weights.py gpt2 small -o "$out" >/dev/null
ls "$out"

model=("$out/gpt2.pyc" --entry GPT2
  --init '{"vocab_size": 61, "block_size": 12, "n_layer": 2, "n_head": 2, "n_embd": 16}'
  --weights "$out/gpt2.safetensors" --example "$out/call_0.json")

say "3. What capture found: operations with their Python lines, guards, weights"
show "$ptc" inspect-graph "${model[@]}" -o "$out/gpt2.txt"
sed -n '1,6p; /^  body/,/^$/p' "$out/gpt2.txt" | head -40
echo "(the whole text: $out/gpt2.txt)"

say "4. Run both calls on the reference evaluator"
show "$ptc" run "${model[@]}" --call "$out/call_0.json" --call "$out/call_1.json" --save "$out/result.jsonl"
show "$python" examples/models/make_weights.py gpt2 small -o "$out" --check

say "5. Verify against LibTorch: the example, random inputs, and a call that breaks each guard"
show "$ptc" verify "${model[@]}"

say "6. Compile it to a library of this CPU's code, and make the same calls"
show "$ptc" compile "${model[@]}" -o "$out/libgpt2.so"
ls -l "$out/libgpt2.so" "$out/gpt2.h" 2>/dev/null || true
show "$ptc" run "$out/libgpt2.so" --call "$out/call_0.json" --call "$out/call_1.json" --save "$out/result.jsonl"
show "$python" examples/models/make_weights.py gpt2 small -o "$out" --check

say "7. Time a call of the library, and of eager LibTorch on the same graph"
show "$ptc" bench "$out/libgpt2.so" --call "$out/call_0.json" --against eager

if [ -n "$cuda" ]; then
  say "8. Compile it for an NVIDIA GPU: machine code of one, PTX for others"
  PTC_CUDA=$(tools/cuda.sh)
  export PTC_CUDA
  show "$ptc" compile "${model[@]}" --target=cuda --gpu=sm_90a -o "$out/libgpt2_cuda.so"
  ls -l "$out/libgpt2_cuda.so"
fi

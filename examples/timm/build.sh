#!/usr/bin/env bash
# Compiles the model of classify.py and a C++ program with it, into the current folder. Neither Python nor PyTorch is needed
# where the program runs.
#
#   build.sh SITE_PACKAGES     of an environment with timm; weights.pt lies in the current folder
#
#   PTC           the compiler (default: build/bin/ptc of this repository); PTC_INCLUDE: the folder of its headers
#   PYTHON, CXX   which make bytecode (of the Python that the packages are installed for) and the program
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ptc=${PTC:-$here/../../build/bin/ptc}
"${PYTHON:-python3}" -c "import py_compile, sys; py_compile.compile(sys.argv[1], 'classify.pyc', doraise=True)" "$here/classify.py"
"$ptc" compile classify.pyc -I "$1" --weights weights.pt --input 'x=f32[1,3,224,224]' -o libclassify.so
"${CXX:-c++}" -std=c++17 -O2 -I. -I"${PTC_INCLUDE:-$here/../../include}" "$here/main.cpp" -o classify -L. -lclassify -Wl,-rpath,'$ORIGIN'

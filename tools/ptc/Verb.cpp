//===- Verb.cpp - The table of verbs ------------------------------------------===//
//
// In: nothing. Out: one row per verb, in the order of --help.
//
//===----------------------------------------------------------------------===//
#include "ArtefactVerbs.h"

using namespace ptc::tool;

static const Verb kVerbs[] = {
    {"compile", "make a native library or executable of a program",
     "ptc compile model.pyc --weights model.safetensors --input x=f32[8,3,224,224] -o libmodel.so\n"
     "ptc compile model.pyc --example a.json --emit=archive --cpu=x86-64-v3 -o libmodel.a -MD\n"
     "ptc compile model.pyc --example a.json --emit=exe -o model\n"
     "ptc compile model.pyc --example a.json --emit=asm -o model.s\n"
     "ptc compile model.pyc --add-variants libmodel.so --example misses.jsonl -o libmodel.so\n",
     declareCompile},
    {"run", "capture a program and call it on the null target",
     "ptc run model.pyc --weights model.safetensors --input x=f32[8,3,224,224]\n"
     "ptc run model.pyc --example a.json --call b.json --call c.json --save out.jsonl\n"
     "ptc run libmodel.so --call b.json --record-misses misses.jsonl\n"
     "ptc run --python script.pyc\n",
     declareRun},
    {"inspect-graph", "print what capture found: graphs, guards, state, control flow",
     "ptc inspect-graph model.pyc --example a.json\n"
     "ptc inspect-graph model.pyc --example a.json --format=mlir -o model.mlir\n"
     "ptc inspect-graph model.mlir --format=dot | dot -Tsvg > model.svg\n"
     "ptc inspect-graph libmodel.so --to=plan\n",
     declareInspectGraph},
    {"verify", "compare with eager PyTorch on examples and random inputs; break every guard",
     "ptc verify model.pyc --weights model.safetensors --example a.json\n"
     "ptc verify model.pyc --input x=f32[8,3] --samples 10 --json\n"
     "ptc verify model.pyc --example a.json --bisect\n"
     "ptc verify libmodel.so --weights model.safetensors\n",
     declareVerify},
    {"bench", "time calls of a compiled program",
     "ptc bench libmodel.so --call a.json\n"
     "ptc bench libmodel.so --call a.json --against libother.so --json\n"
     "ptc bench libmodel.so --call a.json --against eager --weights model.safetensors\n"
     "ptc bench libmodel.so --call a.json --kernels\n",
     declareBench},
    {"explain", "say why: guards and their lines, fusion, costs of kernels, variants of calls",
     "ptc explain model.pyc --example a.json --guards\n"
     "ptc explain model.pyc --example a.json --call b.json\n"
     "ptc explain model.pyc --example a.json --fusion --kernels --cpu=x86-64-v4\n"
     "ptc explain libmodel.so --kernels --measure\n",
     declareExplain},
    {"dis", "print bytecode as text; what `asm` reads, or the normal form of all versions",
     "ptc dis model.pyc\n"
     "ptc dis model.pyc --canonical\n"
     "ptc dis code.bin --python-version 3.13 -o code.txt\n",
     declareDis},
    {"asm", "turn the text of `dis` back into the same bytes",
     "ptc asm model.txt -o model.pyc\n"
     "ptc dis model.pyc | ptc asm - -o copy.pyc\n",
     declareAsm},
    {"list", "print one of the tables that the compiler itself uses",
     "ptc list diagnostics\n"
     "ptc list --format=json dtypes\n",
     declareList},
    {"batch", "make many calls of verbs, one per line, from one process",
     "ptc batch calls.jsonl -j 2 > results.jsonl\n"
     "echo '[\"run\", \"m.pyc\", \"--input\", \"x=f32[2]\"]' | ptc batch -\n"
     "echo '{\"args\": [\"run\", \"m.pyc\"], \"cwd\": \"models\", \"limit\": 60}' | ptc batch -\n",
     declareBatch},
};

llvm::ArrayRef<Verb> ptc::tool::getVerbs() { return kVerbs; }

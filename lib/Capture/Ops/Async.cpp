//===- Async.cpp - async and await: refused
//--------------------------------------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

static Flow refuseAsync(Engine &e) { return e.refuse(DiagId::Unsupported, "async and await"); }
PTC_OP(GET_AWAITABLE) { return (void)frame, (void)instr, refuseAsync(e); }
PTC_OP(GET_AITER) { return (void)frame, (void)instr, refuseAsync(e); }
PTC_OP(GET_ANEXT) { return (void)frame, (void)instr, refuseAsync(e); }
PTC_OP(END_ASYNC_FOR) { return (void)frame, (void)instr, refuseAsync(e); }
PTC_OP(BEFORE_ASYNC_WITH) { return (void)frame, (void)instr, refuseAsync(e); }
PTC_OP(ASYNC_GEN_WRAP) { return (void)frame, (void)instr, refuseAsync(e); }

// The flow graph of canonical instructions: edges, dominators (semi-NCA, Georgiadis 2005), natural
// loops, an order in which loops come before what lies behind them, live locals.
// In: instructions and handlers, all reachable. Out: CanonicalCode::flow.
#include "ptc/Bytecode/FlowGraph.h"

#include "Translate.h"

using namespace ptc;

namespace ptc {

class FlowGraphBuilder {
public:
  explicit FlowGraphBuilder(CanonicalCode &code)
      : code(code), flow(code.flow), nodes(code.size() + 2) {}

  bool run() {
    buildEdges();
    std::vector<uint32_t> post;
    walk(post);
    order(post);
    dominators();
    if (!findLoops())
      return false;
    sortSuccessors();
    walk(post);
    order(post);
    flow.rpo[code.exitNode()] = reached(code.exitNode()) ? flow.rpo[code.exitNode()] : nodes;
    flow.rpo[code.unwindNode()] = nodes + 1;
    liveness();
    return true;
  }

private:
  static constexpr uint32_t kNone = FlowGraph::kNone;

  bool reached(uint32_t node) const { return node == 0 || !flow.predecessors(node).empty(); }
  void buildEdges();
  void walk(std::vector<uint32_t> &post);
  void order(llvm::ArrayRef<uint32_t> post);
  void dominators();
  uint32_t evaluate(uint32_t v, uint32_t current);
  bool findLoops();
  void sortSuccessors();
  void liveness();

  CanonicalCode &code;
  FlowGraph &flow;
  uint32_t nodes;
  std::vector<std::vector<uint32_t>> loopExits; ///< per loop
  // Dominators: nodes by number of the depth-first walk.
  std::vector<uint32_t> vertex, number, parent, ancestor, label, semi, path;
};

} // namespace ptc

void FlowGraphBuilder::buildEdges() {
  llvm::SmallVector<uint32_t, 4> next;
  flow.succBegin.reserve(nodes + 1);
  flow.predBegin.assign(nodes + 1, 0);
  for (uint32_t i = 0; i < nodes; ++i) {
    flow.succBegin.push_back(flow.succ.size());
    next.clear();
    if (i < code.size())
      appendSuccessors(code, i, next);
    for (uint32_t s : next) {
      flow.succ.push_back(s);
      ++flow.predBegin[s + 1];
    }
  }
  flow.succBegin.push_back(flow.succ.size());
  for (uint32_t i = 0; i < nodes; ++i)
    flow.predBegin[i + 1] += flow.predBegin[i];
  flow.pred.resize(flow.succ.size());
  std::vector<uint32_t> fill(flow.predBegin.begin(), flow.predBegin.end() - 1);
  for (uint32_t i = 0; i < nodes; ++i)
    for (uint32_t s : flow.successors(i))
      flow.pred[fill[s]++] = i;
}

/// Depth-first from the entry; `post` is the postorder, number/vertex/parent the preorder. Once the
/// loops are known, a head also leads to where its loop is left, and goes there first: those places
/// then come behind the whole body in the order. No path becomes possible that was not.
void FlowGraphBuilder::walk(std::vector<uint32_t> &post) {
  post.clear();
  vertex.clear();
  number.assign(nodes, kNone);
  parent.assign(nodes, kNone);
  struct Visit {
    uint32_t node;
    uint32_t nextExit, next;
  };
  std::vector<Visit> stack;
  auto enter = [&](uint32_t node, uint32_t from) {
    if (number[node] != kNone)
      return;
    number[node] = vertex.size();
    vertex.push_back(node);
    parent[node] = from;
    stack.push_back({node, 0, flow.succBegin[node]});
  };
  enter(0, kNone);
  while (!stack.empty()) {
    Visit &visit = stack.back();
    bool isHead = !loopExits.empty() && flow.loopOf[visit.node] != kNone;
    llvm::ArrayRef<uint32_t> exits;
    if (isHead)
      exits = loopExits[flow.loopOf[visit.node]];
    if (visit.nextExit < exits.size()) {
      enter(exits[visit.nextExit++], visit.node);
    } else if (visit.next < flow.succBegin[visit.node + 1]) {
      enter(flow.succ[visit.next++], visit.node);
    } else {
      post.push_back(visit.node);
      stack.pop_back();
    }
  }
}

void FlowGraphBuilder::order(llvm::ArrayRef<uint32_t> post) {
  flow.rpo.assign(nodes, kNone);
  uint32_t position = 0;
  for (uint32_t node : llvm::reverse(post))
    flow.rpo[node] = position++;
}

/// The node of least semidominator between `v` (a preorder number) and its forest's root; links
/// are compressed. All arrays here are indexed by preorder number.
uint32_t FlowGraphBuilder::evaluate(uint32_t v, uint32_t current) {
  if (v < current)
    return v;
  path.clear();
  for (uint32_t u = v; ancestor[u] >= current; u = ancestor[u])
    path.push_back(u);
  for (uint32_t u : llvm::reverse(path)) {
    uint32_t a = ancestor[u];
    if (semi[label[a]] < semi[label[u]])
      label[u] = label[a];
    ancestor[u] = ancestor[a];
  }
  return label[v];
}

void FlowGraphBuilder::dominators() {
  uint32_t count = vertex.size();
  ancestor.resize(count);
  label.resize(count);
  semi.resize(count);
  std::vector<uint32_t> dom(count);
  for (uint32_t i = 0; i < count; ++i) {
    ancestor[i] = dom[i] = i == 0 ? 0 : number[parent[vertex[i]]];
    label[i] = semi[i] = i;
  }
  for (uint32_t w = count; w-- > 1;) {
    semi[w] = ancestor[w];
    for (uint32_t p : flow.predecessors(vertex[w]))
      if (number[p] != kNone)
        semi[w] = std::min(semi[w], semi[evaluate(number[p], w + 1)]);
  }
  for (uint32_t w = 1; w < count; ++w)
    while (dom[w] > semi[w])
      dom[w] = dom[dom[w]];
  flow.idom.assign(nodes, kNone);
  flow.depth.assign(nodes, 0);
  for (uint32_t w = 1; w < count; ++w) {
    flow.idom[vertex[w]] = vertex[dom[w]];
    flow.depth[vertex[w]] = flow.depth[vertex[dom[w]]] + 1;
  }
}

bool FlowGraphBuilder::findLoops() {
  constexpr uint64_t limit = 1ULL << 28; // nodes times loops
  flow.loopOf.assign(nodes, kNone);
  std::vector<uint32_t> work;
  for (uint32_t head = 0; head < code.size(); ++head)
    for (uint32_t latch : flow.predecessors(head)) {
      if (flow.rpo[latch] < flow.rpo[head] || !flow.dominates(head, latch))
        continue;
      if (flow.loopOf[head] == kNone) {
        flow.loopOf[head] = flow.allLoops.size();
        Loop &loop = flow.allLoops.emplace_back();
        loop.head = head;
        loop.body.resize(nodes);
        loop.body.set(head);
        if (flow.allLoops.size() * uint64_t(nodes) > limit)
          return false;
      }
      Loop &loop = flow.allLoops[flow.loopOf[head]];
      work.assign(1, latch);
      while (!work.empty()) {
        uint32_t node = work.back();
        work.pop_back();
        if (loop.body.test(node))
          continue;
        loop.body.set(node);
        llvm::append_range(work, flow.predecessors(node));
      }
    }
  for (Loop &loop : flow.allLoops)
    for (unsigned node : loop.body.set_bits())
      if (llvm::any_of(flow.successors(node),
                       [&](uint32_t s) { return s != code.unwindNode() && !loop.body.test(s); }))
        loop.controls.push_back(node);
  return true;
}

/// Ways out of loops first in the walk, so that they come last in the order; those that leave most
/// loops before the others.
void FlowGraphBuilder::sortSuccessors() {
  std::vector<uint32_t> loopDepth(nodes);
  for (const Loop &loop : flow.allLoops)
    for (unsigned node : loop.body.set_bits())
      ++loopDepth[node];
  auto before = [&](uint32_t a, uint32_t b) {
    return loopDepth[a] != loopDepth[b] ? loopDepth[a] < loopDepth[b] : a > b;
  };
  for (uint32_t i = 0; i < nodes; ++i)
    std::sort(flow.succ.begin() + flow.succBegin[i], flow.succ.begin() + flow.succBegin[i + 1],
              before);
  for (const Loop &loop : flow.allLoops) {
    std::vector<uint32_t> &exits = loopExits.emplace_back();
    for (uint32_t node : loop.controls)
      for (uint32_t s : flow.successors(node))
        if (!loop.body.test(s) && s != code.unwindNode())
          exits.push_back(s);
    llvm::sort(exits, before);
    exits.erase(std::unique(exits.begin(), exits.end()), exits.end());
  }
}

void FlowGraphBuilder::liveness() {
  size_t words = (code.locals.size() + 63) / 64;
  flow.liveWords = words;
  flow.live.assign(words * nodes, 0);
  if (words == 0)
    return;
  std::vector<uint64_t> now(words);
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t k = vertex.size(); k-- > 0;) {
      uint32_t node = vertex[k];
      if (node >= code.size())
        continue;
      std::fill(now.begin(), now.end(), 0);
      for (uint32_t s : flow.successors(node))
        for (size_t w = 0; w < words; ++w)
          now[w] |= flow.live[s * words + w];
      const Instr &instr = code.instrs[node];
      uint64_t bit = 1ULL << (instr.arg % 64);
      if (instr.op == Opcode::STORE_FAST)
        now[instr.arg / 64] &= ~bit;
      else if (instr.info().operand == OperandKind::Local)
        now[instr.arg / 64] |= bit;
      for (size_t w = 0; w < words; ++w) {
        changed |= now[w] != flow.live[node * words + w];
        flow.live[node * words + w] = now[w];
      }
    }
  }
  for (auto [slot, local] : llvm::enumerate(code.locals))
    if (local.holdsCell())
      for (uint32_t node = 0; node < nodes; ++node)
        flow.live[node * words + slot / 64] |= 1ULL << (slot % 64);
}

bool ptc::buildFlowGraph(CanonicalCode &code) { return FlowGraphBuilder(code).run(); }

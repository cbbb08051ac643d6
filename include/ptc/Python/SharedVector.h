//===- SharedVector.h - A vector whose copies share ----------------------*- C++ -*-===//
//
// A copy costs nothing; a change behind one copies the way to its place in a tree of 32 branches.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_SHAREDVECTOR_H
#define PTC_PYTHON_SHAREDVECTOR_H

#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace ptc::py {

template <typename T> class SharedVector {
public:
  SharedVector() = default;
  SharedVector(const SharedVector &) = default; // which is as cheap as a move
  SharedVector &operator=(const SharedVector &) = default;
  explicit SharedVector(size_t n) {
    while (count < n)
      push_back(T());
  }

  size_t size() const { return count; }
  bool empty() const { return count == 0; }

  const T &operator[](size_t i) const {
    assert(i < count && "an element that is there");
    const Node *node = root.get();
    for (unsigned shift = top; shift; shift -= kBits)
      node = node->below[(i >> shift) & kMask].get();
    return node->elements[i & kMask];
  }
  /// To be written before the vector is copied the next time.
  T &mutableAt(size_t i) {
    assert(i < count && "an element that is there");
    Ref *at = &root;
    for (unsigned shift = top; shift; shift -= kBits)
      at = &own(*at).below[(i >> shift) & kMask];
    return own(*at).elements[i & kMask];
  }

  void push_back(T v) {
    if (count >> top >= kWidth) {
      Ref lower = std::exchange(root, std::make_shared<Node>());
      root->below.push_back(std::move(lower));
      top += kBits;
    }
    Ref *at = &root;
    for (unsigned shift = top; shift; shift -= kBits) {
      std::vector<Ref> &below = own(*at).below;
      size_t branch = (count >> shift) & kMask;
      if (branch == below.size())
        below.emplace_back();
      at = &below[branch];
    }
    std::vector<T> &elements = own(*at).elements;
    if ((count & kMask) == elements.size())
      elements.push_back(std::move(v));
    else // where pop_back left one
      elements[count & kMask] = std::move(v);
    ++count;
  }
  T pop_back() {
    T last = std::exchange(mutableAt(count - 1), T());
    --count;
    return last;
  }

private:
  static constexpr unsigned kBits = 5;
  static constexpr size_t kWidth = size_t(1) << kBits, kMask = kWidth - 1;

  struct Node;
  using Ref = std::shared_ptr<Node>;
  struct Node {
    std::vector<Ref> below;  ///< of an inner node
    std::vector<T> elements; ///< of a leaf
  };

  /// The node to be changed: this vector's alone.
  static Node &own(Ref &at) {
    if (!at)
      at = std::make_shared<Node>();
    else if (at.use_count() > 1)
      at = std::make_shared<Node>(*at);
    return *at;
  }

  Ref root;
  unsigned top = 0; ///< bits of an index below the root's
  size_t count = 0;
};

} // namespace ptc::py

#endif // PTC_PYTHON_SHAREDVECTOR_H

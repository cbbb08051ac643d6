// classify IMAGE: the most likely classes of an image, 1x3x224x224 numbers of 32 bits as they lie
// in memory, normalised as the model was trained (timm.data.resolve_model_data_config).
#include "classify.h"

#include <ptc/Runtime/ptc.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>

int main(int argc, char **argv) try {
  std::vector<float> image(3 * 224 * 224), scores(1000);
  std::ifstream file(argc == 2 ? argv[1] : "", std::ios::binary);
  if (!file.read(reinterpret_cast<char *>(image.data()),
                 std::streamsize(image.size() * sizeof(float)))) {
    std::fprintf(stderr, "usage: classify IMAGE, of %zu bytes\n", image.size() * sizeof(float));
    return 2;
  }
  ptc::Model model(classify_ptc_v1());
  ptc::Context context(model);
  ptc::Tensor<const float> in(image.data(), {1, 3, 224, 224});
  ptc::Tensor<float> out(scores.data(), {1, 1000});
  std::vector<ptc_value> results = {out.value()};
  context.call(0, {in.value()}, results);

  const float most = *std::max_element(scores.begin(), scores.end());
  for (float &score : scores)
    score = std::exp(score - most);
  const float sum = std::accumulate(scores.begin(), scores.end(), 0.0f);
  std::vector<int> classes(scores.size());
  std::iota(classes.begin(), classes.end(), 0);
  std::partial_sort(classes.begin(), classes.begin() + 5, classes.end(),
                    [&](int a, int b) { return scores[a] > scores[b]; });
  for (int i = 0; i < 5; ++i)
    std::printf("%d %.4f\n", classes[i], scores[classes[i]] / sum);
  return 0;
} catch (const ptc::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

/* Calls the compiled program of model.py: prints relu(x * 2 + 1) for x = -1.0, -0.5, ... */
#include "model.h"

#include <stdio.h>

int main(void) {
  float in[8], out[8];
  int64_t sizes[] = {8};
  for (int i = 0; i < 8; ++i)
    in[i] = (float)i / 2 - 1;
  DLTensor x = {in, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, sizes, NULL, 0};
  DLTensor y = {out, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, sizes, NULL, 0};
  ptc_model *model = NULL;
  ptc_context *context = NULL;
  if (ptc_model_open(model_ptc_v1(), NULL, &model) != ptc_status_ok ||
      ptc_context_create(model, &context) != ptc_status_ok)
    return 1;
  ptc_value inputs[model_num_inputs] = {ptc_of_tensor(&x)};
  ptc_value result = ptc_of_tensor(&y);
  if (ptc_call(context, 0, inputs, model_num_inputs, &result, 1) != ptc_status_ok) {
    fprintf(stderr, "%s\n", ptc_last_error(context)->text);
    return 1;
  }
  for (int i = 0; i < 8; ++i)
    printf("%g%c", out[i], i == 7 ? '\n' : ' ');
  ptc_context_destroy(context);
  ptc_model_close(model);
  return 0;
}

/*===- Model.c - The driver, and what a model loads there -----------------------------===*
 *
 * In: a program with code for a device. Out: the driver, opened; the best image that the device can
 * run, its kernels, and the weights in memory of the device; or a status that says what is missing.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Device.h"

#include <dlfcn.h>
#include <stdlib.h>

/* False: there is no driver, or it lacks a function. */
static bool open_driver(cu_driver *driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
  bool all = true;
#define CU_FIND(Name, Symbol, Arguments)                                                           \
  *(void **)&driver->Name = dlsym(library, Symbol);                                                \
  all = all && driver->Name;
  CU_FUNCTIONS(CU_FIND)
  bool needed = all;
  CU_LATER_FUNCTIONS(CU_FIND)
#undef CU_FIND
  return needed; /* never closed: its threads may run on */
}

static ptc_status status_of(cu_result result) {
  return result == 0                  ? ptc_status_ok
         : result == CU_OUT_OF_MEMORY ? ptc_status_out_of_memory
                                      : ptc_status_device;
}

/* Whether the driver says that code, or what a kernel needs, is not for this device. */
static bool is_about_code(cu_result result) {
  /* As cuda.h numbers them: an invalid value (more shared memory than there is), an invalid image,
     none for the device, PTX that is invalid or too new, no compiler for it (218 to 223), nothing
     of that name. */
  return result == 1 || result == 200 || result == 209 || (result >= 218 && result <= 223) ||
         result == CU_NOT_FOUND;
}

/* What the device is: its capability, ten times the major plus the minor number, and its
   processors, and the threads that each of them has. */
static cu_result look_at_device(model_device *own, int32_t *capability) {
  int major = 0, minor = 0, processors = 0, threads = 0;
  cu_result result = own->driver.device_attribute(&major, CU_CAPABILITY_MAJOR, own->device);
  if (result == 0)
    result = own->driver.device_attribute(&minor, CU_CAPABILITY_MINOR, own->device);
  if (result == 0)
    result = own->driver.device_attribute(&processors, CU_NUM_PROCESSORS, own->device);
  if (result == 0)
    result = own->driver.device_attribute(&threads, CU_THREADS_PER_PROCESSOR, own->device);
  *capability = 10 * major + minor;
  own->threads_per_processor = (uint32_t)threads;
  own->processors = processors > 0 ? (uint32_t)processors : 1;
  return result;
}

/* Whether a device of that capability can run an image: machine code runs on later devices of the
   same major number, or on no others; PTX on all later ones. */
static bool runs_on(const ptc_device_image *image, int32_t capability) {
  int32_t made_for = (int32_t)image->capability;
  switch (image->kind) {
  case ptc_image_ptx:
    return capability >= made_for;
  case ptc_image_machine:
    return capability / 10 == made_for / 10 && capability >= made_for;
  case ptc_image_exact:
    return capability == made_for;
  }
  return false;
}

static cu_result find_kernels(model_device *own, const ptc_device_code *code) {
  cu_result result = 0;
  for (uint32_t i = 0; i < code->num_kernels && result == 0; ++i) {
    const ptc_device_kernel *kernel = &code->kernels[i];
    result = own->driver.module_function(&own->functions[i], own->module, kernel->name);
    if (result == CU_NOT_FOUND && kernel->per_processor) {
      own->functions[i] = NULL; /* others do what it would */
      result = 0;
    } else if (result == 0 && kernel->shared_bytes)
      result = own->driver.function_set(own->functions[i], CU_MAX_DYNAMIC_SHARED,
                                        (int)kernel->shared_bytes);
  }
  return result;
}

/* Machine code that the driver refuses is followed by PTX, which it compiles itself. */
static ptc_status load_module(model_device *own, const ptc_device_code *code) {
  int32_t capability;
  cu_result result = look_at_device(own, &capability);
  if (result)
    return status_of(result);
  for (uint32_t i = 0; i < code->num_images && !own->module; ++i) {
    if (!runs_on(&code->images[i], capability))
      continue;
    if (result && !is_about_code(result))
      break;
    result = own->driver.module_load(&own->module, code->images[i].data);
    if (result)
      own->module = NULL;
    own->has_machine_code = code->images[i].kind != ptc_image_ptx;
  }
  if (result == 0 && !own->module)
    return ptc_status_device_code;
  if (result == 0)
    result = find_kernels(own, code);
  return is_about_code(result) ? ptc_status_device_code : status_of(result);
}

static ptc_status load_weights(model_device *own, const ptc_model *model) {
  uint64_t bytes = model->program->weights_bytes;
  if (bytes == 0)
    return ptc_status_ok;
  cu_result result = own->driver.allocate(&own->weights, bytes);
  if (result == 0)
    result = own->driver.to_device(own->weights, model->weights, bytes, NULL);
  if (result == 0)
    result = own->driver.synchronize(NULL);
  return status_of(result);
}

void ptc_cuda_close(ptc_model *model) {
  model_device *own = model->device;
  cu_handle popped;
  if (own->context) {
    if (own->driver.context_push(own->context) == 0) {
      if (own->weights)
        own->driver.release(own->weights);
      if (own->module)
        own->driver.module_unload(own->module);
      own->driver.context_pop(&popped);
    }
    own->driver.context_release(own->device);
  }
  free(own->functions);
  free(own);
  model->device = NULL;
}

/* Its primary context: that of CUDA programs around us. */
static ptc_status find_device(model_device *own) {
  if (!open_driver(&own->driver))
    return ptc_status_no_driver;
  cu_result result = own->driver.init(0);
  if (result == 0)
    result = own->driver.device_get(&own->device, own->ordinal);
  if (result)
    return ptc_status_no_device;
  result = own->driver.context_retain(&own->context, own->device);
  if (result)
    own->context = NULL;
  return status_of(result);
}

/* What it leaves behind if it fails, ptc_cuda_close takes away. */
ptc_status ptc_cuda_open(ptc_model *model, const ptc_options *options) {
  const ptc_device_code *code = model->program->device;
  model_device *own = calloc(1, sizeof *own);
  if (!own)
    return ptc_status_out_of_memory;
  model->device = own;
  own->functions = calloc(code->num_kernels + 1, sizeof *own->functions);
  if (!own->functions)
    return ptc_status_out_of_memory;
  ptc_status status = find_device(own);
  if (status != ptc_status_ok)
    return status;
  cu_result result = own->driver.context_push(own->context);
  if (result)
    return status_of(result);
  status = load_module(own, code);
  if (status == ptc_status_ok)
    status = load_weights(own, model);
  cu_handle popped;
  own->driver.context_pop(&popped);
  return status;
}

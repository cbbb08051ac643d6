// RUN: ptc-opt %s -split-input-file -verify-diagnostics

func.func @unknown_argument(%x: tensor<2xf32>) {
  // expected-error @below {{'relu' has no argument 'alpha'}}
  %0 = aten.relu(%x, alpha = 1) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @given_twice(%x: tensor<2xf32>) {
  // expected-error @below {{argument 'self' is given twice}}
  %0 = aten.relu(%x, self = %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @missing(%x: tensor<2xf32>) {
  // expected-error @below {{argument 'other' is missing}}
  %0 = aten.add.Tensor(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @wrong_constant(%x: tensor<2xf32>) {
  // expected-error @below {{argument 'approximate' must be a string}}
  %0 = aten.gelu(%x, approximate = 1) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @not_optional(%x: tensor<2xf32>) {
  // expected-error @below {{argument 'approximate' must be given, it is none}}
  %0 = aten.gelu(%x, approximate = none) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @number_for_tensor(%x: tensor<2xf32>) {
  // expected-error @below {{argument 'other' must be a tensor}}
  %0 = aten.maximum(%x, other = 1) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @tensor_for_number(%x: tensor<2xf32>) {
  // expected-error @below {{argument 'alpha' must be no tensor}}
  %0 = aten.add.Tensor(%x, %x, alpha = %x) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unused_operand(%x: tensor<2xf32>) {
  // expected-error @below {{operand 1 is no argument}}
  %0 = "aten.relu"(%x, %x) {args = [#aten.arg<0>]} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_such_operand(%x: tensor<2xf32>) {
  // expected-error @below {{argument 'self' is operand 3 of only 1}}
  %0 = "aten.relu"(%x) {args = [#aten.arg<3>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @argument_count(%x: tensor<2xf32>) {
  // expected-error @below {{has 2 arguments, its schema 1}}
  %0 = "aten.relu"(%x) {args = [#aten.arg<0>, 1]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_args(%x: tensor<2xf32>) {
  // expected-error @below {{needs the attribute 'args'}}
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result_count(%x: tensor<2xf32>) {
  // expected-error @below {{has 2 results, its schema 1}}
  %0:2 = aten.relu(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @result_type(%x: tensor<2xf32>) {
  // expected-error @below {{result 0 must be a tensor of a known element type}}
  %0 = aten.relu(%x) : (tensor<2xf32>) -> i64
  return
}

// -----

// expected-error @below {{meta's sizes and the tensor's differ}}
func.func @meta_sizes(%x: tensor<2xf32, #aten.meta<sizes = [3]>>) {
  return
}

// -----

// expected-error @below {{meta has 2 entries for 1 dimensions}}
func.func @meta_rank(%x: tensor<2xf32, #aten.meta<strides = [3, 1]>>) {
  return
}

// -----

// expected-error @below {{unknown device "tpu"}}
func.func @device(%x: tensor<2xf32, #aten.meta<device = "tpu">>) {
  return
}

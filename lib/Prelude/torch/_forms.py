# Written by tools/gen/torch_functions.py from PyTorch 2.13.0; not to be edited.
"""How functions of PyTorch that are Python ask objects with a __torch_function__: which of their arguments, and with what."""
import torch
from torch._overridden import _handle, _handle_operator, _of_c

F, Tensor, inf = torch.nn.functional, torch.Tensor, torch.inf


def torch__of__Tensor__of____array__(self, dtype=None):
    return _handle(Tensor.__array__, (self,), (self,), {'dtype': dtype})


def torch__of__Tensor__of____contains__(self, element, /):
    return _handle(Tensor.__contains__, (self,), (self, element,), {})


def torch__of__Tensor__of____deepcopy__(self, memo):
    return _handle(Tensor.__deepcopy__, (self,), (self, memo,), {})


def torch__of__Tensor__of____dir__(self):
    return _handle(Tensor.__dir__, (self,), (self,), {})


def torch__of__Tensor__of____floordiv__(self, other):
    return _handle_operator(Tensor.__floordiv__, (self, other))


def torch__of__Tensor__of____format__(self, format_spec):
    return _handle(Tensor.__format__, (self,), (self, format_spec,), {})


def torch__of__Tensor__of____len__(self):
    return _handle(Tensor.__len__, (self,), (self,), {})


def torch__of__Tensor__of____rdiv__(self, other):
    return _handle_operator(Tensor.__rtruediv__, (self, other))


def torch__of__Tensor__of____reduce_ex__(self, proto):
    return _handle(Tensor.__reduce_ex__, (self,), (self, proto,), {})


def torch__of__Tensor__of____repr__(self, *, tensor_contents=None):
    return _handle(Tensor.__repr__, (self,), (self,), {'tensor_contents': tensor_contents})


def torch__of__Tensor__of____reversed__(self):
    return _handle(Tensor.__reversed__, (self,), (self,), {})


def torch__of__Tensor__of____rfloordiv__(self, other):
    return _handle_operator(Tensor.__rfloordiv__, (self, other))


def torch__of__Tensor__of____rlshift__(self, other):
    return _handle_operator(Tensor.__rlshift__, (self, other))


def torch__of__Tensor__of____rmatmul__(self, other):
    return _handle_operator(Tensor.__rmatmul__, (self, other))


def torch__of__Tensor__of____rmod__(self, other):
    return _handle_operator(Tensor.__rmod__, (self, other))


def torch__of__Tensor__of____rpow__(self, other):
    return _handle_operator(Tensor.__rpow__, (self, other))


def torch__of__Tensor__of____rrshift__(self, other):
    return _handle_operator(Tensor.__rrshift__, (self, other))


def torch__of__Tensor__of____rsub__(self, other):
    return _handle_operator(Tensor.__rsub__, (self, other))


def torch__of__Tensor__of____rtruediv__(self, other):
    return _handle_operator(Tensor.__rtruediv__, (self, other))


def torch__of__Tensor__of__backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    return _handle(Tensor.backward, (self,), (self,), {'gradient': gradient, 'retain_graph': retain_graph, 'create_graph':
            create_graph, 'inputs': inputs})


def torch__of__Tensor__of__index(self, positions, dims):
    return _handle(Tensor.index, (self,), (self, positions, dims,), {})


def torch__of__Tensor__of__is_shared(self):
    return _handle(Tensor.is_shared, (self,), (self,), {})


def torch__of__Tensor__of__module_load(self, other, assign=False):
    return _handle(Tensor.module_load, (self, other), (self, other,), {'assign': assign})


def torch__of__Tensor__of__norm(self, p='fro', dim=None, keepdim=False, dtype=None):
    return _handle(Tensor.norm, (self,), (self,), {'p': p, 'dim': dim, 'keepdim': keepdim, 'dtype': dtype})


def torch__of__Tensor__of__register_hook(self, hook):
    return _handle(Tensor.register_hook, (self,), (self, hook,), {})


def torch__of__Tensor__of__register_post_accumulate_grad_hook(self, hook):
    return _handle(Tensor.register_post_accumulate_grad_hook, (self,), (self, hook,), {})


def torch__of__Tensor__of__resize(self, *sizes):
    return _handle(Tensor.resize, (self,), (self, *sizes,), {})


def torch__of__Tensor__of__resize_as(self, tensor):
    return _handle(Tensor.resize_as, (self, tensor), (self, tensor,), {})


def torch__of__Tensor__of__share_memory_(self):
    return _handle(Tensor.share_memory_, (self,), (self,), {})


def torch__of__Tensor__of__split(self, split_size, dim=0):
    return _handle(Tensor.split, (self,), (self, split_size,), {'dim': dim})


def torch__of__Tensor__of__unflatten(self, dim, sizes):
    return _handle(Tensor.unflatten, (self,), (self, dim, sizes,), {})


def torch__of__Tensor__of__unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    return _handle(Tensor.unique, (self,), (self,), {'sorted': sorted, 'return_inverse': return_inverse, 'return_counts':
            return_counts, 'dim': dim})


def torch__of__Tensor__of__unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    return _handle(Tensor.unique_consecutive, (self,), (self,), {'return_inverse': return_inverse, 'return_counts': return_counts,
            'dim': dim})


def torch__of__atleast_1d(*tensors):
    return (_of_c(torch.atleast_1d, 'torch.atleast_1d', tensors, {}) if len(tensors) == 1 and isinstance(tensors[0], (list,
            tuple)) else _handle(torch.atleast_1d, tensors, (*tensors,), {}))


def torch__of__atleast_2d(*tensors):
    return (_of_c(torch.atleast_2d, 'torch.atleast_2d', tensors, {}) if len(tensors) == 1 and isinstance(tensors[0], (list,
            tuple)) else _handle(torch.atleast_2d, tensors, (*tensors,), {}))


def torch__of__atleast_3d(*tensors):
    return (_of_c(torch.atleast_3d, 'torch.atleast_3d', tensors, {}) if len(tensors) == 1 and isinstance(tensors[0], (list,
            tuple)) else _handle(torch.atleast_3d, tensors, (*tensors,), {}))


def torch__of__block_diag(*tensors):
    return _handle(torch.block_diag, tensors, (*tensors,), {})


def torch__of__broadcast_tensors(*tensors):
    return _handle(torch.broadcast_tensors, tensors, (*tensors,), {})


def torch__of__cartesian_prod(*tensors):
    return _handle(torch.cartesian_prod, tensors, (*tensors,), {})


def torch__of__cdist(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary'):
    return _handle(torch.cdist, (x1, x2), (x1, x2,), {'p': p, 'compute_mode': compute_mode})


def torch__of__chain_matmul(*matrices, out=None):
    return _handle(torch.chain_matmul, matrices, (*matrices,), {})


def torch__of__einsum(*args):
    return (torch.einsum(args[0], *args[1]) if len(args) == 2 and isinstance(args[1], (list, tuple)) else _handle(torch.einsum,
            args[1:], args, {}))


def torch__of__meshgrid(*tensors, indexing=None):
    return (_of_c(torch.meshgrid, 'torch.meshgrid', tensors, {} if indexing is None else {'indexing': indexing}, {}) if
            len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else _handle(torch.meshgrid, tensors, (*tensors,),
            {'indexing': indexing}))


def torch__of__nn__of__functional__of___threshold(input, threshold, value, inplace=False):
    return _handle(F.threshold, (input,), (input, threshold, value,), {'inplace': inplace})


def torch__of__nn__of__functional__of__adaptive_avg_pool2d(input, output_size):
    return _handle(F.adaptive_avg_pool2d, (input,), (input, output_size,), {})


def torch__of__nn__of__functional__of__adaptive_avg_pool3d(input, output_size):
    return _handle(F.adaptive_avg_pool3d, (input,), (input, output_size,), {})


def torch__of__nn__of__functional__of__adaptive_max_pool1d(input, output_size, return_indices=False):
    return _handle(F.adaptive_max_pool1d, (input,), (input, output_size,), {'return_indices': return_indices})


def torch__of__nn__of__functional__of__adaptive_max_pool1d_with_indices(input, output_size, return_indices=False):
    return _handle(F.adaptive_max_pool1d_with_indices, (input,), (input, output_size,), {'return_indices': return_indices})


def torch__of__nn__of__functional__of__adaptive_max_pool2d(input, output_size, return_indices=False):
    return _handle(F.adaptive_max_pool2d, (input,), (input, output_size,), {'return_indices': return_indices})


def torch__of__nn__of__functional__of__adaptive_max_pool2d_with_indices(input, output_size, return_indices=False):
    return _handle(F.adaptive_max_pool2d_with_indices, (input,), (input, output_size,), {'return_indices': return_indices})


def torch__of__nn__of__functional__of__adaptive_max_pool3d(input, output_size, return_indices=False):
    return _handle(F.adaptive_max_pool3d, (input,), (input, output_size,), {'return_indices': return_indices})


def torch__of__nn__of__functional__of__adaptive_max_pool3d_with_indices(input, output_size, return_indices=False):
    return _handle(F.adaptive_max_pool3d_with_indices, (input,), (input, output_size,), {'return_indices': return_indices})


def torch__of__nn__of__functional__of__affine_grid(theta, size, align_corners=None):
    return _handle(F.affine_grid, (theta,), (theta, size,), {'align_corners': align_corners})


def torch__of__nn__of__functional__of__alpha_dropout(input, p=0.5, training=False, inplace=False):
    return _handle(F.alpha_dropout, (input,), (input,), {'p': p, 'training': training, 'inplace': inplace})


def torch__of__nn__of__functional__of__batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False,
        momentum=0.1, eps=1e-05):
    return _handle(F.batch_norm, (input, running_mean, running_var, weight, bias), (input, running_mean, running_var,), {'weight':
            weight, 'bias': bias, 'training': training, 'momentum': momentum, 'eps': eps})


def torch__of__nn__of__functional__of__binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None,
        reduction='mean'):
    return _handle(F.binary_cross_entropy, (input, target, weight), (input, target,), {'weight': weight, 'size_average':
            size_average, 'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__binary_cross_entropy_with_logits(input, target, weight=None, size_average=None,
        reduce=None, reduction='mean', pos_weight=None):
    return _handle(F.binary_cross_entropy_with_logits, (input, target, weight, pos_weight), (input, target,), {'weight': weight,
            'size_average': size_average, 'reduce': reduce, 'reduction': reduction, 'pos_weight': pos_weight})


def torch__of__nn__of__functional__of__celu(input, alpha=1.0, inplace=False):
    return _handle(F.celu, (input,), (input,), {'alpha': alpha, 'inplace': inplace})


def torch__of__nn__of__functional__of__cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
        reduction='mean'):
    return _handle(F.cosine_embedding_loss, (input1, input2, target), (input1, input2, target,), {'margin': margin,
            'size_average': size_average, 'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100,
        reduce=None, reduction='mean', label_smoothing=0.0):
    return _handle(F.cross_entropy, (input, target, weight), (input, target,), {'weight': weight, 'size_average': size_average,
            'ignore_index': ignore_index, 'reduce': reduce, 'reduction': reduction, 'label_smoothing': label_smoothing})


def torch__of__nn__of__functional__of__ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction='mean',
        zero_infinity=False):
    return _handle(F.ctc_loss, (log_probs, targets, input_lengths, target_lengths), (log_probs, targets, input_lengths,
            target_lengths,), {'blank': blank, 'reduction': reduction, 'zero_infinity': zero_infinity})


def torch__of__nn__of__functional__of__dropout(input, p=0.5, training=True, inplace=False):
    return _handle(F.dropout, (input,), (input,), {'p': p, 'training': training, 'inplace': inplace})


def torch__of__nn__of__functional__of__dropout1d(input, p=0.5, training=True, inplace=False):
    return _handle(F.dropout1d, (input,), (input,), {'p': p, 'training': training, 'inplace': inplace})


def torch__of__nn__of__functional__of__dropout2d(input, p=0.5, training=True, inplace=False):
    return _handle(F.dropout2d, (input,), (input,), {'p': p, 'training': training, 'inplace': inplace})


def torch__of__nn__of__functional__of__dropout3d(input, p=0.5, training=True, inplace=False):
    return _handle(F.dropout3d, (input,), (input,), {'p': p, 'training': training, 'inplace': inplace})


def torch__of__nn__of__functional__of__elu(input, alpha=1.0, inplace=False):
    return _handle(F.elu, (input,), (input,), {'alpha': alpha, 'inplace': inplace})


def torch__of__nn__of__functional__of__embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0,
        scale_grad_by_freq=False, sparse=False):
    return _handle(F.embedding, (input, weight), (input, weight,), {'padding_idx': padding_idx, 'max_norm': max_norm, 'norm_type':
            norm_type, 'scale_grad_by_freq': scale_grad_by_freq, 'sparse': sparse})


def torch__of__nn__of__functional__of__embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2,
        scale_grad_by_freq=False, mode='mean', sparse=False, per_sample_weights=None, include_last_offset=False,
        padding_idx=None):
    return _handle(F.embedding_bag, (input, weight, offsets, per_sample_weights), (input, weight,), {'offsets': offsets,
            'max_norm': max_norm, 'norm_type': norm_type, 'scale_grad_by_freq': scale_grad_by_freq, 'mode': mode, 'sparse':
            sparse, 'per_sample_weights': per_sample_weights, 'include_last_offset': include_last_offset, 'padding_idx':
            padding_idx})


def torch__of__nn__of__functional__of__feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    return _handle(F.feature_alpha_dropout, (input,), (input,), {'p': p, 'training': training, 'inplace': inplace})


def torch__of__nn__of__functional__of__fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    return _handle(F.fold, (input,), (input, output_size, kernel_size,), {'dilation': dilation, 'padding': padding, 'stride':
            stride})


def torch__of__nn__of__functional__of__fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None,
        return_indices=False, _random_samples=None):
    return _handle(F.fractional_max_pool2d, (input, _random_samples), (input, kernel_size,), {'output_size': output_size,
            'output_ratio': output_ratio, 'return_indices': return_indices, '_random_samples': _random_samples})


def torch__of__nn__of__functional__of__fractional_max_pool2d_with_indices(input, kernel_size, output_size=None, output_ratio=None,
        return_indices=False, _random_samples=None):
    return _handle(F.fractional_max_pool2d_with_indices, (input, _random_samples), (input, kernel_size,), {'output_size':
            output_size, 'output_ratio': output_ratio, 'return_indices': return_indices, '_random_samples': _random_samples})


def torch__of__nn__of__functional__of__fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None,
        return_indices=False, _random_samples=None):
    return _handle(F.fractional_max_pool3d, (input, _random_samples), (input, kernel_size,), {'output_size': output_size,
            'output_ratio': output_ratio, 'return_indices': return_indices, '_random_samples': _random_samples})


def torch__of__nn__of__functional__of__fractional_max_pool3d_with_indices(input, kernel_size, output_size=None, output_ratio=None,
        return_indices=False, _random_samples=None):
    return _handle(F.fractional_max_pool3d_with_indices, (input, _random_samples), (input, kernel_size,), {'output_size':
            output_size, 'output_ratio': output_ratio, 'return_indices': return_indices, '_random_samples': _random_samples})


def torch__of__nn__of__functional__of__gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction='mean'):
    return _handle(F.gaussian_nll_loss, (input, target, var), (input, target, var,), {'full': full, 'eps': eps, 'reduction':
            reduction})


def torch__of__nn__of__functional__of__glu(input, dim=-1):
    return _handle(F.glu, (input,), (input,), {'dim': dim})


def torch__of__nn__of__functional__of__grid_sample(input, grid, mode='bilinear', padding_mode='zeros', align_corners=None):
    return _handle(F.grid_sample, (input, grid), (input, grid,), {'mode': mode, 'padding_mode': padding_mode, 'align_corners':
            align_corners})


def torch__of__nn__of__functional__of__group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    return _handle(F.group_norm, (input, weight, bias), (input, num_groups,), {'weight': weight, 'bias': bias, 'eps': eps})


def torch__of__nn__of__functional__of__gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    return _handle(F.gumbel_softmax, (logits,), (logits,), {'tau': tau, 'hard': hard, 'eps': eps, 'dim': dim})


def torch__of__nn__of__functional__of__hardsigmoid(input, inplace=False):
    return _handle(F.hardsigmoid, (input,), (input,), {'inplace': inplace})


def torch__of__nn__of__functional__of__hardswish(input, inplace=False):
    return _handle(F.hardswish, (input,), (input,), {'inplace': inplace})


def torch__of__nn__of__functional__of__hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return _handle(F.hardtanh, (input,), (input,), {'min_val': min_val, 'max_val': max_val, 'inplace': inplace})


def torch__of__nn__of__functional__of__hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None,
        reduction='mean'):
    return _handle(F.hinge_embedding_loss, (input, target), (input, target,), {'margin': margin, 'size_average': size_average,
            'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__huber_loss(input, target, reduction='mean', delta=1.0, weight=None):
    return _handle(F.huber_loss, (input, target, weight), (input, target,), {'reduction': reduction, 'delta': delta, 'weight':
            weight})


def torch__of__nn__of__functional__of__instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None,
        use_input_stats=True, momentum=0.1, eps=1e-05):
    return _handle(F.instance_norm, (input, running_mean, running_var, weight, bias), (input,), {'running_mean': running_mean,
            'running_var': running_var, 'weight': weight, 'bias': bias, 'use_input_stats': use_input_stats, 'momentum': momentum,
            'eps': eps})


def torch__of__nn__of__functional__of__interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None,
        recompute_scale_factor=None, antialias=False):
    return _handle(F.interpolate, (input,), (input,), {'size': size, 'scale_factor': scale_factor, 'mode': mode, 'align_corners':
            align_corners, 'recompute_scale_factor': recompute_scale_factor, 'antialias': antialias})


def torch__of__nn__of__functional__of__kl_div(input, target, size_average=None, reduce=None, reduction='mean', log_target=False):
    return _handle(F.kl_div, (input, target), (input, target,), {'size_average': size_average, 'reduce': reduce, 'reduction':
            reduction, 'log_target': log_target})


def torch__of__nn__of__functional__of__l1_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None):
    return _handle(F.l1_loss, (input, target, weight), (input, target,), {'size_average': size_average, 'reduce': reduce,
            'reduction': reduction})


def torch__of__nn__of__functional__of__layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return _handle(F.layer_norm, (input, weight, bias), (input, normalized_shape,), {'weight': weight, 'bias': bias, 'eps': eps})


def torch__of__nn__of__functional__of__leaky_relu(input, negative_slope=0.01, inplace=False):
    return _handle(F.leaky_relu, (input,), (input,), {'negative_slope': negative_slope, 'inplace': inplace})


def torch__of__nn__of__functional__of__linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None,
        reduction='mean', ignore_index=None, label_smoothing=0.0, options=None):
    return _handle(F.linear_cross_entropy, (input, linear_weight, target, linear_bias, weight), (input, linear_weight, target,),
            {'linear_bias': linear_bias, 'weight': weight, 'reduction': reduction, 'ignore_index': ignore_index,
            'label_smoothing': label_smoothing, 'options': options})


def torch__of__nn__of__functional__of__local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    return _handle(F.local_response_norm, (input,), (input, size,), {'alpha': alpha, 'beta': beta, 'k': k})


def torch__of__nn__of__functional__of__log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return _handle(F.log_softmax, (input,), (input,), {'dim': dim, '_stacklevel': _stacklevel, 'dtype': dtype})


def torch__of__nn__of__functional__of__lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _handle(F.lp_pool1d, (input,), (input, norm_type, kernel_size,), {'stride': stride, 'ceil_mode': ceil_mode})


def torch__of__nn__of__functional__of__lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _handle(F.lp_pool2d, (input,), (input, norm_type, kernel_size,), {'stride': stride, 'ceil_mode': ceil_mode})


def torch__of__nn__of__functional__of__lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _handle(F.lp_pool3d, (input,), (input, norm_type, kernel_size,), {'stride': stride, 'ceil_mode': ceil_mode})


def torch__of__nn__of__functional__of__margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
        reduction='mean'):
    return _handle(F.margin_ranking_loss, (input1, input2, target), (input1, input2, target,), {'margin': margin, 'size_average':
            size_average, 'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
        return_indices=False):
    return _handle(F.max_pool1d, (input,), (input, kernel_size,), {'stride': stride, 'padding': padding, 'dilation': dilation,
            'ceil_mode': ceil_mode, 'return_indices': return_indices})


def torch__of__nn__of__functional__of__max_pool1d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1,
        ceil_mode=False, return_indices=False):
    return _handle(F.max_pool1d_with_indices, (input,), (input, kernel_size,), {'stride': stride, 'padding': padding, 'dilation':
            dilation, 'ceil_mode': ceil_mode, 'return_indices': return_indices})


def torch__of__nn__of__functional__of__max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
        return_indices=False):
    return _handle(F.max_pool2d, (input,), (input, kernel_size,), {'stride': stride, 'padding': padding, 'dilation': dilation,
            'ceil_mode': ceil_mode, 'return_indices': return_indices})


def torch__of__nn__of__functional__of__max_pool2d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1,
        ceil_mode=False, return_indices=False):
    return _handle(F.max_pool2d_with_indices, (input,), (input, kernel_size,), {'stride': stride, 'padding': padding, 'dilation':
            dilation, 'ceil_mode': ceil_mode, 'return_indices': return_indices})


def torch__of__nn__of__functional__of__max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
        return_indices=False):
    return _handle(F.max_pool3d, (input,), (input, kernel_size,), {'stride': stride, 'padding': padding, 'dilation': dilation,
            'ceil_mode': ceil_mode, 'return_indices': return_indices})


def torch__of__nn__of__functional__of__max_pool3d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1,
        ceil_mode=False, return_indices=False):
    return _handle(F.max_pool3d_with_indices, (input,), (input, kernel_size,), {'stride': stride, 'padding': padding, 'dilation':
            dilation, 'ceil_mode': ceil_mode, 'return_indices': return_indices})


def torch__of__nn__of__functional__of__max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _handle(F.max_unpool1d, (input,), (input, indices, kernel_size,), {'stride': stride, 'padding': padding, 'output_size':
            output_size})


def torch__of__nn__of__functional__of__max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _handle(F.max_unpool2d, (input,), (input, indices, kernel_size,), {'stride': stride, 'padding': padding, 'output_size':
            output_size})


def torch__of__nn__of__functional__of__max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _handle(F.max_unpool3d, (input,), (input, indices, kernel_size,), {'stride': stride, 'padding': padding, 'output_size':
            output_size})


def torch__of__nn__of__functional__of__mish(input, inplace=False):
    return _handle(F.mish, (input,), (input,), {'inplace': inplace})


def torch__of__nn__of__functional__of__mse_loss(input, target, size_average=None, reduce=None, reduction='mean', weight=None):
    return _handle(F.mse_loss, (input, target, weight), (input, target,), {'size_average': size_average, 'reduce': reduce,
            'reduction': reduction, 'weight': weight})


def torch__of__nn__of__functional__of__multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads,
        in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True,
        key_padding_mask=None, need_weights=True, attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None,
        k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True, is_causal=False):
    return _handle(F.multi_head_attention_forward, (query, key, value, in_proj_weight, in_proj_bias, bias_k, bias_v,
            out_proj_weight, out_proj_bias), (query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias,
            bias_k, bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias,), {'training': training, 'key_padding_mask':
            key_padding_mask, 'need_weights': need_weights, 'attn_mask': attn_mask, 'is_causal': is_causal,
            'use_separate_proj_weight': use_separate_proj_weight, 'q_proj_weight': q_proj_weight, 'k_proj_weight': k_proj_weight,
            'v_proj_weight': v_proj_weight, 'static_k': static_k, 'static_v': static_v, 'average_attn_weights':
            average_attn_weights})


def torch__of__nn__of__functional__of__multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None,
        reduce=None, reduction='mean'):
    return _handle(F.multi_margin_loss, (input, target, weight), (input, target,), {'p': p, 'margin': margin, 'weight': weight,
            'size_average': size_average, 'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    return _handle(F.multilabel_margin_loss, (input, target), (input, target,), {'size_average': size_average, 'reduce': reduce,
            'reduction': reduction})


def torch__of__nn__of__functional__of__multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None,
        reduction='mean'):
    return _handle(F.multilabel_soft_margin_loss, (input, target, weight), (input, target,), {'weight': weight, 'size_average':
            size_average, 'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
        reduction='mean'):
    return _handle(F.nll_loss, (input, target, weight), (input, target,), {'weight': weight, 'size_average': size_average,
            'ignore_index': ignore_index, 'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    return _handle(F.normalize, (input, out), (input,), {'p': p, 'dim': dim, 'eps': eps, 'out': out})


def torch__of__nn__of__functional__of__pad(input, pad, mode='constant', value=None):
    return _handle(F.pad, (input,), (input, pad,), {'mode': mode, 'value': value})


def torch__of__nn__of__functional__of__poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-08,
        reduce=None, reduction='mean'):
    return _handle(F.poisson_nll_loss, (input, target), (input, target,), {'log_input': log_input, 'full': full, 'size_average':
            size_average, 'eps': eps, 'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__relu(input, inplace=False):
    return _handle(F.relu, (input,), (input,), {'inplace': inplace})


def torch__of__nn__of__functional__of__relu6(input, inplace=False):
    return _handle(F.relu6, (input,), (input,), {'inplace': inplace})


def torch__of__nn__of__functional__of__rms_norm(input, normalized_shape, weight=None, eps=None):
    return _handle(F.rms_norm, (input, weight), (input, normalized_shape,), {'weight': weight, 'eps': eps})


def torch__of__nn__of__functional__of__rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    return _handle(F.rrelu, (input,), (input,), {'lower': lower, 'upper': upper, 'training': training, 'inplace': inplace})


def torch__of__nn__of__functional__of__selu(input, inplace=False):
    return _handle(F.selu, (input,), (input,), {'inplace': inplace})


def torch__of__nn__of__functional__of__silu(input, inplace=False):
    return _handle(F.silu, (input,), (input,), {'inplace': inplace})


def torch__of__nn__of__functional__of__smooth_l1_loss(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0):
    return _handle(F.smooth_l1_loss, (input, target), (input, target,), {'size_average': size_average, 'reduce': reduce,
            'reduction': reduction, 'beta': beta})


def torch__of__nn__of__functional__of__soft_margin_loss(input, target, size_average=None, reduce=None, reduction='mean'):
    return _handle(F.soft_margin_loss, (input, target), (input, target,), {'size_average': size_average, 'reduce': reduce,
            'reduction': reduction})


def torch__of__nn__of__functional__of__softmax(input, dim=None, _stacklevel=3, dtype=None):
    return _handle(F.softmax, (input,), (input,), {'dim': dim, '_stacklevel': _stacklevel, 'dtype': dtype})


def torch__of__nn__of__functional__of__softmin(input, dim=None, _stacklevel=3, dtype=None):
    return _handle(F.softmin, (input,), (input,), {'dim': dim, '_stacklevel': _stacklevel, 'dtype': dtype})


def torch__of__nn__of__functional__of__softsign(input):
    return _handle(F.softsign, (input,), (input,), {})


def torch__of__nn__of__functional__of__tanhshrink(input):
    return _handle(F.tanhshrink, (input,), (input,), {})


def torch__of__nn__of__functional__of__triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False,
        size_average=None, reduce=None, reduction='mean'):
    return _handle(F.triplet_margin_loss, (anchor, positive, negative), (anchor, positive, negative,), {'margin': margin, 'p': p,
            'eps': eps, 'swap': swap, 'size_average': size_average, 'reduce': reduce, 'reduction': reduction})


def torch__of__nn__of__functional__of__triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None,
        margin=1.0, swap=False, reduction='mean'):
    return _handle(F.triplet_margin_with_distance_loss, (anchor, positive, negative), (anchor, positive, negative,),
            {'distance_function': distance_function, 'margin': margin, 'swap': swap, 'reduction': reduction})


def torch__of__nn__of__functional__of__unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    return _handle(F.unfold, (input,), (input, kernel_size,), {'dilation': dilation, 'padding': padding, 'stride': stride})


def torch__of__nn__of__init__of__constant_(tensor, val):
    return _handle(torch.nn.init.constant_, (tensor,), (), {'tensor': tensor, 'val': val})


def torch__of__nn__of__init__of__kaiming_uniform_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None):
    return _handle(torch.nn.init.kaiming_uniform_, (tensor,), (), {'tensor': tensor, 'a': a, 'mode': mode, 'nonlinearity':
            nonlinearity, 'generator': generator})


def torch__of__nn__of__init__of__normal_(tensor, mean=0.0, std=1.0, generator=None):
    return _handle(torch.nn.init.normal_, (tensor,), (), {'tensor': tensor, 'mean': mean, 'std': std, 'generator': generator})


def torch__of__nn__of__init__of__uniform_(tensor, a=0.0, b=1.0, generator=None):
    return _handle(torch.nn.init.uniform_, (tensor,), (), {'tensor': tensor, 'a': a, 'b': b, 'generator': generator})


def torch__of__norm(input, p='fro', dim=None, keepdim=False, out=None, dtype=None):
    return _handle(torch.norm, (input,), (input,), {'p': p, 'dim': dim, 'keepdim': keepdim, 'out': out, 'dtype': dtype})


def torch__of__split(tensor, split_size_or_sections, dim=0):
    return _handle(torch.split, (tensor,), (tensor, split_size_or_sections,), {'dim': dim})


def torch__of__tensordot(a, b, dims=2, out=None):
    return _handle(torch.tensordot, (a, b), (a, b,), {'dims': dims, 'out': out})


def torch__of__unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    return _handle(torch.unique, (input,), (input,), {'sorted': sorted, 'return_inverse': return_inverse, 'return_counts':
            return_counts, 'dim': dim})


def torch__of__unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    return _handle(torch.unique_consecutive, (input,), (input,), {'return_inverse': return_inverse, 'return_counts':
            return_counts, 'dim': dim})


def torch__of__unravel_index(indices, shape):
    return _handle(torch.unravel_index, (indices,), (indices,), {'shape': shape})

"""Every public name of what torch's classes make is there, whether it can be used or not."""
import bisect
import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import itertools
import math
import operator

import torch
from torch import nn

MODULE = """T_destination add_module apply bfloat16 buffers call_super_init children compile cpu cuda double
     dump_patches
eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu load_state_dict
modules mtia named_buffers named_children named_modules named_parameters parameters register_backward_hook
register_buffer register_forward_hook register_forward_pre_hook register_full_backward_hook
register_full_backward_pre_hook register_load_state_dict_post_hook register_load_state_dict_pre_hook
register_module register_parameter register_state_dict_post_hook register_state_dict_pre_hook requires_grad_
set_extra_state set_submodule share_memory state_dict to to_empty train training type xpu zero_grad""".split()

OBJECTS = [
    (lambda: torch.Generator(), [], """clone_state device get_offset get_state graphsafe_get_state
     graphsafe_set_state initial_seed manual_seed
     seed set_offset set_state"""),
    (lambda: torch.float32, [], """abbr is_complex is_floating_point is_signed itemsize to_complex to_real"""),
    (lambda: torch.device('cpu'), [], """index type"""),
    (lambda: torch.Size([1]), [], """count index numel"""),
    (lambda: torch.finfo(torch.float32), [], """bits dtype eps max min resolution smallest_normal tiny"""),
    (lambda: torch.iinfo(torch.int32), [], """bits dtype max min"""),
    (lambda: torch.strided, [], """"""),
    (lambda: torch.contiguous_format, [], """"""),
    (lambda: torch.max(torch.ones(2, 2), 0), [], """count index indices n_fields n_sequence_fields n_unnamed_fields
     values"""),
    (lambda: nn.Module(), MODULE, """"""),
    (lambda: nn.Linear(2, 2), MODULE, """bias in_features out_features reset_parameters weight"""),
    (lambda: nn.Sequential(nn.ReLU()), MODULE, """append extend insert pop"""),
    (lambda: nn.ModuleList(), MODULE, """append extend insert pop"""),
    (lambda: nn.ModuleDict(), MODULE, """clear items keys pop update values"""),
    (lambda: nn.ParameterList(), MODULE, """append extend"""),
    (lambda: nn.ParameterDict(), MODULE, """clear copy fromkeys get items keys pop popitem setdefault update
     values"""),
    (lambda: nn.LSTM(2, 2), MODULE, """all_weights batch_first bias bias_hh_l0 bias_ih_l0 bidirectional
     check_forward_args check_hidden_size
     check_input dropout flatten_parameters get_expected_cell_size get_expected_hidden_size hidden_size
     input_size mode num_layers permute_hidden proj_size reset_parameters weight_hh_l0 weight_ih_l0"""),
    (lambda: nn.Conv2d(1, 1, 1), MODULE, """bias dilation groups in_channels kernel_size out_channels output_padding
     padding padding_mode
     reset_parameters stride transposed weight"""),
    (lambda: nn.BatchNorm1d(2), MODULE, """affine bias eps momentum num_batches_tracked num_features reset_parameters
     reset_running_stats
     running_mean running_var track_running_stats weight"""),
    (lambda: nn.Embedding(2, 2), MODULE, """embedding_dim from_pretrained max_norm norm_type num_embeddings
     padding_idx reset_parameters
     scale_grad_by_freq sparse weight"""),
    (lambda: nn.MultiheadAttention(2, 1), MODULE, """add_zero_attn batch_first bias_k bias_v dropout embed_dim
     head_dim in_proj_bias in_proj_weight
     k_proj_weight kdim merge_masks num_heads out_proj q_proj_weight v_proj_weight vdim"""),
    (lambda: nn.TransformerEncoderLayer(2, 1, 2), MODULE, """activation activation_relu_or_gelu dropout dropout1
     dropout2 linear1 linear2 norm1 norm2 norm_first
     self_attn"""),
    (lambda: nn.CrossEntropyLoss(), MODULE, """ignore_index label_smoothing reduction weight"""),
    (lambda: bytearray(b'a'), [], """append capitalize center clear copy count decode endswith expandtabs extend find
     fromhex hex index
     insert isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans
     partition pop remove removeprefix removesuffix replace reverse rfind rindex rjust rpartition rsplit
     rstrip split splitlines startswith strip swapcase title translate upper zfill"""),
    (lambda: collections.deque(), [], """append appendleft clear copy count extend extendleft index insert maxlen pop
     popleft remove reverse
     rotate"""),
    (lambda: collections.Counter(), [], """clear copy elements fromkeys get items keys most_common pop popitem
     setdefault subtract total update
     values"""),
    (lambda: collections.OrderedDict(), [], """clear copy fromkeys get items keys move_to_end pop popitem setdefault
     update values"""),
    (lambda: collections.defaultdict(int), [], """clear copy default_factory fromkeys get items keys pop popitem
     setdefault update values"""),
    (lambda: functools.partial(int), [], """args func keywords"""),
    (lambda: [1], [], """append clear copy count extend index insert pop remove reverse sort"""),
    (lambda: (1,), [], """count index"""),
    (lambda: {1: 2}, [], """clear copy fromkeys get items keys pop popitem setdefault update values"""),
    (lambda: {1}, [], """add clear copy difference difference_update discard intersection intersection_update
     isdisjoint issubset
     issuperset pop remove symmetric_difference symmetric_difference_update union update"""),
    (lambda: frozenset([1]), [], """copy difference intersection isdisjoint issubset issuperset symmetric_difference
     union"""),
    (lambda: range(3), [], """count index start step stop"""),
    (lambda: slice(1), [], """indices start step stop"""),
    (lambda: 'a', [], """capitalize casefold center count encode endswith expandtabs find format format_map index
     isalnum isalpha
     isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust
     lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit
     rstrip split splitlines startswith strip swapcase title translate upper zfill"""),
    (lambda: b'a', [], """capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha
     isascii
     isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix
     removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip
     swapcase title translate upper zfill"""),
    (lambda: 1, [], """as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real
     to_bytes"""),
    (lambda: 1.5, [], """as_integer_ratio conjugate fromhex hex imag is_integer real"""),
    (lambda: 1j, [], """conjugate imag real"""),
    (lambda: ValueError(1), [], """add_note args with_traceback"""),
    (lambda: math, [], """acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf
     erfc exp exp2
     expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm
     ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt
     tan tanh tau trunc ulp"""),
    (lambda: itertools, [], """accumulate chain combinations combinations_with_replacement compress count cycle
     dropwhile filterfalse
     groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest"""),
    (lambda: functools, [], """GenericAlias RLock WRAPPER_ASSIGNMENTS WRAPPER_UPDATES cache cached_property
     cmp_to_key get_cache_token
     lru_cache namedtuple partial partialmethod recursive_repr reduce singledispatch singledispatchmethod
     total_ordering update_wrapper wraps"""),
    (lambda: operator, [], """abs add and_ attrgetter call concat contains countOf delitem eq floordiv ge getitem gt
     iadd iand iconcat
     ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_ is_not isub itemgetter
     itruediv ixor le length_hint lshift lt matmul methodcaller mod mul ne neg not_ or_ pos pow rshift
     setitem sub truediv truth xor"""),
    (lambda: collections, [], """ChainMap Counter OrderedDict UserDict UserList UserString abc defaultdict deque
     namedtuple"""),
    (lambda: contextlib, [], """AbstractAsyncContextManager AbstractContextManager AsyncContextDecorator
     AsyncExitStack ContextDecorator
     ExitStack GenericAlias abc aclosing asynccontextmanager chdir closing contextmanager deque
     nullcontext os redirect_stderr redirect_stdout suppress sys wraps"""),
    (lambda: copy, [], """Error copy deepcopy dispatch_table error"""),
    (lambda: enum, [], """CONFORM CONTINUOUS DynamicClassAttribute EJECT Enum EnumCheck EnumMeta EnumType Flag
     FlagBoundary
     IntEnum IntFlag KEEP MappingProxyType NAMED_FLAGS ReprEnum STRICT StrEnum UNIQUE auto bin bltns
     global_enum global_enum_repr global_flag_repr global_str member nonmember pickle_by_enum_name
     pickle_by_global_name property show_flag_values sys unique verify"""),
    (lambda: dataclasses, [], """Field FrozenInstanceError InitVar KW_ONLY MISSING abc
     asdict astuple
     copy dataclass field fields is_dataclass itertools keyword make_dataclass re replace
     sys types"""),
    (lambda: bisect, [], """bisect bisect_left bisect_right insort insort_left insort_right"""),
]


def all_members(x):
    absent = []
    for n, (make, common, names) in enumerate(OBJECTS):
        thing = make()
        for name in common + names.split():
            if not hasattr(thing, name):
                absent.append((n, name))
    return absent


def absent_members(x):
    class Own(nn.Sequential):
        pass

    things = [nn.Linear(2, 2), nn.Sequential(), Own(), torch.Generator(), torch.float32, nn.ReLU, enum]
    return [(hasattr(t, "pop"), hasattr(t, "to_empty"), hasattr(t, "no_such"), getattr(t, "get_statex", 7)) for t in things]


def own_member(x):
    class Own(nn.Sequential):
        to_empty = 3

        def pop(self, key):
            return key

    return Own().pop(2), Own().to_empty, getattr(Own(), "xpus", None)

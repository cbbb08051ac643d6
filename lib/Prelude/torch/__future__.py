"""torch.__future__: how conversions of modules replace parameters. They stay the objects that they are."""
from _ptc_torch import _refuse


def get_overwrite_module_params_on_conversion():
    return False


def get_swap_module_params_on_conversion():
    return False


def set_overwrite_module_params_on_conversion(value):
    if value:
        _refuse("torch.__future__.set_overwrite_module_params_on_conversion(True)")


def set_swap_module_params_on_conversion(value):
    if value:
        _refuse("torch.__future__.set_swap_module_params_on_conversion(True)")

"""locale: numbers are written as in the C locale, which Python starts with. No other one is there."""
from _ptc_torch import _refuse

LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES, LC_ALL = range(7)
CHAR_MAX = 127


class Error(Exception):
    pass


def localeconv():
    convention = dict.fromkeys(("int_curr_symbol", "currency_symbol", "mon_decimal_point", "mon_thousands_sep", "positive_sign", "negative_sign",
                                "thousands_sep"), "")
    convention.update(dict.fromkeys(("int_frac_digits", "frac_digits", "p_cs_precedes", "p_sep_by_space", "n_cs_precedes", "n_sep_by_space",
                                     "p_sign_posn", "n_sign_posn"), CHAR_MAX))
    convention.update(decimal_point=".", grouping=[], mon_grouping=[])
    return convention


def setlocale(category, locale=None):
    if locale is not None or category not in (LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES):
        _refuse("locale.setlocale() that changes the locale, or asks for that of the machine")
    return "C"

"""struct: packed bytes of values that are known when the program is compiled, for x86-64."""
from _ptc import _is_opaque, _python_minor
from _ptc_torch import _refuse
from math import copysign as _copysign, isinf as _isinf, isnan as _isnan
from operator import index as _index


class error(Exception):
    pass


error.__module__ = "struct"
# Bytes of each letter, in the standard sizes and in those of C.
_STANDARD = {"x": 1, "c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 4, "L": 4, "q": 8, "Q": 8, "e": 2, "f": 4, "d": 8, "s": 1, "p": 1}
_NATIVE = {**_STANDARD, "l": 8, "L": 8, "n": 8, "N": 8, "P": 8}
# Bits of the exponent and of the fraction.
_FLOATS = {"e": (5, 10), "f": (8, 23), "d": (11, 52)}
_LARGEST = 2**63 - 1
# Classes whose objects have no buffer, whatever a subclass of them holds beside.
_BUFFERLESS = (str, int, float, complex, list, tuple, dict, set, frozenset, range, slice, type(None), type)


def _buffer_of(given, what, text=None):
    """The bytes of what has the buffer protocol; `text` is that of the TypeError where nothing has."""
    if _is_opaque(given):
        _refuse(f"{what} of what is not known")
    if isinstance(given, (bytes, bytearray, memoryview)):
        is_own = type(given) in (bytes, bytearray, memoryview)
        return bytes(given) if is_own else b"".join([given])       # bytes() would ask a subclass for its __bytes__
    if hasattr(type(given), "__buffer__") or not isinstance(given, _BUFFERLESS):
        _refuse(f"{what} of a {type(given).__name__}")
    raise TypeError(text or f"a bytes-like object is required, not {type(given).__name__!r}")


def _float_bits(value, letter):
    """Rounded to the nearest, ties to even, by exact integers."""
    exponent_bits, fraction_bits = _FLOATS[letter]
    most, bias = (1 << exponent_bits) - 1, (1 << (exponent_bits - 1)) - 1
    sign = int(_copysign(1.0, value) < 0) << (exponent_bits + fraction_bits)
    if _isnan(value):
        return sign | most << fraction_bits | 1 << (fraction_bits - 1)
    if _isinf(value):
        return sign | most << fraction_bits
    numerator, denominator = abs(value).as_integer_ratio()
    if not numerator:
        return sign
    exponent = numerator.bit_length() - denominator.bit_length()
    if (numerator << max(0, -exponent)) < (denominator << max(0, exponent)):
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    shift = fraction_bits - exponent               # the unit of the last place is 2**-shift
    numerator, denominator = numerator << max(0, shift), denominator << max(0, -shift)
    fraction, rest = divmod(numerator, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and fraction & 1):
        fraction += 1
    # A fraction that was rounded up to the next power of two carries into the exponent, as it should.
    bits = fraction if fraction < 1 << fraction_bits else ((exponent + bias - 1) << fraction_bits) + fraction
    if bits >= most << fraction_bits:
        raise OverflowError(f"float too large to pack with {letter} format")
    return sign | bits


def _float_of(bits, letter):
    exponent_bits, fraction_bits = _FLOATS[letter]
    fraction, exponent = bits & ((1 << fraction_bits) - 1), bits >> fraction_bits & ((1 << exponent_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent == (1 << exponent_bits) - 1:
        value = float("nan") if fraction else float("inf")
    elif exponent:
        value = float(fraction | 1 << fraction_bits) * 2.0 ** (exponent - bias - fraction_bits)
    else:
        value = float(fraction) * 2.0 ** -bias * 2.0 ** (1 - fraction_bits)
    return -value if bits >> (exponent_bits + fraction_bits) else value


def _read(format):
    """(order of bytes, [(letter, count, bytes that come before)], size)."""
    if _is_opaque(format):
        _refuse("a format of struct that is not known")
    if not isinstance(format, (str, bytes)):
        raise TypeError(f"Struct() argument 1 must be a str or bytes object, not {type(format).__name__}")
    if not format.isascii() and _python_minor() >= 15:
        raise ValueError("non-ASCII character in struct format")
    # As bytes, what is not ASCII is a character that no format has.
    text = (format.encode("ascii") if isinstance(format, str) else format).decode("latin-1")
    if "\0" in text:
        raise error("embedded null character")
    is_native = text[:1] not in ("=", "<", ">", "!")
    order = "big" if text[:1] in (">", "!") else "little"
    sizes = _NATIVE if is_native else _STANDARD
    parts, size, number = [], 0, ""
    for letter in text[1:] if text[:1] in ("@", "=", "<", ">", "!") else text:
        if letter in "0123456789":
            number += letter
        elif letter in " \t\n\v\f\r" and not number:
            continue
        elif letter not in sizes:
            if letter in "FD" and _python_minor() >= 14:
                _refuse("a format of struct with complex numbers")
            raise error("bad char in struct format")
        else:
            gap = -size % sizes[letter] if is_native else 0
            count = int(number) if number else 1
            parts.append((letter, count, gap))
            size += gap + count * sizes[letter]
            number = ""
            if size > _LARGEST:
                raise error("total struct size too long")
    if number:
        raise error("repeat count given without format specifier")
    return order, sizes, parts, size


def _packed(letter, value, size, order):
    if _is_opaque(value):
        _refuse("struct.pack() of what is not known")
    if letter == "c":
        if not isinstance(value, bytes) or len(value) != 1:
            raise error("char format requires a bytes object of length 1")
        return bytes(value)
    if letter == "?":
        return b"\x01" if value else b"\x00"
    if letter in _FLOATS:
        return _float_bits(_float_to_pack(value), letter).to_bytes(size, order)
    if not hasattr(type(value), "__index__"):
        raise error("required argument is not an integer")
    number, is_signed = _index(value), letter in "bhilqn"
    low = -(1 << (8 * size - 1)) if is_signed else 0
    high = (1 << (8 * size - is_signed)) - 1
    if not low <= number <= high:
        _refuse(f"struct.pack() of a number that format {letter!r} has no room for")
    return number.to_bytes(size, order, signed=is_signed)


def _float_to_pack(value):
    try:
        if hasattr(type(value), "__float__") or hasattr(type(value), "__index__"):
            return float(value)
    except Exception:                              # C puts its own error in place of any other
        pass
    raise error("required argument is not a float")


def _text_packed(letter, value, count):
    if _is_opaque(value):
        _refuse("struct.pack() of what is not known")
    if not isinstance(value, (bytes, bytearray)):
        raise error(f"argument for {letter!r} must be a bytes object")
    if letter == "p":
        value = bytes([min(len(value), count - 1, 255)]) + value[:max(0, count - 1)] if count else b""
    return bytes(value[:count]) + bytes(max(0, count - len(value)))


class Struct:
    _ptc_known_as = "_struct.Struct"

    def __init__(self, format):
        self._ptc_order, self._ptc_sizes, self._ptc_parts, self.size = _read(format)
        self.format = format.decode("ascii") if isinstance(format, bytes) else format

    def _ptc_count(self):
        return sum([1 if letter in "sp" else 0 if letter == "x" else count for letter, count, _ in self._ptc_parts])

    def pack(self, *v):
        if len(v) != self._ptc_count():
            raise error(f"pack expected {self._ptc_count()} items for packing (got {len(v)})")
        values, out = iter(v), b""
        for letter, count, gap in self._ptc_parts:
            out += bytes(gap)
            if letter == "x":
                out += bytes(count)
            elif letter in "sp":
                out += _text_packed(letter, next(values), count)
            else:
                for _ in range(count):
                    out += _packed(letter, next(values), self._ptc_sizes[letter], self._ptc_order)
        return out

    def unpack(self, buffer, /):
        data = _buffer_of(buffer, "struct.unpack()")
        if len(data) != self.size:
            raise error(f"unpack requires a buffer of {self.size} bytes")
        return self._ptc_unpack(data)

    def _ptc_unpack(self, data):
        values, at = [], 0
        for letter, count, gap in self._ptc_parts:
            at += gap
            size = self._ptc_sizes[letter]
            if letter in "sp":
                text = data[at:at + count]
                values.append(text if letter == "s" else text[1:1 + min(text[0], count - 1)] if text else b"")
            elif letter != "x":
                for n in range(count):
                    values.append(self._ptc_value(letter, data[at + n * size:at + (n + 1) * size]))
            at += count * size
        return tuple(values)

    def _ptc_value(self, letter, data):
        if letter == "c":
            return data
        if letter == "?":
            return data != b"\x00"
        if letter in _FLOATS:
            return _float_of(int.from_bytes(data, self._ptc_order), letter)
        return int.from_bytes(data, self._ptc_order, signed=letter in "bhilqn")

    def pack_into(self, buffer, offset, /, *v):
        if len(v) != self._ptc_count():
            raise error(f"pack_into expected {self._ptc_count()} items for packing (got {len(v)})")
        if _is_opaque(buffer) or _is_opaque(offset) or not isinstance(buffer, (bytes, bytearray, memoryview, *_BUFFERLESS)):
            _refuse("struct.pack_into() of what is not known")
        if not isinstance(buffer, (bytearray, memoryview)) or isinstance(buffer, memoryview) and buffer.readonly:
            raise TypeError(f"{'pack_into() argument 2' if _python_minor() >= 15 else 'argument'} must be read-write bytes-like object, not {type(buffer).__name__}")
        if isinstance(buffer, memoryview) and (buffer.format != "B" or buffer.ndim != 1):
            _refuse("struct.pack_into() of a memoryview that is not of bytes")
        start, size = _index(offset), self.size
        if start < 0:
            if start + size > 0:
                raise error(f"no space to pack {size} bytes at offset {start}")
            if start + len(buffer) < 0:
                raise error(f"offset {start} out of range for {len(buffer)}-byte buffer")
            start += len(buffer)
        if len(buffer) - start < size:
            raise error(f"pack_into requires a buffer of at least {size + start} bytes for packing {size} bytes at offset {start} "
                        f"(actual buffer size is {len(buffer)})")
        try:
            packed = self.pack(*v)
        except BaseException:
            buffer[start:start + size] = bytes(size)
            if len(v) > 1:
                _refuse("struct.pack_into() of several values of which one does not fit")    # those before it are written
            raise
        buffer[start:start + size] = packed

    def unpack_from(self, buffer, offset=0):
        data, size = _buffer_of(buffer, "struct.unpack_from()"), self.size
        if _is_opaque(offset):
            _refuse("struct.unpack_from() at an offset that is not known")
        start = offset = _index(offset)
        if offset < 0:
            if offset + size > 0:
                raise error(f"not enough data to unpack {size} bytes at offset {offset}")
            if offset + len(data) < 0:
                raise error(f"offset {offset} out of range for {len(data)}-byte buffer")
            start = offset + len(data)
        if len(data) - start < size:
            raise error(f"unpack_from requires a buffer of at least {size + start} bytes for unpacking {size} bytes at offset {start} "
                        f"(actual buffer size is {len(data)})")
        return self._ptc_unpack(data[start:start + self.size])

    def iter_unpack(self, buffer, /):
        if not self.size:
            raise error("cannot iteratively unpack with a struct of length 0")
        data = _buffer_of(buffer, "struct.iter_unpack()")
        if len(data) % self.size:
            raise error(f"iterative unpacking requires a buffer of a multiple of {self.size} bytes")
        return iter([self._ptc_unpack(data[at:at + self.size]) for at in range(0, len(data), self.size)])


def calcsize(format, /):
    return _read(format)[3]


def pack(format, /, *v):
    return Struct(format).pack(*v)


def unpack(format, buffer, /):
    return Struct(format).unpack(buffer)


def pack_into(format, buffer, offset, /, *v):
    Struct(format).pack_into(buffer, offset, *v)


def unpack_from(format, /, buffer, offset=0):
    return Struct(format).unpack_from(buffer, offset)


def iter_unpack(format, buffer, /):
    return Struct(format).iter_unpack(buffer)

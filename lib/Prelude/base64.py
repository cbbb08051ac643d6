"""base64: RFC 4648 of bytes that are known when the program is compiled."""
from _ptc import _is_opaque
from _ptc_torch import _refuse

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def _bytes_of(given):
    if _is_opaque(given):
        _refuse("base64 of what is not known")
    if isinstance(given, str):
        try:
            return given.encode("ascii")
        except UnicodeEncodeError:
            raise ValueError("string argument should contain only ASCII characters") from None
    if not isinstance(given, (bytes, bytearray, memoryview)):
        raise TypeError(f"argument should be a bytes-like object or ASCII string, not {type(given).__name__!r}")
    return bytes(given)


def _encoded(s, alphabet):
    if isinstance(s, str) or _is_opaque(s):
        if _is_opaque(s):
            _refuse("base64 of what is not known")
        raise TypeError("a bytes-like object is required, not 'str'")
    s, out = bytes(s), []
    for at in range(0, len(s), 3):
        part = s[at:at + 3]
        bits = int.from_bytes(part + bytes(3 - len(part)), "big")
        out += [alphabet[(bits >> shift) & 63] for shift in (18, 12, 6, 0)[:len(part) + 1]] + [61] * (3 - len(part))
    return bytes(out)


def b64encode(s, altchars=None):
    return _encoded(s, _LETTERS + (b"+/" if altchars is None else bytes(altchars)))


def b64decode(s, altchars=None, validate=False):
    """What is no letter is passed over, without `validate`."""
    s, alphabet = _bytes_of(s), _LETTERS + b"+/"
    if altchars is not None:
        s = s.translate(bytes.maketrans(_bytes_of(altchars), b"+/"))
    bits, held, out, padding = 0, 0, [], 0
    for at, byte in enumerate(s):
        place = alphabet.find(bytes([byte]))
        if byte == 61:
            padding += 1
            if held >= 2 and held + padding >= 4:
                if validate and at + 1 < len(s):
                    _refuse("base64.b64decode() of text that is not well formed")
                break
        elif place < 0 or padding:
            if validate or padding:
                _refuse("base64.b64decode() of text that is not well formed")
        else:
            bits, held = bits << 6 | place, held + 1
            if held == 4:
                out += bits.to_bytes(3, "big")
                bits = held = 0
    if held + padding != 4 and held or held == 1:
        _refuse("base64.b64decode() of text that is not well formed")
    if held:
        out += (bits << 6 * (4 - held)).to_bytes(3, "big")[:held - 1]
    return bytes(out)


def standard_b64encode(s):
    return b64encode(s)


def standard_b64decode(s):
    return b64decode(s)


def urlsafe_b64encode(s):
    return b64encode(s, b"-_")


def urlsafe_b64decode(s):
    return b64decode(_bytes_of(s), b"-_")


def b16encode(s):
    if isinstance(s, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    return bytes(s).hex().upper().encode()


def b16decode(s, casefold=False):
    text = _bytes_of(s).decode("latin-1")
    if len(text) % 2 or [c for c in text if c not in ("0123456789ABCDEFabcdef" if casefold else "0123456789ABCDEF")]:
        _refuse("base64.b16decode() of text that is not well formed")
    return bytes.fromhex(text)

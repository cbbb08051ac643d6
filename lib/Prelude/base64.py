"""base64: RFC 4648 of bytes that are known when the program is compiled."""
from _ptc import _is_opaque, _python_minor
from _ptc_torch import _refuse
from struct import _buffer_of

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def _bytes_of(given):
    if isinstance(given, str) and not _is_opaque(given):
        try:
            return given.encode("ascii")
        except UnicodeEncodeError:
            raise ValueError("string argument should contain only ASCII characters") from None
    return _buffer_of(given, "base64", f"argument should be a bytes-like object or ASCII string, not {type(given).__name__!r}")


def _two(altchars):
    if _is_opaque(altchars):
        _refuse("base64 with letters that are not known")
    if len(altchars) != 2:
        raise AssertionError(repr(altchars)) if _python_minor() < 15 else ValueError(f"invalid altchars: {altchars!r}")
    return altchars


def _encoded(s, alphabet):
    out = []
    for at in range(0, len(s), 3):
        part = s[at:at + 3]
        bits = int.from_bytes(part + bytes(3 - len(part)), "big")
        out += [alphabet[(bits >> shift) & 63] for shift in (18, 12, 6, 0)[:len(part) + 1]] + [61] * (3 - len(part))
    return bytes(out)


def b64encode(s, altchars=None):
    s, last = _buffer_of(s, "base64"), b"+/"
    if altchars is not None:
        if isinstance(_two(altchars), str) and _python_minor() >= 15:
            raise TypeError("can't concat str to bytes")
        last = _buffer_of(altchars, "letters of base64")
    return _encoded(s, _LETTERS + last)


def b64decode(s, altchars=None, validate=False):
    """What is no letter is passed over, without `validate`."""
    s, alphabet = _bytes_of(s), _LETTERS + b"+/"
    if altchars is not None:
        s = s.translate(bytes.maketrans(_two(_bytes_of(altchars)), b"+/"))
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
    return _buffer_of(s, "base64").hex().upper().encode()


def b16decode(s, casefold=False):
    text = _bytes_of(s).decode("latin-1")
    if len(text) % 2 or [c for c in text if c not in ("0123456789ABCDEFabcdef" if casefold else "0123456789ABCDEF")]:
        _refuse("base64.b16decode() of text that is not well formed")
    return bytes.fromhex(text)


_LETTERS_32, _LETTERS_32_HEX = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789ABCDEFGHIJKLMNOPQRSTUV"
_LETTERS_85 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"


def _encoded_32(s, alphabet):
    s, out = _buffer_of(s, "base64"), []
    for at in range(0, len(s), 5):
        part = s[at:at + 5]
        bits = int.from_bytes(part + bytes(5 - len(part)), "big")
        letters = (len(part) * 8 + 4) // 5
        out += [alphabet[(bits >> shift) & 31] for shift in (35, 30, 25, 20, 15, 10, 5, 0)[:letters]] + [61] * (8 - letters)
    return bytes(out)


def _decoded_32(s, alphabet, casefold, map01):
    s = _bytes_of(s)
    if map01 is not None:
        _refuse("base64.b32decode() with map01")
    if casefold:
        s = s.upper()
    letters, out = s.rstrip(b"="), b""
    if len(s) % 8 or len(s) - len(letters) not in (0, 1, 3, 4, 6) or [c for c in letters if c not in alphabet]:
        _refuse("base64.b32decode() of text that is not well formed")
    for at in range(0, len(letters), 8):
        part, bits = letters[at:at + 8], 0
        for c in part:
            bits = bits << 5 | alphabet.index(c)
        out += (bits << 5 * (8 - len(part))).to_bytes(5, "big")[:len(part) * 5 // 8]
    return out


def b32encode(s):
    return _encoded_32(s, _LETTERS_32)


def b32decode(s, casefold=False, map01=None):
    return _decoded_32(s, _LETTERS_32, casefold, map01)


def b32hexencode(s):
    return _encoded_32(s, _LETTERS_32_HEX)


def b32hexdecode(s, casefold=False):
    return _decoded_32(s, _LETTERS_32_HEX, casefold, None)


def b85encode(b, pad=False):
    b, out = _buffer_of(b, "base64"), []
    gap = -len(b) % 4
    for at in range(0, len(b), 4):
        word = int.from_bytes((b[at:at + 4] + bytes(3))[:4], "big")
        out += [_LETTERS_85[word // 85**power % 85] for power in (4, 3, 2, 1, 0)]
    return bytes(out if pad or not gap else out[:-gap])


def b85decode(b):
    b, out = _bytes_of(b), b""
    gap = -len(b) % 5
    b += b"~" * gap
    for at in range(0, len(b), 5):
        word = 0
        for c in b[at:at + 5]:
            if c not in _LETTERS_85:
                _refuse("base64.b85decode() of text that is not well formed")
            word = word * 85 + _LETTERS_85.index(c)
        if word >= 1 << 32:
            _refuse("base64.b85decode() of text that is not well formed")
        out += word.to_bytes(4, "big")
    return out[:len(out) - gap] if gap else out


def encodebytes(s):
    """Lines of 76 letters."""
    s = _buffer_of(s, "base64")
    return b"".join([b64encode(s[at:at + 57]) + b"\n" for at in range(0, len(s), 57)])


def decodebytes(s):
    return b64decode(_buffer_of(s, "base64"))

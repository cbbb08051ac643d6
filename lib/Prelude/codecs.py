"""codecs: text and bytes by the encodings that str.encode() has."""
from _ptc import _is_opaque, _python_minor
from _ptc_torch import _refuse
from struct import _buffer_of

BOM_UTF8 = b"\xef\xbb\xbf"
BOM = BOM_LE = BOM_UTF16 = BOM_UTF16_LE = b"\xff\xfe"
BOM_BE = BOM_UTF16_BE = b"\xfe\xff"
BOM_UTF32 = BOM_UTF32_LE = b"\xff\xfe\x00\x00"
BOM_UTF32_BE = b"\x00\x00\xfe\xff"


_OF_TEXT = ("utf-8", "utf8", "ascii", "latin-1", "utf-16", "utf-32")


def _failed(how, encoding, problem):
    """As codecs mark the errors that come out of them."""
    text = f"{how} with '{encoding}' codec failed"
    if _python_minor() >= 12:
        problem.add_note(text)
        return problem
    if isinstance(problem, UnicodeError):              # is made of more than a text, and left as it is
        return problem
    wrapped = TypeError(f"{text} (TypeError: {problem})")
    wrapped.__cause__ = problem
    return wrapped


def encode(obj, encoding="utf-8", errors="strict"):
    if _is_opaque(obj) or not isinstance(obj, str):
        _refuse("codecs.encode() of what is no known text")
    try:
        return obj.encode(encoding, errors)
    except UnicodeError as problem:
        raise _failed("encoding", encoding, problem)


def decode(obj, encoding="utf-8", errors="strict"):
    if encoding not in _OF_TEXT and not isinstance(obj, (bytes, bytearray, memoryview)):
        _refuse(f"codecs.decode() by {encoding!r} of what is no bytes")
    try:
        return _buffer_of(obj, "codecs.decode()").decode(encoding, errors)
    except (TypeError, UnicodeError) as problem:
        raise _failed("decoding", encoding, problem)

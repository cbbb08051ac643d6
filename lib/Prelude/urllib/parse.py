"""urllib.parse of text: parts of URLs, and percent encoding."""
from collections import namedtuple as _namedtuple
from _ptc_torch import _refuse

uses_params = ["", "ftp", "hdl", "prospero", "http", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips", "mms", "sftp", "tel"]
uses_netloc = ["", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews", "prospero",
               "rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss", "itms-services"]
scheme_chars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."
_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"
_CONTROLS = "".join([chr(i) for i in range(33)])
_HEX = "0123456789ABCDEFabcdef"


class _Parts:
    """What the parts of a URL say of its host."""
    __slots__ = ()

    def geturl(self):
        return urlunparse(self) if len(self) == 6 else urlunsplit(self)

    def _ptc_user(self):
        info, at, _ = self.netloc.rpartition("@")
        name, colon, password = info.partition(":")
        return (name if at else None), (password if at and colon else None)

    def _ptc_host(self):
        name, _, port = self.netloc.rpartition("@")[2].partition(":")
        return name, port or None

    @property
    def username(self):
        return self._ptc_user()[0]

    @property
    def password(self):
        return self._ptc_user()[1]

    @property
    def hostname(self):
        name = self._ptc_host()[0]
        if not name:
            return None
        name, percent, zone = name.partition("%")
        return name.lower() + percent + zone

    @property
    def port(self):
        port = self._ptc_host()[1]
        if port is None:
            return None
        if not (port.isdigit() and port.isascii()):
            raise ValueError(f"Port could not be cast to integer value as {port!r}")
        if int(port) > 65535:
            raise ValueError("Port out of range 0-65535")
        return int(port)


class SplitResult(_Parts, _namedtuple("SplitResult", "scheme netloc path query fragment")):
    __slots__ = ()


class ParseResult(_Parts, _namedtuple("ParseResult", "scheme netloc path params query fragment")):
    __slots__ = ()


def _text(*values):
    for value in values:
        if not isinstance(value, str):
            _refuse(f"urllib.parse of {type(value).__name__}")


def urlsplit(url, scheme="", allow_fragments=True):
    _text(url, scheme)
    url, scheme = url.lstrip(_CONTROLS), scheme.strip(_CONTROLS)
    for unsafe in "\t\r\n":
        url, scheme = url.replace(unsafe, ""), scheme.replace(unsafe, "")
    netloc = query = fragment = ""
    name, colon, rest = url.partition(":")
    if colon and name and name[0].isascii() and name[0].isalpha() and all([c in scheme_chars for c in name]):
        scheme, url = name.lower(), rest
    if url[:2] == "//":
        end = min([i for i in [url.find(c, 2) for c in "/?#"] if i >= 0], default=len(url))
        netloc, url = url[2:end], url[end:]
        if "[" in netloc or "]" in netloc or not netloc.isascii():
            _refuse("urllib.parse.urlsplit() of a host in brackets, or with other letters than ASCII")
    if allow_fragments:
        url, _, fragment = url.partition("#")
    url, _, query = url.partition("?")
    return SplitResult(scheme, netloc, url, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    scheme, netloc, path, query, fragment = urlsplit(url, scheme, allow_fragments)
    params = ""
    if scheme in uses_params and ";" in path:
        at = path.find(";", path.rfind("/") + 1) if "/" in path else path.find(";")
        if at >= 0:
            path, params = path[:at], path[at + 1:]
    return ParseResult(scheme, netloc, path, params, query, fragment)


def urlunsplit(components):
    scheme, netloc, url, query, fragment = components
    _text(scheme, netloc, url, query, fragment)
    if netloc:
        url = "//" + netloc + ("/" if url and url[:1] != "/" else "") + url
    elif url[:2] == "//" or scheme and scheme in uses_netloc:
        _refuse("urllib.parse.urlunsplit() without a host, which versions write otherwise")
    return (scheme + ":" if scheme else "") + url + ("?" + query if query else "") + ("#" + fragment if fragment else "")


def urlunparse(components):
    scheme, netloc, url, params, query, fragment = components
    return urlunsplit((scheme, netloc, url + ";" + params if params else url, query, fragment))



def _bytes(string, encoding, errors):
    if isinstance(string, str):
        return string.encode(encoding or "utf-8", errors or "strict")
    if encoding is not None:
        raise TypeError("quote() doesn't support 'encoding' for bytes")
    if errors is not None:
        raise TypeError("quote() doesn't support 'errors' for bytes")
    return string


def quote_from_bytes(bs, safe="/"):
    if not isinstance(bs, (bytes, bytearray)):
        raise TypeError("quote_from_bytes() expected bytes")
    kept = _SAFE + (safe if isinstance(safe, str) else bytes(safe).decode("ascii"))
    return "".join([chr(b) if b < 128 and chr(b) in kept else f"%{b:02X}" for b in bs])


def quote(string, safe="/", encoding=None, errors=None):
    if isinstance(string, str) and not string:
        return string
    return quote_from_bytes(_bytes(string, encoding, errors), safe)


def quote_plus(string, safe="", encoding=None, errors=None):
    space = " " if isinstance(safe, str) else b" "
    return quote(string, safe + space, encoding, errors).replace(" ", "+")


def unquote(string, encoding="utf-8", errors="replace"):
    if isinstance(string, bytes):
        _refuse("urllib.parse of bytes")
    if "%" not in string:
        return string.split and string    # what has no text is an AttributeError
    _text(string)
    encoding = "utf-8" if encoding is None else encoding
    errors = "replace" if errors is None else errors
    if encoding.lower() not in ("utf-8", "utf8"):
        _refuse("urllib.parse.unquote() of another encoding than UTF-8")
    parts = string.split("%")
    out, run = [parts[0]], []
    for part in parts[1:]:
        if len(part) >= 2 and part[0] in _HEX and part[1] in _HEX:
            run.append(int(part[:2], 16))
            rest = part[2:]
        else:
            rest = "%" + part
        if rest and run:
            out.append(bytes(run).decode("utf-8", errors))
            run = []
        out.append(rest)
    if run:
        out.append(bytes(run).decode("utf-8", errors))
    return "".join(out)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    _text(string)
    return unquote(string.replace("+", " "), encoding, errors)


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    def coded(value):
        return quote_via(value if isinstance(value, bytes) else str(value), safe, *(() if isinstance(value, bytes) else (encoding, errors)))
    if hasattr(query, "items"):
        query = query.items()
    else:
        try:
            is_sequence = not len(query) or isinstance(query[0], tuple)
        except (TypeError, IndexError):
            is_sequence = False
        if not is_sequence:
            raise TypeError("not a valid non-string sequence or mapping object")
    pairs = []
    for key, value in query:
        several = doseq and not isinstance(value, (str, bytes)) and hasattr(value, "__iter__")
        pairs += [f"{coded(key)}={coded(v)}" for v in (value if several else (value,))]
    return "&".join(pairs)

"""urllib.parse: parts of URLs and percent encoding."""
from urllib.parse import ParseResult, SplitResult, quote, quote_plus, unquote, unquote_plus, urlencode, urlparse, urlsplit, urlunparse, urlunsplit


def said(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except Exception as e:
        return type(e).__name__, str(e)


URLS = ["https://huggingface.co", "http://user:pa:ss@Host.Example:8080/a/b;p=1/c;q?x=1&y=2#frag#2", "a/b?c", "//host/path", "mailto:me@x.org", "", "  https://x\n.y/\tz",
        "file:///etc/x", "HTTP://A", "1http://a/b", "http:a", "http://@h:/", "http://h:99999/", "http://h:port/", "x-y+z.1://q?r#s", "http://u@:1", "/a;b", "c:d:e", "?#", "#a?b",
        "http://h%Eth:1/"]
for url in URLS:
    parts = urlsplit(url)
    print(repr(url), tuple(parts), parts.username, parts.password, parts.hostname, said(lambda: parts.port), tuple(urlparse(url)))
print(urlsplit("a#b", allow_fragments=False), urlsplit("a", "ftp"), urlsplit("//h/a", scheme="ftp").geturl())
print(isinstance(urlsplit("a"), SplitResult), isinstance(urlparse("a"), ParseResult), urlparse("http://a/b;c?d#e"), urlsplit("http://a").path == "")
for url in URLS[:3] + ["x:?a", "http://h", "q:/a//b"]:
    print(urlunsplit(urlsplit(url)), urlunparse(urlparse(url)), urlsplit(url)._replace(query="k").geturl())
print(urlunsplit(("http", "h", "a", "", "")), urlunparse(("http", "h", "", "p", "", "f")))
TEXTS = ["", "a b/c", "ä€𝄞", "~-_.!*'()", "100%", "%41%zz%4", "a+b%20c", "%E2%82%AC%ff%e2x", "\x00\x7f", "a=b&c"]
for text in TEXTS:
    print(repr(quote(text)), repr(quote(text, safe="")), repr(quote_plus(text)), repr(unquote(text)), repr(unquote_plus(text)))
print(quote(b"a\xff/"), quote("ä", encoding="latin-1"), quote("a/b", ""), said(quote, 3), said(quote, b"a", encoding="utf-8"), quote("€", errors="replace"))
print(urlencode({"a": 1, "b c": "ä&", "d": None}), urlencode([("x", [1, 2]), ("y", "zz")], doseq=True), urlencode([("x", [1, 2])]), urlencode({"a": b"\xff b"}, quote_via=quote))
print(said(urlencode, "abc"), urlencode({"p": "a/b"}, safe="/"))

"""hashlib: MD5 (RFC 1321), SHA-1 and SHA-2 (FIPS 180-4) of what is known when the program is compiled."""
from _ptc_torch import _refuse
from math import isqrt as _isqrt, sin as _sin
from struct import _buffer_of

# Of one digest: each byte costs some ten thousand steps of the analyser.
_MOST_BYTES = 64 << 10


def _primes(count):
    found = []
    n = 2
    while len(found) < count:
        if all([n % p for p in found]):
            found.append(n)
        n += 1
    return found


def _root_bits(prime, degree, bits):
    """The first bits behind the point of a prime's square or cube root."""
    if degree == 2:
        return _isqrt(prime << 2 * bits) & ((1 << bits) - 1)
    scaled = prime << 3 * bits
    low, high = 0, 8 << bits
    while low < high:
        middle = (low + high + 1) // 2
        if middle**3 <= scaled:
            low = middle
        else:
            high = middle - 1
    return low & ((1 << bits) - 1)


_tables = {}


def _table(name, make):
    if name not in _tables:
        _tables[name] = make()
    return _tables[name]


def _padded(data, block, order):
    """The message, a bit, zeros, and its length in bits."""
    length = block // 8
    return data + b"\x80" + bytes((-len(data) - 1 - length) % block) + (8 * len(data)).to_bytes(length, order)


def _words(data, at, count, width, order):
    return [int.from_bytes(data[at + width * n:at + width * (n + 1)], order) for n in range(count)]


def _md5(data, _):
    sines = _table("md5", lambda: [int(abs(_sin(n + 1)) * 2**32) for n in range(64)])
    turns = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
    state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476]
    data = _padded(data, 64, "little")
    for at in range(0, len(data), 64):
        words = _words(data, at, 16, 4, "little")
        a, b, c, d = state
        for n in range(64):
            part = n // 16
            if part == 0:
                mixed, which = (b & c) | (~b & d), n
            elif part == 1:
                mixed, which = (d & b) | (~d & c), (5 * n + 1) % 16
            elif part == 2:
                mixed, which = b ^ c ^ d, (3 * n + 5) % 16
            else:
                mixed, which = c ^ (b | (~d & 0xFFFFFFFF)), 7 * n % 16
            mixed = (mixed + a + sines[n] + words[which]) & 0xFFFFFFFF
            turn = turns[part][n % 4]
            a, d, c, b = d, c, b, (b + (mixed << turn | mixed >> (32 - turn))) & 0xFFFFFFFF
        state = [(old + new) & 0xFFFFFFFF for old, new in zip(state, (a, b, c, d))]
    return b"".join([word.to_bytes(4, "little") for word in state])


def _sha1(data, _):
    def turned(word, by):
        return (word << by | word >> (32 - by)) & 0xFFFFFFFF

    state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]
    data = _padded(data, 64, "big")
    for at in range(0, len(data), 64):
        words = _words(data, at, 16, 4, "big")
        for n in range(16, 80):
            words.append(turned(words[n - 3] ^ words[n - 8] ^ words[n - 14] ^ words[n - 16], 1))
        a, b, c, d, e = state
        for n in range(80):
            if n < 20:
                mixed = ((b & c) | (~b & d)) + 0x5A827999
            elif n < 40:
                mixed = (b ^ c ^ d) + 0x6ED9EBA1
            elif n < 60:
                mixed = ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC
            else:
                mixed = (b ^ c ^ d) + 0xCA62C1D6
            a, b, c, d, e = (turned(a, 5) + mixed + e + words[n]) & 0xFFFFFFFF, a, turned(b, 30), c, d
        state = [(old + new) & 0xFFFFFFFF for old, new in zip(state, (a, b, c, d, e))]
    return b"".join([word.to_bytes(4, "big") for word in state])


# Of SHA-2 with words of 32 and 64 bits: rounds, and the turns and shifts of its four mixing functions.
_FORMS = {32: (64, ((2, 13, 22), (6, 11, 25), (7, 18, 3), (17, 19, 10))),
          64: (80, ((28, 34, 39), (14, 18, 41), (1, 8, 7), (19, 61, 6)))}


def _sha2(data, name):
    bits = 32 if name in ("sha224", "sha256") else 64
    rounds, (big_a, big_e, small_0, small_1) = _FORMS[bits]
    mask = (1 << bits) - 1

    def turned(word, by):
        return (word >> by | word << (bits - by)) & mask

    def mixed(word, by):
        return turned(word, by[0]) ^ turned(word, by[1]) ^ turned(word, by[2])

    def spread(word, by):
        return turned(word, by[0]) ^ turned(word, by[1]) ^ (word >> by[2])

    constants = _table(f"rounds {bits}", lambda: [_root_bits(prime, 3, bits) for prime in _primes(rounds)])
    if name in ("sha256", "sha512"):
        state = _table(name, lambda: [_root_bits(prime, 2, bits) for prime in _primes(8)])
    else:          # of the ninth to sixteenth prime; 224: the lower half of 64 bits
        state = _table(name, lambda: [_root_bits(prime, 2, 64) & mask for prime in _primes(16)[8:]])
    block = 2 * bits
    data = _padded(data, block, "big")
    for at in range(0, len(data), block):
        words = _words(data, at, 16, bits // 8, "big")
        for n in range(16, rounds):
            words.append((words[n - 16] + spread(words[n - 15], small_0) + words[n - 7] + spread(words[n - 2], small_1)) & mask)
        a, b, c, d, e, f, g, h = state
        for n in range(rounds):
            first = h + mixed(e, big_e) + ((e & f) ^ (~e & g)) + constants[n] + words[n]
            second = mixed(a, big_a) + ((a & b) ^ (a & c) ^ (b & c))
            a, b, c, d, e, f, g, h = (first + second) & mask, a, b, c, (d + first) & mask, e, f, g
        state = [(old + new) & mask for old, new in zip(state, (a, b, c, d, e, f, g, h))]
    return b"".join([word.to_bytes(bits // 8, "big") for word in state])


# Function, bytes of a digest, bytes of a block, class in CPython.
_KINDS = {"md5": (_md5, 16, 64), "sha1": (_sha1, 20, 64), "sha224": (_sha2, 28, 64), "sha256": (_sha2, 32, 64),
          "sha384": (_sha2, 48, 128), "sha512": (_sha2, 64, 128)}


class _Hash:
    _ptc_known_as = "_hashlib.HASH"

    def __init__(self, name, pieces):
        self._ptc_pieces, self._ptc_size, self.name = [], 0, name
        for piece in pieces:
            self.update(piece)
        self._ptc_make, self.digest_size, self.block_size = _KINDS[name]

    def update(self, obj, /):
        piece = _bytes_of(obj)
        self._ptc_size += len(piece)
        if self._ptc_size > _MOST_BYTES:
            _refuse(f"hashlib: a digest of more than {_MOST_BYTES >> 10} KiB")
        self._ptc_pieces.append(piece)

    def digest(self):
        return self._ptc_make(b"".join(self._ptc_pieces), self.name)[:self.digest_size]

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        return _Hash(self.name, self._ptc_pieces)


def _bytes_of(given):
    return _buffer_of(given, "a digest", "Strings must be encoded before hashing" if isinstance(given, str) else "object supporting the buffer API required")


def new(name, data=b"", *, usedforsecurity=True):
    kind = name.lower()
    if kind not in _KINDS:
        _refuse(f"hashlib.new({name!r})")
    return _Hash(kind, [data])


def md5(string=b"", *, usedforsecurity=True):
    return _Hash("md5", [string])


def sha1(string=b"", *, usedforsecurity=True):
    return _Hash("sha1", [string])


def sha224(string=b"", *, usedforsecurity=True):
    return _Hash("sha224", [string])


def sha256(string=b"", *, usedforsecurity=True):
    return _Hash("sha256", [string])


def sha384(string=b"", *, usedforsecurity=True):
    return _Hash("sha384", [string])


def sha512(string=b"", *, usedforsecurity=True):
    return _Hash("sha512", [string])

"""Module re: patterns, matches, replacements, errors."""
import re, copy, sys
print(f'{re.I}', format(re.I|re.M,''), str(re.I|re.M), repr(re.I|re.M), repr(re.RegexFlag(0)), repr(re.RegexFlag(1024)), repr(re.RegexFlag(1026)))
print(repr(re.compile('a', re.I)), repr(re.compile(b'a')), re.compile('a').flags, repr(re.match('a', 'a')), type(re.compile('')), type(re.finditer('', '')))
for text in ('(', 'a\n('):
    try:
        re.compile(text)
    except re.error as e:
        print(str(e), e.msg, e.pos, repr(e.pattern), e.lineno, e.colno, e.args)
FAILING = (
    lambda: re.match('a', 'a').group(1), lambda: re.match('a', 'a').group('x'), lambda: re.match('a', 5), lambda: re.match('a', b'a'),
    lambda: re.match(b'a', 'a'), lambda: re.sub('a', 5, 'a'), lambda: re.sub('a', b'x', 'a'), lambda: re.sub('a', lambda m: 5, 'a'),
    lambda: re.compile(5), lambda: re.compile(re.compile('a'), re.I), lambda: re.match('a', 'a').start(3), lambda: re.Pattern(),
    lambda: re.match('(a)', 'a')[2], lambda: re.sub('(a)', r'\2', 'a'), lambda: re.sub('(a)', r'\g<x>', 'a'), lambda: re.sub('a', 'b', 5),
    lambda: re.match('a', 'a').expand(5), lambda: re.split('a', b'a'), lambda: type('X', (re.Pattern,), {}), lambda: re.match('a', 'a').start('q'),
    lambda: re.match('a', 'a').group(1.5), lambda: re.escape(5), lambda: re.match('a', 'a').group(10**30), lambda: setattr(re.compile('a'), 'flags', 1),
    lambda: re.sub('x', r'\q', 'a'), lambda: re.compile('[b-a]'), lambda: re.compile('a{99999999999}'), lambda: re.compile('a', re.A | re.U))
for n, f in enumerate(FAILING):
    try:
        print(n, f())
    except Exception as e:
        print(n, 'error' if isinstance(e, re.error) else type(e).__name__, e)
print(re.sub('a', lambda m: None, 'xay'), re.compile('a').sub('b', 'a', count=0), re.compile('a').match(string='a', pos=0, endpos=5))
p = re.compile(r'(?P<k>\w+)=(?P<v>[^;]*)(;)?')
m = p.search('  alpha=1;beta=2')
print(m.group(), m.group('k', 'v', 3), m.groups(), m.groupdict(), m.start('v'), m.end(), m.span('k'), m.lastindex, m.lastgroup, m.pos, m.endpos, m.string, m.re is p, m.regs, m['k'], m[2])
print([x.groups('-') for x in p.finditer('a=1;b=2')], p.findall('a=1;b=2'), re.findall('a', 'banana'), re.findall('(a)n', 'banana'))
print(p.groupindex, dict(p.groupindex), p.groups, p.pattern, p == re.compile(p.pattern), hash(p) == hash(re.compile(p.pattern)), copy.copy(p) is p, copy.deepcopy(p) is p)
print(re.sub(r'(\w)(\d)?', r'<\1\2>', 'a1b'), re.subn('x*', '-', 'abxd'), re.sub('a', r'\n', 'a'), re.sub('(?P<q>a)', r'\g<q>\g<0>\g<1>', 'ba'), re.sub('a', lambda m: m.group().upper(), 'banana', 2), re.sub('a', 'b', 'aaa', count=1))
print(re.split(r'[,;]\s*', 'a, b;c'), re.split('(,)', 'a,b'), re.split('x*', 'axbc'), re.split(',', 'a,b,c', 1), re.split(',', 'abc'))
print(re.escape('a.b*c-d e'), re.escape(b'a.b'), re.fullmatch('a+', 'aaa'), re.fullmatch('a+', 'aab'), bool(re.match('a', 'a')))
print([isinstance(p, re.Pattern), isinstance(m, re.Match), re.Pattern.__name__, re.Pattern.__module__, re.Match[str], re.purge()])
class S(str): pass
print(type(re.match('a', S('abc')).string), type(re.match('a', S('abc')).group()), type(re.sub('x','y',S('abc'))), re.match(b'a', bytearray(b'abc')).group())
blocks = re.compile(r'^blocks\.(\d+)')
print([int(b.group(1)) if (b := blocks.match(n)) else None for n in ('blocks.12.attn', 'stem.conv', 'blocks.3')])
print(m.expand(r'\g<v>-\1'), re.compile('(a)|b').match('b').expand(r'[\1]'))
it = re.finditer('a', 'aa'); print(next(it), next(it), next(it, 'end'))
print(re.I | re.M == re.RegexFlag(10), re.compile('a', re.I | re.X).flags, re.compile('(?i)a').flags, re.I in re.RegexFlag(6), int(re.S))
print({re.compile("a"): 1}[re.compile("a")])
m = re.match('(a)(b)?', 'ab')
for f in (lambda: iter(m), lambda: 'a' in m, lambda: [*m]):
    try:
        print(f())
    except TypeError as e:
        print(type(e).__name__, 'iterable' in str(e))
print(re.match('.*', 'x' * 60))
data = bytearray(b'abc')
m = re.match(b'(a)(b)', data)
data[0] = 122
print(m.group(), m.groups(), re.split(b'x', data), type(re.split('x', S('abc'))[0]))
# A possessive repetition with groups, none of which is met twice, is right from 3.12 on.
found = [('1', '2.3.4', None, None), (None, '5', '.dev6', '6'), (None, '7', 'dev', None), (None, '8', None, None)]
if sys.version_info >= (3, 12):
    version = re.compile(r'(?:(?P<e>[0-9]++)!)?+(?P<r>[0-9]++(?:\.[0-9]++)*+)(?P<d>\.?+dev(?P<n>[0-9]++)?+)?+')
    matches = [version.match(s) for s in ('1!2.3.4', '5.dev6', '7dev', '8.')]
    print([m.groups() for m in matches] == found)
else:
    print(True)

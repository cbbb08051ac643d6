"""textwrap: lines of words, hyphens and dashes."""
import textwrap

TEXTS = ["a well-known state-of-the-art thing that is long-winded", "pre-trained model -- the best--ever, isn't it? x-y 3-4 a1-b2 multi-head-self-attention", "tabs\tand\nlines  of   text ",
         "supercalifragilistic-expialidocious " * 2, "--option=value -x ---- a--b", "  leading and trailing  ", "", "one", "word " * 12, "e-mail co-op re-enter o-o-o"]
for text in TEXTS:
    for width in (8, 15, 30, 70):
        print(textwrap.wrap(text, width, break_long_words=False), textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False))
    print(textwrap.wrap(text, 36), textwrap.wrap(text, 50, break_on_hyphens=False))
    for options in ({"initial_indent": "* ", "subsequent_indent": "  "}, {"drop_whitespace": False}, {"replace_whitespace": False}, {"expand_tabs": False},
                    {"max_lines": 2}, {"max_lines": 1, "placeholder": "..."}, {"tabsize": 2}):
        print(options, textwrap.wrap(text, 20, break_long_words=False, **options))
    print(repr(textwrap.fill(text, 40)), repr(textwrap.shorten(text, 18)), repr(textwrap.shorten(text, 30, placeholder="~")))
wrapper = textwrap.TextWrapper(width=12, initial_indent="> ")
print(wrapper.wrap(TEXTS[0]), repr(wrapper.fill(TEXTS[1])), wrapper.width)
wrapper.width = 30
print(wrapper.wrap(TEXTS[0]))
for wrong in (lambda: textwrap.wrap("a", 0), lambda: textwrap.wrap("a b", 3, max_lines=1)):
    try:
        print(wrong())
    except ValueError as e:
        print(e)

"""Where the elements of a result lie: einsum, convolutions and pools along one dimension, channels-last pictures."""
import torch
import torch.nn.functional as F

EQUATIONS = ("i,j->ij", "i,j->ji", "td,d->td", "td,d->dt", "bd,dn->bdn", "bd,nd->bdn", "ab,cd->acbd", "bhi,hj->bhij",
             "blh,bhd->blhd", "bnc,bmc->bmn", "bchw,bnc->bnhw", "abc,cd->dab", "ij,jk->ik", "ij,jk->ki", "bij,bjk->bik",
             "bhqd,bhkd->bhqk", "bqhd,bkhd->bhqk", "ii->i", "ii", "ij->", "ij->ji", "ij,ij->", "ij,ij->i",
             "bi,bj,bk->bijk", "ab,bc,cd->ad", "...ij,...jk->...ik", "...i,i->...", "i...,ij->...j", "a,b,c->cab",
             "bld,dn->bldn", "bij,jk,kl->bil", "ab,ab->ba", "abc,abd->dc", "abcd,cd->ba", "aij,ajk->ik", "ab,c->", "ab->b")
SIZES = {c: 2 + i % 4 for i, c in enumerate("abcdhijklmnqtw")}


def made(first: int, sizes):
    count = 1
    for n in sizes:
        count *= n
    return (torch.arange(first, first + count) % 13 - 6.0).reshape(sizes)


def products(first: int):
    out = []
    for equation in EQUATIONS:
        terms = equation.split("->")[0].split(",")
        operands = []
        for term in terms:
            sizes = []
            for c in term.replace("...", "."):
                sizes += [2, 3] if c == "." else [SIZES[c]]
            operands.append(made(first, sizes))
        y = torch.einsum(equation, *operands)
        out.append((y, y.stride(), y.is_contiguous()))
    return out


def lines(first: int):
    out = []
    for channels in (1, 3):
        x = made(first, [2, 12, channels]).transpose(1, 2)
        w = made(first, [4, channels, 3])
        for y in (F.conv1d(x, w), F.conv1d(x, made(first, [4, 3, channels]).transpose(1, 2)), F.conv1d(x, w, padding="same"),
                  F.avg_pool1d(x, 3), F.max_pool1d(x, 3), F.adaptive_avg_pool1d(x, 4),
                  F.max_pool1d(x, 3, return_indices=True)[0], F.conv1d(x[0], w)):
            out.append((y, y.stride()))
        out.append(F.avg_pool1d(x, 3).transpose(1, 2).reshape(2, -1))
    return out


def pictures(first: int):
    out = []
    x = made(first, [2, 4, 4, 6]).contiguous(memory_format=torch.channels_last)
    for y in (F.pad(x, (1, 1, 1, 1), mode="circular"), F.pad(x, (1, 1, 1, 1), mode="reflect"), F.pixel_unshuffle(x, 2),
              F.pixel_shuffle(x, 2), F.channel_shuffle(x, 2)):
        out.append((y, y.stride()))
    for batch in (1, 2):
        v = made(first, [batch, 2, 4, 4, 4]).contiguous(memory_format=torch.channels_last_3d)
        for y in (F.conv3d(v, made(first, [3, 2, 2, 2, 2])), F.conv3d(v, made(first, [3, 2, 1, 1, 1])), F.avg_pool3d(v, 2),
                  F.max_pool3d(v, 2), F.conv3d(v.double(), made(first, [3, 2, 2, 2, 2]).double())):
            out.append((y, y.stride()))
    return out


def entry(first: int):
    return products(first), lines(first), pictures(first)

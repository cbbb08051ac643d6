"""Functions of torch that are composed of operations: resizing, divisors, distinct slices, histograms, greatest so far."""
import torch
import torch.nn.functional as F


def _image(x):
    return (x.sin().view(1, 1, 1, 3) * torch.arange(1.0, 5.0).view(1, 1, 4, 1)).repeat(2, 3, 1, 2)


def _orders(t):
    return t.is_contiguous(), [t.is_contiguous(memory_format=f) for f in (torch.contiguous_format, torch.channels_last, torch.channels_last_3d)]


def cubic(x):
    image = _image(x)
    wide = F.interpolate(image.contiguous(memory_format=torch.channels_last), scale_factor=1.7, mode="bicubic")
    return F.interpolate(image, (7, 5), mode="bicubic"), F.interpolate(image, (7, 5), mode="bicubic", align_corners=True), wide, \
        _orders(wide), _orders(image), _orders(image[:, :1]), _orders(wide[:, :, :0])


def lines_and_volumes(x):
    image = _image(x)
    volume = torch.stack([image, image * 2 + 1], 2)
    return F.interpolate(image[0], 10, mode="linear"), F.interpolate(image[0], scale_factor=0.6, mode="linear", align_corners=True), \
        F.interpolate(volume, (3, 5, 4), mode="trilinear"), F.interpolate(volume, scale_factor=2, mode="trilinear", align_corners=True), \
        F.interpolate(volume, (3, 5, 4)), F.interpolate(image, (3, 8), mode="nearest-exact")


def divisors(x):
    a = (x * 12).long()
    b = torch.tensor([[18], [-4], [0]])
    return torch.gcd(a, b), torch.lcm(a, b), torch.gcd(a.to(torch.int16), a.flip(0).to(torch.int16)), a.lcm(a.roll(1))


def divisors_of_bytes(x):
    """All pairs: the product may leave the type."""
    a = torch.arange(-128, 128).to(torch.int8) + (x[:1] * 0).to(torch.int8)
    return torch.lcm(a[:, None], a), torch.gcd(a[:, None], a), torch.lcm(a.to(torch.int16) * 201, a.flip(0).to(torch.int16) * 255)


def distinct(x):
    rows = torch.stack([x, x.flip(0), x, x.round(), x.round()]).long()
    return torch.unique(rows, dim=0, return_inverse=True, return_counts=True), rows.unique(dim=1), \
        torch.unique_consecutive(rows, return_inverse=True, return_counts=True), \
        rows.unique_consecutive(return_counts=True, dim=0), torch.unique_consecutive((x > 1).repeat(2))


def distinct_elements(x):
    rows = torch.stack([x, x.flip(0), x.round(), x])
    return torch.unique(rows), rows.unique(return_inverse=True, return_counts=True), torch.unique((x * 4).long(), return_counts=True), \
        (x > 1).unique(return_inverse=True), torch.unique(x[:0]), torch.unique(torch.stack([x / 0, x])[:, 1:], return_counts=True)


def views_as_other_types(x):
    bits, y = x.view(torch.int32), x.clone()
    y.view(torch.int32)[1:].add_(1)
    return bits, (bits & 0x7FFFFFFF).view(torch.float32), torch.stack([x, x + 1], 1).view(torch.int64), x.view(torch.uint8), \
        x.view(torch.uint8)[4:8].view(torch.float32) * 2, x.view(torch.int16).view(torch.float16).isnan(), y


def histograms(x):
    return torch.histc(x, 4), x.histc(3, -2, 2), torch.histc(x.double(), bins=5, min=0, max=30), torch.histc(torch.cat([x, x / 0]), 2, 0, 1)


def so_far(x):
    rows = torch.stack([x, x.flip(0), torch.where(x > 1, x, torch.nan), x.sign()])
    high, where = torch.cummax(rows, 0)
    return high, where, rows.cummin(1).values, rows.cummin(dim=-1).indices, torch.cummax(x.long(), 0)


def flags_of_operations(x):
    """Flags that the data decides: of which operation, with a result of which shape."""
    q = x[None, :, None] * torch.tensor([0.5, 1.0])
    rises = bool(x[0] < x[1])
    return F.scaled_dot_product_attention(q, q + 1, q * q, is_causal=rises), x.sort(descending=rises).values, x.sum(0, keepdim=not rises)

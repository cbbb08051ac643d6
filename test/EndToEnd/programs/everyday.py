"""What people write around a model: samplers, schedules, trackers, searches, caches, filters, losses, decoders."""
import heapq
import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache, partial, reduce
from itertools import accumulate, chain, product

import torch
import torch.nn.functional as F


# Sampling and decoding ------------------------------------------------------------------------------

def top_p(x, p=0.9, temperature=0.7):
    probs = F.softmax(x / temperature, dim=-1)
    ordered, places = torch.sort(probs, descending=True, stable=True)
    keep = ordered.cumsum(-1) - ordered < p
    kept = torch.where(keep, ordered, torch.zeros_like(ordered))
    return torch.zeros_like(probs).scatter(0, places, kept / kept.sum()), int(keep.sum())


def repetition_penalty(x):
    logits = x.clone()
    seen = []
    for _ in range(4):
        token = int(logits.argmax())
        seen.append(token)
        for t in seen:
            logits[t] = logits[t] / 1.5 if logits[t] > 0 else logits[t] * 1.5
    return seen, logits


def until_end_token(x, end=2, most=6):
    table = torch.arange(9.0).reshape(3, 3) / 4
    out, token = [0], 0
    while len(out) < most:
        token = (table[token] * x).argmax().item()
        if token == end:
            break
        out.append(token)
    return out, len(out), torch.tensor(out)


@dataclass(order=True)
class _Beam:
    score: float
    tokens: tuple = field(compare=False, default=())
    done: bool = field(compare=False, default=False)


def beam_search(x, width=2, steps=3):
    step = torch.log_softmax(torch.outer(x, torch.tensor([1.0, -0.5, 0.25])), -1)
    beams = [_Beam(0.0, (0,))]
    for _ in range(steps):
        grown = [_Beam(b.score + step[b.tokens[-1], t].item(), b.tokens + (t,)) for b in beams for t in range(3)]
        beams = sorted(grown, reverse=True)[:width]
    return [b.tokens for b in beams], torch.tensor([b.score for b in beams])


def ctc_collapse(x, blank=0):
    best = [int(v) % 3 for v in (x * 4).tolist()] + [1, 1, 0, 2]
    out, last = [], None
    for c in best:
        if c != last and c != blank:
            out.append(c)
        last = c
    return out


def viterbi(x):
    trans = torch.tensor([[0.5, -0.25], [-1.0, 0.25]])
    score, back = torch.stack([x[0], -x[0]]), []
    for v in x[1:]:
        total = score[:, None] + trans
        score, frm = total.max(0)
        score = score + torch.stack([v, -v])
        back.append(frm)
    path = [int(score.argmax())]
    for frm in reversed(back):
        path.append(int(frm[path[-1]]))
    return path[::-1], score.max()


def rnn_decoder(x):
    torch.manual_seed(0)
    w, u = torch.arange(9.0).reshape(3, 3) / 10 - 0.4, torch.eye(3) * 0.5
    h, ys = torch.zeros(3), []
    for t in range(8):
        h = torch.tanh(h @ w + x @ u)
        ys.append(h)
        if h.norm() < 0.1 or (t > 2 and (ys[-1] - ys[-2]).abs().max() < 0.05):
            break
    return torch.stack(ys), len(ys)


# Caches ------------------------------------------------------------------------------------------------

class _RingCache:
    def __init__(self, size):
        self.data, self.size, self.at, self.full = torch.zeros(size, 3), size, 0, False

    def push(self, v):
        self.data[self.at] = v
        self.at = (self.at + 1) % self.size
        self.full = self.full or self.at == 0

    def view(self):
        return torch.cat([self.data[self.at:], self.data[:self.at]]) if self.full else self.data[:self.at]


_ring = _RingCache(3)


def ring_cache(x):
    _ring.push(x)
    seen = _ring.view()
    return seen.mean(0), seen.shape[0]


def kv_cache(x):
    keys = torch.zeros(0, 3)
    outs = []
    for i in range(4):
        keys = torch.cat([keys, (x + i)[None]])
        if keys.shape[0] > 2:
            keys = keys[-2:]
        weights = F.softmax(keys @ x / math.sqrt(3), 0)
        outs.append(weights @ keys)
    return torch.stack(outs), keys


@lru_cache(maxsize=None)
def _frequencies(n):
    return tuple(10000.0 ** (-2 * i / n) for i in range(n // 2))


def rotary(x):
    angles = torch.tensor([[p * f for f in _frequencies(6)] for p in range(2)])
    y = torch.cat([x, -x]).reshape(2, 3)
    return y * angles.cos() + y.flip(-1) * angles.sin()


# Training ------------------------------------------------------------------------------------------------

@dataclass
class _AdamState:
    step: int = 0
    m: torch.Tensor = None
    v: torch.Tensor = None


_adam = _AdamState()


def adam_step(x, lr=0.1, b1=0.9, b2=0.999, eps=1e-8):
    s = _adam
    if s.m is None:
        s.m, s.v = torch.zeros(3), torch.zeros(3)
    s.step += 1
    s.m = b1 * s.m + (1 - b1) * x
    s.v = b2 * s.v + (1 - b2) * x * x
    rate = lr * (1 - b2 ** s.step) ** 0.5 / (1 - b1 ** s.step)
    return -rate * s.m / (s.v.sqrt() + eps), s.step


class _Plateau:
    def __init__(self, lr=1.0, patience=1, factor=0.5):
        self.lr, self.patience, self.factor = lr, patience, factor
        self.best, self.bad, self.log = math.inf, 0, 0

    def step(self, loss):
        if loss < self.best - 1e-3:
            self.best, self.bad = loss, 0
        else:
            self.bad += 1
            if self.bad > self.patience:
                self.lr, self.bad = max(self.lr * self.factor, 1e-2), 0
                self.log += 1
        return self.lr


_plateau = _Plateau()


def plateau_schedule(x):
    return _plateau.step(x.square().mean().item()), _plateau.bad, _plateau.log


_steps = 0


def warmup_cosine(x, warmup=3, total=8):
    global _steps
    _steps += 1
    if _steps < warmup:
        scale = _steps / warmup
    else:
        done = min(1.0, (_steps - warmup) / (total - warmup))
        scale = 0.5 * (1 + math.cos(math.pi * done))
    return x * scale, round(scale, 4)


class _Stopper:
    def __init__(self, patience):
        self.patience, self.best, self.count = patience, None, 0

    def __call__(self, value):
        if self.best is None or value < self.best:
            self.best, self.count = value, 0
        else:
            self.count += 1
        return self.count >= self.patience


_stopper = _Stopper(2)


def early_stopping(x):
    stop = _stopper(x.abs().sum().item())
    print(f"best {_stopper.best:.3f} after {_stopper.count}")
    return stop, _stopper.best


def clip_by_norm(x, most=1.0):
    grads = [x, x.mean().reshape(1), x[:2] * 2]
    norm = torch.sqrt(sum(g.pow(2).sum() for g in grads))
    scale = most / (norm + 1e-6)
    if scale < 1:
        grads = [g * scale for g in grads]
    return grads, norm


# Trackers and filters ------------------------------------------------------------------------------------

class _Running:
    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def update(self, v):
        self.n += 1
        d = v - self.mean
        self.mean += d / self.n
        self.m2 += d * (v - self.mean)

    @property
    def std(self):
        return math.sqrt(self.m2 / (self.n - 1)) if self.n > 1 else 0.0


_running = _Running()


def running_statistics(x):
    for v in x.tolist():
        _running.update(v)
    return round(_running.mean, 3), round(_running.std, 2), _running.n


def kalman(x, q=0.01, r=0.5):
    state, p, out = 0.0, 1.0, []
    for z in x:
        p = p + q
        k = p / (p + r)
        state = state + k * (z.item() - state)
        p = (1 - k) * p
        out.append(state)
    return torch.tensor(out), p


class _Mode(Enum):
    IDLE = "idle"
    ACTIVE = "active"
    COOL = "cool"


_mode = _Mode.IDLE


def hysteresis(x):
    global _mode
    level = x.max().item()
    if _mode is _Mode.IDLE and level > 3:
        _mode = _Mode.ACTIVE
    elif _mode is _Mode.ACTIVE and level < 2:
        _mode = _Mode.COOL
    elif _mode is _Mode.COOL:
        _mode = _Mode.IDLE
    return {_Mode.IDLE: x, _Mode.ACTIVE: x * 2, _Mode.COOL: -x}[_mode], _mode.value, _mode.name


def pid(x, kp=0.5, ki=0.1, kd=0.05):
    integral, last, value, trace = 0.0, 0.0, 0.0, []
    for target in x.tolist():
        error = target - value
        integral = max(-2.0, min(2.0, integral + error))
        value += kp * error + ki * integral + kd * (error - last)
        last = error
        trace.append(round(value, 3))
    return trace


def median_filter(x, k=3):
    padded = F.pad(x[None, None], (k // 2, k // 2), mode="replicate")[0, 0]
    return padded.unfold(0, k, 1).median(-1).values, sorted(x.tolist())[len(x) // 2]


# Losses and metrics --------------------------------------------------------------------------------------

def focal_loss(x, gamma=2.0, alpha=0.25, reduction="mean"):
    target = (x > 0).float()
    ce = F.binary_cross_entropy_with_logits(x, target, reduction="none")
    p = torch.exp(-ce)
    loss = (alpha * target + (1 - alpha) * (1 - target)) * (1 - p) ** gamma * ce
    return {"mean": loss.mean, "sum": loss.sum}.get(reduction, lambda: loss)()


def hard_triplets(x, margin=0.2):
    e = F.normalize(torch.stack([x, x + 1, 1 - x, x * x]), dim=1)
    d = torch.cdist(e, e)
    labels = torch.tensor([0, 0, 1, 1])
    same = labels[:, None] == labels[None, :]
    worst = (d * (same & ~torch.eye(4, dtype=torch.bool))).max(1).values
    best = d.masked_fill(same, float("inf")).min(1).values
    return F.relu(worst - best + margin).mean()


def f1_score(x):
    predicted, wanted = x > 0, torch.tensor([True, False, True])
    tp = (predicted & wanted).sum().item()
    fp = (predicted & ~wanted).sum().item()
    fn = (~predicted & wanted).sum().item()
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return {"precision": precision, "recall": recall, "f1": round(f1, 4)}


def confusion(x, classes=3):
    predicted = (x.abs() % classes).long()
    wanted = torch.tensor([0, 1, 2])
    matrix = torch.bincount(wanted * classes + predicted, minlength=classes ** 2).reshape(classes, classes)
    return matrix, (matrix.diagonal().sum() / matrix.sum()).item()


# Detection -----------------------------------------------------------------------------------------------

def _iou(a, b):
    left, right = torch.maximum(a[:2], b[:2]), torch.minimum(a[2:], b[2:])
    inside = (right - left).clamp(min=0).prod()
    area = lambda v: (v[2] - v[0]) * (v[3] - v[1])
    return inside / (area(a) + area(b) - inside + 1e-9)


def nms(x, threshold=0.4):
    base = torch.tensor([[0.0, 0, 2, 2], [0.5, 0.5, 2.5, 2.5], [4, 4, 6, 6]])
    scores = torch.sigmoid(x)
    order = scores.argsort(descending=True, stable=True).tolist()
    keep = []
    while order:
        i = order.pop(0)
        keep.append(i)
        order = [j for j in order if _iou(base[i], base[j]) <= threshold]
    return torch.tensor(keep), base[keep]


def score_filter(x, threshold=0.5):
    scores = torch.sigmoid(x)
    keep = scores > threshold
    if not keep.any():
        return torch.zeros(0), []
    chosen = scores[keep]
    n = chosen.numel()
    return chosen, torch.arange(n) * 2, [round(s, 2) for s in chosen.tolist()]


def greedy_match(x):
    cost = (x[:, None] - torch.tensor([0.0, 1.0, 2.0])[None]).abs()
    rows, pairs = set(range(3)), {}
    for c in range(3):
        r = min(sorted(rows), key=lambda r: cost[r, c].item())
        rows.discard(r)
        pairs[c] = r
    return pairs, sum(cost[r, c] for c, r in pairs.items())


# Numbers and lists ---------------------------------------------------------------------------------------

def newton(x, tolerance=1e-4):
    a, y, n = x.abs().sum().item() + 1, 1.0, 0
    while abs(y * y - a) > tolerance and n < 50:
        y, n = 0.5 * (y + a / y), n + 1
    return y, n


def bisection(x):
    low, high = 0.0, 10.0
    goal = abs(x.mean().item())
    for _ in range(12):
        mid = (low + high) / 2
        if mid * mid < goal:
            low = mid
        else:
            high = mid
    return round(low, 2), round(high, 1)


def index_of_largest(x):
    values = x.tolist()
    best = values.index(max(values))
    worst = min(range(len(values)), key=values.__getitem__)
    return best, worst, values[best] - values[worst]


def grown_largest(x):
    seen = []
    while x.sum() < 40:
        x = x * 1.5 + 3
        seen.append(x.max().item())
    if not seen:
        return -1
    return seen.index(max(seen)), max(seen), min(seen), len(seen)


def rounded(x):
    return [round(v, 1) for v in (x / 3).tolist()], round(x.mean().item(), 2), round(float(x[0]) / 7, 5), f"{x.std().item():.3f}"


def run_time_range(x):
    n = int(x.abs().max().item()) % 5 + 1
    steps = torch.arange(n)
    return steps.float() * x[0], torch.linspace(0, 1, n), torch.arange(1, n + 1).sum()


def grouped(x):
    groups = defaultdict(list)
    for i, v in enumerate(x):
        groups["neg" if v < 0 else "pos"].append(i)
    return dict(groups), sorted(groups, key=lambda k: len(groups[k]))


def nearest_first(x):
    heap = [(abs(v), i) for i, v in enumerate(x.tolist())]
    heapq.heapify(heap)
    nearest = heapq.heappop(heap)
    return nearest[1], round(nearest[0], 3), heapq.nsmallest(2, x.tolist())


def edit_distance(x):
    a, b = [int(v) for v in x.tolist()], [1, 3, 3]
    row = list(range(len(b) + 1))
    for i, c in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, d in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (c != d))
    return row[-1]


# Configuration -------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class _Config:
    hidden: int = 3
    activation: str = "relu"
    scales: tuple = (1.0, 0.5)
    extra: dict = field(default_factory=dict)

    def __post_init__(self):
        if self.activation not in ("relu", "gelu", "tanh"):
            raise ValueError(f"unknown activation {self.activation!r}")

    @property
    def width(self):
        return self.hidden * len(self.scales)

    @classmethod
    def from_dict(cls, options):
        known = {k: v for k, v in options.items() if k in cls.__dataclass_fields__}
        return cls(**known, extra={k: v for k, v in options.items() if k not in known})


def configured(x):
    base = _Config.from_dict({"activation": "tanh", "seed": 7})
    config = replace(base, scales=base.scales + (2.0,))
    act = getattr(F, config.activation) if hasattr(F, config.activation) else getattr(torch, config.activation)
    return torch.cat([act(x * s) for s in config.scales]), config.width, repr(base)


def wrong_configuration(x):
    try:
        _Config(activation="swish" if x.sum() > 0 else "gelu")
    except ValueError as e:
        return str(e)
    return x


def experts(x):
    route = (x.abs() * 2).long() % 2
    out = torch.zeros_like(x)
    for k, expert in enumerate([torch.tanh, partial(torch.mul, 3.0)]):
        mask = route == k
        if mask.any():
            out[mask] = expert(x[mask])
    return out


def k_means(x):
    points = torch.cat([x, x + 0.5, -x])
    centres = torch.stack([points.min(), points.max()])
    for n in range(10):
        owner = (points[:, None] - centres[None]).abs().argmin(1)
        new = torch.stack([points[owner == k].mean() if (owner == k).any() else centres[k] for k in range(2)])
        if torch.allclose(new, centres):
            break
        centres = new
    return centres, n


def _batches(values, size):
    batch = []
    for v in values:
        batch.append(v)
        if len(batch) == size:
            yield torch.stack(batch)
            batch = []
    if batch:
        yield torch.stack(batch)


def batched(x):
    return [b.sum() for b in _batches(chain(x, x * 2), 4)], list(accumulate(x.tolist())), \
        reduce(lambda a, b: a * b, x.tolist(), 1.0), sum(a * b for a, b in product([1, 2], repeat=2))


def windows(x):
    return torch.hann_window(6)[:3] * x, torch.hamming_window(3, periodic=False), torch.blackman_window(4), \
        torch.bartlett_window(5, dtype=torch.float64)


def least_squares(x):
    a = torch.stack([torch.ones(3), torch.tensor([0.0, 1.0, 2.0])], 1)
    fit = torch.linalg.solve(a.mT @ a, a.mT @ x)
    return fit, torch.linalg.inv(torch.diag(x * x + 1) + 0.5), torch.inverse(a.mT @ a)


def singular_or_not(x):
    try:
        return torch.linalg.inv(torch.outer(x[:2], x[:2]) + torch.diag(torch.relu(x[1:])))
    except torch.linalg.LinAlgError as e:
        return str(e), isinstance(e, RuntimeError)

"""60 networks in PyTorch, in the shapes of the public families, written as ONNX files.

    PYTHON benchmarks/makes/in_torch.py FOLDER        # a Python that has torch, onnx and onnxscript; azx needs none

Every network is a function of `self` and of its inputs. The network's number is the seed of its weights. Networks are
exported in turn by the present exporter (torch.export, operator set 18) and by the earlier one (operator sets 11, 13
and 17), with a free batch or with one position.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

Module = Any
Tensor = Any
Maker = Callable[[], tuple[Module, list[tuple[int, ...]]]]
NETWORKS: dict[str, Maker] = {}
torch: Any = None
nn: Any = None
F: Any = None


def need_torch() -> None:
    """Import PyTorch under the names that the networks use."""
    global torch, nn, F
    torch, nn, F = import_module("torch"), import_module("torch.nn"), import_module("torch.nn.functional")


def net(forward: Callable[..., Any], **parts: Any) -> Module:
    """A module with these parts and this forward function."""
    made = type("Net", (nn.Module,), {"forward": forward})()
    for name, part in parts.items():
        setattr(made, name, part)
    return made


def network(*names: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a maker under its own name, once for each tuple of arguments."""

    def enter(maker: Callable[..., Any]) -> Callable[..., Any]:
        for arguments in names or ((),):
            key = "_".join([maker.__name__, *map(str, arguments)])
            NETWORKS[key] = partial(maker, *arguments)
        return maker

    return enter


def block(
    width: int, norm: Callable[[int], Any] | None = None, act: Callable[[Tensor], Tensor] | None = None
) -> Module:
    """A residual block of two convolutions."""
    make, through = norm or nn.BatchNorm2d, act or F.relu

    def forward(self: Any, x: Tensor) -> Tensor:
        y = through(self.n1(self.c1(x)))
        return through(self.n2(self.c2(y)) + x)

    convs = [nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2)]
    return net(forward, c1=convs[0], c2=convs[1], n1=make(width), n2=make(width))


@network((6, 37), (8, 65), (3, 10), (5, 26), (7, 50))
def alpha_zero_general(side: int, moves: int) -> Any:
    """OthelloNNet of alpha-zero-general in PyTorch."""
    kernels = 2 if side < 5 else 0
    flat = 8 * (side - (0 if kernels else 4)) ** 2

    def forward(self: Any, s: Tensor) -> Any:
        s = s.view(-1, 1, side, side)
        for conv, norm in zip(self.convs, self.norms, strict=True):
            s = F.relu(norm(conv(s)))
        s = s.view(-1, flat)
        s = F.dropout(F.relu(self.b1(self.f1(s))), p=0.3, training=self.training)
        s = F.dropout(F.relu(self.b2(self.f2(s))), p=0.3, training=self.training)
        return F.log_softmax(self.pi(s), dim=1), torch.tanh(self.v(s))

    pads = (1, 1, 1, 1) if kernels else (1, 1, 0, 0)
    convs = nn.ModuleList(nn.Conv2d(8 if at else 1, 8, 3, stride=1, padding=pad) for at, pad in enumerate(pads))
    parts = {"convs": convs, "norms": nn.ModuleList(nn.BatchNorm2d(8) for _ in pads)}
    parts |= {"f1": nn.Linear(flat, 32), "b1": nn.BatchNorm1d(32), "f2": nn.Linear(32, 16), "b2": nn.BatchNorm1d(16)}
    return net(forward, **parts, pi=nn.Linear(16, moves), v=nn.Linear(16, 1)), [(side, side)]


@network(("connect4", 6, 7, 7), ("tafl", 7, 7, 2401))
def alpha_zero_general_resnet(_: str, rows: int, columns: int, moves: int) -> Any:
    """The residual networks of alpha-zero-general's other games."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.norm(self.conv(x.view(-1, 1, rows, columns))))
        x = self.tower(x)
        p, v = F.relu(self.pn(self.pc(x))).flatten(1), F.relu(self.vn(self.vc(x))).flatten(1)
        return F.log_softmax(self.pi(p), dim=1).exp(), torch.tanh(self.v2(F.relu(self.v1(v))))

    cells = rows * columns
    tower = nn.Sequential(*[block(8) for _ in range(3)])
    parts = {"conv": nn.Conv2d(1, 8, 3, padding=1), "norm": nn.BatchNorm2d(8), "tower": tower}
    parts |= {"pc": nn.Conv2d(8, 2, 1), "pn": nn.BatchNorm2d(2), "vc": nn.Conv2d(8, 1, 1), "vn": nn.BatchNorm2d(1)}
    parts |= {"pi": nn.Linear(2 * cells, moves), "v1": nn.Linear(cells, 16), "v2": nn.Linear(16, 1)}
    return net(forward, **parts), [(rows, columns)]


@network((6,), (8,), (9,), (15,), (11,))
def alphazero_gomoku(side: int) -> Any:
    """AlphaZero_Gomoku's network."""
    cells = side * side

    def forward(self: Any, x: Tensor) -> Any:
        for conv in (self.c1, self.c2, self.c3):
            x = F.relu(conv(x))
        p = F.relu(self.pc(x)).view(-1, 4 * cells)
        v = F.relu(self.vc(x)).view(-1, 2 * cells)
        return F.log_softmax(self.pf(p), dim=1), torch.tanh(self.v2(F.relu(self.v1(v))))

    sizes = (4, 8, 16, 16)
    convs = {f"c{at}": nn.Conv2d(sizes[at - 1], sizes[at], 3, padding=1) for at in (1, 2, 3)}
    parts = {"pc": nn.Conv2d(16, 4, 1), "pf": nn.Linear(4 * cells, cells), "vc": nn.Conv2d(16, 2, 1)}
    return net(forward, **convs, **parts, v1=nn.Linear(2 * cells, 16), v2=nn.Linear(16, 1)), [(4, side, side)]


@network((9, 82, 18), (8, 65, 4), (11, 121, 4), (6, 37, 4))
def minizero(side: int, moves: int, planes: int) -> Any:
    """MiniZero's AlphaZero network: heads of a convolution and dense layers."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.tower(F.relu(self.norm(self.conv(x))))
        p = F.relu(self.pn(self.pc(x))).flatten(1)
        v = F.relu(self.vn(self.vc(x))).flatten(1)
        logit = self.pf(p)
        return logit, torch.softmax(logit, dim=1), torch.tanh(self.v2(F.relu(self.v1(v))))

    cells, tower = side * side, nn.Sequential(block(12), block(12))
    parts = {"conv": nn.Conv2d(planes, 12, 3, padding=1), "norm": nn.BatchNorm2d(12), "tower": tower}
    parts |= {"pc": nn.Conv2d(12, 2, 1), "pn": nn.BatchNorm2d(2), "vc": nn.Conv2d(12, 1, 1), "vn": nn.BatchNorm2d(1)}
    parts |= {"pf": nn.Linear(2 * cells, moves), "v1": nn.Linear(cells, 12), "v2": nn.Linear(12, 1)}
    return net(forward, **parts), [(planes, side, side)]


def se(width: int, how: str) -> Module:
    """Squeeze and excitation whose gates and shifts come from one matrix product."""

    def forward(self: Any, x: Tensor) -> Tensor:
        s = self.f2(F.mish(self.f1(x.mean(dim=(2, 3)) if how != "pool" else F.adaptive_avg_pool2d(x, 1).flatten(1))))
        if how == "split":
            gates, shifts = torch.split(s, width, dim=1)
        elif how == "chunk":
            gates, shifts = s.chunk(2, dim=1)
        else:
            gates, shifts = s[:, :width], s[:, width:]
        return torch.sigmoid(gates)[:, :, None, None] * x + shifts.unsqueeze(-1).unsqueeze(-1)

    return net(forward, f1=nn.Linear(width, 4), f2=nn.Linear(4, 2 * width))


@network(("split",), ("chunk",), ("pool",))
def lc0_squeeze(how: str) -> Any:
    """The convolutional networks of Leela Chess Zero: 112 planes, 1858 moves, win, draw and loss, moves left."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.mish(self.n(self.c(x)))
        y = self.se(self.n2(self.c2(F.mish(self.n1(self.c1(x))))))
        x = F.mish(x + y)
        p = self.p2(F.mish(self.p1(x))).flatten(1)
        v = F.mish(self.v1(F.mish(self.vc(x)).flatten(1)))
        return self.pf(p), torch.softmax(self.v2(v), dim=-1), F.relu(self.mlh(v))

    convs = {"c": nn.Conv2d(112, 12, 3, padding=1), "c1": nn.Conv2d(12, 12, 3, padding=1)}
    convs |= {"c2": nn.Conv2d(12, 12, 3, padding=1), "p1": nn.Conv2d(12, 12, 3, padding=1), "p2": nn.Conv2d(12, 4, 1)}
    norms = {name: nn.BatchNorm2d(12) for name in ("n", "n1", "n2")}
    dense = {
        "pf": nn.Linear(4 * 64, 1858),
        "v1": nn.Linear(2 * 64, 16),
        "v2": nn.Linear(16, 3),
        "mlh": nn.Linear(16, 1),
    }
    return net(forward, **convs, **norms, **dense, vc=nn.Conv2d(12, 2, 1), se=se(12, how)), [(112, 8, 8)]


def attention(width: int, heads: int, how: str) -> Module:
    """Self-attention over (positions, cells, width), in several common forms."""
    size = width // heads

    def forward(self: Any, x: Tensor) -> Tensor:
        b, n, d = x.shape
        if how in ("qkv", "unbind"):
            whole = self.qkv(x).reshape(b, n, 3, heads, size).permute(2, 0, 3, 1, 4)
            q, k, v = whole.unbind(0) if how == "unbind" else (whole[0], whole[1], whole[2])
        else:
            q, k, v = (each.reshape(b, n, heads, size).transpose(1, 2) for each in self.qkv(x).chunk(3, dim=-1))
        if how == "sdpa":
            y = F.scaled_dot_product_attention(q, k, v)
        elif how == "einsum":
            weights = (torch.einsum("bhid,bhjd->bhij", q, k) * size**-0.5).softmax(dim=-1)
            y = torch.einsum("bhij,bhjd->bhid", weights, v)
        else:
            y = ((q @ k.transpose(-2, -1)) * size**-0.5).softmax(dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, n, d))

    return net(forward, qkv=nn.Linear(width, 3 * width), out=nn.Linear(width, width))


@network(("qkv", "gelu"), ("unbind", "silu"), ("chunk", "relu"), ("sdpa", "gelu"), ("einsum", "mish"), ("qkv", "relu"))
def transformer(how: str, act: str) -> Any:
    """Cells as tokens with learned position embeddings, layer norms, an MLP."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2)) + self.places
        for at in range(2):
            x = x + self.attend[at](self.norms[2 * at](x))
            x = x + self.mlps[at](self.norms[2 * at + 1](x))
        x = self.last(x)
        return self.pi(x).flatten(1), torch.tanh(self.v(x.mean(dim=1)))

    acts = {"gelu": nn.GELU, "silu": nn.SiLU, "relu": nn.ReLU, "mish": nn.Mish}
    mlps = nn.ModuleList(nn.Sequential(nn.Linear(16, 32), acts[act](), nn.Linear(32, 16)) for _ in range(2))
    parts = {"embed": nn.Linear(4, 16), "places": nn.Parameter(torch.randn(1, 42, 16)), "mlps": mlps}
    parts |= {"attend": nn.ModuleList(attention(16, 2, how) for _ in range(2))}
    parts |= {"norms": nn.ModuleList(nn.LayerNorm(16) for _ in range(4)), "last": nn.LayerNorm(16)}
    return net(forward, **parts, pi=nn.Linear(16, 1), v=nn.Linear(16, 1)), [(4, 6, 7)]


@network()
def torch_multihead_attention() -> Any:
    """nn.MultiheadAttention, positions first."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2))
        x = self.norm(x + self.attend(x, x, x, need_weights=False)[0])
        return self.pi(x.flatten(1)), torch.tanh(self.v(x.flatten(1)))

    attend = nn.MultiheadAttention(16, 2, batch_first=True)
    parts = {"embed": nn.Linear(4, 16), "attend": attend, "norm": nn.LayerNorm(16)}
    return net(forward, **parts, pi=nn.Linear(16 * 42, 7), v=nn.Linear(16 * 42, 1)), [(4, 6, 7)]


@network((False,), (True,))
def torch_encoder_layer(norm_first: bool) -> Any:
    """nn.TransformerEncoderLayer, positions first."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.layer(self.embed(x.flatten(2).permute(0, 2, 1)))
        return self.pi(x.flatten(1)), torch.tanh(self.v(x[:, 0]))

    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, norm_first=norm_first, activation="gelu")
    return net(forward, embed=nn.Linear(4, 16), layer=layer, pi=nn.Linear(16 * 42, 7), v=nn.Linear(16, 1)), [(4, 6, 7)]


@network()
def lc0_attention() -> Any:
    """The attention body of lc0 with its policy of pairs of squares and promotions."""

    def forward(self: Any, x: Tensor) -> Any:
        x = x.permute(0, 2, 3, 1).reshape(-1, 64, 112)
        x = F.mish(self.embed(x)) * self.gate + self.shift
        y = self.attend(x)
        x = self.n1(x * self.alpha + y)
        x = self.n2(x * self.alpha + self.f2(torch.square(F.relu(self.f1(x)))))
        e = F.mish(self.pe(x))
        q, k = self.q(e), self.k(e)
        pairs = torch.matmul(q, k.transpose(1, 2)) * 0.25
        promotion = torch.matmul(k[:, 56:, :], self.promote).transpose(1, 2)
        promotion = promotion[:, :3, :] + promotion[:, 3:4, :]
        policy = torch.cat([pairs.reshape(-1, 4096), promotion.reshape(-1, 24)], dim=1)
        v = F.mish(self.v1(self.ve(x).flatten(1)))
        return policy, torch.softmax(self.v2(v), dim=1), F.relu(self.m(v))

    width = 16
    parts = {"embed": nn.Linear(112, width), "attend": attention(width, 4, "chunk"), "alpha": 1.4}
    parts |= {"gate": nn.Parameter(torch.randn(64, width)), "shift": nn.Parameter(torch.randn(64, width))}
    parts |= {"n1": nn.LayerNorm(width, eps=1e-3), "n2": nn.LayerNorm(width), "f1": nn.Linear(width, 32)}
    parts |= {"f2": nn.Linear(32, width), "pe": nn.Linear(width, 16), "q": nn.Linear(16, 16), "k": nn.Linear(16, 16)}
    parts |= {"promote": nn.Parameter(torch.randn(16, 4)), "ve": nn.Linear(width, 2), "v1": nn.Linear(128, 16)}
    return net(forward, **parts, v2=nn.Linear(16, 3), m=nn.Linear(16, 1)), [(112, 8, 8)]


def katago_pool(masked: bool) -> Module:
    """KataGo's pooling: the mean, the mean by the board's width, and the largest."""

    def forward(self: Any, x: Tensor, mask: Tensor) -> Tensor:
        if not masked:
            mean = x.mean(dim=(2, 3), keepdim=True)
            return torch.cat((mean, mean * -0.5, torch.amax(x, dim=(2, 3), keepdim=True)), dim=1)
        cells = torch.sum(mask, dim=(2, 3), keepdim=True)
        mean = torch.sum(x * mask, dim=(2, 3), keepdim=True) / cells
        most, _ = torch.max((x + (mask - 1.0) * 5000.0).view(x.shape[0], x.shape[1], -1), dim=2)
        return torch.cat((mean, mean * ((torch.sqrt(cells) - 14.0) / 10.0), most.view(-1, x.shape[1], 1, 1)), dim=1)

    return net(forward)


@network((9, False), (9, True), (13, True), (19, False), (7, True))
def katago(side: int, masked: bool) -> Any:
    """KataGo-like: a board and features of the whole position, global pooling, five heads."""

    def forward(self: Any, board: Tensor, features: Tensor) -> Any:
        mask = board[:, 0:1, :, :]
        x = self.conv(board) + self.features(features).unsqueeze(-1).unsqueeze(-1)
        r = F.relu(self.n1(x) * mask)
        g = F.relu(self.ng(self.cg(r)) * mask)
        x = x + self.c2(self.c1(r) + self.lg(self.pool(g, mask).squeeze(-1).squeeze(-1)).unsqueeze(-1).unsqueeze(-1))
        x = F.mish(self.n2(x)) * mask
        pooled = self.pool(self.p0(x), mask).flatten(1)
        policy = self.p1(F.relu(self.p0(x) + self.lp(pooled)[:, :, None, None])) - (1.0 - mask) * 5000.0
        policy = torch.cat((policy.flatten(2), self.passing(pooled).unsqueeze(-1)), dim=2)
        v = F.relu(self.v1(self.pool(self.v0(x), mask).flatten(1)))
        return policy, self.value(v), self.score(v), torch.tanh(self.owner(self.v0(x)))

    convs = {"conv": nn.Conv2d(22, 12, 3, padding=1, bias=False), "c1": nn.Conv2d(12, 12, 3, padding=1, bias=False)}
    convs |= {"c2": nn.Conv2d(12, 12, 3, padding=1), "cg": nn.Conv2d(12, 6, 3, padding=1), "p0": nn.Conv2d(12, 6, 1)}
    convs |= {"p1": nn.Conv2d(6, 2, 1, bias=False), "v0": nn.Conv2d(12, 6, 1), "owner": nn.Conv2d(6, 1, 1)}
    norms = {"n1": nn.BatchNorm2d(12), "n2": nn.BatchNorm2d(12), "ng": nn.BatchNorm2d(6)}
    dense = {"features": nn.Linear(19, 12, bias=False), "lg": nn.Linear(18, 12), "lp": nn.Linear(18, 6)}
    dense |= {
        "passing": nn.Linear(18, 2),
        "v1": nn.Linear(18, 12),
        "value": nn.Linear(12, 3),
        "score": nn.Linear(12, 6),
    }
    return net(forward, **convs, **norms, **dense, pool=katago_pool(masked)), [(22, side, side), (19,)]


@network((21,), (601,))
def muzero_prediction(support: int) -> Any:
    """MuZero's prediction: from a hidden state to a policy, and to a value as a distribution and as its mean."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.tower(x)
        p = self.pf(F.relu(self.pn(self.pc(x))).flatten(1))
        v = self.vf(F.elu(self.vn(self.vc(x))).flatten(1))
        places = torch.arange(support, dtype=torch.float32) - (support // 2)
        mean = (torch.softmax(v, dim=1) * places).sum(dim=1, keepdim=True)
        return p, v, torch.sign(mean) * (torch.abs(mean) + 0.001 * mean * mean)

    parts = {"tower": nn.Sequential(block(16), block(16)), "pc": nn.Conv2d(16, 2, 1), "pn": nn.BatchNorm2d(2)}
    parts |= {"vc": nn.Conv2d(16, 2, 1), "vn": nn.BatchNorm2d(2), "pf": nn.Linear(72, 36), "vf": nn.Linear(72, support)}
    return net(forward, **parts), [(16, 6, 6)]


@network()
def muzero_representation() -> Any:
    """MuZero's representation: a hidden state, scaled to 0..1 by its smallest and largest numbers."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.tower(F.relu(self.norm(self.conv(x))))
        flat = x.view(-1, x.shape[1], 36)
        least, most = flat.min(2, keepdim=True)[0].unsqueeze(-1), flat.max(2, keepdim=True)[0].unsqueeze(-1)
        x = (x - least) / (most - least + 1e-5)
        return self.pi(x.flatten(1)), torch.tanh(self.v(x.flatten(1)))

    parts = {"conv": nn.Conv2d(3, 8, 3, padding=1), "norm": nn.BatchNorm2d(8), "tower": block(8)}
    return net(forward, **parts, pi=nn.Linear(288, 36), v=nn.Linear(288, 1)), [(3, 6, 6)]


@network((True,), (False,))
def dueling(convolutional: bool) -> Any:
    """Dueling Q: a value plus each move's advantage over the mean."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.c2(F.relu(self.c1(x)))).flatten(1) if convolutional else F.relu(self.f(x.flatten(1)))
        a, v = self.a2(F.relu(self.a1(x))), self.v2(F.relu(self.v1(x)))
        return v + a - a.mean(dim=1, keepdim=True)

    parts = {"c1": nn.Conv2d(2, 8, 4, padding=1), "c2": nn.Conv2d(8, 8, 3), "f": nn.Linear(84, 96)}
    size = 8 * 3 * 4 if convolutional else 96
    parts |= {"a1": nn.Linear(size, 16), "a2": nn.Linear(16, 7), "v1": nn.Linear(size, 16), "v2": nn.Linear(16, 1)}
    return net(forward, **parts), [(2, 6, 7)]


@network()
def rainbow() -> Any:
    """A distributional dueling network: atoms of each move, and their mean."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.f(x.flatten(1)))
        a, v = self.a(x).view(-1, 7, 11), self.v(x).view(-1, 1, 11)
        chances = F.softmax(v + a - a.mean(1, keepdim=True), dim=2)
        return (chances * torch.linspace(-1, 1, 11)).sum(2)

    return net(forward, f=nn.Linear(84, 32), a=nn.Linear(32, 77), v=nn.Linear(32, 11)), [(2, 6, 7)]


@network(("fill",), ("where",), ("input",), ("add",))
def masked_policy(how: str) -> Any:
    """A policy over legal moves only: by masked_fill, by where, by an input, or by an added number."""

    def forward(self: Any, x: Tensor, *legal: Tensor) -> Any:
        y = F.relu(self.conv(x)).flatten(1)
        logits, full = self.pi(y), x[:, :, 0].sum(dim=1)
        if how == "fill":
            logits = logits.masked_fill(full > 0.5, -1e9)
        elif how == "where":
            logits = torch.where(full == 0, logits, torch.full_like(logits, -1e9))
        elif how == "input":
            logits = logits.masked_fill(legal[0] == 0, -1e9)
        else:
            logits = logits - 1e9 * full.clamp(0, 1)
        return F.softmax(logits, dim=1), torch.tanh(self.v(y))

    shapes: list[tuple[int, ...]] = [(2, 6, 7), (7,)] if how == "input" else [(2, 6, 7)]
    parts = {"conv": nn.Conv2d(2, 8, 3, padding=1), "pi": nn.Linear(336, 7), "v": nn.Linear(336, 1)}
    return net(forward, **parts), shapes


@network(("gru",), ("lstm",))
def recurrent(kind: str) -> Any:
    """A recurrent layer over the rows."""

    def forward(self: Any, x: Tensor) -> Any:
        rows, _ = self.rnn(x.permute(0, 2, 1, 3).reshape(-1, 6, 14))
        return self.pi(rows[:, -1]), torch.tanh(self.v(rows[:, -1]))

    made = (nn.GRU if kind == "gru" else nn.LSTM)(14, 12, batch_first=True)
    return net(forward, rnn=made, pi=nn.Linear(12, 7), v=nn.Linear(12, 1)), [(2, 6, 7)]


@network(("group",), ("instance",), ("layer",), ("rms",))
def other_norms(kind: str) -> Any:
    """Norms over groups, planes and features."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.conv(x)
        x = self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2) if kind in ("layer", "rms") else self.norm(x)
        x = F.hardswish(x)
        return self.pi(x.flatten(1)), torch.tanh(self.v(x.mean(dim=(-2, -1))))

    norms = {"group": lambda: nn.GroupNorm(2, 8), "instance": lambda: nn.InstanceNorm2d(8, affine=True)}
    norms |= {"layer": lambda: nn.LayerNorm(8), "rms": lambda: nn.RMSNorm(8)}
    parts = {"conv": nn.Conv2d(2, 8, 3, padding=1), "norm": norms[kind]()}
    return net(forward, **parts, pi=nn.Linear(336, 7), v=nn.Linear(8, 1)), [(2, 6, 7)]


@network()
def convnext() -> Any:
    """ConvNeXt: wide depthwise convolutions, and features normalised to length one."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.stem(x)
        y = self.norm(self.deep(x).permute(0, 2, 3, 1))
        x = x + (self.scale * self.f2(F.gelu(self.f1(y)))).permute(0, 3, 1, 2)
        x = F.normalize(x.mean([-2, -1]), dim=-1)
        return self.pi(x), torch.tanh(self.v(x))

    parts = {"stem": nn.Conv2d(3, 12, 3, padding=1), "deep": nn.Conv2d(12, 12, 5, padding=2, groups=12)}
    parts |= {"norm": nn.LayerNorm(12, eps=1e-6), "f1": nn.Linear(12, 24), "f2": nn.Linear(24, 12)}
    return net(forward, **parts, scale=nn.Parameter(torch.randn(12)), pi=nn.Linear(12, 81), v=nn.Linear(12, 1)), [
        (3, 9, 9)
    ]


@network()
def mixer() -> Any:
    """An MLP over cells, and one over features."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2))
        x = x + self.t2(F.gelu(self.t1(self.n1(x).transpose(1, 2)), approximate="tanh")).transpose(1, 2)
        x = x + self.c2(F.gelu(self.c1(self.n2(x))))
        return self.pi(x.flatten(1)), torch.tanh(self.v(x.mean(1)))

    parts = {"embed": nn.Linear(2, 12), "n1": nn.LayerNorm(12), "n2": nn.LayerNorm(12), "t1": nn.Linear(42, 20)}
    parts |= {"t2": nn.Linear(20, 42), "c1": nn.Linear(12, 24), "c2": nn.Linear(24, 12)}
    return net(forward, **parts, pi=nn.Linear(504, 7), v=nn.Linear(12, 1)), [(2, 6, 7)]


@network()
def hexagonal() -> Any:
    """Hex: a board and its mirror image, averaged; the policy a convolution."""

    def forward(self: Any, x: Tensor) -> Any:
        turned = torch.flip(x.transpose(2, 3), dims=[1])
        y, z = self.tower(self.conv(x)), self.tower(self.conv(turned))
        policy = (self.pi(y) + self.pi(z).transpose(2, 3)).flatten(1) / 2
        return policy, torch.tanh(self.v(y.amax(dim=(2, 3))) - self.v(z.amax(dim=(2, 3))))

    parts = {"conv": nn.Conv2d(2, 8, 3, padding=1), "tower": nn.Sequential(block(8), block(8))}
    return net(forward, **parts, pi=nn.Conv2d(8, 1, 1), v=nn.Linear(8, 1)), [(2, 11, 11)]


@network()
def coordinates() -> Any:
    """Constant planes of rows and columns joined to the board, a stack, and a pad with zeros."""

    def forward(self: Any, x: Tensor) -> Any:
        places = self.places.expand(x.shape[0], -1, -1, -1)
        x = F.leaky_relu(self.conv(F.pad(torch.cat([x, places], dim=1), (1, 1, 1, 1))), 0.1)
        both = torch.stack([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1).flatten(1)
        return self.pi(x.flatten(1)), torch.tanh(self.v(both))

    places = nn.Parameter(torch.randn(1, 2, 6, 7))
    parts = {"conv": nn.Conv2d(4, 8, 3), "pi": nn.Linear(336, 7), "v": nn.Linear(16, 1)}
    return net(forward, **parts, places=places), [(2, 6, 7)]


@network()
def u_net() -> Any:
    """A U-Net: pools to smaller boards, transposed convolutions and repeated cells back."""

    def forward(self: Any, x: Tensor) -> Any:
        a = F.relu(self.c1(x))
        b = F.relu(self.c2(F.max_pool2d(a, 2)))
        c = torch.cat([a, self.up(b)], dim=1)
        d = F.interpolate(F.avg_pool2d(c, 2), scale_factor=2, mode="nearest")
        return self.pi(d).flatten(1), torch.tanh(self.v(F.adaptive_max_pool2d(d, 1).flatten(1)))

    parts = {"c1": nn.Conv2d(2, 6, 3, padding=1), "c2": nn.Conv2d(6, 8, 3, padding=1)}
    parts |= {"up": nn.ConvTranspose2d(8, 6, 2, stride=2), "pi": nn.Conv2d(12, 1, 1), "v": nn.Linear(12, 1)}
    return net(forward, **parts), [(2, 8, 8)]


@network()
def mlp() -> Any:
    """OpenSpiel's and RLCard's plain networks."""

    def forward(self: Any, x: Tensor) -> Any:
        y = self.body(x)
        return F.softmax(self.pi(y), -1), self.v(y).squeeze(-1)

    body = nn.Sequential(
        nn.Linear(27, 32), nn.ReLU(), nn.BatchNorm1d(32), nn.Linear(32, 32), nn.SELU(), nn.Dropout(0.1)
    )
    return net(forward, body=body, pi=nn.Linear(32, 9), v=nn.Linear(32, 1)), [(27,)]


@network()
def supergo() -> Any:
    """SuperGo: an extractor, and heads in modules of their own."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.tower(F.relu(self.norm(self.conv(x))))
        p = self.pf(F.relu(self.pn(self.pc(x))).view(-1, 162))
        v = F.relu(self.v1(F.relu(self.vn(self.vc(x))).view(-1, 81)))
        return F.log_softmax(p, dim=1).exp(), torch.tanh(self.v2(v))

    parts = {
        "conv": nn.Conv2d(17, 8, 3, padding=1),
        "norm": nn.BatchNorm2d(8),
        "tower": nn.Sequential(block(8), block(8)),
    }
    parts |= {"pc": nn.Conv2d(8, 2, 1), "pn": nn.BatchNorm2d(2), "vc": nn.Conv2d(8, 1, 1), "vn": nn.BatchNorm2d(1)}
    return net(forward, **parts, pf=nn.Linear(162, 82), v1=nn.Linear(81, 16), v2=nn.Linear(16, 1)), [(17, 9, 9)]


@network()
def decision_transformer() -> Any:
    """Causal attention over the last boards, each one token."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2)) + self.places(torch.arange(4))
        q, k, v = self.qkv(x).view(-1, 4, 3, 16).unbind(2)
        scores = q @ k.transpose(1, 2) / 4.0
        scores = scores.masked_fill(torch.tril(torch.ones(4, 4)) == 0, float("-inf"))
        x = x + scores.softmax(-1) @ v
        return self.pi(x[:, -1]), torch.tanh(self.v(x[:, -1]))

    parts = {"embed": nn.Linear(84, 16), "places": nn.Embedding(4, 16), "qkv": nn.Linear(16, 48)}
    return net(forward, **parts, pi=nn.Linear(16, 7), v=nn.Linear(16, 1)), [(4, 2, 6, 7)]


@network()
def board_codes() -> Any:
    """A board of numbers 0, 1, 2, looked up in a table."""

    def forward(self: Any, x: Tensor) -> Any:
        y = self.table(x.long()).permute(0, 3, 1, 2)
        y = F.relu(self.conv(y)).flatten(1)
        return self.pi(y), torch.tanh(self.v(y))

    parts = {"table": nn.Embedding(3, 6), "conv": nn.Conv2d(6, 8, 3, padding=1)}
    return net(forward, **parts, pi=nn.Linear(336, 7), v=nn.Linear(336, 1)), [(6, 7)]


@network()
def three_dimensions() -> Any:
    """A board of three dimensions."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.norm(self.conv(x.unsqueeze(1)))).flatten(1)
        return self.pi(x), torch.tanh(self.v(x))

    parts = {"conv": nn.Conv3d(1, 4, 3, padding=1), "norm": nn.BatchNorm3d(4), "pi": nn.Linear(256, 16)}
    return net(forward, **parts, v=nn.Linear(256, 1)), [(4, 4, 4)]


WAYS = (("new", 18, True), ("old", 17, True), ("old", 11, True), ("new", 18, False), ("old", 13, False))


def write(folder: Path, names: list[str]) -> None:
    """Write the networks as NAME.onnx, each with PyTorch's answers in NAME.npz.

    If a network's exporter cannot write one of its operations, the next exporter is tried.
    """
    need_torch()
    for at, name in enumerate(NETWORKS):
        if names and name not in names:
            continue
        for way in range(len(WAYS)):
            problem = _write(folder, name, at, WAYS[(at + way) % len(WAYS)])
            print(f"{name}: {WAYS[(at + way) % len(WAYS)]} {problem or 'written'}", flush=True)
            if problem is None:
                break


def _write(folder: Path, name: str, seed: int, way: tuple[str, int, bool]) -> str | None:
    """Write one network with one exporter; returns the reason if that fails, else None."""
    import numpy as np

    torch.manual_seed(seed)
    module, shapes = NETWORKS[name]()
    for part in module.modules():
        if getattr(part, "running_var", None) is not None:
            torch.nn.init.uniform_(part.running_var, 0.5, 1.5)
            torch.nn.init.normal_(part.running_mean, std=0.2)
    module.eval()
    how, opset, is_free = way
    boards = [torch.rand(3 if is_free else 1, *shape) for shape in shapes]
    if name in ("board_codes", "masked_policy_input"):
        boards = [board.round() for board in boards]
    doors = [f"legal{at}" if at and name.startswith("masked") else f"in{at}" for at in range(len(shapes))]
    with torch.no_grad():
        answers = module(*boards)
    answers = answers if isinstance(answers, tuple) else (answers,)
    ends = [f"out{index}" for index in range(len(answers))]
    more: dict[str, Any] = {"dynamo": how == "new", "opset_version": opset}
    if how == "new" and is_free:
        batch = torch.export.Dim("batch", min=1, max=4096)
        more["dynamic_shapes"] = [{0: batch} for _ in doors]
    elif is_free:
        more["dynamic_axes"] = {each: {0: "batch"} for each in (*doors, *ends)}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            options = {"input_names": doors, "output_names": ends, "verbose": False, **more}
            torch.onnx.export(module, tuple(boards), str(folder / f"{name}.onnx"), **options)
    except Exception as error:  # whatever the exporters raise
        return str(error).splitlines()[0][:200]
    inputs = {door: board.numpy() for door, board in zip(doors, boards, strict=True)}
    made = {end: answer.numpy() for end, answer in zip(ends, answers, strict=True)}
    np.savez(folder / f"{name}.npz", **inputs, **made)
    return None


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    write(target, sys.argv[2:])

"""Further networks in PyTorch with tokens, rows and choices: `more_in_torch.py` writes them; azx must refuse three."""

from __future__ import annotations

from typing import Any

import in_torch as base
from designs import Made, board, ends, further, heads
from in_torch import net

Tensor = Any
torch: Any = None
nn: Any = None
F: Any = None


def need_torch() -> None:
    """Import PyTorch under the names that the networks use."""
    global torch, nn, F
    torch, nn, F = base.torch, base.nn, base.F


@further
def legal_moves_as_truth() -> Made:
    """Networks with a second input of booleans: the legal moves."""

    def forward(self: Any, x: Tensor, legal: Tensor) -> Any:
        y = F.relu(self.n(self.f(x.flatten(1))))
        return F.log_softmax(torch.where(legal, self.pi(y), self.low), dim=1), torch.tanh(self.v(y))

    made = net(forward, f=nn.Linear(84, 32), n=nn.BatchNorm1d(32), **heads(32, 7))
    made.register_buffer("low", torch.tensor(-1e8))
    return made, [board(2, 6, 7), board(7) > 0.4]


@further
def smolgen() -> Made:
    """lc0's attention with smolgen: a dense network of the whole board adds to the logits by one shared matrix."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2))
        b = x.shape[0]
        z = self.n0(F.silu(self.g1(self.g0(x).reshape(b, -1))))
        z = self.n1(F.silu(self.g2(z))).reshape(b, 2, 8)
        more = self.shared(z).reshape(b, 2, 64, 64)
        q, k, v = (each.reshape(b, 64, 2, 8).permute(0, 2, 1, 3) for each in self.qkv(x).chunk(3, -1))
        y = torch.softmax(q @ k.transpose(-1, -2) / 8**0.5 + more, dim=-1) @ v
        x = self.n2(x + self.out(y.permute(0, 2, 1, 3).reshape(b, 64, 16)))
        return self.pi(x.flatten(1)), torch.tanh(self.v(x.mean(1)))

    parts = {"embed": nn.Linear(20, 16), "g0": nn.Linear(16, 2, bias=False), "g1": nn.Linear(128, 16)}
    parts |= {"n0": nn.LayerNorm(16), "g2": nn.Linear(16, 16), "n1": nn.LayerNorm(16), "n2": nn.LayerNorm(16)}
    parts |= {"shared": nn.Linear(8, 4096, bias=False), "qkv": nn.Linear(16, 48), "out": nn.Linear(16, 16)}
    return net(forward, **parts, pi=nn.Linear(1024, 96), v=nn.Linear(16, 1)), [board(20, 8, 8)]


@further
def own_rms_norm() -> Made:
    """A self-written norm by root mean square, and SwiGLU."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2))
        y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.scale
        x = x + self.down(F.silu(self.gate(y)) * self.up(y))
        return ends(self, x.reshape(x.shape[0], -1))

    parts = {"embed": nn.Linear(2, 12), "gate": nn.Linear(12, 20, bias=False), "up": nn.Linear(12, 20, bias=False)}
    parts |= {"down": nn.Linear(20, 12, bias=False), "scale": nn.Parameter(torch.randn(12))}
    return net(forward, **parts, **heads(504, 7)), [board(2, 6, 7)]


@further
def class_token() -> Made:
    """A learned token before the cells, learned position embeddings, nn.MultiheadAttention, norms first."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2))
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.places
        y = self.n1(x)
        x = x + self.attend(y, y, y, need_weights=False)[0]
        x = x + self.f2(F.gelu(self.f1(self.n2(x))))
        return self.pi(x[:, 1:].flatten(1)), torch.tanh(self.v(x[:, 0]))

    parts = {"embed": nn.Linear(2, 16), "attend": nn.MultiheadAttention(16, 4, batch_first=True)}
    parts |= {"token": nn.Parameter(torch.randn(1, 1, 16)), "places": nn.Parameter(torch.randn(1, 43, 16))}
    parts |= {"n1": nn.LayerNorm(16), "n2": nn.LayerNorm(16), "f1": nn.Linear(16, 32), "f2": nn.Linear(32, 16)}
    return net(forward, **parts, pi=nn.Linear(672, 7), v=nn.Linear(16, 1)), [board(2, 6, 7)]


@further
def encoder_stack() -> Made:
    """nn.TransformerEncoder of two layers, with its fast path."""

    def forward(self: Any, x: Tensor) -> Any:
        return ends(self, self.body(self.embed(x.flatten(2).transpose(1, 2))).flatten(1))

    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    return net(forward, embed=nn.Linear(2, 16), body=nn.TransformerEncoder(layer, 2), **heads(672, 7)), [board(2, 6, 7)]


@further
def cells_first() -> Made:
    """nn.MultiheadAttention in its older layout: cells, then positions."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).permute(2, 0, 1))
        x = self.norm(x + self.attend(x, x, x)[0]).permute(1, 0, 2)
        return ends(self, x.reshape(x.shape[0], -1))

    parts = {"embed": nn.Linear(2, 16), "attend": nn.MultiheadAttention(16, 2), "norm": nn.LayerNorm(16)}
    return net(forward, **parts, **heads(672, 7)), [board(2, 6, 7)]


@further
def relative_places() -> Made:
    """Attention by Einstein sums with a learned number for each pair of cells."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2))
        q, k, v = (part(x).view(-1, 36, 2, 8) for part in (self.q, self.k, self.w))
        weights = torch.softmax(torch.einsum("bihd,bjhd->bhij", q, k) * 0.35 + self.pairs, -1)
        return ends(self, torch.einsum("bhij,bjhd->bihd", weights, v).flatten(1))

    parts = {name: nn.Linear(16, 16) for name in ("q", "k", "w")} | {"embed": nn.Linear(2, 16)}
    return net(forward, **parts, pairs=nn.Parameter(torch.randn(2, 36, 36)), **heads(576, 36)), [board(2, 6, 6)]


@further
def rows_and_columns() -> Made:
    """Attention along rows, then along columns, each joined with the positions."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.c(x).permute(0, 2, 3, 1)
        b = x.shape[0]
        y = self.attend(x.reshape(b * 6, 7, 8)).reshape(b, 6, 7, 8)
        z = self.attend_2(y.transpose(1, 2).reshape(b * 7, 6, 8)).reshape(b, 7, 6, 8).transpose(1, 2)
        return ends(self, (x + z).reshape(b, -1))

    both = {"attend": base.attention(8, 2, "chunk"), "attend_2": base.attention(8, 2, "qkv")}
    return net(forward, c=nn.Conv2d(2, 8, 3, padding=1), **both, **heads(336, 7)), [board(2, 6, 7)]


@further
def noisy_dueling() -> Made:
    """Dueling Q without its largest number, and a bias stored as a constant."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.f(x.flatten(1)))
        a, v = F.linear(x, self.wa + 0 * self.wa, self.ba), F.linear(x, self.wv, self.bv)
        return v + a - a.max(dim=1, keepdim=True)[0]

    weights = {
        name: nn.Parameter(torch.randn(*shape) / 6)
        for name, shape in {"wa": (7, 32), "ba": (7,), "wv": (1, 32), "bv": (1,)}.items()
    }
    return net(forward, f=nn.Linear(84, 32), **weights), [board(2, 6, 7)]


@further
def two_supports() -> Made:
    """A value and a reward of 601 numbers each; matrix products give the means, MuZero's function the scale."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.n(self.c(x))).flatten(1)
        made = [self.pi(x)]
        for part in (self.value, self.reward):
            mean = torch.matmul(F.softmax(part(x), dim=-1), self.places)
            root = torch.sqrt(1 + 4 * 0.001 * (torch.abs(mean) + 1 + 0.001))
            made.append(torch.sign(mean) * (((root - 1) / (2 * 0.001)) ** 2 - 1))
        return tuple(made)

    parts = {"c": nn.Conv2d(8, 4, 3, padding=1), "n": nn.BatchNorm2d(4), "pi": nn.Linear(144, 36)}
    made = net(forward, **parts, value=nn.Linear(144, 601), reward=nn.Linear(144, 601))
    made.register_buffer("places", torch.arange(-300, 301, dtype=torch.float32).unsqueeze(1))
    return made, [board(8, 6, 6)]


@further
def neighbours() -> Made:
    """A graph network: each cell gathers its neighbours by a fixed matrix."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2))
        for layer in self.steps:
            x = F.relu(layer(torch.matmul(self.near, x)) + x)
        return self.pi(x).squeeze(-1), torch.tanh(self.v(x.mean(1)))

    parts = {"embed": nn.Linear(2, 8), "steps": nn.ModuleList(nn.Linear(8, 8) for _ in range(2))}
    made = net(forward, **parts, pi=nn.Linear(8, 1), v=nn.Linear(8, 1))
    made.register_buffer("near", (torch.rand(25, 25) > 0.8).float() / 4)
    return made, [board(2, 5, 5)]


@further
def whole_board_norm() -> Made:
    """LayerNorm over planes and cells, and a norm without scale and shift."""

    def forward(self: Any, x: Tensor) -> Any:
        return ends(self, self.n2(F.relu(self.n(self.c(x))).flatten(1)))

    norms = {"n": nn.LayerNorm([8, 6, 7]), "n2": nn.LayerNorm(336, elementwise_affine=False)}
    return net(forward, c=nn.Conv2d(2, 8, 3, padding=1), **norms, **heads(336, 7)), [board(2, 6, 7)]


@further
def one_hot_codes() -> Made:
    """A board of 0, 1 and 2, which F.one_hot turns into planes."""

    def forward(self: Any, x: Tensor) -> Any:
        planes = F.one_hot(x.long(), 3).permute(0, 3, 1, 2).float()
        return ends(self, F.relu(self.c(planes)).flatten(1))

    return net(forward, c=nn.Conv2d(3, 8, 3, padding=1), **heads(336, 7)), [(board(6, 7) * 2).round()]


@further
def many_functions() -> Made:
    """Rare functions: softplus, hardtanh, relu6, log sigmoid, celu, softsign, tanhshrink, prelu, a power."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu6(F.softplus(self.c(x), beta=2)) - F.hardtanh(self.c2(x), -0.5, 0.5)
        x = F.logsigmoid(x) + F.celu(x, 0.7) * F.softsign(x) + F.tanhshrink(x) - self.act(x)
        return ends(self, (x.abs() + 0.1).pow(1.5).flatten(1) / 10)

    parts = {"c": nn.Conv2d(2, 8, 3, padding=1), "c2": nn.Conv2d(2, 8, 3, padding=1), "act": nn.PReLU(8)}
    return net(forward, **parts, **heads(336, 7)), [board(2, 6, 7)]


@further
def turned_places() -> Made:
    """Rotary embeddings: halves of queries and keys, one negated, times sines and cosines stored in the file."""

    def turn(self: Any, x: Tensor) -> Tensor:
        a, b = x.chunk(2, dim=-1)
        return x * self.cos + torch.cat([-b, a], dim=-1) * self.sin

    def forward(self: Any, x: Tensor) -> Any:
        x = self.embed(x.flatten(2).transpose(1, 2))
        q, k, v = (each.unflatten(-1, (2, 8)).transpose(1, 2) for each in self.qkv(x).split(16, dim=-1))
        y = F.scaled_dot_product_attention(turn(self, q), turn(self, k), v)
        return ends(self, y.transpose(1, 2).flatten(1))

    made = net(forward, embed=nn.Linear(2, 16), qkv=nn.Linear(16, 48), **heads(576, 36))
    angles = torch.outer(torch.arange(36.0), 100 ** (-torch.arange(0, 8, 2) / 8))
    made.register_buffer("cos", torch.cat([angles, angles], 1).cos())
    made.register_buffer("sin", torch.cat([angles, angles], 1).sin())
    return made, [board(2, 6, 6)]


@further
def ensemble() -> Made:
    """Two networks, their policies and values averaged."""

    def forward(self: Any, x: Tensor) -> Any:
        both = [F.relu(each(x)).flatten(1) for each in (self.a, self.b)]
        policies = torch.stack([F.softmax(self.pi(y), 1) for y in both]).mean(0)
        return policies, torch.stack([torch.tanh(self.v(y)) for y in both], dim=0).mean(dim=0)

    return net(forward, a=nn.Conv2d(2, 8, 3, padding=1), b=nn.Conv2d(2, 8, 3, padding=1), **heads(336, 7)), [
        board(2, 6, 7)
    ]


@further
def memory_cell() -> Made:
    """A GRU cell applied to the rows by a loop in Python."""

    def forward(self: Any, x: Tensor) -> Any:
        rows = x.permute(2, 0, 1, 3).flatten(2)
        h = torch.zeros(rows.shape[1], 12)
        for row in rows.unbind(0):
            h = self.cell(row, h)
        return ends(self, h)

    return net(forward, cell=nn.GRUCell(14, 12), **heads(12, 7)), [board(2, 6, 7)]


@further
def best_places() -> Made:
    """The largest numbers of a board by topk: must be refused."""

    def forward(self: Any, x: Tensor) -> Any:
        return ends(self, torch.topk(self.f(x.flatten(1)), 8, dim=1)[0])

    return net(forward, f=nn.Linear(84, 32), **heads(8, 7)), [board(2, 6, 7)]


@further
def loop() -> Made:
    """A loop whose number of turns depends on the board: must be refused."""

    def forward(self: Any, x: Tensor) -> Any:
        return ends(self, _looped(self.f(x.flatten(1)), x))

    return net(forward, f=nn.Linear(84, 12), **heads(12, 7)), [board(2, 6, 7)]


@further
def branch() -> Made:
    """A branch that depends on the board's sum: must be refused."""

    def forward(self: Any, x: Tensor) -> Any:
        return ends(self, _branched(self.f(x.flatten(1)), x))

    return net(forward, f=nn.Linear(84, 12), **heads(12, 7)), [board(2, 6, 7)]


def _scripted(source: str) -> Any:
    return torch.jit.CompilationUnit(source).f


def _looped(y: Tensor, x: Tensor) -> Tensor:
    return _scripted("def f(y, x):\n    for at in range(int(x.sum())):\n        y = torch.tanh(y * 2)\n    return y\n")(
        y, x
    )


def _branched(y: Tensor, x: Tensor) -> Tensor:
    return _scripted(
        "def f(y, x):\n    if bool(x.sum() > 3):\n        y = torch.tanh(y)\n    else:\n        y = -y\n    return y\n"
    )(y, x)

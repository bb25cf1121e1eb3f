"""Further networks in PyTorch that look at boards by convolutions: `more_in_torch.py` writes them."""

from __future__ import annotations

from typing import Any

import in_torch as base
from designs import Made, board, ends, further, heads
from in_torch import block, net

Tensor = Any
torch: Any = None
nn: Any = None
F: Any = None


def need_torch() -> None:
    """Import PyTorch under the names that the networks use."""
    global torch, nn, F
    torch, nn, F = base.torch, base.nn, base.F


@further
def dropout_and_plain_value() -> Made:
    """alpha-zero-general's shape with batch norm over rows, dropout, probabilities, and a value without tanh."""

    def forward(self: Any, s: Tensor) -> Any:
        s = F.relu(self.n(self.c(s.view(-1, 1, 6, 7)))).view(-1, 8 * 42)
        s = F.dropout(F.relu(self.b1(self.f1(s))), p=0.3, training=self.training)
        return torch.exp(F.log_softmax(self.pi(s), dim=1)), self.v(s)

    parts = {"c": nn.Conv2d(1, 8, 3, padding=1), "n": nn.BatchNorm2d(8), "f1": nn.Linear(336, 32)}
    return net(forward, **parts, b1=nn.BatchNorm1d(32), **heads(32, 7)), [board(6, 7)]


@further
def lc0_policy_map() -> Made:
    """The convolutional policy of lc0: 80 planes, from which a table in the file selects 1858 numbers."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.c(x))
        s = self.f2(F.relu(self.f1(F.avg_pool2d(x, 8).flatten(1))))
        gates, shifts = torch.split(s, 12, dim=1)
        x = F.relu(torch.sigmoid(gates).view(-1, 12, 1, 1) * self.c2(x) + shifts.view(-1, 12, 1, 1) + x)
        p = self.p2(F.relu(self.p1(x))).flatten(1)
        return p.index_select(1, self.places), F.softmax(self.v2(F.relu(self.v1(x.flatten(1)))), 1)

    parts = {"c": nn.Conv2d(112, 12, 3, padding=1), "c2": nn.Conv2d(12, 12, 3, padding=1), "f1": nn.Linear(12, 4)}
    parts |= {"f2": nn.Linear(4, 24), "p1": nn.Conv2d(12, 12, 3, padding=1), "p2": nn.Conv2d(12, 80, 3, padding=1)}
    made = net(forward, **parts, v1=nn.Linear(768, 16), v2=nn.Linear(16, 3))
    made.register_buffer("places", torch.randperm(5120)[:1858])
    return made, [board(112, 8, 8)]


@further
def nested_bottleneck() -> Made:
    """KataGo's nested bottleneck: 1x1, two inner residual blocks, 1x1, mish, and scales instead of norms."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.c(x)
        y = self.a(F.mish(x * self.s1 + self.b1))
        for inner in self.inner:
            y = y + inner[1](F.mish(inner[0](F.mish(y))))
        x = x + self.z(F.mish(y * self.s2 + self.b2))
        g = torch.cat([x.mean((2, 3)), x.mean((2, 3)) * 0.7, x.amax((2, 3))], 1)
        owner = torch.tanh(self.o(x))
        return self.p(F.mish(x)).flatten(1), self.w(g), self.score(g), owner

    parts = {"c": nn.Conv2d(9, 12, 3, padding=1), "a": nn.Conv2d(12, 6, 1), "z": nn.Conv2d(6, 12, 1)}
    inner = nn.ModuleList(nn.ModuleList(nn.Conv2d(6, 6, 3, padding=1) for _ in range(2)) for _ in range(2))
    weights = {
        name: nn.Parameter(torch.randn(1, size, 1, 1))
        for name, size in zip(("s1", "b1", "s2", "b2"), (12, 12, 6, 6), strict=True)
    }
    ends_of = {"p": nn.Conv2d(12, 1, 1), "w": nn.Linear(36, 3), "score": nn.Linear(36, 1), "o": nn.Conv2d(12, 1, 1)}
    return net(forward, inner=inner, **parts, **weights, **ends_of), [board(9, 9, 9)]


@further
def inverted_residual() -> Made:
    """MobileNet 3: expansion, depthwise convolution, squeeze with hard sigmoid, projection, hard swish."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.hardswish(self.n0(self.c0(x)))
        y = F.hardswish(self.n2(self.c2(F.hardswish(self.n1(self.c1(x))))))
        y = y * F.hardsigmoid(self.f2(F.relu(self.f1(F.adaptive_avg_pool2d(y, 1)))))
        x = x + self.n3(self.c3(y))
        return ends(self, x.flatten(1))

    parts = {"c0": nn.Conv2d(3, 8, 3, padding=1), "c1": nn.Conv2d(8, 24, 1, bias=False), "c3": nn.Conv2d(24, 8, 1)}
    parts |= {"c2": nn.Conv2d(24, 24, 5, padding=2, groups=24, bias=False), "f1": nn.Conv2d(24, 6, 1)}
    parts |= {"f2": nn.Conv2d(6, 24, 1), "n0": nn.BatchNorm2d(8), "n1": nn.BatchNorm2d(24), "n2": nn.BatchNorm2d(24)}
    return net(forward, **parts, n3=nn.BatchNorm2d(8), **heads(336, 7)), [board(3, 6, 7)]


@further
def preactivated_group_norm() -> Made:
    """Group norms before GELU and convolution."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.c(x)
        for at in (0, 1):
            x = x + self.convs[at](F.gelu(self.norms[at](x), approximate="tanh" if at else "none"))
        return ends(self, self.last(x).flatten(1))

    convs = nn.ModuleList(nn.Conv2d(8, 8, 3, padding=1) for _ in range(2))
    norms = nn.ModuleList(nn.GroupNorm(4, 8) for _ in range(2))
    parts = {"c": nn.Conv2d(2, 8, 3, padding=1), "convs": convs, "norms": norms, "last": nn.GroupNorm(1, 8)}
    return net(forward, **parts, **heads(336, 7)), [board(2, 6, 7)]


@further
def pooled_in_three_dimensions() -> Made:
    """Conv3d over a cube, pooled to 2x2x2."""

    def forward(self: Any, x: Tensor) -> Any:
        return ends(self, F.adaptive_avg_pool3d(F.relu(self.c(x)), 2).flatten(1))

    return net(forward, c=nn.Conv3d(2, 6, 3, padding=1), **heads(48, 64)), [board(2, 4, 4, 4)]


@further
def pixel_shuffle() -> Made:
    """PixelUnshuffle to a board of half the side, and PixelShuffle back."""

    def forward(self: Any, x: Tensor) -> Any:
        y = F.relu(self.c(F.pixel_unshuffle(x, 2)))
        return self.p(F.pixel_shuffle(y, 2)).flatten(1), torch.tanh(self.v(y.mean((2, 3))))

    parts = {"c": nn.Conv2d(8, 16, 3, padding=1), "p": nn.Conv2d(4, 1, 1), "v": nn.Linear(16, 1)}
    return net(forward, **parts), [board(2, 8, 8)]


@further
def adaptive_pools() -> Made:
    """Pools to 3x3 by mean and by maximum, and by windows with ceil."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.c(x))
        y = torch.cat([F.adaptive_avg_pool2d(x, 3), F.adaptive_max_pool2d(x, (3, 3))], 1)
        z = F.max_pool2d(x, 2, ceil_mode=True)
        return self.pi(y.flatten(1)), torch.tanh(self.v(z.flatten(1)))

    return net(forward, c=nn.Conv2d(2, 6, 3, padding=1), pi=nn.Linear(108, 36), v=nn.Linear(54, 1)), [board(2, 6, 6)]


@further
def half_weights() -> Made:
    """Weights stored in half precision, computed in float32."""
    return _kept_as(torch.float16)


@further
def bfloat_weights() -> Made:
    """Weights stored as bfloat16, computed in float32."""
    return _kept_as(torch.bfloat16)


def _kept_as(kind: Any) -> Made:
    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(F.conv2d(x, self.k.to(torch.float32), padding=1)).flatten(1)
        return F.linear(x, self.p.to(torch.float32)), torch.tanh(F.linear(x, self.w.to(torch.float32)))

    weights = {"k": (8, 2, 3, 3), "p": (7, 336), "w": (1, 336)}
    made = net(forward)
    for name, shape in weights.items():
        made.register_buffer(name, (torch.randn(*shape) / 8).to(kind))
    return made, [board(2, 6, 7)]


@further
def shared_weights() -> Made:
    """One block used three times, identities, and a tensor that is an output and also the input of further layers."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.nothing(F.relu(self.c(x)))
        for _ in range(3):
            x = self.body(x).clone().contiguous()
        logits = self.pi(x.flatten(1))
        return logits, torch.tanh(self.v(F.softmax(logits, 1))), F.softmax(logits, 1)

    body = {"c": nn.Conv2d(2, 8, 3, padding=1), "body": block(8), "nothing": nn.Sequential(nn.Identity(), nn.Dropout())}
    return net(forward, **body, pi=nn.Linear(336, 7), v=nn.Linear(7, 1)), [board(2, 6, 7)]


@further
def opset_9() -> Made:
    """The oldest operator set that torch writes."""
    return _plain()


@further
def opset_22() -> Made:
    """An operator set of the year 2025."""
    return _plain()


def _plain() -> Made:
    def forward(self: Any, x: Tensor) -> Any:
        x = F.elu(self.n(self.c(F.pad(x, (1, 1, 1, 1)))))
        y = torch.cat([F.max_pool2d(x, 2).flatten(1), F.avg_pool2d(x, 2).flatten(1), x.mean((2, 3))], 1)
        return F.log_softmax(self.pi(F.leaky_relu(y, 0.2)), -1), torch.tanh(self.v(y.clamp(-1, 1)))

    return net(forward, c=nn.Conv2d(2, 6, 3), n=nn.BatchNorm2d(6), **heads(114, 36)), [board(2, 6, 6)]


@further
def normed_weights() -> Made:
    """weight_norm and spectral_norm, which are computed from weights alone."""

    def forward(self: Any, x: Tensor) -> Any:
        return ends(self, F.relu(self.f(F.relu(self.c(x)).flatten(1))))

    norms = nn.utils.parametrizations
    parts = {"c": norms.spectral_norm(nn.Conv2d(2, 8, 3, padding=1)), "f": norms.weight_norm(nn.Linear(336, 16))}
    return net(forward, **parts, **heads(16, 7)), [board(2, 6, 7)]


@further
def move_planes() -> Made:
    """Chess: 73 planes of moves, cells first, and a value from a pool."""

    def forward(self: Any, x: Tensor) -> Any:
        x = self.tower(F.relu(self.c(x)))
        p = self.p(x).permute(0, 2, 3, 1).reshape(-1, 4672)
        return F.softmax(p, dim=-1), torch.tanh(self.v(F.adaptive_avg_pool2d(x, (1, 1)).squeeze(-1).squeeze(-1)))

    parts = {
        "c": nn.Conv2d(18, 12, 3, padding=1),
        "tower": nn.Sequential(block(12), block(12)),
        "p": nn.Conv2d(12, 73, 1),
    }
    return net(forward, **parts, v=nn.Linear(12, 1)), [board(18, 8, 8)]


@further
def masked_kernel() -> Made:
    """Hex: kernels of seven of nine places, by a mask times the weights."""

    def forward(self: Any, x: Tensor) -> Any:
        for kernel in (self.k1, self.k2):
            x = F.relu(F.conv2d(x, kernel * self.mask, padding=1))
        return self.pi(x).flatten(1), torch.tanh(self.v(x.flatten(1)))

    kernels = {"k1": nn.Parameter(torch.randn(8, 2, 3, 3) / 4), "k2": nn.Parameter(torch.randn(8, 8, 3, 3) / 8)}
    made = net(forward, **kernels, pi=nn.Conv2d(8, 1, 1), v=nn.Linear(288, 1))
    made.register_buffer("mask", torch.tensor([[0.0, 1, 1], [1, 1, 1], [1, 1, 0]]))
    return made, [board(2, 6, 6)]


@further
def attention_of_places_and_planes() -> Made:
    """CBAM: gates for each plane by its mean and maximum, then for each cell by mean and maximum over the planes."""

    def forward(self: Any, x: Tensor) -> Any:
        x = F.relu(self.c(x))
        low, high = x.mean((2, 3)), x.amax((2, 3))
        gate = torch.sigmoid(self.f2(F.relu(self.f1(low))) + self.f2(F.relu(self.f1(high))))
        x = x * gate.view(gate.size(0), -1, 1, 1)
        both = torch.cat([torch.mean(x, 1, keepdim=True), torch.max(x, 1, keepdim=True)[0]], 1)
        return ends(self, (x * torch.sigmoid(self.s(both))).flatten(1))

    parts = {"c": nn.Conv2d(2, 8, 3, padding=1), "f1": nn.Linear(8, 4), "f2": nn.Linear(4, 8)}
    return net(forward, **parts, s=nn.Conv2d(2, 1, 7, padding=3), **heads(336, 7)), [board(2, 6, 7)]


@further
def bilinear_up() -> Made:
    """Planes of half the side, enlarged by bilinear interpolation."""

    def forward(self: Any, x: Tensor) -> Any:
        y = F.relu(self.c2(F.avg_pool2d(F.relu(self.c(x)), 2)))
        z = F.interpolate(y, size=(8, 8), mode="bilinear", align_corners=False)
        return self.p(z).flatten(1), torch.tanh(self.v(y.flatten(1)))

    parts = {"c": nn.Conv2d(2, 8, 3, padding=1), "c2": nn.Conv2d(8, 8, 3, padding=1), "p": nn.Conv2d(8, 1, 1)}
    return net(forward, **parts, v=nn.Linear(128, 1)), [board(2, 8, 8)]

"""PyTorch: members as a batch dimension, second order by autograd; eager, then compiled with torch.compile."""

import peer

chosen = peer.options()

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.set_num_interop_threads(1)
torch.manual_seed(3)
LIT = chosen.method == "lit"


def draw_masks():
    """It is outside the compiled part, because the compiler's own generator is several times slower than this one."""
    return torch.empty(chosen.members, peer.BATCH, peer.HIDDEN).bernoulli_(peer.KEEP).div_(peer.KEEP)


def logits(parameters, x, masks):
    """x is (M, B, D), the result (M, B, 2)."""
    w1, b1, w2, b2 = parameters
    return torch.baddbmm(b2, torch.relu(torch.baddbmm(b1, x, w1)) * masks, w2)


def cross_entropy(z, y):
    return F.cross_entropy(z.reshape(-1, 2), y.repeat(chosen.members), reduction="sum") / peer.BATCH


def penalty(g):
    """Mean over the rows of cos^2, summed over ordered pairs; g is (M, B, D)."""
    rows = g.transpose(0, 1)
    dots = torch.bmm(rows, rows.transpose(1, 2))
    norms = dots.diagonal(dim1=1, dim2=2)
    cos2 = dots**2 / (norms[:, :, None] * norms[:, None, :] + peer.EPSILON)
    return (cos2.sum() - cos2.diagonal(dim1=1, dim2=2).sum()) / peer.BATCH


def by_column(g, slopes):
    """(M, B, D) from the gradients by the inputs."""
    return (g.view(chosen.members, *slopes.shape) * slopes).sum(dim=-1) if chosen.bins else g


def repeated(x):
    return x.expand(chosen.members, -1, -1)


def gradients_eager(parameters, x, slopes, y, masks):
    x = repeated(x).detach().requires_grad_(LIT)
    z = logits(parameters, x, masks)
    loss, p = cross_entropy(z, y), torch.zeros(())
    if LIT:
        (g,) = torch.autograd.grad((z[..., 1] - z[..., 0]).sum(), x, create_graph=True)
        p = penalty(by_column(g, slopes))
    return torch.autograd.grad(loss + peer.LAMBDA * p, parameters), loss, p


@torch.no_grad()  # otherwise the compiler prepares a backward pass of the whole that nothing uses
def gradients_functional(parameters, x, slopes, y, masks):
    """The same for the compiler, which supports torch.func but no second backward through autograd's tape."""

    def objective(parameters):
        if not LIT:
            loss = cross_entropy(logits(parameters, repeated(x), masks), y)
            return loss, (loss, torch.zeros(()))
        z, pull = torch.func.vjp(lambda x: logits(parameters, x, masks), repeated(x))
        signs = torch.tensor([-1.0, 1.0]).expand_as(z)
        loss, p = cross_entropy(z, y), penalty(by_column(pull(signs)[0], slopes))
        return loss + peer.LAMBDA * p, (loss, p)

    gradients, (loss, p) = torch.func.grad(objective, has_aux=True)(parameters)
    return gradients, loss, p


def first_parameters():
    return tuple(torch.from_numpy(w).requires_grad_() for w in peer.first_weights(chosen))


def batches():
    return tuple(torch.from_numpy(a.astype("int64") if a.dtype == "int32" else a) for a in peer.data(chosen))


def first(gradients):
    """The objective of the first weights without drop-out."""
    keep_all = torch.ones(chosen.members, peer.BATCH, peer.HIDDEN)
    _, loss, p = gradients(first_parameters(), *(a[0] for a in batches()), keep_all)
    return loss.item(), p.item()


def trainer(gradients):
    x, slopes, y = batches()
    parameters = first_parameters()
    adam = torch.optim.Adam(parameters, lr=peer.RATE, weight_decay=peer.DECAY, fused=True)

    def train(passes):
        for batch in [*range(peer.BATCHES)] * passes:
            found, loss, p = gradients(parameters, x[batch], slopes[batch], y[batch], draw_masks())
            for parameter, gradient in zip(parameters, found, strict=True):
                parameter.grad = gradient.contiguous()  # the fused Adam needs the gradient in memory order
            adam.step()
        return loss.item(), p.item()

    return train


for name, gradients in (("torch", gradients_eager), ("torch.compile", torch.compile(gradients_functional))):
    peer.report(chosen, name, "autodiff", first(gradients), trainer(gradients))

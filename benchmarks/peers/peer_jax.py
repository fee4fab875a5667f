"""JAX: members by vmap, steps by scan, all under jit; second order by grad of grad, then our closed form by hand."""

import functools

import peer

chosen = peer.options()

import jax
import jax.numpy as jnp
import numpy as np

LIT = chosen.method == "lit"


def logits(net, x, mask):
    w1, b1, w2, b2 = net
    return (jax.nn.relu(x @ w1 + b1) * mask) @ w2 + b2


def score(x, net, mask):
    z = logits(net, x, mask)
    return jnp.sum(z[:, 1] - z[:, 0])


def by_column(g, slopes):
    """(M, B, D) from the gradients by the inputs."""
    return jnp.sum(g.reshape(chosen.members, *slopes.shape) * slopes, axis=-1) if chosen.bins else g


def by_input(g, slopes):
    """The transpose of by_column."""
    return (g[..., None] * slopes).reshape(chosen.members, peer.BATCH, -1) if chosen.bins else g


def cos2_parts(g):
    """g is (M, B, D): dot products (M, M, B) and the denominators, with the diagonal's dots set to zero."""
    dots = jnp.einsum("ibd,jbd->ijb", g, g)
    norms = jnp.einsum("iib->ib", dots)
    off = dots * (1 - jnp.eye(chosen.members))[:, :, None]
    return off, norms, norms[:, None] * norms[None, :] + peer.EPSILON


def objective(nets, x, slopes, y, masks):
    def cross_entropy(net, mask):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits(net, x, mask)), y[:, None], axis=1))

    loss, p = jnp.sum(jax.vmap(cross_entropy)(nets, masks)), 0.0
    if LIT:
        g = by_column(jax.vmap(jax.grad(score), (None, 0, 0))(x, nets, masks), slopes)
        dots, _, q = cos2_parts(g)
        p = jnp.sum(dots**2 / q) / peer.BATCH
    return loss + peer.LAMBDA * p, (loss, p)


def gradients_autodiff(nets, x, slopes, y, masks):
    gradients, (loss, p) = jax.grad(objective, has_aux=True)(nets, x, slopes, y, masks)
    return gradients, loss, p


def gradients_closed(nets, x, slopes, y, masks):
    """One ReLU layer collapsed: products Z = X W1, G = S U^T and Q = [T, e]^T S, and no tape."""
    w1, b1, w2, b2 = nets
    z = x @ w1 + b1
    s = jnp.where(z > 0, masks, 0)
    v = w2[..., 1] - w2[..., 0]
    margin = jnp.einsum("mbh,mh->mb", s * z, v) + (b2[..., 1] - b2[..., 0])
    e = (jax.nn.sigmoid(margin) - y) / peer.BATCH
    t, p = e[..., None] * x, 0.0
    if LIT:
        g = by_column(jnp.einsum("mbh,mdh->mbd", s, w1 * v[:, None]), slopes)
        dots, norms, q = cos2_parts(g)
        p = jnp.sum(dots**2 / q) / peer.BATCH
        toward = jnp.einsum("ijb,jbd->ibd", dots / q, g)
        away = jnp.sum(dots**2 * norms[None] / q**2, axis=1)[..., None] * g
        t += peer.LAMBDA * 4 / peer.BATCH * by_input(toward - away, slopes)
    last = jnp.einsum("mbd,mbh->mdh", jnp.concatenate([t, e[..., None]], axis=2), s)
    q_t, q_e = last[:, :-1], last[:, -1:]
    dv = jnp.sum(w1 * q_t, axis=1) + (b1 * q_e)[:, 0]
    de = jnp.sum(e, axis=1)
    loss = jnp.sum(jnp.mean(jax.nn.softplus(jnp.where(y == 1, -margin, margin)), axis=1))
    pair = lambda a: jnp.stack([-a, a], axis=-1)
    return (q_t * v[:, None], q_e * v[:, None], pair(dv), pair(de)[:, None]), loss, p


def adam(nets, gradients, moments, step):
    first, second = moments
    gradients = jax.tree.map(lambda g, w: g + peer.DECAY * w, gradients, nets)
    first = jax.tree.map(lambda m, g: peer.BETA1 * m + (1 - peer.BETA1) * g, first, gradients)
    second = jax.tree.map(lambda m, g: peer.BETA2 * m + (1 - peer.BETA2) * g * g, second, gradients)
    scale1, scale2 = 1 / (1 - peer.BETA1**step), 1 / (1 - peer.BETA2**step)

    def move(w, m, s):
        return w - peer.RATE * (m * scale1) / (jnp.sqrt(s * scale2) + peer.ADAM_EPSILON)

    return jax.tree.map(move, nets, first, second), (first, second)


def draw_masks(key):
    return jax.random.bernoulli(key, peer.KEEP, (chosen.members, peer.BATCH, peer.HIDDEN)) / peer.KEEP


@functools.partial(jax.jit, static_argnums=0, donate_argnums=1)
def run(gradients, state, batches):
    def one(state, batch):
        nets, moments, step, key = state
        key, own = jax.random.split(key)
        found, loss, p = gradients(nets, *batch, draw_masks(own))
        nets, moments = adam(nets, found, moments, step + 1.0)
        return (nets, moments, step + 1, key), (loss, p)

    state, (losses, penalties) = jax.lax.scan(one, state, batches)
    return state, losses[-1], penalties[-1]


def start():
    nets = tuple(jnp.asarray(w) for w in peer.first_weights(chosen))
    moments = tuple(jax.tree.map(jnp.zeros_like, nets) for _ in range(2))
    return nets, moments, jnp.int32(0), jax.random.key(3)


def trainer(gradients):
    batches = tuple(jnp.asarray(a) for a in peer.data(chosen))
    state = start()

    def train(passes):
        nonlocal state
        for _ in range(passes):
            state, loss, p = run(gradients, state, batches)
        return float(loss), float(p)

    return train


def check_closed_form():
    batch = [a[0] for a in peer.data(chosen)]
    nets, *_, key = start()
    nets = tuple(w + 0.01 * np.random.default_rng(4).standard_normal(w.shape, dtype=np.float32) for w in nets)
    forms = (jax.jit(f)(nets, *batch, draw_masks(key))[0] for f in (gradients_autodiff, gradients_closed))
    for ours, theirs in zip(*forms, strict=True):
        distance = jnp.linalg.norm((ours - theirs).ravel()) / jnp.linalg.norm(theirs.ravel())
        if not distance < 1e-4:
            raise SystemExit(f"closed form is {distance} away from autodiff")


def first(gradients):
    """The objective of the first weights without drop-out."""
    keep_all = jnp.ones((chosen.members, peer.BATCH, peer.HIDDEN))
    _, loss, p = jax.jit(gradients)(start()[0], *(a[0] for a in peer.data(chosen)), keep_all)
    return float(loss), float(p)


check_closed_form()
for form, gradients in (("autodiff", gradients_autodiff), ("closed", gradients_closed)):
    peer.report(chosen, "jax", form, first(gradients), trainer(gradients))

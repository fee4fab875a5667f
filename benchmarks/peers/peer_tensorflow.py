"""TensorFlow: members as a batch dimension, two gradient tapes for the second order, all steps in one tf.function."""

import peer

chosen = peer.options()

import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
tf.random.set_seed(3)
LIT = chosen.method == "lit"


def logits(x, drop):
    """x is (M, B, inputs), the result (M, B, 2)."""
    w1, b1, w2, b2 = parameters
    return tf.matmul(tf.nn.dropout(tf.nn.relu(tf.matmul(x, w1) + b1), drop), w2) + b2


def cross_entropy(z, y):
    labels = tf.broadcast_to(y, (chosen.members, peer.BATCH))
    return tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, z)) / peer.BATCH


def penalty(g):
    rows = tf.transpose(g, (1, 0, 2))
    dots = tf.matmul(rows, rows, transpose_b=True)
    norms = tf.linalg.diag_part(dots)
    cos2 = dots**2 / (norms[:, :, None] * norms[:, None, :] + peer.EPSILON)
    return (tf.reduce_sum(cos2) - tf.reduce_sum(tf.linalg.diag_part(cos2))) / peer.BATCH


def by_column(g, slopes):
    """(M, B, D) from the gradients by the inputs."""
    return tf.reduce_sum(tf.reshape(g, (chosen.members, *slopes.shape)) * slopes, axis=-1) if chosen.bins else g


def gradients(x, slopes, y, drop):
    x = tf.broadcast_to(x, (chosen.members, *x.shape))
    with tf.GradientTape() as outer:
        if LIT:
            with tf.GradientTape() as inner:
                inner.watch(x)
                z = logits(x, drop)
                s = z[..., 1] - z[..., 0]
            p = penalty(by_column(inner.gradient(s, x), slopes))
        else:
            z, p = logits(x, drop), tf.zeros(())
        loss = cross_entropy(z, y)
        total = loss + peer.LAMBDA * p
    return outer.gradient(total, parameters), loss, p


@tf.function
def run(passes):
    loss, p = tf.zeros(()), tf.zeros(())
    for step in tf.range(passes * peer.BATCHES):
        batch = step % peer.BATCHES
        found, loss, p = gradients(x_all[batch], slopes_all[batch], y_all[batch], 1 - peer.KEEP)
        done.assign_add(1)
        adam(found, tf.cast(done, tf.float32))
    return loss, p


def adam(found, step):
    """TensorFlow's own fused kernel, which its optimizers call or spell out."""
    for w, m, s, g in zip(parameters, first, second, found, strict=True):
        tf.raw_ops.ResourceApplyAdam(
            var=w.handle, m=m.handle, v=s.handle, beta1_power=peer.BETA1**step, beta2_power=peer.BETA2**step,
            lr=peer.RATE, beta1=peer.BETA1, beta2=peer.BETA2, epsilon=peer.ADAM_EPSILON, grad=g + peer.DECAY * w)


def train(passes):
    loss, p = run(tf.constant(passes))
    return float(loss), float(p)


x_all, slopes_all, y_all = (tf.constant(a) for a in peer.data(chosen))
parameters = [tf.Variable(w) for w in peer.first_weights(chosen)]
first, second = ([tf.Variable(tf.zeros_like(w)) for w in parameters] for _ in range(2))
done = tf.Variable(0)
_, loss, p = tf.function(gradients)(x_all[0], slopes_all[0], y_all[0], 0.0)
peer.report(chosen, "tensorflow", "autodiff", (float(loss), float(p)), train)

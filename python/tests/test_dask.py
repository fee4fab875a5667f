"""Cross-validation over the workers of a dask.distributed cluster gives the scores of one process."""

import faulthandler
import os

import joblib
import pytest
from conftest import QUICK
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score

import perpend

distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def client():
    """Two worker processes that nobody outside of this machine can reach. If something hangs, the tests end."""
    faulthandler.dump_traceback_later(400, exit=True)
    workers = dict(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None)
    with distributed.LocalCluster(**workers) as cluster, distributed.Client(cluster, timeout=60) as client:
        client.wait_for_workers(2, timeout=120)
        yield client
    faulthandler.cancel_dump_traceback_later()


def test_there_are_two_workers_on_this_machine_alone(client):
    scheduler = client.scheduler_info()
    addresses = [scheduler["address"], *scheduler["workers"]]
    assert len(addresses) == 3
    assert all(address.startswith("tcp://127.0.0.1:") for address in addresses)
    pids = set(client.run(os.getpid).values())
    assert len(pids) == 2 and os.getpid() not in pids


@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_joblib_gives_the_scores_of_one_process(client, shortcut, backend):
    X, y = shortcut
    model = perpend.LITClassifier(**QUICK, n_jobs=1)
    alone = cross_val_score(model, X, y, cv=4, scoring="neg_log_loss")
    with joblib.parallel_backend(backend, n_jobs=2):
        spread = cross_val_score(model, X, y, cv=4, scoring="neg_log_loss", n_jobs=2)
    assert (spread == alone).all()


def test_mapped_folds_give_the_models_of_one_process(client, shortcut):
    X, y = shortcut
    model = perpend.LITClassifier(**QUICK, n_jobs=1)
    folds = [rows for rows, _ in StratifiedKFold(4).split(X, y)]

    def fitted(rows):
        return clone(model).fit(X[rows], y[rows]).to_bytes()

    assert client.gather(client.map(fitted, folds)) == [fitted(rows) for rows in folds]

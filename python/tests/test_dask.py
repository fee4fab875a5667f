"""Cross-validation over the workers of a dask.distributed cluster gives the scores of one process."""

import joblib
import pytest
from conftest import QUICK
from sklearn.model_selection import cross_val_score

import perpend

distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.filterwarnings("ignore")


def test_two_workers_give_the_scores_of_one_process(shortcut):
    X, y = shortcut
    model = perpend.LITClassifier(**QUICK, n_jobs=1)
    alone = cross_val_score(model, X, y, cv=4, scoring="neg_log_loss")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert len(client.scheduler_info()["workers"]) == 2
            with joblib.parallel_backend("dask", client=client):
                spread = cross_val_score(model, X, y, cv=4, scoring="neg_log_loss", n_jobs=2)
    assert (spread == alone).all()

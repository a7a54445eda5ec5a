from .card import (
    NewRows as NewRows,
    describe_training as describe_training,
    read_about as read_about,
    read_new_rows as read_new_rows,
)
from .files import (
    can_save as can_save,
    load_model as load_model,
    needed_trust as needed_trust,
    save_model as save_model,
)

from .card import (
    describe_training as describe_training,
    read_about as read_about,
)
from .files import (
    can_save as can_save,
    load_model as load_model,
    needed_trust as needed_trust,
    save_model as save_model,
)
from .training import (
    count_training_rows as count_training_rows,
    interval_half_width as interval_half_width,
)

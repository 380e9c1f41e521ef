from __future__ import annotations

from hypothesis import HealthCheck, settings

# The normal suite always tries the same examples; `pytest --hypothesis-profile=long` looks for new ones.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "long", max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("steady")

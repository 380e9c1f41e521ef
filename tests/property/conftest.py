from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The normal suite always tries the same examples; `HYPOTHESIS_PROFILE=long pytest tests/property` looks for new ones.
SLOW_IS_FINE = [HealthCheck.too_slow]
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=SLOW_IS_FINE)
settings.register_profile("long", max_examples=3_000, deadline=None, suppress_health_check=SLOW_IS_FINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

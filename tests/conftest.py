"""What all tests share: how hard Hypothesis looks, and what `--deep` adds."""

import os

from hypothesis import HealthCheck, settings

# Quick runs repeat the same examples, so that a failure is the change's and not chance's; deep runs look anew.
# How busy the machine is fails no test: Hypothesis refuses one whose first ten examples take half a minute to draw.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", UNTIMED, derandomize=True, database=None)
settings.register_profile("deep", UNTIMED, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

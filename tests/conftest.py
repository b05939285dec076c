"""What all tests share: how hard Hypothesis looks, and what `--deep` adds."""

import os

from hypothesis import settings

# Quick runs repeat the same examples, so that a failure is the change's and not chance's; deep runs look anew.
settings.register_profile("quick", deadline=None, derandomize=True, database=None)
settings.register_profile("deep", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

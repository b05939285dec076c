"""The page on acts of events says what the types say."""

import doctest

from event_acts_page import PAGE, page


def test_the_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == page(), "run tests/event_acts_page.py"


def test_its_example_runs():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0

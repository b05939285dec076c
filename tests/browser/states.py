"""States of a page that tests wait for."""

NOTHING_WAITS = """Object.keys(localStorage).every(
  (key) => !key.startsWith("bobing.queue.") || JSON.parse(localStorage.getItem(key)).length === 0)"""


def until(page, condition):
    """Whether a condition comes true; the policy of the page forbids Playwright's own way of waiting for it."""
    for _ in range(600):
        if page.evaluate(condition):
            return True
        page.wait_for_timeout(100)
    return False


def settle(page):
    """Wait until the server has answered for all that was done on a page: what is cut then cuts nothing off.

    An act is seen before it is acknowledged; a page that loses its connection in between keeps it, and says so.
    """
    assert until(page, NOTHING_WAITS)

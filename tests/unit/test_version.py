from importlib.metadata import version

import bobing


def test_the_package_knows_the_version_it_was_installed_as():
    assert bobing.__version__ == version("bobing")

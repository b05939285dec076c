"""Bo Bing 博饼: six dice, 63 cakes, one zhuangyuan.

`bobing.core` knows the game, `bobing.cli` is the command line. Importing `bobing` loads neither.
"""

__version__ = "0.1.0"

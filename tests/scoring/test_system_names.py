"""What systems are called, from the names of their files."""

import pytest

from concordant.scoring.system_names import system_names


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["out/Online-A.txt", "out/Online-Y.txt"], ["Online-A", "Online-Y"]),
        (["Online-A.txt.gz", "Online-Y.TXT"], ["Online-A", "Online-Y"]),
        (["wmt12.de-en.onlineA", "wmt12.de-en.onlineB"], None),
        (["jhu-nmt.5151", "jhu-nmt.5152"], None),
        (["base-1.5.txt", "base-1.6.txt"], ["base-1.5", "base-1.6"]),
        (["1/x.txt", "2/x.txt", "2/y.txt"], ["1/x", "2/x", "2/y"]),
        (["a/1/x.txt", "b/1/x.txt"], ["a/1/x", "b/1/x"]),
        (["x.txt", "x.out"], None),
        ([".txt", "b.txt"], [".txt", "b"]),
        (["a", "./a"], None),
    ],
)
def test_names_keep_the_stem(paths, names):
    assert system_names(paths) == (paths if names is None else names)

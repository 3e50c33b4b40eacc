"""Ctrl-C ends a kernel's work soon, however long one of its segments is."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from concordant.metrics.lexical import wer

# Each call works for ten seconds or more in one place of one kernel.
WORDS = "words = [f'w{i % 50}' for i in range(1_900)], [f'w{i * 7 % 50}' for i in range(1_900)]\n"
CALLS = {
    "one segment": WORDS + "from concordant.metrics.lexical import character\n"
    "call = lambda: character.counts([' '.join(words[0])], [[' '.join(words[1])] * 20])",
    "two threads": WORDS + "from concordant.metrics.lexical import character\n"
    "call = lambda: character.counts("
    "[' '.join(words[0])] * 3, [[' '.join(words[1])] * 20] * 3, threads=2)",
    "windows": "from random import Random\n"
    "rng = Random(0)\n"
    "texts = [' '.join(f'w{rng.randrange(9_000)}' for _ in range(160_000)) for _ in 'ab']\n"
    "from concordant.metrics.lexical import ter\n"
    "call = lambda: ter.counts(texts[:1], [texts[1:] * 60])",
    "token matching": "import numpy as np\n"
    "from concordant.encoders.ragged import ragged\n"
    "from concordant.encoders.token_matching import match_tokens\n"
    "texts = ragged([np.random.default_rng(0).normal(size=(16_000, 1_024)).astype('float32')])\n"
    "call = lambda: match_tokens(texts, np.zeros((1, 2), dtype=np.int64))",
    "TrueSkill": "import numpy as np\n"
    "from concordant.stats import _native\n"
    "call = lambda: _native.true_skill(np.ones((5, 5)), np.ones((5, 5)), 10**9, 1.0, 1.0, 0.1)",
    "matrix product": "import numpy as np\n"
    "from concordant import arrays\n"
    "left, right = np.ones((2_000, 40_000), 'float32'), np.ones((40_000, 2_000), 'float32')\n"
    "call = lambda: arrays.product(left, right)",
    "transformer": f"import sys\nsys.path.insert(0, {str(Path(__file__).parents[1])!r})\n"
    "import numpy as np\n"
    "from small_transformers import small_weights\n"
    "from concordant.encoders.networks.quantised import transformer\n"
    "from concordant.models.encoder.quantised import pack\n"
    "rng = np.random.default_rng(0)\n"
    "params = pack(small_weights(rng, width=768, wide=3072, places=512))\n"
    "network = transformer(params, heads=12, epsilon=1e-12, path='plain')\n"
    "zeros, starts = np.zeros(512 * 400, 'int32'), np.arange(0, 512 * 400 + 1, 512)\n"
    "call = lambda: network.states(zeros, zeros, zeros, starts)",
}
AT_WORK, SOON = 1.0, 4.0  # seconds


def interrupted(before: str, call: str) -> tuple[int, str, float]:
    """Exit code, standard error, and how long a process ran on after SIGINT in the call."""
    # A process that was started in the background ignores SIGINT, and so do its children.
    heard = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{heard}\n{before}\nprint('ready', flush=True)\n{call}\n"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(AT_WORK)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, error = process.communicate(timeout=60)
        return process.returncode, error, time.monotonic() - begin


@pytest.mark.parametrize("call", CALLS)
def test_a_kernel_ends_soon_after_ctrl_c(call):
    _, error, took = interrupted(CALLS[call], "call()")
    assert error.endswith("KeyboardInterrupt\n")
    assert took < SOON


def test_the_score_command_ends_soon_after_ctrl_c(tmp_path):
    lines = [" ".join(f"w{i * step % 50}" for i in range(1_900)) for step in (1, 7)]
    for name, line in zip(("out", "ref"), lines, strict=True):
        (tmp_path / name).write_text(f"{line}\n" * 20, encoding="utf-8")
    arguments = ["concordant", "score", "-m", "character"]
    arguments += ["-r", str(tmp_path / "ref"), "-t", str(tmp_path / "out")]
    load = f"import concordant.metrics.lexical.measures, sys\nsys.argv = {arguments!r}"
    code, _, took = interrupted(f"{load}\nfrom concordant.cli.main import main", "main()")
    assert code == 130
    assert took < SOON


def test_work_after_an_interruption_starts_afresh():
    """A handler that raises stops one call, and the next call counts as before."""

    def fail(*_: object) -> None:
        raise RuntimeError("stopped by a handler")

    texts = [" ".join(f"w{i * step % 997}" for i in range(16_000)) for step in (1, 7)]
    before = signal.signal(signal.SIGALRM, fail)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(RuntimeError, match="stopped by a handler"):
            wer.counts([texts[0]] * 200, [[texts[1]]] * 200, threads=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert wer.counts(["a b c"], [["a c"]]).tolist() == [[0.0, 1.0, 0.0, 2.0]]

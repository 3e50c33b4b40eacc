"""What people write for a language."""

import pytest
from bad_input import refused, run, write

from concordant.errors import SpecError
from concordant.metrics.flags.language_codes import target_language


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("en", "en"), ("EN", "en"), ("de-en", "en"), ("DE-EN", "en"), ("de_en", "en"),
        ("en-US", "en"), ("en_GB", "en"), ("en-us", "en"), ("EN-US", "en"), ("de-DE", "de"),
        ("pt-BR", "pt"), ("pt-br", "pt"), ("zh-CN", "zh"), ("zh-tw", "zh"), ("zh-Hant-TW", "zh"),
        ("en-zh-CN", "zh"), ("en-US-de-DE", "de"), ("de-en-GB", "en"), ("es-419", "es"),
        ("eng", "en"), ("deu-eng", "en"), ("eng_Latn", "en"), ("deu_Latn-eng_Latn", "en"),
        ("cz-en", "en"), ("en-cz", "cs"), ("en-jp", "ja"), ("en-br", "br"), ("ceb", "ceb"),
        ("xx", "xx"),
    ],
)  # fmt: skip
def test_a_pair_speaks_of_its_second_language_and_a_region_of_none(written, code):
    assert target_language(written) == code


@pytest.mark.parametrize("written", ["", "German", "xx-", "-", "e", "de en", "12"])
def test_what_is_no_code_is_refused(written):
    with pytest.raises(SpecError, match="is not a code such as en, de-en or pt-BR"):
        target_language(written)


def test_the_commands_read_it(tmp_path):
    text = write(tmp_path / "text", "A small house.\nIt rained.\n")
    asked = ("score", "-r", text, "-t", text, "--format", "json", "-l")
    assert '"base"' in run(*asked, "en-US").out
    assert "fast-any" in run(*asked, "pt-BR").out
    assert 'language "German" is not a code' in refused(*asked, "German")

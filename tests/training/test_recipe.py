"""Recipes: every key has a meaning, and what is wrong is told with the nearest right thing."""

from pathlib import Path

import pytest

from concordant.errors import DataError, SpecError
from concordant.toml_text import parse_toml, toml_text, toml_value
from concordant.training.recipe import (
    KEYS,
    Recipe,
    change_recipe,
    check_recipe,
    read_recipe,
    shipped_recipes,
)


def write(folder, text):
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return path


def fault_of(text, folder):
    with pytest.raises(SpecError) as caught:
        read_recipe(write(folder, text))
    return str(caught.value).removeprefix(f"{folder / 'recipe.toml'}: ")


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_documented_and_its_default_is_allowed(key):
    assert len(KEYS[key].meaning) > 10
    assert check_recipe({key: KEYS[key].default}, Recipe().folder, "x")[key] == KEYS[key].default


@pytest.mark.parametrize("name", shipped_recipes())
def test_shipped_recipes_are_valid_and_named_for_themselves(name):
    recipe = read_recipe(name)
    assert recipe["name"] == name
    read = [recipe[f"inputs.{each}"] for each in ("features", "vectors", "trees")]
    assert any(read) or recipe["model.start"]


def test_the_page_of_recipes_has_every_key_and_recipe():
    page = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text(encoding="utf-8")
    for key, known in KEYS.items():
        table, _, name = key.rpartition(".")
        section = page.partition(f"### `[{table}]`\n" if table else "### At the head")[2]
        row = f"| `{toml_value(known.default)}` | {known.meaning} |"
        lines = [line for line in section.split("\n###")[0].splitlines() if line.endswith(row)]
        assert any(line.startswith(f"| `{name}` |") for line in lines), "run make docs"
    for path in shipped_recipes().values():
        assert path.read_text(encoding="utf-8") in page


def test_the_papers_recipe():
    recipe = read_recipe("guzman2015")
    assert (recipe["model.hidden"], recipe["model.symmetric"]) == (4, False)
    assert (recipe["optimiser.kind"], recipe["optimiser.batch"]) == ("adagrad", 30)
    assert (recipe["optimiser.decay"], recipe["inputs.scaling"]) == (0.003, "min-max")
    assert recipe["objective.gamma"] == 100.0
    assert recipe["objective.beta"] == 0.0  # the paper has 100 (decision 70)


def test_what_a_file_leaves_out_is_the_default(tmp_path):
    recipe = read_recipe(write(tmp_path, 'name = "mine"\n[model]\nhidden = 7\n[data]\n'))
    assert (recipe["name"], recipe["model.hidden"], recipe["seed"]) == ("mine", 7, 1)
    assert recipe.folder == tmp_path


def test_a_recipe_is_written_as_it_is_read(tmp_path):
    recipe = change_recipe(
        read_recipe("guzman2015"), ["optimiser.rate=1e-05", 'data.judgements=["a"]']
    )
    again = read_recipe(write(tmp_path, toml_text(recipe.tables())))
    assert again.tables() == recipe.tables()
    assert parse_toml(toml_text(recipe.tables()))["optimiser"]["rate"] == 1e-05


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sed = 1", 'there is no key "sed"; did you mean "seed"?'),
        ("[model]\nhiden = 4", 'there is no key "model.hiden"; did you mean "model.hidden"?'),
        (
            "[optimizer]\nrate = 1",
            'there is no key "optimizer.rate"; did you mean "optimiser.rate"?',
        ),
        ("[zzz]", 'there is no key "zzz"'),
        ('model = "pairwise"', 'there is no key "model"'),
        ("seed = 1.5", "seed = 1.5 must be a whole number, such as 1"),
        ("seed = true", "seed = True must be a whole number, such as 1"),
        ("seed = -1", "seed = -1 must be from 0 to "),
        ("name = 3", 'name = 3 must be a text, such as "metric"'),
        ("[model]\nsymmetric = 1", "model.symmetric = 1 must be true or false, such as false"),
        ("[optimiser]\nrate = 'a'", "optimiser.rate = 'a' must be a number, such as 0.01"),
        ("[optimiser]\nrate = nan", "optimiser.rate = nan must be from 0 to 1,000,000"),
        ("[optimiser]\nrate = inf", "optimiser.rate = inf must be from 0 to 1,000,000"),
        ("[optimiser]\nbatch = 0", "optimiser.batch = 0 must be from 1 to 1,000,000"),
        ("[validation]\nshare = 2", "validation.share = 2.0 must be from 0 to 1"),
        ("[data]\nminimum_gap = -1.0", "data.minimum_gap = -1.0 must be at least 0"),
        (
            "[data]\njudgements = 'a'",
            "data.judgements = 'a' must be a list of texts, such as []",
        ),
        ("[data]\njudgements = [1]", "data.judgements = [1] must be a list of texts"),
        (
            "[objective]\nkind = 'kendal'",
            (
                'objective.kind = "kendal" is not one of logistic, kendall, logistic+kendall, '
                'sentence, corpus, joint, ratings, divergence, judgements; did you mean "kendall"?'
            ),
        ),
    ],
)
def test_faults(tmp_path, text, message):
    assert fault_of(text, tmp_path).startswith(message)


def test_all_faults_are_told_at_once(tmp_path):
    assert len(fault_of("sed = 1\nnam = 2\n[model]\nhidden = -1", tmp_path).splitlines()) == 3


def test_a_whole_number_will_do_for_a_number(tmp_path):
    assert read_recipe(write(tmp_path, "[optimiser]\nrate = 1"))["optimiser.rate"] == 1


def test_what_is_no_recipe_is_told(tmp_path):
    with pytest.raises(SpecError, match=r'recipe "guzman" is not one of .* nor a file.* did you'):
        read_recipe("guzman")
    with pytest.raises(DataError, match="there is no such file; check the path"):
        read_recipe(tmp_path / "absent.toml")
    with pytest.raises(DataError, match="is a folder"):
        read_recipe(tmp_path)
    with pytest.raises(DataError, match="is not TOML"):
        read_recipe(write(tmp_path, "rate: 1"))


def test_keys_are_changed_as_on_the_command_line():
    recipe = change_recipe(
        Recipe(),
        ["seed=7", "inputs.features=bleu chrf", "model.symmetric=true", " name = a=b ",
         'data.language_pairs=["*-en"]', "optimiser.rate=0.5"],
    )  # fmt: skip
    assert (recipe["seed"], recipe["model.symmetric"], recipe["name"]) == (7, True, "a=b")
    assert recipe["inputs.features"] == "bleu chrf"
    assert recipe["data.language_pairs"] == ["*-en"]
    with pytest.raises(SpecError, match='"seed" is not KEY=VALUE; write for example'):
        change_recipe(Recipe(), ["seed"])
    with pytest.raises(SpecError, match='--set: there is no key "sed"; did you mean "seed"'):
        change_recipe(Recipe(), ["sed=1"])
    with pytest.raises(SpecError, match=r"--set: model\.hidden = 'four' must be a whole number"):
        change_recipe(Recipe(), ["model.hidden=four"])


def test_keys_are_changed_by_name():
    recipe = Recipe().with_values(model__hidden=0, seed=3)
    assert (recipe["model.hidden"], recipe["seed"]) == (0, 3)
    with pytest.raises(SpecError, match=r'there is no key "model\.hiden"'):
        Recipe().with_values(model__hiden=0)
    with pytest.raises(KeyError):
        Recipe()["nothing"]

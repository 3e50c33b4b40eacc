"""Small SentencePiece models where sacrebleu keeps its large ones: tests need no network."""

import io
from pathlib import Path

LANGUAGES = Path(__file__).parent.parent / "examples" / "languages"
SIZES = {"flores101": 380, "flores200": 370, "spBLEU-1K": 390}


def lines(language: str, name: str) -> list[str]:
    """The lines of one of the example's texts."""
    return (LANGUAGES / language / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def small_model(folder: Path, name: str) -> Path:
    """A model of the example's texts, under the name of a tokeniser's in sacrebleu's folder."""
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
    from sentencepiece import SentencePieceTrainer

    file = folder / "models" / SPM_MODELS[name]["url"].rsplit("/", 1)[1]
    if not file.exists():
        text = [line for each in ("zh", "ja", "ko") for line in lines(each, "reference")]
        model = io.BytesIO()
        SentencePieceTrainer.train(
            sentence_iterator=iter(text),
            model_writer=model,
            vocab_size=SIZES[SPM_MODELS[name]["signature"]],
            minloglevel=2,
        )
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(model.getvalue())
    return file

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.encoders.networks.batching import STEP
from concordant.encoders.networks.packing import BLOCK, pack

torch = pytest.importorskip("torch", reason="torch is not installed")
counts = st.lists(st.integers(1, 70), min_size=1, max_size=40)


def batch(counts):
    """The mask of texts, and a number for every token: its text and its place."""
    width = -(-max(counts) // STEP) * STEP
    mask = torch.arange(width) < torch.tensor(counts)[:, None]
    return mask, torch.where(mask, torch.arange(mask.numel()).view(mask.shape) + 1.0, 0.0)


@given(counts)
def test_rows_are_the_tokens_in_their_order_and_then_the_first_again(counts):
    mask, values = batch(counts)
    packing = pack(mask)
    rows = values.reshape(-1)[packing.tokens]
    assert packing.count == sum(counts)
    assert len(rows) == -(-sum(counts) // BLOCK) * BLOCK
    assert rows[: packing.count].tolist() == values[mask].tolist()
    assert set(rows[packing.count :].tolist()) <= {1.0}
    assert torch.equal(packing.padded(rows[:, None], tuple(mask.shape))[:, :, 0], values)


@given(counts, st.integers(1, 3))
def test_attention_sees_each_text_with_a_length_of_its_own(counts, fewest):
    mask, values = batch(counts)
    packing = pack(mask, fewest=fewest)
    rows = values.reshape(-1)[packing.tokens]
    seen = []
    for group in packing.groups:
        texts, _, _, tokens = group.hidden.shape
        assert texts >= fewest
        shown = torch.where(group.hidden[:, 0, 0] == 0, rows[group.rows].view(texts, tokens), 0)
        for text in shown:
            assert STEP * -(-len(text.nonzero()) // STEP) == tokens
        seen.append(shown.reshape(-1))
    assert torch.equal(torch.cat(seen)[packing.attended], rows)
    texts = {tuple(text[text > 0].tolist()) for text in values}
    assert texts == {
        tuple(text[text > 0].tolist())
        for part, group in zip(seen, packing.groups, strict=True)
        for text in part.view(group.hidden.shape[0], -1)
    }

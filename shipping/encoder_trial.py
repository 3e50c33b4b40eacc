"""Train an encoder from a plan (a JSON file); see the plans beside the checkpoints."""

from __future__ import annotations
import json, sys, time, zlib, os
from pathlib import Path
import numpy as np
import torch
from concordant.models.encoder.lessons import Course, Lesson, Source, shares_by_source
from concordant.models.encoder.loop import Learner, Schedule, train, write
from concordant.models.encoder.start import new_adapters, new_head, read_network, READ
from concordant.resources.places import locate

torch.set_num_threads(int(os.environ.get("THREADS", "2")))
plan = json.loads(Path(sys.argv[1]).read_text())
plan |= json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
folder = Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
LESSONS = Path("/work/trained/lessons")
stored = np.load(LESSONS / "texts.npz")
ids, surf, starts = (
    stored["ids"].astype(np.int64),
    stored["surfaces"].astype(np.int64),
    stored["starts"],
)
lengths = np.diff(starts)


def fifth(segment):
    return zlib.crc32(segment.encode()) % 5


def load(name):
    found = []
    with open(LESSONS / f"{name}.jsonl") as f:
        for line in f:
            e = json.loads(line)
            if e.get("seen") or (
                name == "contrast" and fifth(e["segment"]) == 4 and not plan.get("all_contrast")
            ):
                continue
            refs = tuple(r for r in e["references"] if lengths[r] > 0)
            longest = max(lengths[t] for t in e["translations"])
            refs = tuple(r for r in refs if lengths[r] + longest + 3 <= plan["longest"])
            if not refs:
                continue
            found.append(
                Lesson(
                    refs,
                    tuple(e["translations"]),
                    tuple(e["ratings"]) if e.get("ratings") else None,
                    tuple(map(tuple, e.get("pairs", ()))),
                    e["segment"],
                )
            )
    return found


def soft(name, path):
    scores = np.load(path)  # row: translation, reference, score
    groups = {}
    for t, r, s in scores:
        groups.setdefault(int(r), []).append((int(t), float(s)))
    found = []
    for r, g in groups.items():
        for i in range(0, len(g), 5):
            part = g[i : i + 5]
            if max(lengths[t] for t, _ in part) + lengths[r] + 3 > plan["longest"]:
                continue
            found.append(Lesson((r,), tuple(t for t, _ in part), tuple(s for _, s in part), (), ""))
    return found


sources = []
for name, s in plan["sources"].items():
    lessons = soft(name, s["soft"]) if "soft" in s else load(name)
    sources.append(Source(name, lessons, s["share"], s.get("rating", 1.0), s.get("pair", 1.0)))
course = Course(tuple(sources), lengths, plan["seed"], plan["batch"], plan["tokens"])
print(
    json.dumps({k: round(v, 3) for k, v in shares_by_source(course).items()}),
    "passes in 100 steps",
    flush=True,
)

shape, weights, moved = read_network(locate(plan["start"]), plan["form"], plan.get("layers", ()))
if plan.get("rank"):
    weights |= new_adapters(shape, weights, plan["rank"], plan["seed"])
width = weights["embeddings.places"].shape[1]
weights |= new_head(READ * width, plan["hidden"], plan["seed"])
if plan.get("from"):
    from safetensors.torch import load_file

    given = load_file(plan["from"])
    assert all(weights[k].shape == v.shape for k, v in given.items())
    weights |= given
if plan.get("rank"):
    learning = [
        n
        for n in weights
        if n.startswith("head.") or n.endswith((".down", ".up")) or n == "embeddings.types"
    ]
else:
    learning = [n for n in weights if n != "embeddings.words"]
texts = [(ids[a:b] + moved, surf[a:b]) for a, b in zip(starts[:-1], starts[1:])]
learner = Learner(shape, weights, learning)
print(sum(v.numel() for v in learner.learning.values()) / 1e6, "M weights learn", flush=True)


def dev(name, keep):
    return [
        json.loads(l)
        for i, l in enumerate(open(LESSONS / f"{name}.jsonl"))
        if keep(i, json.loads(l))
    ]


thin = plan.get("thin", 4)
rr14 = [e for e in dev("rr14", lambda i, e: int(e["segment"].split("/")[-1]) % 10 == 0)][::thin]
ted = dev("mqm21ted", lambda i, e: True)[:: 2 * thin]


def scores_of(learner, rows):
    """rows: (translation, reference)"""
    rows = list(dict.fromkeys(rows))
    rows.sort(key=lambda r: lengths[r[0]] + lengths[r[1]])
    found = {}
    w = learner.weights()
    with torch.no_grad():
        at = 0
        while at < len(rows):
            part = rows[at : at + 48]
            found |= dict(
                zip(
                    part,
                    learner.score(texts, [p[0] for p in part], [p[1] for p in part], w).tolist(),
                )
            )
            at += 48
    return found


def validate(learner):
    t0 = time.time()
    rows = [(t, e["references"][0]) for e in rr14 + ted for t in e["translations"]]
    s = scores_of(learner, rows)
    good = bad = 0
    for e in rr14:
        v = [s[t, e["references"][0]] for t in e["translations"]]
        for b, w in e["pairs"]:
            good += v[b] > v[w]
            bad += v[b] <= v[w]
    x = np.array([s[t, e["references"][0]] for e in ted for t in e["translations"]])
    y = np.array([r for e in ted for r in e["raw"]])
    from scipy.stats import kendalltau

    return {
        "rr14": round((good - bad) / (good + bad), 4),
        "ted_r": round(float(np.corrcoef(x, y)[0, 1]), 4),
        "ted_tau": round(float(kendalltau(x, y).statistic), 4),
        "mean": round(float(x.mean()), 3),
        "sd": round(float(x.std()), 3),
        "eval_s": round(time.time() - t0),
    }


if __name__ == "__main__":
    (folder / "plan.json").write_text(json.dumps(plan, indent=1))
    schedule = Schedule(plan["steps"], plan["warm_up"], plan["decay_from"], plan["rates"])
    train(
        learner,
        course,
        texts,
        schedule,
        folder,
        validate=validate,
        every=plan["every"],
        keep_every=plan["keep_every"],
        say=lambda line: print(line, flush=True),
    )
    final = {n: v.detach() for n, v in learner.learning.items()}
    write(
        folder / "weights.safetensors",
        final,
        {
            "form": shape.form,
            "layers": str(shape.layers),
            "heads": str(shape.heads),
            "epsilon": str(shape.epsilon),
            "first": str(shape.first),
            "between": str(shape.between),
            "moved": str(moved),
            "start": plan["start"],
            "kept_layers": json.dumps(plan.get("layers", [])),
        },
    )

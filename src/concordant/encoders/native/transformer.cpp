#include "transformer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "../../native/parallel.hpp"

namespace concordant {

namespace {

constexpr std::size_t kTogether = 96;  // tokens of texts that go through the layers together
constexpr std::size_t kBlock = 48;     // rows of the widest layer that are computed at a time

struct Path {
    const char* name;
    const Steps* steps;
    bool (*runs)();
};

// The fastest first.
const Path kPaths[] = {
#ifdef CONCORDANT_X86
    {"avx512", &kAvx512Steps,
     [] {
         return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512vnni");
     }},
    {"avx-vnni", &kAvxVnniSteps,
     [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avxvnni"); }},
    {"avx2", &kAvx2Steps, [] { return __builtin_cpu_supports("avx2") != 0; }},
#endif
    {"plain", &kPlainSteps, [] { return true; }},
};

const Steps* steps_of(const std::string& name) {
    for (const Path& path : kPaths)
        if (name == path.name && path.runs()) return path.steps;
    throw std::invalid_argument("this machine cannot take the path " + name);
}

}  // namespace

std::vector<std::string> transformer_paths() {
    std::vector<std::string> names;
    for (const Path& path : kPaths)
        if (path.runs()) names.emplace_back(path.name);
    return names;
}

Dense pack(const int8_t* weights, const float* scales, const float* bias, std::size_t columns,
           std::size_t inner) {
    Dense dense;
    dense.inner = inner;
    dense.columns = columns;
    const std::size_t groups = dense.groups();
    dense.packed.assign(dense.stride() * groups * kGroup, 0);
    dense.sums.assign(dense.stride(), 0);
    dense.scales.assign(scales, scales + columns);
    dense.bias.assign(bias, bias + columns);
    dense.scales.resize(dense.stride(), 0.0f);
    dense.bias.resize(dense.stride(), 0.0f);
    for (std::size_t c = 0; c < columns; ++c) {
        int8_t* panel = dense.packed.data() + c / kPanel * kPanel * groups * kGroup;
        for (std::size_t k = 0; k < inner; ++k) {
            const int8_t number = weights[c * inner + k];
            panel[(k / kGroup * kPanel + c % kPanel) * kGroup + k % kGroup] = number;
            dense.sums[c] += number;
        }
    }
    return dense;
}

// Texts that go through the layers together: the place of each in the rows, and how many of its
// tokens, from the first, are read in the end.
struct Transformer::Group {
    std::size_t first, end;  // texts
    std::vector<std::size_t> starts, read;

    std::size_t rows() const { return starts.back(); }
};

struct Transformer::Scratch {
    std::size_t rows = 0;  // of the states
    std::vector<float> states, seen, context, wide;
    Quantised quantised;
    AttentionScratch attention;
};

Transformer::Transformer(Embeddings embeddings, std::size_t heads, const std::string& path)
    : embeddings_(std::move(embeddings)),
      heads_(heads),
      path_(path.empty() ? transformer_paths().front() : path),
      steps_(steps_of(path_)) {}

void Transformer::set_nearness(const float* nearness, std::size_t reach) {
    nearness_.assign(nearness, nearness + heads_ * (2 * reach + 1));
    reach_ = reach;
}

void Transformer::add_layer(Layer layer) { layers_.push_back(std::move(layer)); }

std::size_t Transformer::longest() const {
    const std::size_t places = embeddings_.place_count;
    return nearness_.empty() ? places : std::min(places, reach_ + 1);
}

void Transformer::check(const Tokens& tokens, const Spans& spans, std::size_t texts) const {
    const auto outside = [](int32_t number, std::size_t count) {
        return number < 0 || static_cast<std::size_t>(number) >= count;
    };
    for (std::size_t i = 0; i < texts; ++i) {
        const int64_t begin = tokens.starts[i], end = tokens.starts[i + 1];
        if (end <= begin) throw std::invalid_argument("a text has no tokens");
        if (static_cast<std::size_t>(end - begin) > longest())
            throw std::invalid_argument("a text has more tokens than there are places");
        for (int64_t t = begin; t < end; ++t)
            if (outside(tokens.words[t], embeddings_.vocabulary) ||
                outside(tokens.types[t], embeddings_.type_count) ||
                outside(tokens.places[t], embeddings_.place_count))
                throw std::invalid_argument("a token's number is outside its table");
        for (std::size_t k = 0; k < spans.count; ++k) {
            const int64_t* span = spans.bounds + 2 * (i * spans.count + k);
            if (span[0] < 0 || span[0] > span[1] || span[1] > end - begin)
                throw std::invalid_argument("a span is outside its text");
        }
    }
}

void Transformer::run(const Tokens& tokens, const Spans& spans, std::size_t texts,
                      std::size_t threads, float* out) const {
    std::vector<Group> groups;
    for (std::size_t i = 0; i < texts; ++i) {
        const auto size = static_cast<std::size_t>(tokens.starts[i + 1] - tokens.starts[i]);
        if (groups.empty() || groups.back().rows() + size > kTogether)
            groups.push_back({i, i, {0}, {}});
        Group& group = groups.back();
        std::size_t read = spans.count > 0 ? 0 : size;
        for (std::size_t k = 0; k < spans.count; ++k)
            read = std::max(read, static_cast<std::size_t>(spans.bounds[2 * (i * spans.count + k) + 1]));
        group.end = i + 1;
        group.starts.push_back(group.rows() + size);
        group.read.push_back(read);
    }
    for_each_row<Scratch>(groups.size(), threads, [&](std::size_t g, Scratch& scratch) {
        run_group(tokens, spans, groups[g], out, scratch);
    });
}

void Transformer::run_group(const Tokens& tokens, const Spans& spans, const Group& group,
                            float* out, Scratch& scratch) const {
    embed(tokens, group, scratch);
    for (const Layer& layer : layers_) {
        check_interruption();
        const bool last = &layer == &layers_.back();
        attend(group, layer, last, scratch);
        feed_forward(layer, scratch.rows, scratch);
    }
    if (spans.count > 0) return read(spans, group, scratch, out);
    const auto place = static_cast<std::size_t>(tokens.starts[group.first]);
    for (std::size_t r = 0; r < scratch.rows; ++r)
        std::copy_n(scratch.states.data() + r * padded(width()), width(),
                    out + (place + r) * width());
}

// The means of the spans, each added up in the order of its tokens.
void Transformer::read(const Spans& spans, const Group& group, const Scratch& scratch,
                       float* out) const {
    const std::size_t wide = width(), stride = padded(wide);
    const bool whole = layers_.empty();  // then no rows were left out
    std::size_t row = 0;
    for (std::size_t i = group.first; i < group.end; ++i) {
        for (std::size_t k = 0; k < spans.count; ++k) {
            const int64_t* span = spans.bounds + 2 * (i * spans.count + k);
            float* mean = out + (i * spans.count + k) * wide;
            std::fill_n(mean, wide, 0.0f);
            for (int64_t t = span[0]; t < span[1]; ++t) {
                const float* state = scratch.states.data() + (row + t) * stride;
                for (std::size_t w = 0; w < wide; ++w) mean[w] += state[w];
            }
            const auto count = static_cast<float>(std::max(span[1] - span[0], int64_t{1}));
            for (std::size_t w = 0; w < wide; ++w) mean[w] /= count;
        }
        const std::size_t at = i - group.first;
        row += whole ? group.starts[at + 1] - group.starts[at] : group.read[at];
    }
}

void Transformer::embed(const Tokens& tokens, const Group& group, Scratch& scratch) const {
    const auto begin = static_cast<std::size_t>(tokens.starts[group.first]);
    const auto end = static_cast<std::size_t>(tokens.starts[group.end]);
    const std::size_t wide = width(), stride = padded(wide);
    scratch.rows = end - begin;
    scratch.states.assign(scratch.rows * stride, 0.0f);
    for (std::size_t t = begin; t < end; ++t) {
        const auto word = static_cast<std::size_t>(tokens.words[t]);
        const int8_t* numbers = embeddings_.words + word * wide;
        const float scale = embeddings_.scales[word];
        const float* type = embeddings_.types.data() + tokens.types[t] * wide;
        const float* place = embeddings_.places.data() + tokens.places[t] * wide;
        float* row = scratch.states.data() + (t - begin) * stride;
        for (std::size_t k = 0; k < wide; ++k)
            row[k] = static_cast<float>(numbers[k]) * scale + type[k] + place[k];
    }
    steps_->normalise(scratch.states.data(), end - begin, embeddings_.norm);
}

// Attention with its residual; after the last layer, only rows that are read are left.
void Transformer::attend(const Group& group, const Layer& layer, bool last,
                         Scratch& scratch) const {
    const std::size_t wide = width(), stride = padded(wide), seen_stride = layer.seen.stride();
    const std::size_t each = wide / heads_, reach = 2 * reach_ + 1, before = scratch.rows;
    scratch.seen.resize(before * seen_stride);
    scratch.context.assign(before * stride, 0.0f);
    steps_->quantise(scratch.states.data(), before, stride, scratch.quantised);
    steps_->multiply(scratch.quantised, before, layer.seen, nullptr, scratch.seen.data());
    std::size_t rows = 0;
    for (std::size_t i = 0; i + 1 < group.starts.size(); ++i) {
        const std::size_t from = group.starts[i], count = group.starts[i + 1] - from;
        const std::size_t queries = last ? group.read[i] : count;
        for (std::size_t head = 0; head < heads_; ++head) {
            check_interruption();
            const float* near = nearness_.empty() ? nullptr : nearness_.data() + head * reach + reach_;
            steps_->attend({scratch.seen.data() + from * seen_stride, seen_stride, count, queries,
                            wide, each, head, near,
                            scratch.context.data() + rows * stride + head * each, stride},
                           scratch.attention);
        }
        if (rows != from)
            std::copy_n(scratch.states.data() + from * stride, queries * stride,
                        scratch.states.data() + rows * stride);
        rows += queries;
    }
    scratch.rows = rows;
    steps_->quantise(scratch.context.data(), rows, stride, scratch.quantised);
    steps_->multiply(scratch.quantised, rows, layer.attended, scratch.states.data(),
                     scratch.states.data());
    steps_->normalise(scratch.states.data(), rows, layer.attended_norm);
}

void Transformer::feed_forward(const Layer& layer, std::size_t rows, Scratch& scratch) const {
    const std::size_t stride = padded(width()), wide = layer.wide.stride();
    scratch.wide.resize(std::min(rows, kBlock) * wide);
    for (std::size_t r = 0; r < rows; r += kBlock) {
        check_interruption();
        const std::size_t count = std::min(kBlock, rows - r);
        float* states = scratch.states.data() + r * stride;
        steps_->quantise(states, count, stride, scratch.quantised);
        steps_->multiply(scratch.quantised, count, layer.wide, nullptr, scratch.wide.data());
        steps_->gelu(scratch.wide.data(), count * wide);
        steps_->quantise(scratch.wide.data(), count, wide, scratch.quantised);
        steps_->multiply(scratch.quantised, count, layer.narrow, states, states);
    }
    steps_->normalise(scratch.states.data(), rows, layer.norm);
}

}  // namespace concordant

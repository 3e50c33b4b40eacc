// A transformer encoder after BERT, its weights whole numbers of 8 bits.
//
// Every row of activations is quantised by its own largest number, so a text's states depend on
// that text alone: not on the batch, the order, the threads or the processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "transformer_steps.hpp"

namespace concordant {

// The names of the paths that this machine can take, the fastest first.
std::vector<std::string> transformer_paths();

// Weights as (columns, inner), each column's numbers side by side.
Dense pack(const int8_t* weights, const float* scales, const float* bias, std::size_t columns,
           std::size_t inner);

struct Embeddings {
    const int8_t* words = nullptr;  // kept by the caller
    std::size_t vocabulary = 0, width = 0;
    std::vector<float> scales;         // of each word
    std::vector<float> types, places;  // (types, width), (places, width)
    std::size_t type_count = 0, place_count = 0;
    Norm norm;
};

struct Layer {
    Dense seen, attended, wide, narrow;
    Norm attended_norm, norm;
};

// The tokens of all texts, one after the other; text i has those from starts[i] to starts[i + 1].
struct Tokens {
    const int32_t* words;
    const int32_t* types;
    const int32_t* places;
    const int64_t* starts;
};

// What is read of each text: the mean state of the tokens from begin to end of each of its spans,
// counted from the text's first token. Without spans, the states of all tokens are read.
struct Spans {
    const int64_t* bounds = nullptr;  // (texts, count, 2)
    std::size_t count = 0;
};

class Transformer {
  public:
    Transformer(Embeddings embeddings, std::size_t heads, const std::string& path);

    // What attention adds by distance, (heads, 2 · reach + 1), from the farthest before a token.
    void set_nearness(const float* nearness, std::size_t reach);
    void add_layer(Layer layer);

    std::size_t width() const { return embeddings_.width; }
    std::size_t heads() const { return heads_; }
    const Embeddings& embeddings() const { return embeddings_; }
    const std::string& path() const { return path_; }
    // The most tokens of a text.
    std::size_t longest() const;

    // Throws where a number is outside its table or a text is too long.
    void check(const Tokens& tokens, const Spans& spans, std::size_t texts) const;

    // The last states, (tokens, width), or what is read of them, (texts, spans, width); an empty
    // span is zeros. The GIL must be released.
    void run(const Tokens& tokens, const Spans& spans, std::size_t texts, std::size_t threads,
             float* out) const;

  private:
    struct Group;
    struct Scratch;

    void run_group(const Tokens& tokens, const Spans& spans, const Group& group, float* out,
                   Scratch& scratch) const;
    void embed(const Tokens& tokens, const Group& group, Scratch& scratch) const;
    void attend(const Group& group, const Layer& layer, bool last, Scratch& scratch) const;
    void feed_forward(const Layer& layer, std::size_t rows, Scratch& scratch) const;
    void read(const Spans& spans, const Group& group, const Scratch& scratch, float* out) const;

    Embeddings embeddings_;
    std::size_t heads_;
    std::string path_;
    const Steps* steps_;
    std::vector<float> nearness_;
    std::size_t reach_ = 0;
    std::vector<Layer> layers_;
};

}  // namespace concordant

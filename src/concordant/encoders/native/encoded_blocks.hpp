// Texts as numbers of pieces: encoded in blocks by several threads, then joined.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../native/arrays.hpp"
#include "../../native/parallel.hpp"
#include "../../native/text.hpp"

namespace concordant {

struct EncodedBlock {
    std::vector<int32_t> numbers;
    std::vector<uint8_t> surfaces;
    std::vector<std::size_t> ends;  // of each text, in numbers
};

// `encode(scratch, block)` appends what scratch.points are to the block. The GIL must be released.
template <class Scratch, class Encode>
std::vector<EncodedBlock> encoded_blocks(const std::vector<Text>& texts, std::size_t threads,
                                         const Encode& encode) {
    constexpr std::size_t kTexts = 64;  // that one thread takes at a time
    std::vector<EncodedBlock> blocks((texts.size() + kTexts - 1) / kTexts);
    for_each_row<Scratch>(blocks.size(), threads, [&](std::size_t b, Scratch& scratch) {
        EncodedBlock& block = blocks[b];
        const std::size_t end = std::min(texts.size(), (b + 1) * kTexts);
        for (std::size_t i = b * kTexts; i < end; ++i) {
            copy_code_points(texts[i], scratch.points);
            encode(scratch, block);
            block.ends.push_back(block.numbers.size());
        }
    });
    return blocks;
}

// (values, starts): the numbers of text i are values[starts[i]:starts[i + 1]].
struct JoinedNumbers {
    NewVector<int32_t> values;
    NewVector<int64_t> starts;
};

inline JoinedNumbers joined_numbers(const std::vector<EncodedBlock>& blocks, std::size_t texts) {
    std::size_t size = 0;
    for (const EncodedBlock& block : blocks) size += block.numbers.size();
    JoinedNumbers found{zeros<int32_t>(size), zeros<int64_t>(texts + 1)};
    int32_t* numbers = found.values.data();
    int64_t* starts = found.starts.data() + 1;  // the first text's is 0
    int64_t before = 0;
    for (const EncodedBlock& block : blocks) {
        for (std::size_t end : block.ends) *starts++ = before + static_cast<int64_t>(end);
        numbers = std::copy(block.numbers.begin(), block.numbers.end(), numbers);
        before += static_cast<int64_t>(block.numbers.size());
    }
    return found;
}

}  // namespace concordant

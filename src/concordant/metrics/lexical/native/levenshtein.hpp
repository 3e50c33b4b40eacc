// Levenshtein distance between two strings of code points, 64 cells at a time; of very long strings
// the sum over their windows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "../../../native/interruption.hpp"
#include "../../../native/windows.hpp"
#include "bit_rows.hpp"

namespace concordant {

// 64 bits for every code point, in pages that are made when they are needed.
class CharacterMasks {
  public:
    uint64_t operator[](char32_t c) const {
        const auto& page = pages_[c >> 8];
        return page ? (*page)[c & 0xff] : 0;
    }
    void set(char32_t c, uint64_t bits) {
        auto& page = pages_[c >> 8];
        if (!page) page = std::make_unique<Page>();
        (*page)[c & 0xff] = bits;
    }

  private:
    using Page = std::array<uint64_t, 256>;
    std::array<std::unique_ptr<Page>, 0x1100> pages_;  // code points end at 0x10ffff
};

// Takes 64 characters of the second string at a time past the whole first one, so that memory
// grows with the length of a string and not with its square.
class Levenshtein {
  public:
    std::size_t operator()(std::u32string_view a, std::u32string_view b) {
        std::size_t distance = 0;
        for_each_window(a.size(), b.size(), {}, [&](Window one, Window other) {
            distance += between(a.substr(one.begin, one.size()),
                                b.substr(other.begin, other.size()));
        });
        return distance;
    }

  private:
    std::size_t between(std::u32string_view a, std::u32string_view b) {
        drop_common_ends(a, b);
        carries_.assign(a.size(), Carry{});
        auto distance = static_cast<int64_t>(a.size());
        for (std::size_t begin = 0; begin < b.size(); begin += 64)
            distance += pass(a, b.substr(begin, 64));
        return static_cast<std::size_t>(distance);
    }

    static void drop_common_ends(std::u32string_view& a, std::u32string_view& b) {
        const auto front = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        const auto same = static_cast<std::size_t>(front.first - a.begin());
        a.remove_prefix(same);
        b.remove_prefix(same);
        while (!a.empty() && !b.empty() && a.back() == b.back()) {
            a.remove_suffix(1);
            b.remove_suffix(1);
        }
    }

    int64_t pass(std::u32string_view a, std::u32string_view part) {
        for (std::size_t j = 0; j < part.size(); ++j)
            masks_.set(part[j], masks_[part[j]] | uint64_t{1} << j);
        Block block;
        for (std::size_t i = 0; i < a.size(); ++i) advance(masks_[a[i]], block, carries_[i]);
        pace_.spend(a.size());
        for (const char32_t c : part) masks_.set(c, 0);
        return rise(block, part.size());
    }

    CharacterMasks masks_;
    std::vector<Carry> carries_;  // one per character of the first string
    Pace pace_;
};

}  // namespace concordant

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "../../native/counts_array.hpp"
#include "bindings.hpp"
#include "token_match.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Vectors = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Pairs = nb::ndarray<const int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Weights = std::optional<Vector<double>>;

void require(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

// All texts of one side.
struct Side {
    const float* vectors;
    const int32_t* rows;
    std::size_t tokens;
    const Vector<int64_t>& starts;
    const Weights& weights;
    std::size_t dimension;

    TokenSide text(int64_t i) const {
        const auto start = static_cast<std::size_t>(starts(i));
        TokenSide side;
        side.vectors = rows == nullptr ? vectors + start * dimension : vectors;
        side.rows = rows == nullptr ? nullptr : rows + start;
        side.weights = weights ? weights->data() + start : nullptr;
        side.size = static_cast<std::size_t>(starts(i + 1)) - start;
        return side;
    }

    void check() const {
        const int64_t* begin = starts.data();
        const int64_t* end = begin + starts.shape(0);
        require(begin != end && *begin == 0 && std::is_sorted(begin, end) &&
                    static_cast<std::size_t>(end[-1]) == tokens,
                "starts do not fit the tokens");
        if (!weights) return;
        require(weights->shape(0) == tokens, "each token needs a weight");
        require(std::all_of(weights->data(), weights->data() + tokens,
                            [](double weight) { return std::isfinite(weight) && weight >= 0.0; }),
                "a weight is negative or not finite");
    }
};

void require_pairs(const Pairs& pairs, const Side& hypotheses, const Side& references) {
    for (std::size_t i = 0; i < pairs.shape(0); ++i)
        require(pairs(i, 0) >= 0 && pairs(i, 1) >= 0 &&
                    static_cast<std::size_t>(pairs(i, 0)) + 1 < hypotheses.starts.shape(0) &&
                    static_cast<std::size_t>(pairs(i, 1)) + 1 < references.starts.shape(0),
                "a pair names no text");
}

CountArray match(const Side& hypotheses, const Side& references, const Pairs& pairs,
                 float threshold, std::size_t threads) {
    require(std::isfinite(threshold), "the threshold is not a number");
    hypotheses.check();
    references.check();
    require_pairs(pairs, hypotheses, references);
    const std::size_t rows = pairs.shape(0);
    auto* data = new double[rows * kTokenMatchColumns];
    CountArray result = make_counts(data, rows, kTokenMatchColumns);
    {
        const nb::gil_scoped_release release;
        const TokenMatcher matcher(hypotheses.dimension, threshold);
        for_each_row<TokenMatchScratch>(
            rows, threads, [&](std::size_t i, TokenMatchScratch& scratch) {
                matcher.match(hypotheses.text(pairs(i, 0)), references.text(pairs(i, 1)), scratch,
                              data + i * kTokenMatchColumns);
            });
    }
    return result;
}

void require_rows(const Vector<int32_t>& rows, std::size_t below) {
    require(std::all_of(rows.data(), rows.data() + rows.shape(0),
                        [=](int32_t row) { return row < 0 || static_cast<std::size_t>(row) < below; }),
            "a token is not a row of the table");
}

CountArray match_rows(const Vectors& table, const Vector<int32_t>& hypothesis_rows,
                      const Vector<int64_t>& hypothesis_starts,
                      const Vector<int32_t>& reference_rows,
                      const Vector<int64_t>& reference_starts, const Pairs& pairs,
                      const Weights& hypothesis_weights, const Weights& reference_weights,
                      float threshold, std::size_t threads) {
    require_rows(hypothesis_rows, table.shape(0));
    require_rows(reference_rows, table.shape(0));
    const std::size_t d = table.shape(1);
    return match({table.data(), hypothesis_rows.data(), hypothesis_rows.shape(0), hypothesis_starts,
                  hypothesis_weights, d},
                 {table.data(), reference_rows.data(), reference_rows.shape(0), reference_starts,
                  reference_weights, d},
                 pairs, threshold, threads);
}

CountArray match_states(const Vectors& hypothesis_states, const Vector<int64_t>& hypothesis_starts,
                        const Vectors& reference_states, const Vector<int64_t>& reference_starts,
                        const Pairs& pairs, const Weights& hypothesis_weights,
                        const Weights& reference_weights, float threshold, std::size_t threads) {
    const std::size_t d = hypothesis_states.shape(1);
    require(reference_states.shape(1) == d, "hypotheses and references differ in dimension");
    return match({hypothesis_states.data(), nullptr, hypothesis_states.shape(0), hypothesis_starts,
                  hypothesis_weights, d},
                 {reference_states.data(), nullptr, reference_states.shape(0), reference_starts,
                  reference_weights, d},
                 pairs, threshold, threads);
}

}  // namespace

void bind_token_match(nb::module_& m) {
    m.def("match_rows", &match_rows, nb::arg("table"), nb::arg("hypothesis_rows"),
          nb::arg("hypothesis_starts"), nb::arg("reference_rows"), nb::arg("reference_starts"),
          nb::arg("pairs"), nb::arg("hypothesis_weights") = nb::none(),
          nb::arg("reference_weights") = nb::none(), nb::arg("threshold") = 0.5f,
          nb::arg("threads") = 1,
          "One row for each pair (hypothesis, reference) of texts whose tokens are rows of a table.");
    m.def("match_states", &match_states, nb::arg("hypothesis_states"), nb::arg("hypothesis_starts"),
          nb::arg("reference_states"), nb::arg("reference_starts"), nb::arg("pairs"),
          nb::arg("hypothesis_weights") = nb::none(), nb::arg("reference_weights") = nb::none(),
          nb::arg("threshold") = 0.5f, nb::arg("threads") = 1,
          "One row for each pair (hypothesis, reference) of texts whose tokens are vectors.");
}

}  // namespace concordant

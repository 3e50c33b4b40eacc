#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "../../native/arrays.hpp"
#include "../../native/parallel.hpp"
#include "bindings.hpp"
#include "token_match.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

// All texts: their tokens are vectors one after another, or rows of a table of vectors.
struct Tokens {
    const Matrix<float>& vectors;
    const Vector<int64_t>& starts;
    const std::optional<Vector<int32_t>>& rows;
    const std::optional<Vector<double>>& weights;

    TokenSide text(int64_t i) const {
        const auto start = static_cast<std::size_t>(starts(i));
        TokenSide side;
        side.vectors = rows ? vectors.data() : vectors.data() + start * vectors.shape(1);
        side.rows = rows ? rows->data() + start : nullptr;
        side.weights = weights ? weights->data() + start : nullptr;
        side.size = static_cast<std::size_t>(starts(i + 1)) - start;
        return side;
    }

    void check() const {
        const std::size_t tokens = rows ? rows->shape(0) : vectors.shape(0);
        const int64_t* begin = starts.data();
        const int64_t* end = begin + starts.shape(0);
        require(begin != end && *begin == 0 && std::is_sorted(begin, end) &&
                    static_cast<std::size_t>(end[-1]) == tokens,
                "starts do not fit the tokens");
        if (rows)
            require(std::all_of(rows->data(), rows->data() + tokens,
                                [&](int32_t row) {
                                    return row < 0 ||
                                           static_cast<std::size_t>(row) < vectors.shape(0);
                                }),
                    "a token is not a row of the table");
        if (!weights) return;
        require(weights->shape(0) == tokens, "each token needs a weight");
        require(std::all_of(weights->data(), weights->data() + tokens,
                            [](double weight) { return std::isfinite(weight) && weight >= 0.0; }),
                "a weight is negative or not finite");
    }
};

NewMatrix<double> match_tokens(const Matrix<float>& vectors, const Vector<int64_t>& starts,
                               const Pairs& pairs, const std::optional<Vector<int32_t>>& rows,
                               const std::optional<Vector<double>>& weights,
                               std::size_t threads) {
    const Tokens tokens{vectors, starts, rows, weights};
    tokens.check();
    const std::size_t count = pairs.shape(0);
    require(std::all_of(pairs.data(), pairs.data() + 2 * count,
                        [&](int64_t text) {
                            return text >= 0 &&
                                   static_cast<std::size_t>(text) + 1 < starts.shape(0);
                        }),
            "a pair names no text");
    NewMatrix<double> result = zeros<double>(count, kTokenMatchColumns);
    double* data = result.data();
    {
        const nb::gil_scoped_release release;
        const TokenMatcher matcher(vectors.shape(1));
        for_each_row<TokenMatchScratch>(
            count, threads, [&](std::size_t i, TokenMatchScratch& scratch) {
                matcher.match(tokens.text(pairs(i, 0)), tokens.text(pairs(i, 1)), scratch,
                              data + i * kTokenMatchColumns);
            });
    }
    return result;
}

}  // namespace

void bind_token_match(nb::module_& m) {
    m.def("match_tokens", &match_tokens, nb::arg("vectors"), nb::arg("starts"), nb::arg("pairs"),
          nb::arg("rows") = nb::none(), nb::arg("weights") = nb::none(), nb::arg("threads") = 1,
          "One row for each pair (translation, reference) of texts. Text i has the tokens starts[i] "
          "… starts[i + 1]: vectors, or rows of them.");
}

}  // namespace concordant

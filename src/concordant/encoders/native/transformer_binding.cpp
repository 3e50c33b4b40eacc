#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <utility>

#include "../../native/arrays.hpp"
#include "bindings.hpp"
#include "transformer.hpp"

namespace nb = nanobind;

namespace concordant {

namespace {

template <class Number, std::size_t Dimensions>
using Given = nb::ndarray<const Number, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy, float>;

std::vector<float> copied(const Given<float, 1>& values) {
    return {values.data(), values.data() + values.size()};
}

Norm norm_of(const Given<float, 1>& scale, const Given<float, 1>& shift, float epsilon,
             std::size_t width) {
    require(scale.size() == width && shift.size() == width, "a norm has another width");
    Norm norm{width, copied(scale), copied(shift), epsilon};
    norm.scale.resize(padded(width), 0.0f);
    norm.shift.resize(padded(width), 0.0f);
    return norm;
}

// The arrays (whole numbers, scales, bias) of one dense layer.
Dense dense_of(const nb::handle& given, std::size_t inner, std::size_t columns) {
    const auto arrays = nb::cast<nb::tuple>(given);
    require(arrays.size() == 3, "a dense layer has weights, scales and bias");
    const auto weights = nb::cast<Given<int8_t, 2>>(arrays[0]);
    const auto scales = nb::cast<Given<float, 1>>(arrays[1]);
    const auto bias = nb::cast<Given<float, 1>>(arrays[2]);
    require(weights.shape(1) == inner, "the weights of a layer have another width");
    require(columns == 0 || weights.shape(0) == columns, "the weights of a layer have another width");
    require(scales.size() == weights.shape(0) && bias.size() == weights.shape(0),
            "scales and bias must have an entry for each column");
    return pack(weights.data(), scales.data(), bias.data(), weights.shape(0), inner);
}

// A transformer, and the table of words that it reads.
class BoundTransformer {
  public:
    BoundTransformer(Given<int8_t, 2> words, const Given<float, 1>& scales,
                     const Given<float, 2>& types, const Given<float, 2>& places,
                     const std::pair<Given<float, 1>, Given<float, 1>>& norm, std::size_t heads,
                     float epsilon, const std::string& path)
        : words_(std::move(words)), epsilon_(epsilon) {
        const std::size_t width = words_.shape(1);
        require(width > 0 && heads > 0 && width % heads == 0, "heads must divide the width");
        require(scales.size() == words_.shape(0), "each word needs a scale");
        require(types.shape(1) == width && places.shape(1) == width,
                "types, places and words differ in width");
        Embeddings embeddings;
        embeddings.words = words_.data();
        embeddings.vocabulary = words_.shape(0);
        embeddings.width = width;
        embeddings.scales = copied(scales);
        embeddings.types.assign(types.data(), types.data() + types.size());
        embeddings.places.assign(places.data(), places.data() + places.size());
        embeddings.type_count = types.shape(0);
        embeddings.place_count = places.shape(0);
        embeddings.norm = norm_of(norm.first, norm.second, epsilon, width);
        kernel_ = std::make_unique<Transformer>(std::move(embeddings), heads, path);
    }

    void set_nearness(const Given<float, 2>& nearness) {
        require(nearness.shape(0) == kernel_->heads() && nearness.shape(1) % 2 == 1,
                "nearness must have a row for each head, and distances both ways");
        kernel_->set_nearness(nearness.data(), nearness.shape(1) / 2);
    }

    void add_layer(const nb::list& dense, const nb::list& norms) {
        require(dense.size() == 4 && norms.size() == 2, "a layer has four matrices and two norms");
        const std::size_t width = kernel_->width();
        const auto norm = [&](std::size_t i) {
            const auto both = nb::cast<nb::tuple>(norms[i]);
            return norm_of(nb::cast<Given<float, 1>>(both[0]), nb::cast<Given<float, 1>>(both[1]),
                           epsilon_, width);
        };
        Layer layer;
        layer.seen = dense_of(dense[0], width, 3 * width);
        layer.attended = dense_of(dense[1], width, width);
        layer.wide = dense_of(dense[2], width, 0);
        layer.narrow = dense_of(dense[3], layer.wide.columns, width);
        layer.attended_norm = norm(0);
        layer.norm = norm(1);
        kernel_->add_layer(std::move(layer));
    }

    Result states(const Given<int32_t, 1>& words, const Given<int32_t, 1>& types,
                  const Given<int32_t, 1>& places, const Given<int64_t, 1>& starts,
                  const std::optional<Given<int64_t, 3>>& read, std::size_t threads) const {
        require(starts.size() > 0 && starts(0) == 0 &&
                    starts(starts.size() - 1) == static_cast<int64_t>(words.size()),
                "the starts must run from 0 to the number of tokens");
        require(types.size() == words.size() && places.size() == words.size(),
                "each token needs a type and a place");
        const std::size_t texts = starts.size() - 1;
        const Tokens tokens{words.data(), types.data(), places.data(), starts.data()};
        Spans spans;
        std::vector<std::size_t> shape = {words.size(), kernel_->width()};
        if (read) {
            require(read->shape(0) == texts && read->shape(1) > 0 && read->shape(2) == 2,
                    "each text needs the bounds of its spans");
            spans = {read->data(), read->shape(1)};
            shape = {texts, spans.count, kernel_->width()};
        }
        std::size_t size = 1;
        for (const std::size_t each : shape) size *= each;
        auto* data = new float[size];
        Result result(data, shape.size(), shape.data(), owner_of(data));
        const nb::gil_scoped_release release;
        kernel_->check(tokens, spans, texts);
        kernel_->run(tokens, spans, texts, threads, data);
        return result;
    }

    const std::string& path() const { return kernel_->path(); }
    std::size_t longest() const { return kernel_->longest(); }

  private:
    Given<int8_t, 2> words_;
    float epsilon_;
    std::unique_ptr<Transformer> kernel_;
};

}  // namespace

void bind_transformer(nb::module_& m) {
    m.def("transformer_paths", &transformer_paths,
          "The paths that this machine can take, the fastest first; all give the same bits.");
    nb::class_<BoundTransformer>(m, "Transformer", "A transformer with weights of 8 bits.")
        .def("__init__",
             [](BoundTransformer* self, Given<int8_t, 2> words, const Given<float, 1>& scales,
                const Given<float, 2>& types, const Given<float, 2>& places, const nb::tuple& norm,
                std::size_t heads, float epsilon, const std::string& path) {
                 require(norm.size() == 2, "a norm has a scale and a shift");
                 new (self) BoundTransformer(
                     std::move(words), scales, types, places,
                     {nb::cast<Given<float, 1>>(norm[0]), nb::cast<Given<float, 1>>(norm[1])},
                     heads, epsilon, path);
             },
             nb::arg("words").noconvert(), nb::arg("scales").noconvert(),
             nb::arg("types").noconvert(), nb::arg("places").noconvert(), nb::arg("norm"),
             nb::arg("heads"), nb::arg("epsilon"), nb::arg("path") = "")
        .def("set_nearness", &BoundTransformer::set_nearness, nb::arg("nearness").noconvert())
        .def("add_layer", &BoundTransformer::add_layer, nb::arg("dense"), nb::arg("norms"))
        .def("states", &BoundTransformer::states, nb::arg("words").noconvert(),
             nb::arg("types").noconvert(), nb::arg("places").noconvert(),
             nb::arg("starts").noconvert(), nb::arg("spans").none() = nb::none(),
             nb::arg("threads") = 1,
             "The last states of all tokens; with spans, their means over these.")
        .def_prop_ro("path", &BoundTransformer::path)
        .def_prop_ro("longest", &BoundTransformer::longest);
}

}  // namespace concordant
